import Foundation
import Model
import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `build --result`.
///
/// The result describes the build for other programs.
@Suite struct BuildResultTests {
  /// Makes a project with two packs.
  ///
  /// The project has small files, a file that is larger than a block, and a file that is in no rule.
  private func project(_ container: Container = .zip) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest(
      [.path("a", "A"), .path("b", "B")], app: "com.example.result", root: "Assets",
      members: #""container": "\#(container.rawValue)""#)
    try folder.write("Assets/a/1", Sample.text(1000))
    try folder.write("Assets/a/2", Sample.noise(30_000))
    try folder.write("Assets/b/large", Sample.text(5_000_000))
    try folder.write("Assets/untagged", Sample.text(500))
    try age(folder, "a/1", "a/2", "b/large")
    return folder
  }

  /// The number of bytes in the tagged files.
  private let size = 1000 + 30_000 + 5_000_000

  /// Gives files an old time, because builds do not trust the times of new files.
  private func age(_ folder: TemporaryFolder, _ files: String..., to year: Int = 2020) throws {
    let seconds = TimeInterval(year - 1970) * 31_557_600
    for file in files {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)],
        ofItemAtPath: folder.path("Assets/\(file)"))
    }
    usleep(40_000)
  }

  /// Runs a build and returns its result.
  ///
  /// The result is read with a JSON parser that is not packtool's.
  private func build(
    _ folder: TemporaryFolder, _ flags: String...
  ) throws -> [String: Any] {
    let path = folder.path("result.json")
    let run = runTool(
      words: ["build", folder.path, "-o", folder.path("out"), "--result", path] + flags)
    #expect(run.status == .done, "\(run.errors)")
    return try read(try folder.read("result.json"))
  }

  private func read(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func strings(_ result: [String: Any], _ key: String) -> [String] { result[key] as? [String] ?? [] }

  private func number(_ result: [String: Any], _ key: String) -> Int { result[key] as? Int ?? -1 }

  @Test func `the keys are those of the contract`() throws {
    let folder = try project()
    let result = try build(folder)
    #expect(
      Set(result.keys) == [
        "formatVersion", "status", "written", "kept", "removed", "index", "contents", "seconds", "read",
        "hashed",
        "diagnostics",
      ])
    #expect(number(result, "formatVersion") == 1)
    #expect(result["diagnostics"] as? [String: Int] == ["errors": 0, "warnings": 0, "notes": 0])
    #expect(result["index"] as? String == "index.json")
    let index = try read(try folder.read("out/index.json"))
    #expect(result["contents"] as? String == (index["contents"] as? [String: Any])?["path"] as? String)
    let seconds = try #require(result["seconds"] as? Double)
    #expect(seconds > 0 && seconds < 600)
  }

  @Test(arguments: Container.allCases) func `it says what was written kept and removed`(container: Container)
    throws
  {
    let folder = try project(container)
    let first = try build(folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/packs")).map {
      "packs/\($0)"
    }
    #expect(first["status"] as? String == "built")
    #expect(Set(strings(first, "written")) == Set(names) && names.count == 2)
    #expect(strings(first, "kept") == [] && strings(first, "removed") == [])

    let second = try build(folder)
    #expect(second["status"] as? String == "unchanged")
    #expect(strings(second, "kept") == strings(first, "written"))
    #expect(strings(second, "written") == [] && number(second, "read") == 0 && number(second, "hashed") == 0)

    try folder.write("Assets/a/1", Sample.text(999))
    let third = try build(folder)
    let old = try #require(strings(first, "written").first { $0.contains("result.A-") })
    let oldList = try #require(first["contents"] as? String)
    #expect(third["status"] as? String == "built")
    #expect(
      strings(third, "written").count == 1 && strings(third, "written").allSatisfy { $0.contains(".A-") })
    #expect(strings(third, "kept") == strings(first, "written").filter { $0.contains(".B-") })
    #expect(Set(strings(third, "removed")) == [old, oldList])
    for path in strings(third, "removed") {
      #expect(!FileManager.default.fileExists(atPath: folder.path("out/\(path)")))
    }
  }

  /// If a build makes a pack again and the bytes are the same as before, the pack does not count as written.
  @Test(arguments: Container.allCases) func `the same bytes are not called written`(container: Container)
    throws
  {
    let folder = try project(container)
    let first = try build(folder)
    let again = try build(folder, "--no-cache")
    #expect(again["status"] as? String == "unchanged")
    #expect(strings(again, "kept") == strings(first, "written") && strings(again, "written") == [])
    #expect(number(again, "hashed") == size)
    let run = runTool("build", folder.path, "-o", folder.path("out"), "--no-cache")
    #expect(run.output.hasSuffix("is up to date\n"))
  }

  @Test(arguments: Container.allCases) func `bytes are counted as they are read and hashed`(
    container: Container
  ) throws {
    let folder = try project(container)
    // Use one thread, because two threads might read the samples of a large file twice.
    let first = try build(folder, "--jobs", "1")
    // For a zip, a sample of the large file is read first: 16 times 8 KiB.
    #expect(number(first, "read") == size + (container == .zip ? 32 << 13 : 0))
    #expect(number(first, "hashed") == size)
    try folder.write("Assets/a/1", Sample.text(999))
    try age(folder, "a/1")
    let second = try build(folder)
    // For a zip, the unchanged file is copied from the old archive.
    let changed = container == .zip ? 999 : 999 + 30_000
    #expect(number(second, "read") == changed && number(second, "hashed") == changed)
  }

  /// If all times have changed, each file is read and hashed once.
  @Test(arguments: Container.allCases) func `compared contents are counted`(container: Container) throws {
    let folder = try project(container)
    _ = try build(folder)
    try age(folder, "a/1", "a/2", "b/large", to: 2021)
    let result = try build(folder)
    #expect(result["status"] as? String == "unchanged")
    #expect(strings(result, "kept").count == 2)
    #expect(number(result, "read") == size && number(result, "hashed") == size)
  }

  /// Two files of equal size in two packs are first compared with samples, and then with their digests.
  @Test func `the index of a part is its description`() throws {
    let folder = try project()
    let depfile = folder.path("d")
    let result = try build(folder, "--shard", "1/2", "--depfile", depfile)
    #expect(result["index"] as? String == "shard.json")
    #expect(strings(result, "written").count == 1)
    #expect(
      try String(decoding: folder.read("d"), as: UTF8.self).hasPrefix("\(folder.path("out/shard.json")):"))
  }

  @Test func `what checks read is counted`() throws {
    let folder = try project()
    try folder.write("Assets/b/2", Sample.noise(30_000))
    let result = try build(folder, "--jobs", "1")
    let packed = size + 30_000
    #expect(number(result, "read") == packed + 32 << 13 + 4 * 4096 + 2 * 30_000)
    #expect(number(result, "hashed") == packed + 2 * 30_000)
    #expect(result["diagnostics"] as? [String: Int] == ["errors": 0, "warnings": 0, "notes": 1])
  }

  @Test(arguments: ["error of the manifest", "strict", "content"]) func `a refused build says so`(
    cause: String
  )
    throws
  {
    let folder = try project()
    var flags: [String] = []
    switch cause {
    case "error of the manifest":
      try folder.writeManifest(rules: #"{ "path": "no" }"#, app: "a")
    case "strict":
      try folder.write("Assets/a/pointer", "version https://git-lfs.github.com/spec/v1\n")
      flags = ["--strict"]
    default: try folder.write("Assets/a/program", Data([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]))
    }
    let path = folder.path("result.json")
    let run = runTool(words: ["build", folder.path, "-o", folder.path("out"), "--result", path] + flags)
    #expect(run.status == .inputHasErrors)
    let result = try read(try folder.read("result.json"))
    #expect(result["status"] as? String == "refused")
    for key in ["written", "kept", "removed"] { #expect(result[key] as? [String] == []) }
    #expect(result["index"] is NSNull && result["contents"] is NSNull)
    #expect(((result["diagnostics"] as? [String: Int])?["errors"] ?? 0) > 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test(arguments: [
    (["--layout", "xcode"], "OnDemandResources.plist", "OnDemandResources/"),
    (["--layout", "hosted", "--url-prefix", "https://x.y/"], "AssetPackManifest.plist", ""),
  ])
  func `other styles have their own index`(flags: [String], index: String, folderOfPacks: String) throws {
    let folder = try project()
    let words = ["build", folder.path, "-o", folder.path("out"), "-q", "--result", "-"] + flags
    for status in ["built", "unchanged"] {
      let result = try read(Data(runTool(words: words).output.utf8))
      #expect(result["status"] as? String == status)
      #expect(result["index"] as? String == index && result["contents"] is NSNull)
      let packs = strings(result, "written") + strings(result, "kept")
      #expect(
        packs.count == 2 && packs.allSatisfy { $0.hasPrefix(folderOfPacks) && $0.hasSuffix(".assetpack") })
      for path in packs + [index] {
        #expect(FileManager.default.fileExists(atPath: folder.path("out/\(path)")))
      }
    }
  }

  /// Then standard output contains nothing except the result, so another program can read it.
  @Test(.enabled(if: Python.plain != nil)) func `a dash is standard output`() throws {
    let folder = try project()
    let run = try run(
      "sh",
      ["-c", "\"$0\" build -o out --result - | python3 -m json.tool --sort-keys", try packtoolProgram()],
      in: folder.path)
    #expect(run.status == 0)
    #expect(run.output.contains("\"status\": \"built\""))
  }

  @Test func `one file is not written twice`() throws {
    let folder = try project()
    let path = folder.path("x")
    let run = runTool(
      "build", folder.path, "-o", folder.path("out"), "--result", path, "--depfile", folder.path("./x"))
    #expect(run.status == .usage)
    #expect(run.errors.refuses(naming: "--depfile", "--result"))
  }
}
