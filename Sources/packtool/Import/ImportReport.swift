import Findings
import Formats
import PackKit
import System

/// What came of importing a project.
struct ImportReport {
  let manifest: Manifest
  /// The manifest as it is written.
  let text: ByteBuffer
  /// The file that was written, as the user typed it; nil if the manifest went to no file, but was printed.
  let output: String?
  let findings: Findings
  let isQuiet: Bool

  /// The number of different tags in the rules.
  var tagCount: Int { manifest.firstPlaces.count }

  /// What people are told, for which there is room only where the manifest is not printed.
  var told: PlainText {
    guard let output, !isQuiet else { return "" }
    return
      "wrote \(displayed(output)): \(counted(manifest.rules.count, "rule")), \(counted(tagCount, "tag"))\n"
  }
}

/// What came of importing a project, for programs: the manifest itself where it went to no file.
struct ImportJSON {
  private let report: ImportReport

  init(_ report: ImportReport) {
    self.report = report
  }

  var json: JSONText {
    var members: [String: JSONText] = [
      "status": .string(report.output == nil ? "printed" : "written"),
      "output": report.output.map(JSONText.string) ?? .null,
      "rules": .integer(report.manifest.rules.count), "tags": .integer(report.tagCount),
    ]
    if report.output == nil { members["manifest"] = manifest }
    return report.findings.document(members)
  }

  private var manifest: JSONText {
    let text = SourceText(path: Manifest.fileName, bytes: report.text.array())
    return JSONReader.read(text).value.map { JSONText($0) } ?? .null
  }
}
