@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests that files with build settings (.xcconfig) are read as by Apple's swift-build.
@Suite(.noHang) struct SettingsFileTests {
  /// Returns the lines of a file, as `key=value`, `#path` or `#?path`.
  private func lines(_ text: String) -> [String] {
    SettingsFile(Array(text.utf8)).lines.map { line in
      switch line.value {
      case .setting(let key, let value): "\(key)=\(value)"
      case .inclusion(let path, let isOptional): (isOptional ? "#?" : "#") + path
      }
    }
  }

  @Test(arguments: [
    ("A = b", ["A=b"]),
    ("  A=b c ;  \r\n\tB_2 =\n", ["A=b c", "B_2="]),
    ("// A = b\nURL = https://x.y // why not\nOK = https:/$()/x.y", ["URL=https:", "OK=https:/$()/x.y"]),
    ("A = b \\\r\n  c; \\ // more\n\n B = d \\", ["A=b c;", "B=d"]),
    (
      "A[sdk=iphoneos*][arch=arm64] = b\nB [config=Debug] = \"c d\"",
      ["A[sdk=iphoneos*][arch=arm64]=b", "B[config=Debug]=\"c d\""]
    ),
    ("#include \"a b.xcconfig\" // c\n# include? \"../c//d\"", ["#a b.xcconfig", "#?../c//d"]),
    ("A = é = ü", ["A=é = ü"]), ("A = 1\rB = 2 \\\r3\r\rC = 4", ["A=1", "B=2 3", "C=4"]),
    ("", []), ("A = ;b\nB = ;\nC = d;;", ["A=;b", "B=", "C=d;"]), ("A = a // b // c", ["A=a"]),
    ("A = [\nB = \\x\nC == d =", ["A=[", "B=\\x", "C== d ="]),
    ("#include\"x\"//c\n#include? \"y\"", ["#x", "#?y"]),
    ("A = a\\", ["A=a"]), ("A = \\\n\\\nb", ["A=b"]), ("_1 = x\r\n\r\nB2=y", ["_1=x", "B2=y"]),
    ("A [b=c] [d=e]=f", ["A[b=c][d=e]=f"]), ("\u{b}A = b\u{c}", ["A=b"]),
  ])
  func `lines are read as Xcode does`(text: String, expected: [String]) {
    #expect(lines(text) == expected)
    #expect(SettingsFile(Array(text.utf8)).mistakes.isEmpty)
  }

