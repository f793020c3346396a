import Foundation
import Support
import Testing

@testable import packtool

/// Tests mistakes that people made when they used packtool for the first time, with the messages that
/// packtool must show.
@Suite struct CommonMistakesTests {
  private static let manifest = """
    {
      "bundleIdentifier": "com.example.game",
      "root": "Assets",
      "resources": [
        { "path": "Castle", "tags": ["Castle"] },
        { "path": "Forest", "tags": ["Forest"] },
        { "path": "Shared/hero.png", "tags": ["Castle", "Forest"] }
      ],
      "exclude": [],
      "initialInstallTags": ["Castle"]
    }

    """

  private func run(_ mistake: CommonMistake) throws -> (status: packtool.ExitStatus, text: String) {
    let folder = try TemporaryFolder()
    let own = [
      "Castle/music.ogg", "Castle/map.json", "Forest/music.ogg", "Forest/map.json", "Shared/hero.png",
    ]
    for file in own { try folder.write("Assets/\(file)", file) }
    for (file, content) in mistake.files { try folder.write(file, content) }
    var text = Self.manifest
    for (old, new) in mistake.changes {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    try folder.write("Manifest.json", text)
    let run = runTool(words: mistake.words.map { $0.replacing("GAME", with: folder.path) })
    return (run.status, (run.errors + run.output).replacing(folder.path + "/", with: ""))
  }

  private func check(_ mistake: CommonMistake) throws {
    let (status, text) = try run(mistake)
    #expect(status == mistake.status, "\(text)")
    let facts = text.split(separator: "\n").map { ReportedFinding(line: $0)?.facts ?? String($0) }
    for line in mistake.says {
      #expect(facts.contains { $0.contains(line) } || line.contains("\n") && text.contains(line), "\(text)")
    }
    for line in mistake.silent + ["everything-initial", "redundant-tag"] {
      #expect(!text.contains(line), "\(text)")
    }
  }

  @Test func `the game itself is right`() throws {
    let (status, text) = try run(CommonMistake("none", says: ""))
    #expect(status == .done)
    #expect(text == "packtool: no findings (3 packs, 5 files, 77 bytes)\n")
  }

  @Test(arguments: CommonMistake.tags) func `in tags`(mistake: CommonMistake) throws { try check(mistake) }
  @Test(arguments: CommonMistake.paths) func `in paths`(mistake: CommonMistake) throws { try check(mistake) }
  @Test(arguments: CommonMistake.texts) func `in texts`(mistake: CommonMistake) throws { try check(mistake) }
  @Test(arguments: CommonMistake.files) func `in files`(mistake: CommonMistake) throws { try check(mistake) }
  @Test(arguments: CommonMistake.commands) func `in commands`(mistake: CommonMistake) throws {
    try check(mistake)
  }

  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
  func `another encoding is called by its name`(encoding: String.Encoding) throws {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", try #require(Self.manifest.data(using: encoding)))
    #expect(
      runTool("validate", folder.path).errors.reports("json-syntax"))
  }

  @Test func `an empty folder is a missing earlier release`() throws {
    let folder = try TemporaryFolder()
    for file in ["Castle/a", "Forest/b", "Shared/hero.png"] { try folder.write("Assets/\(file)", file) }
    try folder.write("Manifest.json", Self.manifest)
    try FileManager.default.createDirectory(atPath: folder.path("old"), withIntermediateDirectories: true)
    let run = runTool("plan", folder.path, "--baseline", folder.path("old"))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("missing-baseline"))
  }

  /// A folder that already is a build stays one.
  @Test func `a build next to its manifest is built again`() throws {
    let folder = try TemporaryFolder()
    for file in ["Castle/a", "Forest/b", "Shared/hero.png"] { try folder.write("Assets/\(file)", file) }
    try folder.write("Manifest.json", Self.manifest)
    #expect(runTool("build", folder.path, "-o", folder.path("packs")).status == .done)
    for (path, data) in try folder.files(below: "packs") { try folder.write(path, data) }
    try folder.write("Assets/Castle/a", "changed")
    #expect(runTool("build", folder.path, "-o", folder.path).status == .done)
    #expect(runTool("verify", folder.path).status == .done)
  }

  /// In two messages about the same limit, the limit must be the same number.
  @Test func `a limit is read one way`() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("Assets/Castle/a", size: 63_500_000)
    try folder.writeSparse("Assets/Forest/b", size: 67_200_000)
    try folder.write("Assets/Shared/hero.png", "x")
    try folder.write("Manifest.json", Self.manifest)
    let errors = runTool("validate", folder.path).errors
    #expect(errors.reports("tag-size", naming: "64,000,000", "64.0 MB"))
    #expect(!errors.contains("67,108,864"))
  }

  /// If only one size is near a limit, the message contains the smaller interpretation of the limit.
  @Test func `a size near a limit has the smaller reading`() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("Assets/Castle/a", size: 63_500_000)
    try folder.write("Assets/Forest/b", "x")
    try folder.write("Assets/Shared/hero.png", "x")
    try folder.write("Manifest.json", Self.manifest)
    #expect(
      runTool("validate", folder.path).errors.reports("tag-size", naming: "64,000,000", "64.0 MB"))
  }
}
