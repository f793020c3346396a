@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Synchronization

/// The messages of every check, as they are now: what the samples and the variants report.
enum CheckWords {
  /// The text for the snapshot of each check, by the id of the check.
  static let all: [String: Result<String, any Error>] = {
    let found = Mutex<[String: Result<String, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: Check.all.count) { number in
      let check = Check.all[number]
      let words = Result { try text(of: check) }
      found.withLock { $0[check.id] = words }
    }
    return found.withLock(\.self)
  }()

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// The findings about bad manifests.
  private static let ofBadManifests = Result {
    let stage = try CheckStage()
    for manifest in BadManifest.all {
      stage.add(readManifest(manifest.bytes).diagnostics.ordered(manifest: manifestPath))
    }
    return stage.found
  }

  private static func text(of check: Check) throws -> String {
    guard let sample = CheckSample.all[check.id] else {
      throw Missing(description: "no sample in Tests/packtoolTests/Checks provokes \(check.id)")
    }
    let stage = try CheckStage()
    try sample(stage)
    let sampled = stage.found[check.id, default: []]
    let own = try sampled + ofBadManifests.get()[check.id, default: []].filter { !sampled.contains($0) }
    if own.isEmpty { throw Missing(description: "the sample of \(check.id) does not provoke it") }
    // Add a variant's finding only if its words differ from those of the sample.
    let forms = Set(own.map(CheckVariant.form(of:)))
    let more = CheckVariant.outcome.found[check.id, default: []].filter {
      !forms.contains(CheckVariant.form(of: $0))
    }
    return """
      \(check.id): \(check.listedSeverity)
      \(check.summary)

      \((own + more).joined(separator: "\n\n"))

      """
  }
}