  @Test(arguments: [
    ("A = b\n  1A = b", 8, "\"#include\" \"//\""),
    ("A b = c", 0, #""=" "A""#),
    ("A[sdk] = c", 1, #""A""#),
    ("A[sdk=x = c", 1, #""A""#),
    ("#import \"x\"", 0, "\"#import\" \"#include\" \"#include?\""),
    ("#include x", 0, "\"#include\""), ("#include 'x\"", 0, "\"#include\""),
    ("#include? \"x", 0, "\"#include?\""),
    ("#include \"\"", 0, "\"#include\""),
    ("#include \"x\" y", 13, "\"#include\""), ("#\"x\"", 0, "\"#\" \"#include\" \"#include?\""),
    ("A[x=y]z = 1", 0, #""=" "A[x=y]""#), ("A", 0, #""=" "A""#), ("=", 0, "\"#include\" \"//\""),
    ("#include x\"", 0, "\"#include\""), ("#includes \"x\"", 0, "\"#includes\" \"#include\" \"#include?\""),
  ])
  func `mistakes are reported at their places, and the next line is read`(
    text: String, offset: Int, named: String
  ) {
    let file = SettingsFile(Array((text + "\nZ = 1").utf8))
    #expect(file.mistakes.map { values(in: $0.value) } == [named])
    #expect(file.mistakes.map(\.offset) == [offset])
    #expect(lines(text + "\nZ = 1").last == "Z=1")
  }

  @Test func `a file has at most 20 mistakes`() {
    for (count, expected) in [(19, 19), (20, 20), (21, 20), (50, 20)] {
      let file = SettingsFile(Array((String(repeating: "?\n", count: count) + "A = b").utf8))
      #expect(file.mistakes.count == expected && file.lines.count == (count < 20 ? 1 : 0))
      #expect(file.setsAnything == (count < 20))
    }
  }

  @Test func `any bytes come to an end`() {
    var generator = SeededRandom(seed: 7)
    let pieces = ["A", "=", "[", "]", "\\", "\n", "\r", "\"", "#include ", "//", ";", " ", "é", "\u{0}"]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        pieces.randomElement(using: &generator)!
      }
      let file = SettingsFile(Array(text.joined().utf8))
      #expect(file.mistakes.count <= 20 && file.lines.count <= 31)
    }
  }
}

/// Tests the settings files that the configurations of a project use.
@Suite(.noHang) struct SettingsFilesTests {
  /// Returns a project with the settings of `Base.xcconfig`.
  ///
  /// The project's target has the settings of `Config/App.xcconfig`.
  private func site(
    _ app: String, base: String? = nil, settings: String = "", project: String = "",
    _ files: (path: String, text: String)...
  ) throws -> ProjectSite {
    var file = TestProject()
    file.add("a.png", tags: "x")
    file.setSettings(settings, project: project)
    file.objects["APPCONF"] = "isa = PBXFileReference; path = App.xcconfig; sourceTree = \"<group>\";"
    file.objects["CONF"] = "isa = PBXGroup; children = ( APPCONF, ); path = Config; sourceTree = \"<group>\";"
    file.addChild("CONF")
    file.objects["BASE"] = "isa = PBXFileReference; path = Base.xcconfig; sourceTree = SOURCE_ROOT;"
    file.objects["REL"]! += " baseConfigurationReference = APPCONF /* App.xcconfig */;"
    if base != nil { file.objects["PREL"]! += " baseConfigurationReference = BASE;" }
    let site = try ProjectSite(file, "a.png")
    try site.folder.write("Config/App.xcconfig", app)
    if let base { try site.folder.write("Base.xcconfig", base) }
    for (path, text) in files { try site.folder.write(path, text) }
    return site
  }

  private func identifier(_ site: ProjectSite) throws -> String? {
    let importer = try site.importer()
    #expect(importer.diagnostics.isEmpty)
    return importer.manifest?.bundleIdentifier
  }

  @Test func `the target's own count most, then its file's, the project's and that of its file`() throws {
    let name = "PRODUCT_BUNDLE_IDENTIFIER"
    #expect(
      try identifier(
        site("\(name) = b", base: "\(name) = d", settings: "\(name) = a;", project: "\(name) = c;")) == "a")
    #expect(try identifier(site("\(name) = b", base: "\(name) = d", project: "\(name) = c;")) == "b")
    #expect(try identifier(site("", base: "\(name) = d", project: "\(name) = c;")) == "c")
    #expect(try identifier(site("", base: "\(name) = d")) == "d")
    let chain = try site(
      "\(name) = one\n\(name) = $(inherited).two", base: "\(name) = four",
      settings: "\(name) = \"$(inherited).x\";",
      project: "\(name) = three;")
    #expect(try identifier(chain) == "one.two.x")
    let through = try site(
      "\(name) = $(inherited).b", base: "ROOT = com.d\n\(name) = $(ROOT)",
      settings: "\(name) = \"$(inherited).a\";",
      project: "\(name) = \"$(inherited).c\";")
    #expect(try identifier(through) == "com.d.c.b.a")
  }

  @Test func `lists and URLs are taken from a file`() throws {
    let importer = try site(
      """
      PRODUCT_BUNDLE_IDENTIFIER = com.example.app;
      ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = x
      ON_DEMAND_RESOURCES_PREFETCH_ORDER = $(inherited) "x"
      ASSET_PACK_MANIFEST_URL_PREFIX = https:/$()/example.com/packs/ // where they are
      """
    ).importer()
    #expect(importer.diagnostics.isEmpty)
    #expect(importer.manifest?.initialInstallTags.map(\.value) == ["x"])
    #expect(importer.manifest?.prefetchTagOrder.map(\.value) == ["x"])
    #expect(importer.manifest?.packURLPrefix == "https://example.com/packs/")
  }

  @Test func `files are included from beside them, from beside what includes them, and from the project`()
    throws
  {
    let site = try site(
      "#include \"Shared/one\"\n#include? \"none.xcconfig\"\nPRODUCT_BUNDLE_IDENTIFIER = $(A).$(B).$(C).$(D)",
      (
        "Config/Shared/one.xcconfig",
        "#include \"two.xcconfig\"\n#include \"three.xcconfig\"\n#include \"Top/four.xcconfig\"\nA = 1"
      ),
      ("Config/Shared/two.xcconfig", "A = overridden\nB = 2"), ("Config/three.xcconfig", "C = 3"),
      ("Top/four.xcconfig", "D = 4"))
    #expect(try identifier(site) == "1.2.3.4")
  }

  @Test func `conditions on the configuration are evaluated, and conditions on devices are reported`() throws
  {
    let importer = try site(
      """
      SUFFIX[config=Debug] = .debug
      PRODUCT_BUNDLE_IDENTIFIER = com.all$(SUFFIX)
      PRODUCT_BUNDLE_IDENTIFIER[config=Rel*] = com.release$(SUFFIX)
      PRODUCT_BUNDLE_IDENTIFIER[config=Debug] = com.debug
      PRODUCT_BUNDLE_IDENTIFIER[config=Release][sdk=iphonesimulator*] = com.sim
      """
    ).importer()
    #expect(importer.manifest?.bundleIdentifier == "com.release")
    #expect(importer.diagnostics.map(\.check) == [.conditionalSetting])
    #expect(importer.diagnostics.first?.place.position == Place.Position(line: 5, column: 1))
    #expect(
      importer.diagnostics.first?.names("\"PRODUCT_BUNDLE_IDENTIFIER[sdk=iphonesimulator*]\"")
        == true)
  }

