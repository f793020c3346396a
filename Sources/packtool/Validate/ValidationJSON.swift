import Formats
import PackKit

/// What was found in some manifests, for programs.
struct ValidationJSON {
  private let report: ValidationReport

  init(_ report: ValidationReport) {
    self.report = report
  }

  var json: JSONText {
    report.findings.document([
      "status": report.findings.status, "manifests": .array(report.manifests.map(json)),
    ])
  }

  private func json(of manifest: ValidationReport.Manifest) -> JSONText {
    var members: [String: JSONText] = [
      "path": .string(manifest.path), "status": manifest.findings.status, "summary": manifest.findings.counts,
    ]
    if let release = manifest.release {
      members["packs"] = .integer(release.packs.count)
      members["fileCount"] = .integer(release.total.files)
      members["size"] = .integer(release.total.size)
    }
    return .object(members)
  }
}

extension Findings {
  /// `accepted`, or `refused` with an error among the findings.
  var status: JSONText { .string(hasErrors ? "refused" : "accepted") }
}
