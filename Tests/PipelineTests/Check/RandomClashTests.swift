import Formats
@testable import Model
@testable import Pipeline
import System
import Support
import Testing

/// Tests with random trees that the fast check of names during a scan has the same results as a comparison of
/// all paths.
@Suite struct RandomClashTests {
  @Test(arguments: 0..<40)
  func `quick and simple ways agree`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let names = [
      "a", "A", "b", "Bc", "bC", "caf\u{e9}", "cafe\u{301}", "\u{c4}", "\u{e4}", "maps", "Map", "map", "z",
    ]
    let folder = try TemporaryFolder()
    for _ in 0..<Int.random(in: 2...12, using: &random) {
      let depth = Int.random(in: 1...3, using: &random)
      let path = (0..<depth).map { _ in names.randomElement(using: &random) ?? "a" }.joined(separator: "/")
      // A write fails if there is already a file at the path of a folder. The test ignores this failure.
      try? folder.write("Assets/\(path)", path)
    }
    let text = #"{"bundleIdentifier": "a.b", "root": "Assets", "resources": [{"path": ".", "tags": ["T"]}]}"#
    try folder.write("Manifest.json", text)
    let manifest = try #require(ManifestReader(argument: folder.path).manifest)
    var tree = try #require(AssetScan(of: manifest, leavingOut: nil, jobs: 2).tree)
    let isQuick = !tree.mayHaveClashes
    let quick = FileCheck.pathClashes.find(.init(plan: PackPlan(grouping: tree, of: manifest)))
    tree.mayHaveClashes = true
    let simple = FileCheck.pathClashes.find(.init(plan: PackPlan(grouping: tree, of: manifest)))
    #expect(quick == simple)
    #expect(!isQuick || simple.isEmpty)
  }

  /// Names that clash cause a comparison.
  ///
  /// But if no rule matches them, there is no finding.
  @Test func `untagged names do not clash`() throws {
    let site = try ScanSite("a/x.png", "a/Notes", "a/notes", "B/x")
    let tree = try #require(site.scan(.glob("**/*.png", "T")).tree)
    #expect(tree.mayHaveClashes)
    let manifest = try site.manifest([.glob("**/*.png", "T")])
    #expect(FileCheck.pathClashes.find(.init(plan: PackPlan(grouping: tree, of: manifest))).isEmpty)
  }

  @Test func `names that differ are taken`() throws {
    let tree = try ScanSite("Ab/x.png", "aB2/X", "Z/\u{e9}", "Z/e").scan(.path(".", "T")).tree
    #expect(tree?.mayHaveClashes == false)
  }
}
