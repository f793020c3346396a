import Foundation
@testable import PackKit
@testable import Packing
import Support
import Testing
@testable import packtool

/// Xcode's formats as scripts use them: import, builds in its layouts, inspect and verify.
@Suite struct XcodeTests {
  private static let project = "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj"

  @Test func aFolderWithAProjectIsGuessed() {
    let folder = "\(packageFolder)/Examples/Xcode"
    let run = runTool("validate", folder)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.contains("does not exist; did you mean \"\(folder)/Lanterns.xcodeproj\"? [missing-manifest]")
    )
  }

  @Test func importTakesTheOnlyProjectOfAFolder() throws {
    let folder = "\(packageFolder)/Examples/Xcode"
    let run = runTool("import", folder)
    #expect(run.status == .done, "\(run.errors)")
    #expect(run.output == runTool("import", Self.project).output)
    #expect(run.output.contains("com.example.lanterns"))
  }

  @Test func ofSeveralProjectsImportTakesNone() throws {
    let folder = try TemporaryFolder()
    for name in ["A", "B"] { try folder.write("\(name).xcodeproj/project.pbxproj", "{}") }
    let run = runTool("import", folder.path)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.contains(
        "the folder has 2 projects; name one: \"\(folder.path)/A.xcodeproj\" and \"\(folder.path)/B.xcodeproj\""
      ),
      "\(run.errors)")
  }

  /// Storyboards and untagged resources, but no Makefile and no project file.
  @Test func untaggedAreResourcesOfTheTarget() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: "\(packageFolder)/Examples/Xcode", toPath: folder.path("App"))
    let before = runTool("plan", folder.path("App/Lanterns.xcodeproj"), "--untagged").output
    try folder.write("App/Makefile.old", "all:")
    try folder.write("App/build/packs/x.assetpack/x", "x")
    #expect(runTool("plan", folder.path("App/Lanterns.xcodeproj"), "--untagged").output == before)
    #expect(!before.contains("Makefile") && !before.contains("pbxproj"), "\(before)")
    let explained = runTool("explain", "Makefile", folder.path("App/Lanterns.xcodeproj"))
    #expect(
      explained.output
        == "file \"Makefile\": not among the target's resources, so it is in no pack, nor copied into the app\n"
    )
  }

  /// The files of each of the example's packs, by the pack's tags.
  private static let packs: [String: [String]] = [
    "Village": ["Maps/Tiles/grass.png", "Maps/Tiles/water.png", "Maps/harbour.json", "Maps/village.json"],
    "Festival": [
      "Assets.xcassets/Festival/Contents.json", "Assets.xcassets/Festival/river.imageset/Contents.json",
      "Assets.xcassets/Festival/river.imageset/river.png", "chime.wav", "drum.wav",
    ],
    "Festival+Village": [
      "Assets.xcassets/Festival/lantern.imageset/Contents.json",
      "Assets.xcassets/Festival/lantern.imageset/lantern.png",
    ],
    "Chapter 1": ["1.json"], "Chapter 2": ["2.json"],
    "Chapter 1+Chapter 2": ["de.lproj/Story.strings", "en.lproj/Story.strings"],
  ]

  /// The files of each pack of a build in Xcode's layout.
  private func packs(_ folder: TemporaryFolder, _ output: String) throws -> [String: [String]] {
    var packs: [String: [String]] = [:]
    for path in try folder.files(below: "\(output)/OnDemandResources").keys {
      let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
      let tags = parts[0].dropFirst("com.example.lanterns.".count).dropLast("-.assetpack".count + 32)
      if parts[1] != "Info.plist" { packs[String(tags), default: []].append(parts[1]) }
    }
    return packs.mapValues { $0.sorted() }
  }

  @Test func theExampleIsBuiltStraight() throws {
    let folder = try TemporaryFolder()
    let run = runTool("build", Self.project, "-o", folder.path("out"), "--layout", "xcode")
    #expect(run.status == .done)
    #expect(run.errors.contains("note: 2 folders of the catalog \"Lanterns/Assets.xcassets\" have tags"))
    #expect(try packs(folder, "out") == Self.packs)
    #expect(runTool("verify", folder.path("out")).status == .done)
  }

  /// The example with its list of the initial install in a file of settings.
  private func exampleWithSettingsFile(_ settings: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: "\(packageFolder)/Examples/Xcode", toPath: folder.path("App"))
    let list = #"ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = "Village \"Chapter 1\"";"#
    let project = try String(contentsOfFile: Self.project + "/project.pbxproj", encoding: .utf8)
    #expect(project.contains(list))
    try folder.write(
      "App/Lanterns.xcodeproj/project.pbxproj",
      project.replacingOccurrences(of: list, with: "").replacingOccurrences(
        of: "isa = XCBuildConfiguration;",
        with: "isa = XCBuildConfiguration; baseConfigurationReference = AA;"
      ).replacingOccurrences(
        of: "objects = {\n",
        with: "objects = {\nAA = {isa = PBXFileReference; path = App.xcconfig; sourceTree = SOURCE_ROOT; };\n"
      ))
    try folder.write("App/App.xcconfig", settings)
    return folder
  }

  @Test func settingsInAFileAreFollowed() throws {
    let list = "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS ="
    let folder = try exampleWithSettingsFile("#include? \"Local.xcconfig\"\n#include \"Tags\"\n")
    try folder.write("App/Tags.xcconfig", "\(list) Village \"Chapter 1\" // what level 1 needs\n")
    let run = runTool(
      "build", folder.path("App/Lanterns.xcodeproj"), "-o", folder.path("out"), "--layout", "xcode",
      "--depfile",
      folder.path("out.d"))
    #expect(run.status == .done)
    #expect(
      runTool("build", Self.project, "-o", folder.path("straight"), "--layout", "xcode", "--quiet").status
        == .done)
    #expect(
      try folder.read("straight/OnDemandResources.plist") == folder.read("out/OnDemandResources.plist"))
    let depfile = try String(contentsOfFile: folder.path("out.d"), encoding: .utf8)
    let dependencies = depfile.split(separator: "\n").filter { $0.hasSuffix(":") }
    for path in [
      "App.xcconfig", "Tags.xcconfig", "Lanterns.xcodeproj/project.pbxproj",
      "Lanterns/Assets.xcassets/Contents.json",
      "Lanterns/Assets.xcassets/AppIcon.appiconset/Contents.json",
      "Lanterns/Assets.xcassets/Festival/Contents.json",
    ] {
      #expect(dependencies.count { $0 == folder.path("App/\(path)") + ":" } == 1, "\(path)")
    }
    #expect(!depfile.contains("Local.xcconfig"))
  }

  @Test(arguments: ["text", "github"]) func aMistakeInASettingsFileIsShownThere(form: String) throws {
    let folder = try exampleWithSettingsFile("\n  ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = Vilage\n")
    let run = runTool("validate", folder.path("App/Lanterns.xcodeproj"), "--diagnostics", form)
    #expect(run.status == .done)
    let file = folder.path("App/App.xcconfig")
    #expect(
      (run.errors + run.output).contains(
        form == "text"
          ? """
          \(file):2:3: warning: no rule gives the tag "Vilage" [unknown-tag]
              ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = Vilage
              ^
          """
          : "::warning file=\(file),line=2,col=3,title=unknown-tag::no rule gives the tag \"Vilage\"")
    )
  }

  @Test func theExampleIsImportedAndBuilt() throws {
    let folder = try TemporaryFolder()
    let manifest = folder.path("deep/Manifest.json")
    #expect(runTool("import", Self.project, "-o", manifest, "--quiet").status == .done)
    let plan = runTool("plan", manifest)
    #expect(plan.status == .done)
    #expect(plan.output.hasPrefix("com.example.lanterns: 6 packs, 15 files"))
    #expect(runTool("build", manifest, "-o", folder.path("out"), "--layout", "xcode").status == .done)
    #expect(try packs(folder, "out") == Self.packs)
    let straight = runTool(
      "build", Self.project, "-o", folder.path("straight"), "--layout", "xcode", "--embed-packs")
    #expect(straight.status == .done)
    #expect(
      try folder.read("straight/OnDemandResources.plist") == folder.read("out/OnDemandResources.plist"))
  }

  @Test func theManifestIsOneThatAPersonWouldWrite() throws {
    let run = runTool("import", Self.project)
    #expect(run.status == .done)
    #expect(
      run.output == """
        {
          "$schema": "../../Manifest.schema.json",
          "bundleIdentifier": "com.example.lanterns",
          "resources": [
            { "path": "Content/Chapters/1.json", "tags": ["Chapter 1"], "destination": "1.json" },
            { "path": "Content/Chapters/2.json", "tags": ["Chapter 2"], "destination": "2.json" },
            { "path": "Lanterns/Assets.xcassets/Festival", "tags": ["Festival"], "destination": "Assets.xcassets/Festival" },
            {
              "path": "Lanterns/Assets.xcassets/Festival/lantern.imageset",
              "tags": ["Village"],
              "destination": "Assets.xcassets/Festival/lantern.imageset"
            },
            { "path": "Lanterns/Maps", "tags": ["Village"], "destination": "Maps" },
            { "path": "Lanterns/Sounds/chime.wav", "tags": ["Festival"], "destination": "chime.wav" },
            { "path": "Lanterns/Sounds/drum.wav", "tags": ["Festival"], "destination": "drum.wav" },
            {
              "path": "Lanterns/de.lproj/Story.strings",
              "tags": ["Chapter 1", "Chapter 2"],
              "destination": "de.lproj/Story.strings"
            },
            {
              "path": "Lanterns/en.lproj/Story.strings",
              "tags": ["Chapter 1", "Chapter 2"],
              "destination": "en.lproj/Story.strings"
            }
          ],
          "initialInstallTags": ["Village", "Chapter 1"],
          "prefetchTagOrder": ["Festival", "Chapter 2"]
        }

        """)
  }

  @Test func aConfigurationHasSettingsOfItsOwn() throws {
    let run = runTool("import", Self.project, "--target", "Lanterns", "--configuration", "Debug")
    #expect(run.output.contains("\"bundleIdentifier\": \"com.example.lanterns.debug\""))
    #expect(!run.output.contains("prefetchTagOrder"))
    #expect(runTool("plan", Self.project, "--configuration", "Debug").output.contains("lanterns.debug"))
    let wrong = runTool("import", Self.project, "--target", "Lantern")
    #expect(wrong.status == .inputHasErrors && wrong.output == "")
    #expect(wrong.errors.contains("did you mean \"Lanterns\"? [unknown-target]"))
  }

  @Test(arguments: [
    (["--layout", "hosted"], "the layout \"hosted\" needs the URL that packs are below"),
    (["--url-prefix", "https://x/"], "flag \"--url-prefix\" needs the layout \"xcode\" or \"hosted\""),
    (["--content-hash", "sha256"], "flag \"--content-hash\" needs the layout"),
    (
      ["--layout", "hosted", "--url-prefix", "x", "--embed-packs"],
      "flag \"--embed-packs\" needs the layout \"xcode\""
    ),
    (["--layout", "hosted", "--url-prefix", "x", "--compression", "best"], "its entries are stored"),
  ])
  func flagsThatDoNotGoTogetherAreRefused(flags: [String], message: String) throws {
    let folder = try TemporaryFolder()
    let run = runTool(words: ["build", Self.project, "-o", folder.path("out")] + flags)
    #expect(run.status == .usage)
    #expect(run.errors.contains(message))
    #expect(try folder.files().isEmpty)
  }

  /// A build of the example in one of Xcode's layouts.
  private func build(_ flags: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    #expect(runTool(words: ["build", Self.project, "-o", folder.path("out"), "-q"] + flags).status == .done)
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

  @Test func everyFormOfAPackIsInspected() throws {
    let files = """
        273  Maps/Tiles/grass.png
      """
    for flags in [["--layout", "xcode"], ["--layout", "hosted", "--url-prefix", "https://x.y/"]] {
      let folder = try TemporaryFolder()
      #expect(
        runTool(words: ["build", Self.project, "-o", folder.path("out"), "-q"] + flags).status == .done)
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

  @Test(arguments: Container.allCases) func ourOwnPacksAreInspected(container: Container) throws {
    let folder = try TemporaryFolder()
    try folder.write("Assets/é/1.json", "content")
    try folder.write(
      "Manifest.json",
      """
      { "bundleIdentifier": "a", "container": "\(container.rawValue)", "root": "Assets", "resources": [{ "path": "é", "tags": ["A"] }] }
      """)
    #expect(runTool("build", folder.path("Manifest.json"), "-o", folder.path("out")).status == .done)
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path("out/packs")).first)
    let pack = runTool("inspect", folder.path("out/packs/\(name)"))
    #expect(pack.output == "1 file, 7 bytes\n  7  é/1.json\n")
    for path in ["out", "out/index.json"] {
      #expect(
        runTool("inspect", folder.path(path)).output.hasPrefix("a: 1 pack, 1 file, 7 bytes\n  A  on demand"))
    }
  }

  @Test func listsAreShownWhoeverWroteThem() throws {
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

  @Test func whatIsNoneOfTheseIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", "hello")
    try folder.write("cut.plist", Data("bplist00".utf8) + Data(repeating: 0xff, count: 60))
    try folder.write("cut.xml", "<?xml?><plist><dict><key>a</key>")
    try folder.write("cut.assetpack", Data([0x50, 0x4b, 3, 4, 0, 0]))
    for name in ["text", "cut.plist", "cut.xml", "nothing"] {
      let run = runTool("inspect", folder.path(name))
      #expect(run.status == .inputHasErrors)
      #expect(run.errors.contains("[unknown-file]"), "\(run.errors)")
    }
    let run = runTool("inspect", folder.path("cut.assetpack"))
    #expect(run.status == .inputHasErrors && run.errors.contains("is damaged: "))
  }

  @Test func verifySaysWhatOfAnExportDoesNotFit() throws {
    for flags in [
      ["--layout", "xcode"],
      ["--layout", "hosted", "--url-prefix", "https://x.y/", "--content-hash", "sha256"],
    ] {
      let folder = try TemporaryFolder()
      #expect(
        runTool(words: ["build", Self.project, "-o", folder.path("out"), "-q"] + flags).status == .done)
      let whole = runTool("verify", folder.path("out"))
      #expect(whole.status == .done && whole.output == "6 packs, 15 files: all fits together\n")
      try FileManager.default.removeItem(atPath: folder.path(try village(folder)))
      let gone = runTool("verify", folder.path("out"))
      #expect(gone.status == .inputHasErrors)
      #expect(gone.errors.contains("which is not here [missing-pack]"))
    }
  }

  @Test func accentsBehindTheirLettersAreWhatWasBuilt() throws {
    let folder = try TemporaryFolder()
    for name in ["e\u{301}.json", "o\u{308}/z.json"] { try folder.write("Assets/\(name)", name) }
    try folder.write(
      "Manifest.json",
      """
      {"bundleIdentifier": "com.example.accents", "root": "Assets", "resources": [{"path": ".", "tags": ["A"]}]}
      """)
    let hosted = ["--layout", "hosted", "--url-prefix", "https://x.y/", "--content-hash", "sha256"]
    #expect(runTool(words: ["build", folder.path, "-o", folder.path("hosted")] + hosted).status == .done)
    let verified = runTool("verify", folder.path("hosted"))
    #expect(verified.status == .done && verified.output == "1 pack, 2 files: all fits together\n")
    let pack = try #require(try folder.files(below: "hosted").keys.first { $0.hasSuffix(".assetpack") })
    let shown = runTool("inspect", folder.path("hosted/\(pack)")).output
    #expect(Data(shown.utf8).range(of: Data("e\u{301}.json".utf8)) != nil)
    #expect(Data(shown.utf8).range(of: Data("o\u{308}/z.json".utf8)) != nil)
  }

  @Test(arguments: [
    ("Maps/harbour.json", "{}", "[wrong-contents]"), ("Maps/more.json", "{}", "[wrong-contents]"),
    ("extra.json", "", "\"extra.json\", which OnDemandResources.plist does not name"),
    ("Info.plist", "", "[damaged-pack]"),
  ])
  func aChangedFolderOfAPackIsFound(file: String, content: String, message: String) throws {
    let folder = try build("--layout", "xcode")
    try folder.write("\(try village(folder))/\(file)", content)
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func aChangedByteOfAHostedPackIsFound() throws {
    let folder = try build("--layout", "hosted", "--url-prefix", "https://x.y/", "--content-hash", "sha256")
    let path = try village(folder)
    var pack = try folder.read(path)
    let place = try #require(pack.firstRange(of: Data("Harbour".utf8))).lowerBound
    pack[place] = UInt8(ascii: "h")
    try folder.write(path, pack)
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .inputHasErrors && run.errors.contains("[damaged-pack]"))
  }

  @Test func foldersCountInXcodesOwnManifests() throws {
    let folder = try build("--layout", "xcode")
    let path = folder.path("out/AssetPackManifestTemplate.plist")
    // Two folders with 3 and 2 things in them, as APFS counts; the pack's own folder is not among them.
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
    #expect(runTool("verify", folder.path("out")).errors.contains("bytes and the pack's files have"))
  }
}
