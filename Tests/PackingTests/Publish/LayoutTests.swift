import Foundation
import Inspect
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests requirements for every layout.
@Suite struct LayoutTests {
  /// The next build recognizes the layout of a build.
  ///
  /// Other commands recognize it as well, and find its index.
  @Test(arguments: Layout.allCases) func `every layout is recognized`(layout: Layout) throws {
    let site = try XcodeSite("a.png")
    try site.build([.path("a.png", "foo")], XcodeSite.settings(layout, .prefix("https://example.com/")))
    let folder = site.folder.path("out")
    #expect(try Layout.found(in: OutputFolder(folder)) == layout)
    let hasIndex = try FileOperations.exists(site.folder.path("out/index.json"))
    #expect(try PublishedNames.layout(of: folder) == (hasIndex ? nil : layout.rawValue))
    #expect(try BuiltFolder(folder).index?.packs.count == 1)
    let inspection = try Inspection(folder)
    if case .pack = inspection { Issue.record("inspect takes a build for a pack") }
  }
}
