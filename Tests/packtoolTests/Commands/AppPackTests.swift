import Foundation
import Support
import Testing
@testable import packtool

/// Tests that `verify` checks the contents of the packs in an app, even if another program built the packs.
@Suite struct AppPackTests {
  /// An app with one pack and without mistakes.
  private struct App {
    let site: AssetSite
    /// The path of the app and the path of its pack, relative to the site's folder.
    let path = "Game.app"
    let pack: String

    init() throws {
      site = try AssetSite("a", rules: #"{"path": "a", "tags": ["T"]}"#, keys: #""onUpdate": false"#)
      let built = runTool(
        words: [
          "build", site.folder.path, "-o", site.folder.path("Game.app"), "--layout", "xcode",
          "--embed-packs",
        ])
      try #require(built.status == .done, "\(built.errors)")
      try site.folder.write("Game.app/Info.plist", Self.info("com.example.game"))
      let packs = "Game.app/OnDemandResources"
      let name = try FileManager.default.contentsOfDirectory(atPath: site.folder.path(packs)).first
      pack = "\(packs)/\(try #require(name))"
    }

    static func info(_ identifier: String) -> String {
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(identifier)</string></dict></plist>
      """
    }

    func verify() -> ToolRun { ToolRun(["verify", site.folder.path(path)]) }
  }

  @Test func `a right app has no finding`() throws {
    let run = try App().verify()
    #expect(run.status == .done && run.all.allSatisfy { $0.severity == "note" }, "\(run.all)")
  }

  /// Like builds, `verify` refuses machine code in a pack.
  @Test func `machine code is refused`() throws {
    let app = try App()
    let code = Data([0x7f, 0x45, 0x4c, 0x46] + Array(repeating: 0, count: 60))
    try app.site.folder.write("\(app.pack)/lib.so", code)
    let run = app.verify()
    #expect(run.status == .inputHasErrors)
    #expect(run.findings("executable-content").map(\.file) == [app.site.folder.path("\(app.pack)/lib.so")])
  }

  @Test(arguments: [("7.5", 1), ("1.0", 0)]) func `priorities have a range`(priority: String, count: Int)
    throws
  {
    let app = try App()
    let path = app.site.folder.path("\(app.pack)/Info.plist")
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: URL(fileURLWithPath: path)), format: nil)
    var members = try #require(list as? [String: Any])
    members["Priority"] = Double(priority)
    try PropertyListSerialization.data(fromPropertyList: members, format: .xml, options: 0)
      .write(to: URL(fileURLWithPath: path))
    let found = app.verify().findings("wrong-contents").filter { $0.message.names("0", "1") }
    #expect(found.count == count)
  }

  @Test func `packs of another app are named`() throws {
    let app = try App()
    try app.site.folder.write("Game.app/Info.plist", App.info("com.example.other"))
    let found = app.verify().findings("wrong-contents").filter { $0.severity == "warning" }
    #expect(found.count == 1 && found.areAll { $0.message.contains("\"com.example.other\"") })
  }

  @Test func `an empty catalog is damage`() throws {
    let app = try App()
    try app.site.folder.write("\(app.pack)/Assets.car", "")
    let run = app.verify()
    #expect(run.status == .inputHasErrors)
    #expect(run.findings("damaged-pack").contains { $0.message.names("Assets.car") })
  }

  /// The zip contains the folder of the pack instead of the contents of the folder.
  ///
  /// Finder makes such a zip.
  @Test func `a zipped folder is explained`() throws {
    let app = try App()
    let folder = app.site.folder
    let built = runTool(
      words: [
        "build", folder.path, "-o", folder.path("hosted"), "--layout", "hosted", "--url-prefix",
        "https://example.com/",
      ])
    try #require(built.status == .done, "\(built.errors)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("hosted"))
    let pack = try #require(names.first { $0.hasSuffix(".assetpack") })
    let program = """
      import os, sys, zipfile
      out, source = sys.argv[1:]
      with zipfile.ZipFile(out, 'w') as zip:
        for name in os.listdir(source): zip.write(os.path.join(source, name), 'x.assetpack/' + name)
      """
    try FileManager.default.removeItem(atPath: folder.path("hosted/\(pack)"))
    let made = try run("python3", ["-c", program, folder.path("hosted/\(pack)"), folder.path(app.pack)])
    try #require(made.status == 0)
    let found = ToolRun(["verify", folder.path("hosted")]).findings("damaged-pack")
    #expect(found.contains { $0.message.names("x.assetpack") }, "\(found)")
  }
}
