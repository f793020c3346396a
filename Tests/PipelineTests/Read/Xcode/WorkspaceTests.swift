@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests which projects an Xcode workspace has, and which project an argument means.
@Suite struct WorkspaceTests {
  private static let locations = """
    <?xml version="1.0"?>
    <Workspace version = "1.0">
       <FileRef location = "group:notes.txt"></FileRef>
       <FileRef location = "group:Pods/Pods.xcodeproj"></FileRef>
       <FileRef location = "group:App/App.xcodeproj"></FileRef>
       <Group location = "group:Libs" name = "Libs">
          <FileRef location = "group:One.xcodeproj"></FileRef>
          <Group location = "container:Deep" name = "Deep"><FileRef location = "group:Two.xcodeproj"/></Group>
          <FileRef location = "container:Three.xcodeproj/"/>
          <FileRef location = "group:Four.xcodeproj"/>
       </Group>
       <FileRef location = "absolute:/abs/Five.xcodeproj"/><FileRef location = "developer:Six.xcodeproj"/>
       <FileRef location = "group:App/App.xcodeproj"></FileRef><FileRef location = "Seven.xcodeproj"/>
       <FileRef name = "group:Eight.xcodeproj"/><Other location = "group:Nine.xcodeproj"/>
       <FileRef location = "group:Ten.xcodeproj"/>
    </Workspace>
    """

  private func site(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Game.xcworkspace/contents.xcworkspacedata", text)
    return folder
  }

