@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests the size of the app itself: a size in the manifest, or the measured size of a bundle.
@Suite struct AppBundleTests {
  private func folder(appBundle: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeSparse("Assets/a", size: 60_000_000)
    try folder.writeManifest(
      [.path("a", "A")], app: "com.example.app", root: "Assets", members: #""limits": { "tagSize": null }"#,
      #""initialInstallTags": ["A"]"#, #""appBundle": \#(appBundle)"#)
    return folder
  }

  /// Returns the findings without the quoted lines of the manifest and without the last line.
  private func findings(_ folder: TemporaryFolder, _ flags: String...) -> [String] {
    let lines = runTool(words: ["validate", folder.path] + flags).errors.split(separator: "\n")
    return lines.compactMap { ReportedFinding(line: $0) }.filter {
      $0.place.hasPrefix(folder.path) || $0.severity == "detail"
    }
    .map { $0.facts.replacing("\(folder.path)/", with: "") }
  }

  private let found = [
    "Manifest.json:9:16: warning [app-bundle-size] 3,000,000,007 bytes 3.00 GB 852,516,359 853 MB 2,147,483,648 2 GiB",
    "Manifest.json:9:16: warning [cellular-size] 3,000,000,007 3.00 GB 60,000,000 bytes 60.0 MB 3,060,000,007 bytes "
      + "3.06 GB 2,860,000,007 2.86 GB 200,000,000 200 MB",
    "detail",
  ]

  @Test func `size is taken`() throws {
    let folder = try folder(appBundle: #"{ "size": 3000000007 }"#)
    #expect(findings(folder) == found)
  }

  /// All levels of a bundle are measured, including files that packs leave out.
  ///
  /// Symlinks are not followed.
  @Test func `folder is measured`() throws {
    let folder = try folder(appBundle: #"{ "path": "build/Game.app" }"#)
    try folder.writeSparse("build/Game.app/Game", size: 2_000_000_000)
    try folder.writeSparse("build/Game.app/Frameworks/Engine.framework/Engine", size: 1_000_000_000)
    try folder.write("build/Game.app/Info.plist", "1234")
    try folder.write("build/Game.app/.DS_Store", "56")
    try folder.write("build/Game.app/CVS/x", "7")
    try folder.link("build/Game.app/Again", to: "Game")
    try folder.link("build/Game.app/Whole", to: "Frameworks")
    #expect(findings(folder) == found)
  }

  @Test func `file is measured`() throws {
    let folder = try folder(appBundle: #"{ "path": "./Game.ipa" }"#)
    try folder.writeSparse("Game.ipa", size: 3_000_000_007)
    #expect(findings(folder) == found)
  }

  /// The path is relative to the manifest's folder, not to the root.
  ///
  /// The path can lead to a parent folder.
  @Test func `path is relative to the manifest`() throws {
    let folder = try folder(appBundle: #"{ "path": "../Elsewhere" }"#)
    try folder.write("Deep/Manifest.json", try folder.read("Manifest.json"))
    try folder.writeSparse("Deep/Assets/a", size: 60_000_000)
    try folder.writeSparse("Elsewhere", size: 3_000_000_007)
    let lines = runTool("validate", folder.path("Deep")).errors
    #expect(lines.reports("app-bundle-size", naming: "3,000,000,007 bytes"))
  }

  @Test func `missing bundle is a mistake`() throws {
    let folder = try folder(appBundle: #"{ "path": "build/Game.app" }"#)
    let bundle = folder.path("build/Game.app")
    #expect(
      runTool("validate", folder.path).errors.reports("invalid-path", at: "9:26", naming: bundle, "size"))
  }

  @Test func `broken in a submission but for advice`() throws {
    let folder = try folder(appBundle: #"{ "size": "3 GB" }"#)
    let found = findings(folder, "--submission")
    #expect(found.count == 3)
    #expect(found[0].hasPrefix("Manifest.json:9:16: error [app-bundle-size] 3,000,000,000 bytes 3.00 GB"))
    #expect(found[1].hasPrefix("Manifest.json:9:16: warning [cellular-size]"))
  }

  /// If the manifest does not state the app's size, only the initial install is checked, even in a built
  /// folder.
  @Test func `unknown size leaves the initial install`() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("a", size: 300_000_000)
    try folder.writeManifest([.path("a", "A")], members: #""initialInstallTags": ["A"]"#)
    let out = folder.path("out")
    for words in [
      ["validate", folder.path], ["build", folder.path, "-o", out, "--submission"], ["verify", out],
    ] {
      let run = runTool(words: words)
      #expect(run.status == .done, "\(run.errors)")
      #expect(run.errors.count(of: "cellular-size") == 1, "\(run.errors)")
    }
  }
}
