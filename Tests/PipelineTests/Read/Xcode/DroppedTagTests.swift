import Formats
import Model
import Pipeline
import Foundation
import Support
import Testing

/// Tests that there is a warning about each tag for which Xcode creates no pack, and that it has the tag's
/// position.
@Suite struct DroppedTagTests {
  /// Returns, for each warning about a dropped tag, the text that begins at its position.
  private func dropped(_ site: ProjectSite, _ text: String) throws -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let found = try site.importer().diagnostics.filter { $0.check == .droppedTag }
    #expect(found.areAll { $0.severity == .warning })
    return try found.map { finding in
      let position = try #require(finding.place.position)
      return String(lines[position.line - 1].utf8.dropFirst(position.column - 1).prefix(24)) ?? ""
    }.sorted()
  }

  /// Adds a build phase with one tagged file to a target.
  private func add(
    _ file: String, tags: String, toPhase isa: String, of target: String, in project: inout TestProject
  ) {
    let id = file.uppercased().filter(\.isLetter)
    project.objects["R\(id)"] = "isa = PBXFileReference; path = \"\(file)\"; sourceTree = \"<group>\";"
    project.addChild("R\(id)")
    project.objects["B\(id)"] = "isa = PBXBuildFile; fileRef = R\(id); settings = {ASSET_TAGS = (\(tags)); };"
    project.objects["P\(id)"] = "isa = \(isa); files = ( B\(id), );"
    if target == "APP" {
      project.objects["APP"] = project.objects["APP"]?.replacingOccurrences(
        of: "RES, SRC,", with: "RES, SRC, P\(id),")
    } else {
      project.objects["PROJECT"] = project.objects["PROJECT"]?.replacingOccurrences(
        of: "targets = ( APP,", with: "targets = ( APP, T\(id),")
      project.objects["T\(id)"] =
        "isa = PBXNativeTarget; name = \(id); productType = \"com.apple.product-type.\(target)\"; buildPhases = ( P\(id), );"
    }
  }

  @Test func `a file in another phase, or of a target without packs`() throws {
    var project = TestProject()
    project.add("a.dat", tags: "a")
    add("m.mlmodel", tags: "m", toPhase: "PBXSourcesBuildPhase", of: "APP", in: &project)
    add("c.dat", tags: "c", toPhase: "PBXCopyFilesBuildPhase", of: "APP", in: &project)
    add("none.dat", tags: "", toPhase: "PBXCopyFilesBuildPhase", of: "APP", in: &project)
    for (file, target) in [("f.dat", "framework"), ("b.dat", "bundle"), ("e.dat", "app-extension")] {
      add(file, tags: "t", toPhase: "PBXResourcesBuildPhase", of: target, in: &project)
    }
    // Another target that is an app has its own packs.
    add("o.dat", tags: "o", toPhase: "PBXResourcesBuildPhase", of: "application.messages", in: &project)
    let site = try ProjectSite(project, "a.dat", "m.mlmodel", "c.dat", "f.dat", "b.dat", "e.dat", "o.dat")
    #expect(
      try dropped(site, project.text).map { $0.prefix(16) } == [
        "ASSET_TAGS = (c)", "ASSET_TAGS = (m)", "ASSET_TAGS = (t)", "ASSET_TAGS = (t)", "ASSET_TAGS = (t)",
      ])
    #expect(try site.rules() == [#"{ "path": "a.dat", "tags": ["a"] }"#])
  }

  /// If the project has no other tags, there is an error about the whole project.
  ///
  /// The warning about the dropped tag must be reported as well.
  @Test(arguments: [
    ("m.mlmodel", "PBXSourcesBuildPhase", "APP"), ("l.dat", "PBXCopyFilesBuildPhase", "APP"),
    ("b.dat", "PBXResourcesBuildPhase", "framework"),
  ])
  func `the only tag of a project is dropped`(file: String, phase: String, target: String) throws {
    var project = TestProject()
    project.add("plain.dat", tags: nil)
    add(file, tags: "only", toPhase: phase, of: target, in: &project)
    let site = try ProjectSite(project, "plain.dat", file)
    #expect(try dropped(site, project.text).map { $0.prefix(19) } == ["ASSET_TAGS = (only)"])
    #expect(try site.importer().manifest == nil)
    let found = try Preparation(Preparation.Request(argument: site.folder.path("App.xcodeproj"), jobs: 1))
      .diagnostics
    #expect(
      Set(found.map(\.check)) == [.untaggedProject, .droppedTag] && found.count == 2, "\(found.rendered)")
    #expect(found.first { $0.check == .droppedTag }?.names(file, "only") == true, "\(found.rendered)")
  }

  @Test func `files of a synchronized folder that are no resources`() throws {
    var project = TestProject()
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    project.objects["COPY"] = "isa = PBXCopyFilesBuildPhase; files = ( ); name = \"Embed Levels\";"
    project.objects["APP"] = project.objects["APP"]?.replacingOccurrences(
      of: "RES, SRC,", with: "RES, SRC, COPY,")
    project.objects["SYNC"] = """
      isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, ROUTE, KIT, ); explicitFolders = ( Data, ); path = App;
      sourceTree = "<group>";
      """
    project.objects["EX"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; membershipExceptions = ( x.dat, Out, );
      assetTagsByRelativePath = {
      "a.swift" = ( s, );
      "b.h" = ( h, );
      "e.m" = ( h, );
      "f.metal" = ( h, );
      "g.intentdefinition" = ( h, );
      "x.dat" = ( x, );
      "Out/y.dat" = ( x, );
      "l.dat" = ( l, );
      "Data/z.dat" = ( z, );
      "R.bundle/r.dat" = ( z, );
      "A.xcassets/i.dataset" = ( z, );
      "none.swift" = ( );
      "y.dat" = ( y, );
      };
      """
    project.objects["ROUTE"] = """
      isa = PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet; buildPhase = COPY; membershipExceptions = ( l.dat, );
      """
    project.objects["KIT"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = KITTARGET;
      assetTagsByRelativePath = {
      "kit.dat" = ( k, );
      };
      """
    project.objects["KITTARGET"] =
      "isa = PBXNativeTarget; name = Kit; productType = \"com.apple.product-type.framework\"; buildPhases = ( );"
    project.addChild("SYNC")
    let files = ["a.swift", "b.h", "x.dat", "l.dat", "Data/z.dat", "y.dat", "kit.dat"].map { "App/\($0)" }
    let site = try ProjectSite(project)
    for file in files { try site.folder.write(file, file) }
    #expect(try site.rules() == [#""root": "App""#, #"{ "path": "y.dat", "tags": ["y"] }"#])
    #expect(
      try dropped(site, project.text) == [
        #""A.xcassets/i.dataset" ="#, #""Data/z.dat" = ( z, );"#, #""Out/y.dat" = ( x, );"#,
        #""R.bundle/r.dat" = ( z, "#, #""a.swift" = ( s, );"#, #""b.h" = ( h, );"#, #""e.m" = ( h, );"#,
        #""f.metal" = ( h, );"#, #""g.intentdefinition" = ("#, #""kit.dat" = ( k, );"#, #""l.dat" = ( l, );"#,
        #""x.dat" = ( x, );"#,
      ])
  }

  @Test func `a catalog's tag that reaches no item`() throws {
    var project = TestProject()
    project.add("A.xcassets", tags: "T")
    project.add("y.dat", tags: "y")
    let site = try ProjectSite(project, "A.xcassets/d.dataset/d.bin", "y.dat")
    try site.folder.write(
      "A.xcassets/d.dataset/Contents.json", #"{"properties": {"on-demand-resource-tags": ["D"]}}"#)
    try site.folder.write("A.xcassets/Contents.json", "{}")
    #expect(
      try site.rules() == [
        #"{ "path": "A.xcassets/d.dataset", "tags": ["D"] }"#, #"{ "path": "y.dat", "tags": ["y"] }"#,
      ])
    #expect(try site.importer().diagnostics.filter { $0.check == .droppedTag }.count == 1)
  }

  @Test(arguments: [
    (#"{"properties": {"on-demand-resources": ["x"]}}"#, 17),
    (#"{"properties": {"on-demand-resource-tag": ["x"]}}"#, 17),
    (#"{"properties": {"on-demand-resource-tags": "a, b"}}"#, 44),
    (#"{"properties": {"on-demand-resource-tags": [1, "x"]}}"#, 45),
    (#"{"info": {"onDemandResourceTags": ["x"]}}"#, 11),
    (#"{"on-demand-resource-tags": ["x"]}"#, 2),
  ])
  func `a key of tags in a catalog that Xcode does not read`(contents: String, column: Int) throws {
    var project = TestProject()
    project.add("A.xcassets", tags: nil)
    project.add("y.dat", tags: "y")
    let site = try ProjectSite(project, "A.xcassets/d.dataset/d.bin", "y.dat")
    try site.folder.write("A.xcassets/d.dataset/Contents.json", contents)
    let found = try site.importer().diagnostics.filter { $0.check == .unknownTrait }
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.place.path == site.folder.path("A.xcassets/d.dataset/Contents.json"))
    #expect(found.first?.place.position?.line == 1 && found.first?.place.position?.column == column)
  }

  @Test(arguments: [
    #"{"properties": {"on-demand-resource-tags": ["x"], "compression-type": "lossy"}}"#,
    #"{"properties": {"on-demand-resources": []}}"#, #"{"info": {"author": "xcode"}}"#,
  ])
  func `other keys are none of tags`(contents: String) throws {
    var project = TestProject()
    project.add("A.xcassets", tags: nil)
    project.add("y.dat", tags: "y")
    let site = try ProjectSite(project, "A.xcassets/d.dataset/d.bin", "y.dat")
    try site.folder.write("A.xcassets/d.dataset/Contents.json", contents)
    #expect(try !site.importer().diagnostics.contains { $0.check == .unknownTrait })
  }

  /// The file must have the name `Contents.json`, so the message must not suggest the extension `.jsonc`.
  @Test func `a comma too many in a catalog has no other name as a way out`() throws {
    var project = TestProject()
    project.add("A.xcassets", tags: "T")
    let site = try ProjectSite(project, "A.xcassets/d.dataset/d.bin")
    try site.folder.write("A.xcassets/d.dataset/Contents.json", #"{"info": {},}"#)
    let found = try site.importer().diagnostics.filter { $0.check == .damagedProject }
    #expect(found.count == 1 && !found[0].message.contains("jsonc"))
  }
}
