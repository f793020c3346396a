@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests files of a project that are missing, have another spelling, are left out, or are listed twice.
@Suite struct ProjectFileTests {
  private func facts(_ site: ProjectSite, _ choice: ProjectChoice = ProjectChoice()) throws -> [String] {
    let importer = try site.importer(choice)
    return (importer.diagnostics + importer.notes + importer.settingsWithoutKey).map(\.checkAndValues)
  }

  @Test func `missing files keep their rules`() throws {
    var project = TestProject()
    for name in ["a.dat", "Sub/b.dat", "c.dat"] { project.add(name, tags: "x") }
    let site = try ProjectSite(project, "c.dat")
    #expect(
      try site.rules() == [
        #"{ "path": "Sub/b.dat", "tags": ["x"], "destination": "b.dat" }"#,
        #"{ "path": "a.dat", "tags": ["x"] }"#, #"{ "path": "c.dat", "tags": ["x"] }"#,
      ])
    #expect(try facts(site).filter { $0.hasPrefix("[missing-resource]") }.count == 2)
    let build = try Preparation(Preparation.Request(argument: site.folder.path("App.xcodeproj"), jobs: 1))
    #expect(
      build.diagnostics.map(\.checkAndValues) == [
        #"[no-match] "Sub/b.dat""#,
        #"[no-match] "a.dat" "c.dat""#,
      ])
  }

  @Test func `a catalog that is missing is reported`() throws {
    var project = TestProject()
    project.add("A.xcassets", tags: "x")
    project.add("c.dat", tags: "x")
    let site = try ProjectSite(project, "c.dat")
    let missing = try facts(site).filter { $0.hasPrefix("[missing-resource]") }
    #expect(missing.count == 1 && missing.first?.contains(#""A.xcassets""#) == true, "\(missing)")
  }

  @Test func `if all files are missing, this is reported once`() throws {
    var project = TestProject()
    for number in 0..<52 { project.add("Sounds/\(number).wav", tags: "t\(number)") }
    let site = try ProjectSite(project)
    let importer = try site.importer()
    #expect(importer.manifest?.rules.count == 52 && importer.manifest?.root.value == ".")
    #expect(importer.settingsWithoutKey.isEmpty)
    #expect(importer.diagnostics.map(\.severity) == [.warning])
    #expect(
      importer.diagnostics.first?.namedValues == #"52 "0.wav" "1.wav" 50"#
    )
  }

  @Test func `a reference in another case or Unicode form finds its file`() throws {
    var project = TestProject()
    project.add("sounds/Drum.WAV", tags: "x")
    project.add("caf\u{e9}.dat", tags: "y")
    let site = try ProjectSite(project, "Sounds/drum.wav", "cafe\u{301}.dat")
    #expect(
      try site.rules().map { Array($0.utf8) } == [
        Array(#"{ "path": "Sounds/drum.wav", "tags": ["x"], "destination": "Drum.WAV" }"#.utf8),
        Array(
          "{ \"path\": \"cafe\u{301}.dat\", \"tags\": [\"y\"], \"destination\": \"caf\u{e9}.dat\" }".utf8),
      ])
    let found = try facts(site)
    #expect(found.count == 2 && found.areAll { $0.hasPrefix("[other-spelling]") })
    #expect(found[0].hasSuffix(#""sounds/Drum.WAV" "x" "Sounds/drum.wav""#))
  }

  @Test func `the first place in the phase counts`() throws {
    var project = TestProject()
    project.add("a.dat", tags: "x")
    project.add("a.dat", tags: "y")
    project.add("b.dat", tags: nil)
    project.add("b.dat", tags: "y")
    let site = try ProjectSite(project, "a.dat", "b.dat")
    #expect(try site.rules() == [#"{ "path": "a.dat", "tags": ["x"] }"#])
    #expect(
      try facts(site) == [
        #"[repeated-file] "a.dat" "y""#,
        #"[repeated-file] "b.dat" "y""#,
      ])
  }

  @Test func `two folders of one name clash in one pack`() throws {
    var project = TestProject()
    project.add("One/Maps", tags: "x")
    project.add("Two/Maps", tags: "x")
    project.add("Three/Maps", tags: "y")
    let site = try ProjectSite(project, "One/Maps/a", "Two/Maps/b", "Three/Maps/c")
    #expect(
      try site.findings() == [
        #"error [path-clash] "One/Maps" "Two/Maps" "x""#
      ])
  }

  @Test func `a file is left out for another platform`() throws {
    var project = TestProject()
    for name in ["ios.dat", "mac.dat", "both.dat"] { project.add(name, tags: "x") }
    project.objects["B0"]! += " platformFilter = ios;"
    project.objects["B1"]! += " platformFilters = (macos, tvos, );"
    project.objects["B2"]! += " platformFilters = (ios, macos, );"
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, ); path = C; sourceTree = \"<group>\";"
    project.objects["EX"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP;
      assetTagsByRelativePath = { "t.dat" = ( x, ); "i.dat" = ( x, ); };
      platformFiltersByRelativePath = { "t.dat" = ( tvos, ); };
      """
    project.addChild("SYNC")
    let site = try ProjectSite(project, "ios.dat", "mac.dat", "both.dat", "C/t.dat", "C/i.dat")
    let paths = { (choice: ProjectChoice) in try site.importer(choice).manifest?.rules.map(\.text.value) }
    #expect(try paths(ProjectChoice()) == ["C/i.dat", "both.dat", "ios.dat"])
    #expect(try paths(ProjectChoice(sdk: .appletvos)) == ["C", "mac.dat"])
    #expect(
      try facts(site).first
        == #"[filtered-file] "mac.dat" "macos" "tvos""#
    )
  }

  @Test func `settings leave files out by their names`() throws {
    var project = TestProject()
    project.setSettings(
      """
      PRODUCT_BUNDLE_IDENTIFIER = a; EXCLUDED_SOURCE_FILE_NAMES = ( "*.psd", "Dev/*", "Maps*", );
      INCLUDED_SOURCE_FILE_NAMES = "keep.psd";
      """)
    for name in ["a.psd", "keep.psd", "Dev/x.dat", "Dev/In/y.dat", "Maps", "z.dat"] {
      project.add(name, tags: "x")
    }
    let site = try ProjectSite(project, "a.psd", "keep.psd", "Dev/x.dat", "Dev/In/y.dat", "Maps/1", "z.dat")
    #expect(try site.importer().manifest?.rules.map(\.text.value) == ["Dev/In/y.dat", "keep.psd", "z.dat"])
    #expect(try facts(site).filter { $0.hasPrefix("[filtered-file]") }.count == 3)
  }

  @Test func `words that together are a tag need quotation marks`() throws {
    var project = TestProject()
    project.setSettings(
      """
      PRODUCT_BUNDLE_IDENTIFIER = com.example.app; ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = "Level 1 Level 2 None None";
      ON_DEMAND_RESOURCES_PREFETCH_ORDER = "\\"Level 1\\" Level 2";
      """)
    project.add("a", tags: "\"Level 1\"")
    project.add("b", tags: "\"Level 2\"")
    let unknown = try ProjectSite(project, "a", "b").importer().diagnostics.filter {
      $0.check.id == "unknown-tag"
    }
    // The first quoted string in each message is the tag.
    #expect(
      unknown.map { $0.message.split(separator: "\"")[1] } == ["Level 1", "Level 2", "None", "Level 2"])
    #expect(unknown.areAll { $0.severity == .warning })
  }

  @Test(arguments: [
    "project.yml", "Project.swift", "Package.swift", "App.csproj", "build.settings", "list.json", "other",
  ])
  func `a file that is not a project is named with what it is`(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(name, "[]")
    let importer = try XcodeImporter(argument: folder.path(name), choice: ProjectChoice())
    #expect(importer.manifest == nil)
    #expect(importer.diagnostics.map(\.check.id) == ["missing-manifest"])
    #expect(importer.diagnostics.map(\.place.path) == [folder.path(name)])
    #expect(importer.diagnostics[0].names("\"\(folder.path(name))\""))
  }

  @Test(arguments: [("https://x.example/", 1, nil), ("https:/$()/x.example/", 0, "https://x.example/")])
  func `a URL that ends at a comment is reported at its line`(value: String, count: Int, prefix: String?)
    throws
  {
    var project = TestProject()
    project.add("a", tags: "x")
    project.objects["CONF"] = "isa = PBXFileReference; path = a.xcconfig; sourceTree = \"<group>\";"
    project.objects["REL"]! += " baseConfigurationReference = CONF;"
    project.addChild("CONF")
    let site = try ProjectSite(project, "a")
    try site.folder.write("a.xcconfig", "// a\nASSET_PACK_MANIFEST_URL_PREFIX = \(value)\n")
    let importer = try site.importer()
    let found = importer.diagnostics.filter { $0.check.id == "cut-off-setting" }
    #expect(found.count == count)
    #expect(try #require(importer.manifest).packURLPrefix?.text == prefix)
    #expect(
      importer.diagnostics.allSatisfy {
        $0.place.path.hasSuffix("a.xcconfig") && $0.place.position?.line == 2
      })
    // If the rest of the URL is not empty, it is an invalid prefix, so there is a second finding.
    let checks = importer.diagnostics.map(\.check.id).sorted()
    #expect(checks == (count == 0 ? [] : ["cut-off-setting", "invalid-url-prefix"]))
  }

  @Test func `settings have a thousand patterns`() throws {
    for (count, isMistaken) in [(1000, false), (1001, true)] {
      var project = TestProject()
      let patterns = String(repeating: "x, ", count: count)
      project.setSettings("PRODUCT_BUNDLE_IDENTIFIER = a; EXCLUDED_SOURCE_FILE_NAMES = ( \(patterns) );")
      project.add("z.dat", tags: "x")
      #expect(
        try facts(ProjectSite(project, "z.dat")).contains(
          "[project-syntax] 1,001 1,000")
          == isMistaken)
    }
  }

  @Test func `a localized key stands for the file in each language`() throws {
    var project = TestProject()
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, ); path = C; sourceTree = \"<group>\";"
    project.objects["EX"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP;
      assetTagsByRelativePath = { "/Localized: hello.dat" = ( x, ); "Sub/Localized: b.dat" = ( y, ); "/Localized: no.dat" = ( z, ); };
      """
    project.addChild("SYNC")
    let site = try ProjectSite(
      project, "C/de.lproj/hello.dat", "C/en.lproj/hello.dat", "C/hello.dat", "C/Sub/fr.lproj/b.dat")
    let plan = try #require(
      try Preparation(Preparation.Request(argument: site.folder.path("App.xcodeproj"), jobs: 1)).plan)
    #expect(
      plan.tree.files.map { "\($0.packPath) \(plan.tree.tagSets.tags(of: $0.tagSet))" }.sorted() == [
        #"de.lproj/hello.dat ["x"]"#, #"en.lproj/hello.dat ["x"]"#, #"fr.lproj/b.dat ["y"]"#,
      ])
    #expect(
      try facts(site).contains {
        $0.contains(#""C/no.dat" "z""#)
      })
  }

  @Test func `a manifest of the project's own takes the place of ours`() throws {
    var project = TestProject()
    project.add("AssetPackManifest.plist", tags: nil)
    project.add("a.dat", tags: "x")
    let site = try ProjectSite(project, "AssetPackManifest.plist", "a.dat")
    var request = BuildRequest(
      Preparation.Request(argument: site.folder.path("App.xcodeproj"), jobs: 1),
      output: site.folder.path("out"),
      entryTime: 0)
    request.layout = LayoutChoice(layout: .xcode)
    usleep(60_000)
    #expect(try request.run(Policy()).findings.map(\.check) == [.ownManifest])
    #expect(
      try site.folder.files(below: "out").keys.filter { $0.hasSuffix(".plist") && !$0.contains("/") } == [
        "OnDemandResources.plist"
      ])
    #expect(try request.run(Policy()).isUnchanged)
  }

  @Test func `tags on a catalog are those of all its items`() throws {
    var project = TestProject()
    project.add("A.xcassets", tags: "x")
    let site = try ProjectSite(project, "A.xcassets/b.dataset/b")
    #expect(try site.rules() == [#"{ "path": "A.xcassets", "tags": ["x"] }"#])
    #expect(
      try facts(site) == [
        #"[uncompiled-catalog] "A.xcassets" "x""#
      ])
  }

  @Test func `what Xcode would build is noted by kind`() throws {
    var project = TestProject()
    let names = [
      "a.png", "b.PNG", "de.lproj/c.strings", "Main.storyboard", "d.dat", "Art.atlas", "Game.scnassets",
    ]
    for name in names { project.add(name, tags: "x") }
    project.add("code.swift", tags: "x")
    let site = try ProjectSite(
      project, "a.png", "b.PNG", "de.lproj/c.strings", "Main.storyboard", "d.dat", "Art.atlas/1.png",
      "Game.scnassets/1.dae", "code.swift")
    #expect(
      try facts(site) == [
        #"[filtered-file] "code.swift""#,
        "[built-resource] 2",
        "[built-resource] 1",
        "[built-resource] 1",
        "[built-resource] 1",
        "[built-resource] 1",
      ])
    project.setSettings("PRODUCT_BUNDLE_IDENTIFIER = a; COMPRESS_PNG_FILES = NO;")
    try site.folder.write("App.xcodeproj/project.pbxproj", project.text)
    #expect(try !facts(site).contains { $0.contains(".png") })
  }

  @Test(arguments: [
    "rkassets", "skybox", "referenceobject", "aimodel", "skatlas", "icon", "iconset", "xcstickers", "cl",
    "instrpkg", "xcstrings", "mlmodel", "metal", "rcproject",
  ])
  func `every kind that Xcode builds is noted`(suffix: String) throws {
    var project = TestProject()
    for name in ["a.\(suffix)", "b.\(suffix.uppercased())", "c.dat"] { project.add(name, tags: "x") }
    let site = try ProjectSite(project, "a.\(suffix)", "b.\(suffix.uppercased())", "c.dat")
    let notes = try site.importer().notes
    #expect(notes.map(\.check) == [.builtResource])
    #expect(notes.first?.names("2", ".\(suffix)") == true, "\(notes)")
  }

  /// Xcode compiles all catalogs of a target into one pack.
  @Test(
    arguments: [
      (["A": "x", "B": nil], 1), (["A": "x", "B": "y"], 1), (["A": "x", "B": "x"], 0),
      (["A": nil, "B": nil], 0),
      (["A": "x"], 0),
    ] as [([String: String?], Int)])
  func `catalogs with other tags are a warning`(catalogs: [String: String?], count: Int) throws {
    var project = TestProject()
    project.add("c.dat", tags: "z")
    for (name, tags) in catalogs.sorted(by: { $0.key < $1.key }) {
      project.add("\(name).xcassets", tags: tags)
    }
    let site = try ProjectSite(
      project, "c.dat", "A.xcassets/a.dataset/a", "B.xcassets/b.dataset/b")
    let found = try site.importer().diagnostics.filter { $0.check == .mixedCatalogs }
    #expect(found.count == count && found.allSatisfy { $0.severity == .warning }, "\(found)")
    if count == 1 { #expect(found[0].message.contains("\"B.xcassets\"")) }
  }

  /// Findings about folders come first, and name all tags in order.
  @Test func `folders of one name and catalogs of different tags are reported`() throws {
    let tags = "f, b, e, a, d, c"
    var project = TestProject()
    project.add("One/Maps", tags: tags)
    project.add("Two/Maps", tags: "c, d, a, e, b, f")
    project.add("Three/Maps", tags: "a")
    project.add("A.xcassets", tags: "x")
    project.add("B.xcassets", tags: "y")
    let site = try ProjectSite(
      project, "One/Maps/1", "Two/Maps/2", "Three/Maps/3", "A.xcassets/a.dataset/a", "B.xcassets/b.dataset/b")
    let found = try site.importer().diagnostics.filter { [.pathClash, .mixedCatalogs].contains($0.check) }
    #expect(
      found.map(\.checkAndValues)
        == [
          #"[path-clash] "One/Maps" "Two/Maps" {"a", "b", "c", "d", "e", "f"}"#,
          #"[mixed-catalogs] "A.xcassets" "B.xcassets" {"x", "y"}"#,
        ].map { $0.replacing("{", with: "").replacing("}", with: "").replacing(",", with: "") })
  }

  @Test(arguments: [
    ("x", "y, nobody, z, w", true), ("", "y, y, nobody, z, z, w", true),
    ("x, nobody", "nobody, y, no, z", true),
    ("", "nobody, y, z", false),
  ])
  func `an imported order gives the priorities of the project`(
    initial: String, order: String, isCarried: Bool
  ) throws {
    var project = TestProject()
    project.setSettings(
      """
      PRODUCT_BUNDLE_IDENTIFIER = com.example.app; ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = ( \(initial) );
      ON_DEMAND_RESOURCES_PREFETCH_ORDER = ( \(order) );
      """)
    for tag in ["w", "x", "y", "z"] { project.add(tag, tags: tag) }
    let site = try ProjectSite(project, "w", "x", "y", "z")
    let importer = try site.importer()
    let manifest = try #require(importer.manifest)
    let text = manifest.formatted(root: manifest.root.value).array()
    try site.folder.write("Manifest.json", Data(text))
    let priorities = try ["App.xcodeproj", "Manifest.json"].map { name in
      try #require(try Preparation(Preparation.Request(argument: site.folder.path(name), jobs: 1)).plan).packs
        .map(
          \.priority)
    }
    #expect((priorities[0] == priorities[1]) == isCarried)
    #expect(importer.settingsWithoutKey.contains { $0.severity == .warning } == !isCarried)
  }
}