  @Test func `projects are relative to their groups`() throws {
    let folder = try site(Self.locations)
    let names = ["App/App", "Libs/One", "Deep/Two", "Three", "Libs/Four"]
    #expect(
      try XcodeWorkspace(folder.path("Game.xcworkspace")).projects
        == names.map { folder.path("\($0).xcodeproj") } + [
          "/abs/Five.xcodeproj", folder.path("Ten.xcodeproj"),
        ])
    let missing = try #require(try XcodeWorkspace.missingProject(of: folder.path("Game.xcworkspace")))
    #expect(missing.place.position == Place.Position(line: 5, column: 4))
    #expect(missing.names(folder.path("App/App.xcodeproj")))
    #expect(try XcodeWorkspace.missingProject(of: folder.path("Game")) == nil)
  }

  @Test func `a group without a folder of its own is one`() throws {
    let folder = try site(
      """
      <Workspace><Group location = "group:Libs"><Group location = "group:" name = "A">
      <FileRef location = "group:A.xcodeproj"/></Group><FileRef location = "group:B.xcodeproj"/></Group>
      <Group location = "container:"><FileRef location = "group:C.xcodeproj"/></Group>
      <FileRef location = ":D.xcodeproj"/><FileRef location = "group"/></Workspace>
      """)
    #expect(
      try XcodeWorkspace(folder.path("Game.xcworkspace")).projects
        == ["Libs/A", "Libs/B", "C"].map { folder.path("\($0).xcodeproj") })
  }

  @Test func `a workspace without projects has none, except in a project`() throws {
    let folder = try site("<Workspace/>")
    #expect(try XcodeWorkspace(folder.path("Game.xcworkspace")).projects.isEmpty)
    #expect(try XcodeWorkspace.missingProject(of: folder.path("Game.xcworkspace")) == nil)
    try folder.write(
      "App.xcodeproj/project.xcworkspace/contents.xcworkspacedata",
      "<Workspace><FileRef location = \"self:\"/>")
    let own = try XcodeWorkspace(folder.path("App.xcodeproj/project.xcworkspace")).projects
    #expect(own == [folder.path("App.xcodeproj")])
    #expect(try XcodeWorkspace(folder.path("None.xcworkspace")).projects.isEmpty)
  }

  /// Very long paths, and groups in very many groups, cannot be those of projects.
  @Test func `the length of a path has a limit`() throws {
    let folder = try site("")
    func count(_ length: Int) throws -> Int {
      let name = String(repeating: "x", count: length - "/.xcodeproj".utf8.count - folder.path.utf8.count)
      try folder.write(
        "Game.xcworkspace/contents.xcworkspacedata",
        "<Workspace><FileRef location = \"group:\(name).xcodeproj\"/>")
      return try XcodeWorkspace(folder.path("Game.xcworkspace")).projects.count
    }
    #expect(try count(4095) == 1 && count(4096) == 0)
    // The groups are one in another; the 64th is no longer read as a group.
    let groups = "<Workspace>" + String(repeating: "<Group location = \"group:g\">", count: 70)
    try folder.write(
      "Game.xcworkspace/contents.xcworkspacedata", groups + "<FileRef location = \"group:A.xcodeproj\"/>")
    let project = try #require(try XcodeWorkspace(folder.path("Game.xcworkspace")).projects.first)
    #expect(project.split(separator: "/").count { $0 == "g" } == 63)
  }

  @Test func `an argument means the only project`() throws {
    let folder = try site("<Workspace><FileRef location = \"group:One/A.xcodeproj\"/>")
    for file in [
      "One/A.xcodeproj/project.pbxproj", "One/Pods.xcodeproj/x", "Two/A.xcodeproj/x", "Two/B.xcodeproj/x",
      "None/x",
    ] { try folder.write(file, "") }
    func path(_ argument: String) throws -> String {
      try XcodeImporter.projectPath(for: folder.path(argument)).replacingOccurrences(
        of: "\(folder.path)/", with: "")
    }
    #expect(try path("One") == "One/A.xcodeproj/project.pbxproj")
    #expect(try path("One/A.xcodeproj") == "One/A.xcodeproj/project.pbxproj")
    #expect(try path("One/A.xcodeproj/project.pbxproj") == "One/A.xcodeproj/project.pbxproj")
    #expect(try path("Game.xcworkspace") == "One/A.xcodeproj/project.pbxproj")
    #expect(try path("Two") == "Two/project.pbxproj" && path("None") == "None/project.pbxproj")
    try folder.write(
      "Game.xcworkspace/contents.xcworkspacedata",
      "<Workspace><FileRef location = \"group:One/A.xcodeproj\"/><FileRef location = \"group:Two/A.xcodeproj\"/>"
    )
    #expect(try path("Game.xcworkspace") == "Game.xcworkspace/contents.xcworkspacedata")
    #expect(XcodeImporter.project(in: folder.path("Two")) == folder.path("Two/A.xcodeproj"))
    #expect(XcodeImporter.project(in: folder.path("None")) == nil)
    for (argument, isProject) in [
      ("a.xcodeproj", true), ("a.xcodeproj/", true), ("a.pbxproj", true), ("a.xcworkspace", true),
      ("a", false),
      ("xcodeproj", false), ("a.xcodeproj/b", false),
    ] {
      #expect(XcodeImporter.isProject(argument) == isProject, "\(argument)")
    }
  }

  @Test func `arguments without one project are reported`() throws {
    let folder = try site(Self.locations)
    for file in ["Two/A.xcodeproj/x", "Two/B.xcodeproj/x", "above/inner/C.xcodeproj/x", "None/x", "a.txt"] {
      try folder.write(file, "")
    }
    try folder.write("Empty.xcworkspace/contents.xcworkspacedata", "<Workspace/>")
    try folder.write(
      "Lost.xcworkspace/contents.xcworkspacedata", "<Workspace><FileRef location = \"group:Lost.xcodeproj\"/>"
    )
    func found(_ argument: String) throws -> String {
      let importer = try XcodeImporter(argument: folder.path(argument), choice: ProjectChoice())
      #expect(importer.manifest == nil && importer.text == nil)
      let finding = try #require(importer.diagnostics.first)
      #expect(importer.diagnostics.count == 1)
      let path = finding.place.path.replacingOccurrences(of: "\(folder.path)/", with: "")
      return "\(path) \(finding.checkAndValues.replacingOccurrences(of: "\(folder.path)/", with: ""))"
    }
    #expect(
      try found("Two")
        == #"Two/project.pbxproj [missing-manifest] "Two/project.pbxproj" 2 "Two/A.xcodeproj" "Two/B.xcodeproj""#
    )
    #expect(
      try found("above") == #"above/project.pbxproj [missing-manifest] "above" "above/inner/C.xcodeproj""#)
    #expect(try found("None") == #"None/project.pbxproj [missing-manifest] "None""#)
    #expect(try found("a.txt") == #"a.txt [missing-manifest] "a.txt""#)
    #expect(try found("gone") == #"gone [missing-manifest] "gone" "ba-package""#)
    #expect(try found("gone.xcodeproj") == #"gone.xcodeproj [missing-manifest] "gone.xcodeproj""#)
    #expect(try found("Empty.xcworkspace").hasSuffix(#" [missing-manifest] "Empty.xcworkspace""#))
    #expect(
      try found("Game.xcworkspace").contains(#" [missing-manifest] "Game.xcworkspace" 7 "App/App.xcodeproj""#)
    )
    #expect(try found("Lost.xcworkspace").hasSuffix(#" [missing-manifest] "Lost.xcodeproj""#))
  }
}

/// Tests what is reported about the settings and the resources of a project.
@Suite struct ImportedSettingTests {
  private func importer(
    _ settings: String, _ files: (path: String, tags: String)..., on disk: [String] = [],
    identifier: String = "a.b"
  )
    throws
    -> XcodeImporter
  {
    var project = TestProject()
    project.setSettings("PRODUCT_BUNDLE_IDENTIFIER = \"\(identifier)\"; \(settings)")
    for (path, tags) in files { project.add(path, tags: tags) }
    let site = try ProjectSite(project)
    for file in disk.isEmpty ? files.map(\.path) : disk { try site.folder.write(file, file) }
    return try site.importer()
  }

