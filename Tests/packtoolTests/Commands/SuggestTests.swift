import Foundation
@testable import PackKit
@testable import Projects
import Support
import Testing
@testable import packtool

/// `packtool suggest`: what a trace of loads says about a manifest.
@Suite struct SuggestTests {
  private func project(_ trace: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "Manifest.json",
      """
      { "bundleIdentifier": "a.b", "root": "Assets", "resources": [
        { "glob": "Levels/*/**", "tagTemplates": ["Level $1"] },
        { "path": "Shared", "tags": ["Level 1", "Level 2"] } ],
        "initialInstallTags": ["Level 2"] }
      """)
    for name in [
      "Levels/1/map", "Levels/1/sky", "Levels/2/map", "Levels/3/map", "Shared/hero", "Music/a b.ogg",
      "UI/title",
    ] {
      try folder.write("Assets/\(name)", name)
    }
    try folder.write("trace.txt", trace)
    return folder
  }

  private static let trace = """
    # seconds, scene, path
    100.5 menu UI/title
    101.0 menu Levels/1/map
    101.2 menu ./Shared//hero
    110.0 second Levels/2/map
    110.5 second Music/a b.ogg
    111 second Assets/Levels/1/map
    111 second /usr/lib/libc.so.6
    112 second Levels/4/map
    """

  private func suggestion(_ folder: TemporaryFolder) throws -> [String: Any] {
    let run = runTool("suggest", "--trace", folder.path("trace.txt"), folder.path, "--format", "json")
    #expect(run.status == .done, "\(run.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func paths(_ list: Any?) -> [String] {
    (list as? [[String: Any]])?.compactMap { $0["path"] as? String } ?? []
  }

  @Test func aTraceOfAnotherMachineSuggestsNothing() throws {
    let folder = try project("1 menu /home/me/game/Levels/1/map\n2 menu /home/me/game/UI/title\n")
    let run = runTool("suggest", "--trace", folder.path("trace.txt"), folder.path)
    #expect(run.status == .inputHasErrors && run.output.isEmpty)
    #expect(
      run.errors.contains(#"error: none of the 2 paths names a file below the root "#)
        && run.errors.contains(
          #"such as "/home/me/game/Levels/1/map"; record a run with this root [trace-elsewhere]"#),
      "\(run.errors)")
  }

  @Test func tagsAreInTheOrderOfTheirFirstLoads() throws {
    let found = try suggestion(project(Self.trace))
    #expect(found["initialInstallTags"] as? [String] == ["Level 1"])
    // The hero has both tags, so its load is none of level 2's own.
    #expect(found["prefetchTagOrder"] as? [String] == ["Level 2"])
    let tags = try #require(found["tags"] as? [[String: Any]])
    #expect(tags.map { $0["tag"] as? String } == ["Level 1", "Level 2", "Level 3"])
    #expect(tags.map { $0["first"] as? Double } == [0.5, 9.5, nil])
    #expect(tags.map { $0["loadedFiles"] as? Int } == [2, 2, 0])
  }

  @Test func filesWithTheWrongTagsAreListed() throws {
    let found = try suggestion(project(Self.trace))
    #expect(paths(found["neverLoaded"]) == ["Levels/1/sky", "Levels/3/map"])
    #expect(paths(found["untagged"]) == ["Music/a b.ogg", "UI/title"])
    let tags = (found["untagged"] as? [[String: Any]])?.map { $0["tags"] as? [String] }
    // What the first scene loads is in the app already.
    #expect(tags == [["Level 2"], []])
    #expect(found["missing"] as? [String] == ["Assets/Levels/1/map", "Levels/4/map"])
    #expect(found["elsewhere"] as? Int == 1)
  }

  @Test func pathsMayBeAbsoluteOrWithTheRoot() throws {
    let folder = try project("")
    try folder.write(
      "trace.txt",
      "1\tthe first scene\t\(folder.path)/Assets/Levels/2/map\n2\tlater\t\(folder.path)/Assets/Levels/3/map\r\n"
    )
    let found = try suggestion(folder)
    #expect(found["initialInstallTags"] as? [String] == ["Level 2"])
    #expect(found["prefetchTagOrder"] as? [String] == ["Level 3"])
    let scenes = (found["scenes"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(scenes == ["the first scene", "later"])
  }

  @Test func peopleReadRulesToCopy() throws {
    let folder = try project(Self.trace)
    let run = runTool("suggest", "--trace", folder.path("trace.txt"), folder.path)
    #expect(run.output.contains(#"  "initialInstallTags": ["Level 1"]  now ["Level 2"]"#), "\(run.output)")
    #expect(run.output.contains(#"  { "path": "Music/a b.ogg", "tags": ["Level 2"] }  13 bytes"#))
    #expect(run.output.contains("tagged files that nobody loads: 2 files, 24 bytes\n"))
    #expect(run.output.contains("loads from outside the root: 1\n"))
  }

  @Test(arguments: ["x", "1 menu", "-1 a b", "nan a b", "0x1p3 a b", "1e5 a b", "1.2.3 a b", "1\tmenu b"])
  func aLineThatIsNoneIsAWarning(line: String) throws {
    let folder = try project("\(Self.trace)\n\(line)\n")
    let run = runTool("suggest", "--trace", folder.path("trace.txt"), folder.path)
    #expect(run.status == .done)
    #expect(run.errors.contains("/trace.txt:10:1: warning: "), "\(run.errors)")
    #expect(run.errors.contains("is no line of seconds, scene and path [trace-syntax]"))
  }

  @Test(arguments: [
    ("", "the trace has no line of seconds, scene and path"), ("x\n", "the trace has no line"),
  ])
  func aTraceWithoutLinesIsAnError(trace: String, message: String) throws {
    let folder = try project(trace)
    let run = runTool("suggest", "--trace", folder.path("trace.txt"), folder.path)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.contains(message))
    #expect(runTool("suggest", folder.path).errors.contains("argument \"TRACE\" is missing"))
    #expect(
      runTool("suggest", "--trace", folder.path("none"), folder.path).errors.contains(
        "the trace does not exist"))
  }
}
