import Formats
import PackKit
import Packing
import System

/// What a build did, for programs: the file of `--result`.
struct BuildJSON {
  private let result: BuildResult
  private let findings: Findings
  private let indexName: String
  /// The duration of the build.
  private let seconds: Double

  init(_ result: BuildResult, _ findings: Findings, indexName: String, seconds: Double) {
    self.result = result
    self.findings = findings
    self.indexName = indexName
    self.seconds = seconds
  }

  var json: JSONText { .object(members) }

  private var members: [String: JSONText] {
    let (release, changes) = (result.release, result.changes)
    var members: [String: JSONText] = [
      "formatVersion": .integer(1),
      "status": .string(release == nil ? "refused" : result.isUnchanged ? "unchanged" : "built"),
      "written": .strings(changes.written),
      "kept": .strings(result.kept),
      "removed": .strings(changes.removed),
      "index": release == nil ? .null : .string(indexName),
      "contents": release?.contents.map { .string($0.path) } ?? .null,
      "seconds": .real((seconds * 1000).rounded() / 1000),
      "read": .integer(result.reads.read),
      "hashed": .integer(result.reads.hashed),
      "diagnostics": findings.counts,
    ]
    // Only of builds that took packs over, so that all others have the same keys.
    if !result.takenOver.isEmpty { members["takenOver"] = .strings(result.takenOver) }
    return members
  }
}
