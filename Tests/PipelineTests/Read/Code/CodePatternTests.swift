@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests searching code in any language for a pattern of the user.
@Suite struct CodePatternTests {
  /// The search skips lines that are too long or are not text, but counts them.
  @Test func `tags are found where they are`() throws {
    let site = try ScanSite("a")
    _ = try site.manifest([.path("a", "Menu")])
    let plan = try #require(try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
    let long = String(repeating: "x", count: 1 << 14)
    let code = "load(Menu)\n\(long) load(No)\n\nload(Cave) load(Mine)\n  load(Menu)\n"
    try site.folder.write("code/game.lua", code)
    let pattern = try RegularExpression("load\\(([A-Z][a-z]+)\\)")
    let search = try CodeSearch(for: plan, in: [site.folder.path("code")], pattern: pattern)
    let found = search.diagnostics.map { finding in
      let place = finding.place.position
      return "\(place?.line ?? 0):\(place?.column ?? 0) \(finding.checkAndValues)"
    }
    #expect(found == [#"4:6 [unknown-tag-in-code] "Cave""#, #"4:17 [unknown-tag-in-code] "Mine""#])
  }
}
