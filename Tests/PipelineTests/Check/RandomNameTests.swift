import Foundation
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests with random trees that the names that a scan notes decide nothing: with and without them, the checks of
/// names have the same findings.
@Suite struct RandomNameTests {
  private static let names = [
    "a", "b.png", "c.bak", "c.BAK", "d.bakery", "e~", "id_rsa", "id_rsa.pub", "ideas_rsa", ".env.local",
    ".env",
    "x.mobileprovision", "x.mobileprovisions", "y.gitattributes", "y.gitattribute", "node_modules",
    "node-modules",
    ".idea", ".ideas", "__MACOSX", "Art.xcassets", ".xcassets", "xcassets", "B.xcassetsx", "z.tar.gz",
    "caf\u{e9}.swp",
    "é~", "i_", "no suffix.", "import", ".import",
  ]

  @Test(arguments: 0..<60) func `names that a scan notes change no finding`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryFolder()
    try folder.write("Assets/first", "1")
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let depth = Int.random(in: 1...4, using: &random)
      let path = (0..<depth).map { _ in Self.names.randomElement(using: &random) ?? "a" }.joined(
        separator: "/")
      // A write fails if there is already a file at the path of a folder. The test ignores this failure.
      try? folder.write("Assets/\(path)", path)
    }
    let text = #"{"bundleIdentifier": "a.b", "root": "Assets", "resources": [{"path": ".", "tags": ["T"]}]}"#
    try folder.write("Manifest.json", text)
    let manifest = try #require(ManifestReader(argument: folder.path).manifest)
    var tree = try #require(AssetScan(of: manifest, leavingOut: nil, jobs: 2).tree)
    let checks = [FileCheck.unlikelyAssets, .rawCatalogs]
    let noted = checks.map { $0.find(.init(plan: PackPlan(grouping: tree, of: manifest))) }
    tree.mayHaveUnlikelyNames = true
    tree.mayHaveCatalogs = true
    let all = checks.map { $0.find(.init(plan: PackPlan(grouping: tree, of: manifest))) }
    #expect(noted == all)
  }

  @Test func `a scan of usual names rules the checks out`() throws {
    let tree = try #require(ScanSite("a/x.png", "Level 1/map.json", "id.txt").scan(.path(".", "T")).tree)
    #expect(!tree.mayHaveUnlikelyNames && !tree.mayHaveCatalogs)
    let odd = try #require(ScanSite("a/x.png~", "Art.xcassets/x").scan(.path(".", "T")).tree)
    #expect(odd.mayHaveUnlikelyNames && odd.mayHaveCatalogs)
  }

  /// Files of a folder can be before and after the files of its subfolder.
  @Test func `files are grouped by their folders`() {
    let paths = ["a", "b/x", "b/x/1", "b/x/2", "b/y", "bb/y", "é/1", "z"]
    let files = FileList(
      paths.map { AssetFile(path: $0, size: 1, stamp: .unknown, tagSet: 0, destination: nil) })
    let folders = files.byFolder
    #expect(folders.map { String($0.path) } == [".", "b", "b/x", "b", "bb", "é", "."])
    #expect(folders.map(\.files) == [0..<1, 1..<2, 2..<4, 4..<5, 5..<6, 6..<7, 7..<8])
    #expect(folders.map(\.nameStart) == [0, 2, 4, 2, 3, 3, 0])
  }
}
