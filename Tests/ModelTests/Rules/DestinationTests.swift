@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests where a rule with a destination puts a file, and how the fixed part of a glob affects this.
@Suite struct DestinationTests {
  @Test(arguments: [
    (#""path": "a""#, "a/b/c.png", "X/b/c.png"), (#""path": "a/b/c.png""#, "a/b/c.png", "X"),
    (#""path": ".""#, "a/b.png", "X/a/b.png"), (#""path": "./a//b/""#, "a/b/c.png", "X/c.png"),
    (#""glob": "**/*.png""#, "a/b/c.png", "X/a/b/c.png"), (#""glob": "a/**""#, "a/b/c.png", "X/b/c.png"),
    (#""glob": "a/b/*.png""#, "a/b/c.png", "X/c.png"), (#""glob": "a/{b,d}/*""#, "a/b/c.png", "X/b/c.png"),
    (#""glob": "a/[b]/c.png""#, "a/b/c.png", "X/b/c.png"), (#""glob": "a/b/c.png""#, "a/b/c.png", "X/c.png"),
    (#""glob": "d/../a/*/c.png""#, "a/b/c.png", "X/b/c.png"), (#""glob": "*""#, "a", "X/a"),
    // In Swift, a slash and a combining mark form a single Character. The slash must still end the name of
    // the folder.
    (#""path": "a""#, "a/\u{301}b", "X/\u{301}b"), (#""glob": "a/*""#, "a/\u{338}b", "X/\u{338}b"),
  ])
  func `a destination takes the place of the path or of the fixed part`(
    _ pattern: String, _ path: String, _ place: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(path, "content")
    try folder.writeManifest(
      rules: #"{ \#(pattern), "tags": ["A"], "destination": "X" }"#, app: "a",
      members: #""exclude": ["Manifest.json"]"#)
    let manifest = try #require(try ManifestReader(argument: folder.path).manifest)
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 1)
    #expect(scan.diagnostics.rendered == [])
    #expect(scan.tree?.files.map { Array($0.packPath.utf8) } == [Array(place.utf8)])
  }
}
