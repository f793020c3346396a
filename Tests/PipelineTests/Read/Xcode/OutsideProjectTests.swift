@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests files of a project that are outside the project's own folder.
@Suite struct OutsideProjectTests {
  /// Returns a repository with the project in `ios`.
  ///
  /// The given files are outside that folder.
  private func site(
    _ project: TestProject, isRepository: Bool = true, _ files: String...
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("repo/ios/App.xcodeproj/project.pbxproj", project.text)
    if isRepository { try folder.write("repo/.git/HEAD", "") }
    for file in files { try folder.write(file, file) }
    return folder
  }

  private func read(_ folder: TemporaryFolder, root: String? = nil) throws -> XcodeImporter {
    try XcodeImporter(
      argument: folder.path("repo/ios/App.xcodeproj"),
      choice: ProjectChoice(root: root.map { folder.path($0) }))
  }

  /// Returns `path > path in the pack` for each file that a build packs.
  private func packed(_ folder: TemporaryFolder, root: String? = nil) throws -> [String] {
    let request = Preparation.Request(
      argument: folder.path("repo/ios/App.xcodeproj"),
      project: ProjectChoice(root: root.map { folder.path($0) }),
      jobs: 1)
    let preparation = try Preparation(request)
    try #require(!preparation.diagnostics.hasErrors, "\(preparation.diagnostics)")
    return try #require(preparation.plan).tree.files.map { "\($0.path) > \($0.packPath)" }
  }

  @Test func `files beside the project's folder are packed, below the folder of all`() throws {
    var project = TestProject()
    project.add("../videos/intro.mp4", tags: "x")
    project.add("../videos/Clips", tags: "y")
    project.add("here.dat", tags: "x")
    let folder = try site(
      project, "repo/videos/intro.mp4", "repo/videos/Clips/a/1", "repo/ios/here.dat", "repo/other")
    let importer = try read(folder)
    #expect(importer.diagnostics.isEmpty)
    #expect(importer.manifest?.root.value == "..")
    #expect(
      try packed(folder) == [
        "ios/here.dat > here.dat", "videos/Clips/a/1 > Clips/a/1", "videos/intro.mp4 > intro.mp4",
      ])
  }

  @Test func `a root is the nearest folder of all files`() throws {
    var project = TestProject()
    project.add("../videos/a/1", tags: "x")
    project.add("../videos/a/2", tags: "y")
    let folder = try site(project, "repo/videos/a/1", "repo/videos/a/2")
    #expect(try read(folder).manifest?.root.value == "../videos/a")
    #expect(try packed(folder) == ["1 > 1", "2 > 2"])
  }

  @Test func `a way out and back is inside`() throws {
    var project = TestProject()
    project.add("../ios/in.dat", tags: "x")
    project.add("../../repo/ios/sub/in2.dat", tags: "y")
    let folder = try site(project, "repo/ios/in.dat", "repo/ios/sub/in2.dat")
    #expect(try read(folder).diagnostics.isEmpty)
    #expect(try packed(folder) == ["in.dat > in.dat", "sub/in2.dat > in2.dat"])
  }

  @Test(arguments: ["<absolute>", "<group>"]) func `an absolute path of the project is inside`(tree: String)
    throws
  {
    let folder = try TemporaryFolder()
    let real = try #require(String(validating: FileOperations.realPath(of: folder.path), as: UTF8.self))
    var project = TestProject()
    project.add("\(real)/repo/ios/a/in.dat", tags: "x", sourceTree: tree)
    project.add("\(real)/repo/beside.dat", tags: "y", sourceTree: tree)
    try folder.write("repo/ios/App.xcodeproj/project.pbxproj", project.text)
    try folder.write("repo/.git/HEAD", "")
    try folder.write("repo/ios/a/in.dat", "1")
    try folder.write("repo/beside.dat", "2")
    #expect(try read(folder).diagnostics.isEmpty)
    #expect(try packed(folder) == ["beside.dat > beside.dat", "ios/a/in.dat > in.dat"])
  }

  @Test func `a project's own folder may be above it`() throws {
    var project = TestProject()
    project.objects["PROJECT"] = project.objects["PROJECT"]?.replacingOccurrences(
      of: "projectDirPath = \"\"", with: "projectDirPath = \"..\"")
    project.add("assets/a.dat", tags: "x")
    project.add("ios/b.dat", tags: "y")
    let folder = try site(project, "repo/assets/a.dat", "repo/ios/b.dat")
    #expect(try packed(folder) == ["assets/a.dat > a.dat", "ios/b.dat > b.dat"])
  }

  @Test func `a catalog and a synchronized folder beside the project are read`() throws {
    var project = TestProject()
    project.add("../Art/A.xcassets", tags: nil)
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    project.objects["SYNC"] =
      "isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( EX, ); path = ../Content; sourceTree = \"<group>\";"
    project.objects["EX"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; assetTagsByRelativePath = { "one.dat" = ( x, ); };
      """
    project.addChild("SYNC")
    let tags = #"{"properties": {"on-demand-resource-tags": ["y"]}}"#
    let folder = try site(project, "repo/Content/one.dat")
    try folder.write("repo/Art/A.xcassets/b.dataset/Contents.json", tags)
    try folder.write("repo/Content/B.xcassets/c.dataset/Contents.json", tags)
    #expect(
      try packed(folder) == [
        "Art/A.xcassets/b.dataset/Contents.json > A.xcassets/b.dataset/Contents.json",
        "Content/B.xcassets/c.dataset/Contents.json > B.xcassets/c.dataset/Contents.json",
        "Content/one.dat > one.dat",
      ])
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/passwd", "../../../../../../../../../etc/passwd", "../../outside.dat",
  ])
  func `nothing beyond the repository is packed`(path: String) throws {
    var project = TestProject()
    project.add(path, tags: "x")
    project.add("here.dat", tags: "y")
    let folder = try site(project, "repo/ios/here.dat", "etc/passwd", "outside.dat")
    let importer = try read(folder)
    #expect(importer.diagnostics.map(\.check) == [.outsideProject])
    #expect(importer.diagnostics.first?.message.contains("/repo\"") == true)
    #expect(importer.manifest?.root.value == "." && importer.manifest?.rules.count == 1)
    #expect(try packed(folder) == ["here.dat > here.dat"])
  }

  @Test func `a link does not lead beyond the root either`() throws {
    var project = TestProject()
    project.add("../link/secret", tags: "x")
    project.add("here.dat", tags: "y")
    let folder = try site(project, "repo/ios/here.dat", "secret/secret")
    try folder.link("repo/link", to: "../secret")
    let request = Preparation.Request(argument: folder.path("repo/ios/App.xcodeproj"), jobs: 1)
    let preparation = try Preparation(request)
    #expect(preparation.diagnostics.hasErrors)
    #expect(preparation.plan?.tree.files.map(\.path) == ["ios/here.dat"])
  }

  @Test func `without a repository a root is named`() throws {
    var project = TestProject()
    project.add("../beside.dat", tags: "x")
    let folder = try site(project, isRepository: false, "repo/beside.dat")
    #expect(try read(folder).diagnostics.map(\.check) == [.outsideProject, .untaggedProject])
    #expect(try read(folder, root: "repo").diagnostics.isEmpty)
    #expect(try packed(folder, root: "repo") == ["beside.dat > beside.dat"])
  }
}
