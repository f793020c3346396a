import Formats
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
    #expect(try FileOperations.exists(site.folder.path("out/index.json")) == layout.hasIndex)
    #expect(try FileOperations.exists(site.folder.path("out/\(layout.mark)")))
    #expect(try PublishedNames.layout(of: folder) == (layout.hasIndex ? nil : layout))
    let index = try #require(try BuiltFolder(folder).index)
    #expect(index.packs.count == 1)
    #expect(folderPath(of: index.packs[0].archive.path) == layout.packsFolder)
    #expect(!layout.hasIndex || index.layout == layout)
    let inspection = try Inspection(folder)
    if case .pack = inspection { Issue.record("inspect takes a build for a pack") }
  }
}
