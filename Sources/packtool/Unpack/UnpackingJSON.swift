import Formats
import PackKit
import Releases

/// What came of unpacking, for programs.
struct UnpackingJSON {
  private let report: UnpackingReport

  init(_ report: UnpackingReport) {
    self.report = report
  }

  var json: JSONText {
    let unpacking = report.unpacking
    let packs = unpacking.packs.compactMap { unpacking.folder.index?.packs[$0].id }
    return report.findings.document([
      "status": .string(report.isRefused ? "refused" : "written"), "output": .string(report.output),
      "packs": .strings(packs), "fileCount": .integer(unpacking.written.files),
      "size": .integer(unpacking.written.size),
    ])
  }
}
