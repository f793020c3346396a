import Formats
import Model
import Pipeline
import Support
import Testing

/// Tests files that stay in the app: untagged files in the Resources phase and in synchronized folders.
@Suite struct UntaggedResourceTests {
  /// Returns the paths of the untagged files in a plan of the project, relative to the root.
  private func untagged(_ site: ProjectSite) throws -> [String] {
    var request = Preparation.Request(argument: site.folder.path("App.xcodeproj"), jobs: 2)
    request.listsUntagged = true
    let plan = try #require(try Preparation(request).plan)
    #expect(plan.tree.untagged.files == plan.tree.untaggedFiles.count)
    return plan.tree.untaggedFiles.map(\.path).sorted()
  }

  @Test func `only files of the phase count`() throws {
    var project = TestProject()
    project.add("Levels/1.dat", tags: "A,")
    project.add("Levels/menu.dat", tags: nil)
    project.add("Main.storyboard", tags: nil)
    project.add("Sounds", tags: nil)
    let site = try ProjectSite(
      project, "Levels/1.dat", "Levels/menu.dat", "Levels/notes.txt", "Main.storyboard", "Sounds/a.wav",
      "Sounds/b/c.wav",
      "Sounds/.DS_Store", "Makefile", "build/x.dat", "App.swift")
    #expect(try untagged(site) == ["../Main.storyboard", "../Sounds/a.wav", "../Sounds/b/c.wav", "menu.dat"])
  }

  @Test func `a tagged file in an untagged folder is packed`() throws {
    var project = TestProject()
    project.add("Sounds", tags: nil)
    project.add("Sounds/a.wav", tags: "A,")
    project.add("Top.dat", tags: "B,")
    let site = try ProjectSite(project, "Sounds/a.wav", "Sounds/b.wav", "Top.dat")
    #expect(try untagged(site) == ["Sounds/b.wav"])
  }

  @Test func `a synchronized folder has no sources and no exceptions`() throws {
    var project = TestProject()
    project.setTarget("fileSystemSynchronizedGroups = ( SYNC, );")
    project.objects["SYNC"] = """
      isa = PBXFileSystemSynchronizedRootGroup; path = Game; sourceTree = "<group>"; exceptions = ( EXC, );
      """
    project.objects["EXC"] = """
      isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; membershipExceptions = ( Info.plist, Raw, );
      assetTagsByRelativePath = { "Levels/1.dat" = ( A, ); };
      """
    project.addChild("SYNC")
    let site = try ProjectSite(
      project, "Game/Levels/1.dat", "Game/Levels/2.dat", "Game/App.swift", "Game/Info.plist",
      "Game/Raw/x.psd",
      "Makefile")
    #expect(try untagged(site).map { $0.split(separator: "/").last ?? "" } == ["2.dat"])
  }

  /// Missing files and files outside the repository are not in the list of untagged files.
  @Test func `what is not there is left out`() throws {
    var project = TestProject()
    project.add("a.dat", tags: "A,")
    project.add("lost.dat", tags: nil)
    project.add("/etc/hostname", tags: nil, sourceTree: "<absolute>")
    let site = try ProjectSite(project, "a.dat")
    #expect(try untagged(site) == [])
  }
}
