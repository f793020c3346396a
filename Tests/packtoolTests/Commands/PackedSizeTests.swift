import Foundation
import Model
import Pipeline
@testable import packtool
import Support
import Testing

/// Tests that commands show compressed sizes next to uncompressed sizes if the packs are built.
@Suite struct PackedSizeTests {
  private static let manifest = """
    { "bundleIdentifier": "com.example.game", "root": "Assets",
      "resources": [ { "path": "a", "tags": ["A"] }, { "path": "b", "tags": ["B"] },
                     { "path": "both", "tags": ["A", "B"] } ],
      "initialInstallTags": ["A"] }
    """

  private func folder(_ container: Container = .zip) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] {
      let text = Self.manifest.replacing(
        "\"root\"", with: "\"container\": \"\(container.rawValue)\", \"root\"")
      try folder.write("\(name)/Manifest.json", text)
      try folder.write("\(name)/Assets/a/text.json", Sample.text(30_000))
      try folder.write("\(name)/Assets/a/noise.png", Sample.noise(5000))
      try folder.write("\(name)/Assets/both/empty", "")
      try folder.write("\(name)/Assets/both/large.txt", Sample.text(3_000_000))
      try folder.write("\(name)/Assets/b/x", "x of \(name)")
    }
    return folder
  }

  private func build(_ folder: TemporaryFolder, _ name: String, _ output: String, _ flags: String...) throws {
    let run = runTool(words: ["build", folder.path(name), "-o", folder.path(output), "-q"] + flags)
    try #require(run.status == .done, "\(run.errors)")
  }

  private func contents(_ folder: TemporaryFolder, _ output: String) throws -> [[String: Any]] {
    let files = try folder.files(below: output)
    let name = try #require(files.keys.first { $0.hasPrefix("contents.") })
    let json = try JSONSerialization.jsonObject(with: try #require(files[name])) as? [String: Any]
    return try #require(json?["files"] as? [[String: Any]])
  }

  private func json(_ words: String...) throws -> [String: Any] {
    let run = runTool(words: words + ["--format", "json"])
    try #require(run.status == .done, "\(run.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test(.enabled(if: Python.plain != nil, "no python3 here"))
  func `the list has what the archives have`() throws {
    let folder = try folder()
    try build(folder, "one", "out")
    let script = """
      import glob, json, zipfile
      files = json.load(open(glob.glob('out/contents.*.json')[0]))['files']
      index = {pack['id']: pack for pack in json.load(open('out/index.json'))['packs']}
      for file in files:
          entry = zipfile.ZipFile('out/' + index[file['pack']]['archive']['path']).getinfo(file['path'])
          assert entry.compress_size == file['packed'], (file, entry)
          assert list(file) == sorted(file)
      print(len(files))
      """
    let run = try Support.run("python3", ["-c", script], in: folder.path)
    #expect(run.output == "5\n", "\(run.errors)")
  }

  @Test(arguments: Container.allCases.filter { $0 != .zip })
  func `other containers have none`(container: Container) throws {
    let folder = try folder(container)
    try build(folder, "one", "out")
    #expect(try contents(folder, "out").areAll { $0["packed"] == nil })
  }

  /// The build cache may change the time of a build, but never its bytes.
  @Test func `a build after a merge is a fresh one`() throws {
    let folder = try folder()
    for part in 1...2 { try build(folder, "one", "part\(part)", "--shard", "\(part)/2") }
    let merge = runTool("merge", folder.path("part1"), folder.path("part2"), "-o", folder.path("merged"))
    try #require(merge.status == .done, "\(merge.errors)")
    try folder.write("one/Assets/b/x", "changed")
    try build(folder, "one", "merged")
    try build(folder, "one", "fresh")
    #expect(try files(folder, "merged") == files(folder, "fresh"))
  }

  @Test func `packs taken over have their sizes`() throws {
    let folder = try folder()
    try build(folder, "one", "old")
    try build(folder, "two", "onto", "--onto", folder.path("old"))
    try build(folder, "two", "fresh")
    let packed = try contents(folder, "onto").compactMap { $0["packed"] as? Int }
    #expect(packed == (try contents(folder, "fresh").compactMap { $0["packed"] as? Int }))
    #expect(packed.count == 5)
  }

  private func files(_ folder: TemporaryFolder, _ output: String) throws -> [String: Data] {
    try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool") }
  }

  @Test func `plans show them`() throws {
    let folder = try folder()
    try build(folder, "one", "out")
    let index = try #require(
      JSONSerialization.jsonObject(with: folder.read("out/index.json")) as? [String: Any])
    let archives = try #require(index["packs"] as? [[String: Any]]).map {
      ($0["archive"] as? [String: Any])?["size"] as? Int
    }
    for words in [
      [folder.path("out")], [folder.path("one"), "--built", folder.path("out")],
      [folder.path("one"), "--baseline", folder.path("out")],
    ] {
      let run = runTool(words: ["plan"] + words + ["--format", "json"])
      let plan = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let packs = try #require(plan["packs"] as? [[String: Any]])
      #expect(packs.map { $0["packed"] as? Int } == archives)
      #expect(packs.areAll { $0["archive"] == nil && $0["digest"] == nil })
      #expect(
        (plan["initialInstall"] as? [String: Any])?["packed"] as? Int
          == archives.indices.filter { packs[$0]["delivery"] as? String == "initialInstall" }.compactMap {
            archives[$0]
          }.reduce(0, +))
      #expect(runTool(words: ["plan"] + words).output.contains("compressed "))
    }
    #expect(!runTool("plan", folder.path("one")).output.contains("compressed"))
  }

  /// If a pack has changed since it was built, its compressed size is unknown, regardless of the build cache.
  @Test func `changed packs are not built`() throws {
    let folder = try folder()
    try build(folder, "one", "out")
    try folder.write("one/Assets/b/x", "y of one")
    let plan = try json("plan", folder.path("one"), "--built", folder.path("out"))
    let packs = try #require(plan["packs"] as? [[String: Any]])
    #expect(packs.filter { $0["packed"] == nil }.map { $0["tags"] as? [String] } == [["B"]])
    #expect((plan["onDemand"] as? [String: Any])?["packed"] == nil)
    #expect(runTool("plan", folder.path("one"), "--built", folder.path("out")).output.contains("not built"))
    // Test the same without the build cache.
    try FileManager.default.removeItem(atPath: folder.path("out/.packtool"))
    let again = try json("plan", folder.path("one"), "--built", folder.path("out"))
    #expect((again["packs"] as? [[String: Any]])?.filter { $0["packed"] == nil }.count == 1)
  }

  @Test func `explain shows them`() throws {
    let folder = try folder()
    try build(folder, "one", "out")
    let listed = try #require(
      contents(folder, "out").first { $0["path"] as? String == "a/text.json" }?["packed"] as? Int)
    let file = try json("explain", "a/text.json", folder.path("one"), "--built", folder.path("out"))
    let subject = try #require((file["subjects"] as? [[String: Any]])?.first)
    #expect(subject["packed"] as? Int == listed)
    #expect((subject["pack"] as? [String: Any])?["packed"] as? Int != nil)
    let tag = runTool("explain", "A", folder.path("one"), "--built", folder.path("out"))
    #expect(tag.output.contains("on demand") == false && tag.output.contains(", compressed "))
  }

  @Test func `downloads are packed where both are built`() throws {
    let folder = try folder()
    try build(folder, "one", "old")
    try build(folder, "two", "new")
    let built = try json("diff", folder.path("old"), folder.path("new"))
    let summary = try #require(built["summary"] as? [String: Any])
    let changed = try #require(
      (built["packs"] as? [[String: Any]])?.first { $0["status"] as? String == "changed" })
    let archive = try #require(changed["packed"] as? Int)
    #expect(archive != changed["size"] as? Int)
    #expect(summary["downloadPacked"] as? Int == archive && summary["downloadByPacks"] as? Int == 8)
    let text = runTool("diff", folder.path("old"), folder.path("new")).output
    #expect(text.contains("\(archive) bytes downloaded again for 8 bytes"))
    #expect(!text.contains("uncompressed"))
    let planned = runTool("diff", folder.path("one"), folder.path("two"))
    #expect(
      planned.output.contains(
        "downloads are uncompressed sizes, because \"\(folder.path("two"))\" is not built"))
    #expect(planned.output.contains("8 bytes downloaded again for 8 bytes"))
  }
}
