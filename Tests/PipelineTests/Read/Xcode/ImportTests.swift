@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests `import` with every way in which a project can contain tags.
@Suite struct ImportTests {
  @Test func `a file lies at the top of its pack, as in Xcode`() throws {
    var project = TestProject()
    project.add("Sounds/a b.wav", tags: "\"Level 1\", Shared, ")
    project.add("title.png", tags: nil)
    project.add("empty.png", tags: "")
    let site = try ProjectSite(project, "Sounds/a b.wav", "Sounds/other.wav", "title.png", "empty.png")
    #expect(
      try site.rules() == [
        #""root": "Sounds""#, #"{ "path": "a b.wav", "tags": ["Level 1", "Shared"] }"#,
      ])
  }

  @Test func `a folder of which all files are alike is one rule`() throws {
    var project = TestProject()
    for file in ["A/1", "A/2", "B/1", "B/2", "C/1", "C/2"] {
      project.add(file, tags: file.hasPrefix("C/2") ? "y" : "x")
    }
    let site = try ProjectSite(project, "A/1", "A/2", "A/.DS_Store", "B/1", "B/2", "B/below/3", "C/1", "C/2")
    #expect(
      try site.rules() == [
        #"{ "path": "A", "tags": ["x"], "destination": "." }"#,
        #"{ "glob": "B/*", "tags": ["x"], "destination": "." }"#,
        #"{ "path": "C/1", "tags": ["x"], "destination": "1" }"#,
        #"{ "path": "C/2", "tags": ["y"], "destination": "2" }"#,
      ])
  }

  @Test func `folders whose names are two Unicode forms of one are two`() throws {
    let folders = ["e\u{301}", "\u{e9}"]
    var project = TestProject()
    for folder in folders { for file in ["1", "2"] { project.add("\(folder)/\(file)", tags: "x") } }
    let site = try ProjectSite(
      project, "\(folders[0])/1", "\(folders[0])/2", "\(folders[1])/1", "\(folders[1])/2")
    let expected = folders.map { #"{ "path": "\#($0)", "tags": ["x"], "destination": "." }"# }
    #expect(try site.rules().map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test func `all files of a language are one glob, and named one by one`() throws {
    var project = TestProject()
    for file in ["de.lproj/1", "de.lproj/2"] { project.add(file, tags: "x") }
    let site = try ProjectSite(project, "de.lproj/1", "de.lproj/2")
    #expect(
      try site.rules() == [
        #""root": "de.lproj""#, #"{ "glob": "*", "tags": ["x"], "destination": "de.lproj" }"#,
      ])
    let plan = try #require(
      try Preparation(Preparation.Request(argument: site.folder.path("App.xcodeproj"), jobs: 1)).plan)
    let list = try BinaryPlistReader.read(plan.onDemandResources.array())
    let packs = list["NSBundleResourceRequestAssetPacks"]?.members?.values.map { $0.strings }
    #expect(packs == [["de.lproj/1", "de.lproj/2"]])
  }

  @Test func `what a manifest has no key for is noted`() throws {
    var project = TestProject()
    project.setSettings(
      "PRODUCT_BUNDLE_IDENTIFIER = a; ASSET_PACK_MANIFEST_URL_PREFIX = \"https://x.y/\"; EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE = YES;"
    )
    project.add("a", tags: "x")
    let site = try ProjectSite(project, "a")
    let importer = try site.importer()
    #expect(importer.manifest?.packURLPrefix == "https://x.y/" && importer.manifest?.embedsPacks == true)
    #expect(importer.manifest?.layout.urlPrefix == "https://x.y/")
    #expect(importer.settingsWithoutKey.map(\.namedValues) == [""])
  }

  @Test(arguments: ["javascript:alert(1)/", "https://x.y/a b/", "https://me:pw@x.y/", "https://x.y:99999/"])
  func `a URL prefix that begins no URL is an error`(prefix: String) throws {
    var project = TestProject()
    project.setSettings("PRODUCT_BUNDLE_IDENTIFIER = a; ASSET_PACK_MANIFEST_URL_PREFIX = \"\(prefix)\";")
    project.add("a", tags: "x")
    let importer = try ProjectSite(project, "a").importer()
    #expect(importer.manifest?.packURLPrefix == nil)
    #expect(importer.diagnostics.map(\.check).contains(.invalidURLPrefix))
  }

  @Test func `a folder with files that are not tagged is none`() throws {
    var project = TestProject()
    for file in ["A/1", "A/2"] { project.add(file, tags: "x") }
    let site = try ProjectSite(project, "A/1", "A/2", "A/3")
    #expect(
      try site.rules() == [
        #""root": "A""#, #"{ "path": "1", "tags": ["x"] }"#, #"{ "path": "2", "tags": ["x"] }"#,
      ])
  }

  @Test func `a folder reference goes whole under its name`() throws {
    var project = TestProject()
    project.add("Art/Maps", tags: "Village")
    project.add("start.json", tags: "x")
    let site = try ProjectSite(project, "Art/Maps/1/a", "Art/Maps/b", "start.json")
    #expect(
      try site.rules() == [
        #"{ "path": "Art/Maps", "tags": ["Village"], "destination": "Maps" }"#,
        #"{ "path": "start.json", "tags": ["x"] }"#,
      ])
  }

  @Test func `each language of a variant group has the group's tags`() throws {
    var project = TestProject()
    project.objects["VAR"] =
      "isa = PBXVariantGroup; children = ( EN, DE, ZZ, ); name = s.strings; sourceTree = \"<group>\";"
    project.objects["EN"] =
      "isa = PBXFileReference; name = en; path = Text/en.lproj/s.strings; sourceTree = \"<group>\";"
    project.objects["DE"] =
      "isa = PBXFileReference; name = de; path = Text/german.strings; sourceTree = \"<group>\";"
    project.addChild("VAR")
    project.addBuildFile(of: "VAR", tags: "story")
    let site = try ProjectSite(project, "Text/en.lproj/s.strings", "Text/german.strings")
    #expect(
      try site.rules().isEmpty == false
        && site.importer().diagnostics.map(\.namedValues) == [
          #""VAR" "s.strings" "ZZ""#
        ])
    #expect(
      try site.rules() == [
        #""root": "Text""#,
        #"{ "path": "en.lproj/s.strings", "tags": ["story"] }"#,
        #"{ "path": "german.strings", "tags": ["story"] }"#,
      ])
  }

  @Test func `groups, source trees and the project's own folder make paths`() throws {
    var project = TestProject()
    project.objects["G1"] = "isa = PBXGroup; children = ( G2, ); path = One; sourceTree = \"<group>\";"
    project.objects["G2"] =
      "isa = PBXGroup; children = ( X, Y, ); name = \"no folder\"; sourceTree = \"<group>\";"
    project.objects["X"] = "isa = PBXFileReference; path = ../up.png; sourceTree = \"<group>\";"
    project.objects["Y"] = "isa = PBXFileReference; path = Two/root.png; sourceTree = SOURCE_ROOT;"
    project.addChild("G1")
    project.addBuildFile(of: "X", tags: "x")
    project.addBuildFile(of: "Y", tags: "y")
    let site = try ProjectSite(project, "up.png", "Two/root.png")
    #expect(
      try site.rules() == [
        #"{ "path": "Two/root.png", "tags": ["y"], "destination": "root.png" }"#,
        #"{ "path": "up.png", "tags": ["x"] }"#,
      ])
  }

  @Test func `tags of synchronized folders are relative to their folder`() throws {
    var project = TestProject()
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, OTHER, ); path = Content; sourceTree = \"<group>\";"
    project.objects["EX"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; membershipExceptions = ( left/out.json, );
      assetTagsByRelativePath = { "Chapters/1.json" = ( "Chapter 1", ); Maps = ( m, ); left/out.json = ( never, ); code.swift = ( never, ); de.lproj/t.strings = ( "Chapter 1", ); none = ( ); };
      """
    project.objects["OTHER"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = WATCH; assetTagsByRelativePath = { watch.json = ( never, ); };
      """
    project.addChild("SYNC")
    let site = try ProjectSite(
      project, "Content/Chapters/1.json", "Content/Maps/a", "Content/left/out.json", "Content/code.swift",
      "Content/de.lproj/t.strings", "Content/watch.json", "Content/none")
    #expect(
      try site.rules() == [
        #""root": "Content""#,
        #"{ "path": "Chapters/1.json", "tags": ["Chapter 1"], "destination": "1.json" }"#,
        #"{ "path": "Maps", "tags": ["m"] }"#,
        #"{ "path": "de.lproj/t.strings", "tags": ["Chapter 1"] }"#,
      ])
  }

  @Test func `a synchronized folder of another target adds the files that its exceptions name`() throws {
    var project = TestProject()
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, ); path = Other; sourceTree = \"<group>\";"
    project.objects["EX"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; membershipExceptions = ( a, );
      assetTagsByRelativePath = { a = ( x, ); b = ( x, ); };
      """
    project.addChild("SYNC")
    let site = try ProjectSite(project, "Other/a", "Other/b")
    #expect(try site.rules() == [#""root": "Other""#, #"{ "path": "a", "tags": ["x"] }"#])
  }

  @Test func `tags in other phases do nothing`() throws {
    var project = TestProject()
    project.add("a.png", tags: "x")
    project.objects["SRC"] = "isa = PBXSourcesBuildPhase; files = ( S1, );"
    project.objects["S1"] = "isa = PBXBuildFile; fileRef = S2; settings = {ASSET_TAGS = (never); };"
    project.objects["S2"] = "isa = PBXFileReference; path = b.metal; sourceTree = \"<group>\";"
    let site = try ProjectSite(project, "a.png", "b.metal")
    #expect(try site.rules() == [#"{ "path": "a.png", "tags": ["x"] }"#])
  }

  @Test func `items of a catalog have their own tags and those above them`() throws {
    var project = TestProject()
    project.add("Art/A.xcassets", tags: nil)
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; path = Sync; sourceTree = \"<group>\";"
    project.addChild("SYNC")
    let site = try ProjectSite(
      project, "Art/A.xcassets/Level/h.imageset/h.png", "Sync/In/B.xcassets/x.dataset/x")
    let tags = { (place: String, tags: String) in
      #"{"info": {"version": 1}, "\#(place)": {"on-demand-resource-tags": [\#(tags)]}}"#
    }
    try site.folder.write("Art/A.xcassets/Contents.json", #"{"info": {"version": 1}}"#)
    try site.folder.write("Art/A.xcassets/Level/Contents.json", tags("properties", #""Level""#))
    try site.folder.write(
      "Art/A.xcassets/Level/h.imageset/Contents.json", tags("properties", #""H", "Level""#))
    try site.folder.write("Art/A.xcassets/Level/same.imageset/Contents.json", tags("properties", #""Level""#))
    try site.folder.write("Art/A.xcassets/broken.imageset/Contents.json", "{")
    try site.folder.write(
      "Sync/In/B.xcassets/x.dataset/Contents.json",
      tags("x", "1, 2").replacingOccurrences(of: "\"info\": {\"version\": 1}, \"x\"", with: "\"info\"")
        .replacingOccurrences(of: "1, 2", with: "\"old\""))
    #expect(
      try site.rules() == [
        #"{ "path": "Art/A.xcassets/Level", "tags": ["Level"], "destination": "A.xcassets/Level" }"#,
        #"{ "path": "Art/A.xcassets/Level/h.imageset", "tags": ["H", "Level"], "destination": "A.xcassets/Level/h.imageset" }"#,
        #"{ "path": "Sync/In/B.xcassets/x.dataset", "tags": ["old"], "destination": "B.xcassets/x.dataset" }"#,
      ])
    #expect(
      try site.importer().diagnostics.map(\.check) == [
        .damagedProject, .uncompiledCatalog, .uncompiledCatalog,
      ])
    #expect(try site.importer().diagnostics.areAll { $0.severity != .error })
  }

  @Test func `the root stays above a catalog that has all tagged files`() throws {
    var project = TestProject()
    project.add("App/Art.xcassets", tags: nil)
    let site = try ProjectSite(project, "App/Art.xcassets/Level/h.imageset/h.png")
    try site.folder.write(
      "App/Art.xcassets/Level/h.imageset/Contents.json",
      #"{"properties": {"on-demand-resource-tags": ["H"]}}"#)
    #expect(
      try site.rules() == [
        #""root": "App""#, #"{ "path": "Art.xcassets/Level/h.imageset", "tags": ["H"] }"#,
      ])
  }

  @Test func `resources that a manifest cannot contain are reported`() throws {
    var project = TestProject()
    project.add("gone.png", tags: "a")
    project.add("../up.png", tags: "b")
    project.add("/etc/hostname", tags: "c", sourceTree: "<absolute>")
    project.add("usr/lib/x", tags: "d", sourceTree: "SDKROOT")
    project.add("here.png", tags: "e")
    let site = try ProjectSite(project, "here.png")
    #expect(
      try site.rules() == [
        #"{ "path": "gone.png", "tags": ["a"] }"#, #"{ "path": "here.png", "tags": ["e"] }"#,
      ])
    let root = try #require(
      String(validating: FileOperations.realPath(of: site.folder.path), as: UTF8.self))
    #expect(
      try site.findings() == [
        #"warning [outside-project] "../up.png" "b" "\#(root)""#,
        #"warning [outside-project] "/etc/hostname" "c" "\#(root)""#,
        #"warning [outside-project] "$(SDKROOT)/usr/lib/x" "d""#,
      ])
    #expect(
      try site.importer().settingsWithoutKey.map(\.namedValues) == [
        #""gone.png" "a""#
      ])
  }

  @Test func `a tag that is none is an error where it stands`() throws {
    var project = TestProject()
    project.add("a.png", tags: "a/b")
    let site = try ProjectSite(project, "a.png")
    let finding = try #require(try site.importer().diagnostics.first)
    #expect(finding.check == .invalidTag)
    let line = try #require(finding.place.position?.line)
    #expect(
      project.text.split(separator: "\n", omittingEmptySubsequences: false)[line - 1].contains(
        "ASSET_TAGS = (a/b)"))
  }

  @Test func `a manifest that was made is one that is read`() throws {
    var project = TestProject()
    project.setSettings(
      """
      PRODUCT_BUNDLE_IDENTIFIER = com.example.app; ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = "x nobody";
      ON_DEMAND_RESOURCES_PREFETCH_ORDER = ( y, y, nobody2, );
      """)
    project.add("A/1", tags: "x")
    project.add("A/2", tags: "x")
    project.add("A/[b]*", tags: "y")
    let site = try ProjectSite(project, "A/1", "A/2", "A/[b]*")
    let manifest = try #require(try site.importer().manifest)
    #expect(manifest.initialInstallTags.map(\.value) == ["x", "nobody"])
    let text = manifest.formatted(root: manifest.root.value).array()
    let reader = ManifestReader(text: SourceText(path: site.folder.path("Manifest.json"), bytes: text))
    #expect(reader.diagnostics.areAll { $0.check == .repeatedTag })
    let read = try #require(reader.manifest)
    #expect(read.severities.keys.sorted() == ["repeated-tag"])
    #expect(
      read.initialInstallTags.map(\.value) == ["x"] && read.prefetchTagOrder.map(\.value) == ["y", "y", "y"])
    #expect(read.rules.map(\.text.value) == manifest.rules.map(\.text.value))
  }
}
