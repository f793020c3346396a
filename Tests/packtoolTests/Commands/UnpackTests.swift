import Foundation
@testable import Model
@testable import Pipeline
import System
@testable import packtool
import Support
import Testing

/// Tests `packtool verify` and `packtool unpack` in the way that scripts use them.
@Suite struct UnpackTests {
  private static let manifest = """
    {
      "bundleIdentifier": "com.example.test", "container": "CONTAINER", "root": "Assets",
      "resources": [
        { "path": "a", "tags": ["Level 1"] },
        { "path": "b", "tags": ["Level 2"] },
        { "path": "shared", "tags": ["Level 1", "Level 2"] },
        { "path": "hard/b", "tags": ["Hard"], "destination": "b" }
      ],
      "initialInstallTags": ["Level 1"]
    }
    """

  /// Makes a built project.
  ///
  /// `hard/b/x.txt` is unpacked to the same path as `b/x.txt`.
  private func project(_ container: String = "zip") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", Self.manifest.replacingOccurrences(of: "CONTAINER", with: container))
    for name in ["a/1.json", "a/deep/er/2.json", "b/x.txt", "shared/é.png", "hard/b/x.txt"] {
      try folder.write("Assets/\(name)", String(repeating: "\(name)\n", count: 5000))
    }
    try folder.write("Assets/b/same.txt", "same")
    try folder.write("Assets/hard/b/same.txt", "same")
    #expect(runTool("build", folder.path, "-o", folder.path("out"), "-q").status == .done)
    return folder
  }

  private func unpack(_ folder: TemporaryFolder, _ words: String...) -> ToolResult {
    runTool(words: ["unpack", folder.path("out"), "-o", folder.path("new")] + words)
  }

  @Test(arguments: Container.allCases)
  func `a complete folder is reported as complete`(container: Container) throws {
    let folder = try project(container.rawValue)
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .done)
    #expect(run.output == "4 packs, 7 files, 305 kB: all packs are undamaged\n")
    #expect(run.errors.isEmpty)
  }

  /// An index can contain characters that would control a terminal.
  @Test func `a tag that is suggested is escaped`() throws {
    let folder = try project()
    let index = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
    let escape = #""Hard\u001b""#
    try folder.write("out/index.json", index.replacingOccurrences(of: "\"Hard\"", with: escape))
    let run = unpack(folder, "--tag", "Hard")
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("unknown-tag", naming: #"Hard\u{1b}"#))
    #expect(!run.errors.contains("\u{1b}"))
  }

  @Test func `what is wrong ends with one`() throws {
    let folder = try project()
    let pack = try #require(try folder.files(below: "out/packs").keys.filter { $0.contains("Hard") }.first)
    try folder.write("out/packs/extra", "")
    #expect(runTool("verify", folder.path("out")).status == .done)
    #expect(runTool("verify", folder.path("out"), "--strict").status == .inputHasErrors)
    try FileManager.default.removeItem(atPath: folder.path("out/packs/\(pack)"))
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .inputHasErrors && run.output.isEmpty)
    #expect(
      run.errors.reports("missing-pack", naming: "Hard"))
    #expect(run.errors.reports("not-in-index", naming: "packs/extra"))
    #expect(
      runTool("verify", folder.path("nowhere")).errors.reports("missing-index"))
    #expect(runTool("verify").status == .usage)
  }

  @Test func `all packs and those of a tag exclude each other`() throws {
    let folder = try project("zip")
    let run = unpack(folder, "--all", "--tag", "Level 1")
    #expect(run.status == .usage)
    #expect(run.errors.refuses(naming: "--tag", "--all"))
  }

  @Test(arguments: Container.allCases)
  func `a tag brings all packs that carry it`(container: Container) throws {
    let folder = try project(container.rawValue)
    let run = unpack(folder, "--tag", "Level 1")
    #expect(run.status == .done)
    #expect(run.output == "wrote 3 files, 200 kB, of 2 packs to \(folder.path("new"))\n")
    let files = try folder.files(below: "new")
    #expect(files.keys.sorted() == ["a/1.json", "a/deep/er/2.json", "shared/é.png"])
    for (name, content) in files { #expect(try folder.read("Assets/\(name)") == content) }
  }

  @Test func `several tags bring their packs once`() throws {
    let folder = try project()
    #expect(unpack(folder, "-t", "Level 1", "-t", "Level 2").status == .done)
    #expect(try folder.files(below: "new").count == 5)
  }

  @Test func `a tag that is unknown is guessed`() throws {
    let folder = try project()
    let run = unpack(folder, "--tag", "Levl 1")
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("unknown-tag", naming: "Levl 1", "Level 1"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    #expect(unpack(folder).status == .usage)
  }

  @Test func `two files for one place are an error`() throws {
    let folder = try project()
    let run = unpack(folder, "--all")
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("path-in-two-packs", naming: "b/x.txt"))
    #expect(!run.errors.contains("same.txt"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test func `nothing is replaced unasked`() throws {
    let folder = try project()
    try folder.write("new/a/1.json", "mine")
    let run = unpack(folder, "--tag", "Level 1")
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("existing-file", at: "new/a/1.json"))
    #expect(try folder.files(below: "new") == ["a/1.json": Data("mine".utf8)])
    #expect(unpack(folder, "--tag", "Level 1", "--force").status == .done)
    let again = unpack(folder, "--tag", "Level 1").errors
    #expect(
      again.reports("existing-file", naming: "2", "--force"))
    #expect(again.components(separatedBy: "[existing-file]").count == 2)
    #expect(try folder.files(below: "new").count == 3)
    #expect(try folder.read("new/a/1.json") == folder.read("Assets/a/1.json"))
  }

  @Test(arguments: [true, false]) func `links are not followed`(forced: Bool) throws {
    let folder = try project()
    try folder.write("elsewhere/1.json", "mine")
    try folder.link("new/a", to: "../elsewhere")
    let run = unpack(folder, "--tag", "Level 1", forced ? "--force" : "--quiet")
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("existing-file", naming: "a"))
    #expect(try folder.files(below: "elsewhere") == ["1.json": Data("mine".utf8)])
  }

  @Test func `a link in the files place is replaced itself`() throws {
    let folder = try project()
    try folder.write("elsewhere", "mine")
    try folder.link("new/a/1.json", to: "../../elsewhere")
    #expect(unpack(folder, "--tag", "Level 1").status == .inputHasErrors)
    #expect(unpack(folder, "--tag", "Level 1", "--force").status == .done)
    #expect(try folder.read("elsewhere") == Data("mine".utf8))
    #expect(try folder.read("new/a/1.json") == folder.read("Assets/a/1.json"))
  }

  @Test(arguments: ["zip", "tar.gz", "folder"]) func `of a damaged pack nothing is written`(container: String)
    throws
  {
    let folder = try project(container)
    let name = try #require(
      try folder.files(below: "out/packs").keys.filter { $0.contains("Level 1-") }.sorted().last)
    var bytes = try folder.read("out/packs/\(name)")
    bytes[bytes.count / 2] ^= 4
    try folder.write("out/packs/\(name)", bytes)
    let run = unpack(folder, "--tag", "Level 1", "--tag", "Level 2")
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("damaged-pack"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    // Other packs can still be unpacked.
    #expect(unpack(folder, "--tag", "Hard").status == .done)
    #expect(try folder.files(below: "new").keys.sorted() == ["b/same.txt", "b/x.txt"])
  }

  /// A build holds its lock while it replaces files.
  ///
  /// If a pack is missing during this time, a command waits and then reads the folder again.
  @Test func `a build that is at work is waited for`() throws {
    let folder = try project()
    let pack = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out/packs")).first)
    let path = folder.path("out/packs/\(pack)")
    let lock = try FileLock(folder.path("out/.packtool/lock")) { _ in }
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("aside"))
    let status = Monitor<packtool.ExitStatus?>(nil)
    let output = folder.path("out")
    let new = folder.path("new")
    let threads = Threads(numbered: 0..<1) { _ in
      let run = runTool("unpack", output, "-o", new, "--tag", "Level 1")
      status.change { $0 = run.status }
    }
    // If the command did not wait, it would end during this loop. Because it waits, it has not ended, however
    // slow the machine is.
    for _ in 0..<20 where status.change({ $0 }) == nil { usleep(10_000) }
    try FileManager.default.moveItem(atPath: folder.path("aside"), toPath: path)
    withExtendedLifetime(lock) {}
    _ = consume lock
    threads.join()
    #expect(status.change { $0 } == .done)
  }
}