  @Test func `findings stand in the file that has the setting`() throws {
    let site = try site(
      "PRODUCT_BUNDLE_IDENTIFIER = com.example.app\n#include \"Tags.xcconfig\"\n  nonsense",
      ("Config/Tags.xcconfig", "\n\n  ON_DEMAND_RESOURCES_PREFETCH_ORDER = x Forrest"))
    let places = try site.importer().diagnostics.map { finding in
      let position = finding.place.position.map { "\($0.line):\($0.column)" } ?? ""
      return "\(lastName(of: finding.place.path)):\(position) \(finding.checkAndValues)"
    }
    #expect(
      places == [
        #"App.xcconfig:3:3 [project-syntax] "=" "nonsense""#,
        #"Tags.xcconfig:3:3 [unknown-tag] "Forrest""#,
      ])
    #expect(
      try site.importer().text?.file(at: site.folder.path("Config/Tags.xcconfig"))?.line(3)?.contains(
        "Forrest") == true)
  }

  @Test(arguments: [
    ("#include \"gone.xcconfig\"", #""gone.xcconfig""#),
    (
      "#include \"<DEVELOPER_DIR>/x.xcconfig\"",
      #""<DEVELOPER_DIR>/x.xcconfig""#
    ),
    ("#include \"../Config\"", #""Config""#),
    ("#include? \"App.xcconfig\"", #""Config/App.xcconfig""#),
    ("#include \"../Config/./App\"", #""Config/App.xcconfig""#),
  ])
  func `files that cannot be included are reported`(line: String, named: String) throws {
    let found = try site("PRODUCT_BUNDLE_IDENTIFIER = a.b\n\(line)").findings()
    #expect(found == ["warning [unread-settings] \(named)"])
  }

  /// The lines of a file without settings are not quoted, because it could be any file.
  @Test func `files that are not settings are refused`() throws {
    func findings(_ text: String) throws -> [String] {
      try site("PRODUCT_BUNDLE_IDENTIFIER = a.b\n#include \"x.txt\"", ("Config/x.txt", text)).findings()
    }
    #expect(try findings("secret\npassword") == [#"error [project-syntax] "Config/x.txt""#])
    #expect(try findings("A = b\u{0}") == [#"warning [unread-settings] "Config/x.txt""#])
    #expect(
      try findings("// A comment \u{1}").isEmpty && findings("").isEmpty && findings("A = b \u{1}").isEmpty)
    #expect(try findings("A = b\nc") == [#"error [project-syntax] "=" "c""#])
  }

  @Test func `a file in a folder that only Xcode knows is not read`() throws {
    var project = TestProject()
    project.add("a.png", tags: "x")
    project.add("Own.xcconfig", tags: nil, sourceTree: "SDKROOT")
    project.objects["REL"]! += " baseConfigurationReference = F1;"
    #expect(
      try ProjectSite(project, "a.png").findings() == [
        #"warning [unread-settings] "Release" "$(SDKROOT)/Own.xcconfig""#
      ])
  }

  @Test func `a missing file is reported at its place in the project`() throws {
    var project = TestProject()
    project.add("a.png", tags: "x")
    project.add("Pods/Pods-App.xcconfig", tags: nil)
    project.objects["REL"]! += " baseConfigurationReference = F1;"
    let site = try ProjectSite(project, "a.png")
    #expect(
      try site.findings() == [
        #"warning [unread-settings] "Release" "Pods/Pods-App.xcconfig""#
      ])
    #expect(try site.importer().manifest != nil)
  }

  @Test func `a file that the project does not describe is reported`() throws {
    var project = TestProject()
    project.add("a.png", tags: "x")
    project.objects["REL"]! += " baseConfigurationReference = NOWHERE;"
    #expect(
      try ProjectSite(project, "a.png").findings() == [
        #"warning [unread-settings] "Release" "NOWHERE""#
      ])
  }

  /// Xcode writes this reference if the project contains a folder without a list of its files.
  @Test func `a file in a synchronized folder is found`() throws {
    var project = TestProject()
    project.add("a.png", tags: "x")
    project.setSettings("")
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; path = App; sourceTree = \"<group>\";"
    project.addChild("SYNC")
    project.objects["REL"]! +=
      " baseConfigurationReferenceAnchor = SYNC; baseConfigurationReferenceRelativePath = Config/App.xcconfig;"
    let site = try ProjectSite(project, "a.png")
    try site.folder.write("App/Config/App.xcconfig", "PRODUCT_BUNDLE_IDENTIFIER = com.sync")
    #expect(try identifier(site) == "com.sync")
  }

  @Test func `files that include one another twice come to an end`() throws {
    let site = try site("PRODUCT_BUNDLE_IDENTIFIER = a.b\n#include \"0\"")
    for number in 0..<60 {
      try site.folder.write(
        "Config/\(number).xcconfig", "#include \"\(number + 1)\"\n#include \"\(number + 1)\"\n")
    }
    try site.folder.write("Config/60.xcconfig", "A = b\n")
    let found = try site.findings()
    #expect(
      found == [
        "error [project-syntax] 100,000 100"
      ])
  }

  @Test func `a chain of files is followed only so far`() throws {
    let site = try site("PRODUCT_BUNDLE_IDENTIFIER = a.b\n#include \"0\"")
    for number in 0..<100 {
      try site.folder.write("Config/\(number).xcconfig", "#include \"\(number + 1)\"\n")
    }
    let found = try site.findings()
    #expect(
      found == [
        "error [project-syntax] 64"
      ])
  }

  @Test func `a long file is not taken into memory`() throws {
    let site = try site("PRODUCT_BUNDLE_IDENTIFIER = a.b\n#include \"long\"")
    try site.folder.write("Config/long.xcconfig", String(repeating: "// long\n", count: 600_000))
    let found = try site.findings()
    #expect(
      found.count == 1
        && found[0].hasPrefix("error [project-syntax]") && found[0].names("4,194,304 bytes", "4 MiB")
    )
  }
}
