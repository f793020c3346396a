import Formats
import PackKit
import System

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
