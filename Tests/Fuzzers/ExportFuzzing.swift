@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System

/// Tests reading an export in one of Xcode's layouts.
///
/// If the first byte is even, the export is a folder. The rest of the input contains its property lists and
/// the files of one pack, separated by zero bytes. If the first byte is odd, the rest of the input is an
/// .ipa.
struct ExportFuzzing {
  private let input: [UInt8]

  init(_ input: [UInt8]) {
    self.input = input
  }

  func run() throws {
    guard let first = input.first else { return }
    let rest = input.dropFirst()
    if first % 2 == 1 {
      let app = try ScratchFile(Array(rest), named: "App.ipa")
      _ = try XcodeExport(app.path, jobs: 1)
      return
    }
    let folder = "\(ScratchFile.folder)/export"
    try FileOperations.remove(folder)
    let pack = "\(PublishedNames.onDemandResourcesFolder)/a\(PublishedNames.packSuffix)"
    let names = ExportPlaces.listNames + ["\(pack)/\(PublishedNames.packInfo)", "\(pack)/file"]
    for (name, content) in zip(names, rest.split(separator: 0, omittingEmptySubsequences: false)) {
      _ = try ScratchFile(Array(content), named: "export/\(name)")
    }
    _ = try XcodeExport(folder, jobs: 1)
  }
}
