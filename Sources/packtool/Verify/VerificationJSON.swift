import Formats

/// What came of verifying a built folder, for programs.
struct VerificationJSON {
  private let report: VerificationReport

  init(_ report: VerificationReport) {
    self.report = report
  }

  var json: JSONText {
    var members: [String: JSONText] = [
      "status": report.findings.status, "path": .string(report.path),
    ]
    if let count = report.count {
      members["packs"] = .integer(count.packs)
      members["fileCount"] = .integer(count.files)
      members["size"] = .integer(count.size)
    }
    return report.findings.document(members)
  }
}
