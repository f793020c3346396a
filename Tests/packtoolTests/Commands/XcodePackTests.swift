import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests the output of `inspect` and `verify` for packs and lists in Xcode's formats and in packtool's own
/// format.
@Suite struct XcodePackTests {
  /// Builds the example in one of Xcode's layouts.
  private func build(_ flags: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    #expect(
      runTool(words: ["build", XcodeTests.project, "-o", folder.path("out"), "-q"] + flags).status == .done)
    return folder
  }

  private func village(_ folder: TemporaryFolder) throws -> String {
    try #require(
      try folder.files(below: "out").keys.first { $0.contains("lanterns.Village-") }
        .map { name in
          let end = name.range(of: ".assetpack")?.upperBound ?? name.endIndex
          return "out/\(name[..<end])"
        })
  }

  @Test func `every form of a pack is inspected`() throws {
    let files = """
        273  Maps/Tiles/grass.png
      """
    for flags in [["--layout", "xcode"], ["--layout", "hosted", "--url-prefix", "https://x.y/"]] {
      let folder = try TemporaryFolder()
      #expect(
        runTool(words: ["build", XcodeTests.project, "-o", folder.path("out"), "-q"] + flags).status == .done)
      let run = runTool("inspect", folder.path(try village(folder)))
      #expect(run.status == .done)
      #expect(
        run.output.hasPrefix(
          """
          identifier: com.example.lanterns.asset-pack-abc63490c815af81276f930216c8d92b
          tags: "Village"
          priority: 1.0
          4 files, 460 bytes

          """))
      #expect(run.output.contains("Maps/Tiles/grass.png") && !run.output.contains("META-INF"), "\(files)")
      let json = runTool("inspect", folder.path(try village(folder)), "--format", "json")
      let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
      #expect(object?["kind"] as? String == "pack" && object?["priority"] as? Double == 1)
      #expect((object?["files"] as? [Any])?.count == 4)
    }
  }

  @Test(arguments: Container.allCases) func `our own packs are inspected`(container: Container) throws {
    let folder = try TemporaryFolder()
    try folder.write("Assets/é/1.json", "content")
    try folder.writeManifest(
      [.path("é", "A")], root: "Assets", members: #""container": "\#(container.rawValue)""#)
    #expect(runTool("build", folder.path("Manifest.json"), "-o", folder.path("out")).status == .done)
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path("out/packs")).first)
    let pack = runTool("inspect", folder.path("out/packs/\(name)"))
    #expect(pack.output == "1 file, 7 bytes\n  7  é/1.json\n")
    for path in ["out", "out/index.json"] {
      #expect(
        runTool("inspect", folder.path(path)).output.hasPrefix(
          "com.example.game: 1 pack, 1 file, 7 bytes\n  A  on demand"))
    }
  }

  @Test func `lists are shown whoever wrote them`() throws {
    let folder = try build("--layout", "xcode")
    let list = runTool("inspect", folder.path("out/OnDemandResources.plist"))
    #expect(list.output.contains("\"NSBundleResourceRequestAssetPacks\": {"))
    #expect(runTool("inspect", folder.path("out")).output.contains("AssetPackManifestTemplate.plist:\n{"))
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- by hand --><plist version="1.0"><dict><key>A &amp; B</key><array><string>x</string><integer>-3</integer>
      <real>0.5</real><true/><false/><string/><dict/></array></dict></plist>
      """
    try folder.write("x.plist", xml)
    let shown = runTool("inspect", folder.path("x.plist"), "--format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any]
    let content = try #require(object?["content"] as? [String: [Any]])
    #expect(content["A & B"]?.count == 7)
  }

  @Test func `what is none of these is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", "hello")
    try folder.write("cut.plist", Data("bplist00".utf8) + Data(repeating: 0xff, count: 60))
    try folder.write("cut.xml", "<?xml?><plist><dict><key>a</key>")
    try folder.write("cut.assetpack", Data([0x50, 0x4b, 3, 4, 0, 0]))
    for name in ["text", "cut.plist", "cut.xml", "nothing"] {
      let run = runTool("inspect", folder.path(name))
      #expect(run.status == .inputHasErrors)
      #expect(run.errors.reports("unknown-file"), "\(run.errors)")
    }
    let run = runTool("inspect", folder.path("cut.assetpack"))
    #expect(run.status == .inputHasErrors && run.errors.refuses(naming: folder.path("cut.assetpack")))
  }

  @Test func `verify says what of an export does not fit`() throws {
    for flags in [
      ["--layout", "xcode"],
      ["--layout", "hosted", "--url-prefix", "https://x.y/", "--content-hash", "sha256"],
    ] {
      let folder = try TemporaryFolder()
      #expect(
        runTool(words: ["build", XcodeTests.project, "-o", folder.path("out"), "-q"] + flags).status == .done)
      let whole = runTool("verify", folder.path("out"))
      #expect(whole.status == .done && whole.output == "6 packs, 15 files: all packs and lists agree\n")
      try FileManager.default.removeItem(atPath: folder.path(try village(folder)))
      let gone = runTool("verify", folder.path("out"))
      #expect(gone.status == .inputHasErrors)
      #expect(gone.errors.reports("missing-pack"))
    }
  }

  @Test func `accents behind their letters are what was built`() throws {
    let folder = try TemporaryFolder()
    for name in ["e\u{301}.json", "o\u{308}/z.json"] { try folder.write("Assets/\(name)", name) }
    try folder.writeManifest([.path(".", "A")], app: "com.example.accents", root: "Assets")
    let hosted = ["--layout", "hosted", "--url-prefix", "https://x.y/", "--content-hash", "sha256"]
    #expect(runTool(words: ["build", folder.path, "-o", folder.path("hosted")] + hosted).status == .done)
    let verified = runTool("verify", folder.path("hosted"))
    #expect(verified.status == .done && verified.output == "1 pack, 2 files: all packs and lists agree\n")
    let pack = try #require(try folder.files(below: "hosted").keys.first { $0.hasSuffix(".assetpack") })
    let shown = runTool("inspect", folder.path("hosted/\(pack)")).output
    #expect(Data(shown.utf8).range(of: Data("e\u{301}.json".utf8)) != nil)
    #expect(Data(shown.utf8).range(of: Data("o\u{308}/z.json".utf8)) != nil)
  }

  @Test(arguments: [
    ("Maps/harbour.json", "{}", "[wrong-contents]"), ("Maps/more.json", "{}", "[wrong-contents]"),
    ("extra.json", "", #"[wrong-contents] "extra.json""#),
    ("Info.plist", "", "[damaged-pack]"),
  ])
  func `a changed folder of a pack is found`(file: String, content: String, facts: String) throws {
    let folder = try build("--layout", "xcode")
    try folder.write("\(try village(folder))/\(file)", content)
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.hasFacts(facts), "\(run.errors)")
  }

  @Test func `a changed byte of a hosted pack is found`() throws {
    let folder = try build("--layout", "hosted", "--url-prefix", "https://x.y/", "--content-hash", "sha256")
    let path = try village(folder)
    var pack = try folder.read(path)
    let place = try #require(pack.firstRange(of: Data("Harbour".utf8))).lowerBound
    pack[place] = UInt8(ascii: "h")
    try folder.write(path, pack)
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .inputHasErrors && run.errors.reports("damaged-pack"))
  }

  @Test func `folders count in xcodes own manifests`() throws {
    let folder = try build("--layout", "xcode")
    let path = folder.path("out/AssetPackManifestTemplate.plist")
    // The pack has two folders. APFS counts 3 entries for one folder and 2 for the other. The folder of the
    // pack itself is not counted.
    let script = """
      import plistlib, sys
      for more, path in ((9 * 32, sys.argv[1]),):
        manifest = plistlib.load(open(path, 'rb'))
        for resource in manifest['resources']:
          if resource['bundleKey'].endswith('abc63490c815af81276f930216c8d92b'): resource['uncompressedSize'] += more
        plistlib.dump(manifest, open(path, 'wb'), fmt=plistlib.FMT_BINARY)
      """
    try run("python3", ["-c", script, path])
    #expect(runTool("verify", folder.path("out")).status == .done)
    try run("python3", ["-c", script, path])
    #expect(runTool("verify", folder.path("out")).errors.reports("wrong-contents"))
  }
}