  @Test func `tags in the lists that no resource has are reported once`() throws {
    let settings = """
      ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = "x Level 1 no no";
      ON_DEMAND_RESOURCES_PREFETCH_ORDER = ( y, Level, 1, Level, 1, Level, 2, );
      """
    let importer = try importer(settings, ("a", "x"), ("b", "y"), ("c", "\"Level 1\""))
    #expect(
      importer.diagnostics.map(\.facts) == [
        #"warning [unknown-tag] 2 "Level 1""#, #"warning [unknown-tag] "no""#,
        #"warning [unknown-tag] 2 "Level 1""#,
        #"warning [unknown-tag] "Level""#, #"warning [unknown-tag] "2""#,
      ])
    #expect(importer.settingsWithoutKey.isEmpty && importer.manifest != nil)
  }

  @Test func `a prefetch order that begins with unknown tags cannot be carried`() throws {
    func values(_ settings: String) throws -> [String] {
      try importer(settings, ("a", "x"), ("b", "y")).settingsWithoutKey.map {
        "\($0.severity) \($0.checkAndValues)"
      }
    }
    let order = "ON_DEMAND_RESOURCES_PREFETCH_ORDER"
    #expect(try values("\(order) = \"p q y\";") == ["warning [uncarried-setting] 2"])
    #expect(try values("\(order) = \"p y q\";") == ["warning [uncarried-setting] 1"])
    #expect(try values("\(order) = \"y p\";").isEmpty && values("\(order) = \"p q\";").isEmpty)
    let initial = "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS"
    #expect(try values("\(order) = \"p y\"; \(initial) = x;").isEmpty)
    #expect(try values("\(order) = \"p y\"; \(initial) = z;") == ["warning [uncarried-setting] 1"])
  }

  @Test func `only if all files are missing, they are one finding`() throws {
    let files = [("a", "x"), ("b", "y"), ("c", "z"), ("d", "z")].map { (path: $0.0, tags: $0.1) }
    let all = try importer("", files[0], files[1], files[2], files[3], on: ["other"])
    #expect(all.diagnostics.map(\.checkAndValues) == [#"[missing-resource] 4 "a" "b" 2"#])
    #expect(all.settingsWithoutKey.isEmpty && all.manifest != nil)
    let some = try importer("", files[0], files[1], on: ["b"])
    #expect(
      some.diagnostics.isEmpty
        && some.settingsWithoutKey.map(\.checkAndValues) == [#"[missing-resource] "a" "x""#])
    let one = try importer("", files[0], on: ["other"])
    #expect(one.diagnostics.isEmpty && one.settingsWithoutKey.map(\.check) == [.missingResource])
  }

  @Test func `prefixes, packs in the app and their own list are reported`() throws {
    let cut = try importer("ASSET_PACK_MANIFEST_URL_PREFIX = \"HTTPS:\";", ("a", "x"))
    #expect(cut.diagnostics.map(\.check) == [.invalidURLPrefix, .cutOffSetting])
    #expect(try importer("ASSET_PACK_MANIFEST_URL_PREFIX = \"\";", ("a", "x")).diagnostics.isEmpty)
    let plain = try importer("ASSET_PACK_MANIFEST_URL_PREFIX = \"https://x.y/\";", ("a", "x"))
    #expect(
      plain.diagnostics.isEmpty && plain.settingsWithoutKey.isEmpty && plain.manifest?.embedsPacks == false)
    let own = try importer("", ("AssetPackManifest.plist", "x"), ("a", "x"))
    #expect(own.diagnostics.map(\.check).contains(.ownManifest) && own.manifest?.hasOwnPackManifest == true)
    #expect(try importer("", ("a", "x")).manifest?.hasOwnPackManifest == false)
  }

  @Test func `the bundle identifier must be set and valid`() throws {
    for (value, facts) in [("", #"[invalid-value] "App" "Release""#), ("a b", "")] {
      let importer = try importer("", ("a", "x"), identifier: value)
      #expect(importer.manifest == nil && importer.diagnostics.hasErrors)
      if !facts.isEmpty { #expect(importer.diagnostics.map(\.checkAndValues) == [facts]) }
    }
  }

  @Test func `files that Xcode builds are noted by kind`() throws {
    let importer = try importer(
      "", ("a.png", "x"), ("b.PNG", "x"), ("c.strings", "x"), ("d.dat", "x"), ("e", "x"), ("f.metal", "x"))
    #expect(
      importer.notes.map(\.checkAndValues) == [
        "[built-resource] 2", "[built-resource] 1", "[built-resource] 1",
      ])
    #expect(importer.notes.map { $0.place.position?.line != nil } == [true, true, true])
    let plain = try self.importer("COMPRESS_PNG_FILES = NO;", ("a.png", "x"))
    #expect(plain.notes.isEmpty)
  }
}
