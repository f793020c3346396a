import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `packtool explain`, which explains why a file is in its pack, and what is downloaded for a tag or
/// pack.
@Suite struct ExplainTests {
  private static let manifest = """
    {
      "bundleIdentifier": "com.example.test",
      "root": "Assets",
      "resources": [
        { "path": "Levels/1", "tags": ["Level 1"] },
        { "glob": "Music/*.ogg", "tags": ["Music"], "destination": "Sound" },
        { "glob": "**/boss.*", "tags": ["Level 2", "Level 1"] },
        { "path": "Levels/2", "tags": ["Level 2"] }
      ],
      "exclude": ["**/*.psd", "old/**"],
      "initialInstallTags": ["Level 1"],
      "prefetchTagOrder": ["Music", "Level 2"]
    }
    """

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", Self.manifest)
    for name in [
      "Levels/1/map.json", "Levels/1/boss.png", "Levels/2/boss.png", "Levels/2/map.json", "Music/a.ogg",
      "Music/deep/b.ogg", "Music/c.wav", "music/d.ogg", "levels/1/e", "Levels/11/f", "Levels/1/x.psd",
      "old/notes.txt", "readme.txt", "Levels/3/.DS_Store",
    ] {
      try folder.write("Assets/\(name)", name)
    }
    return folder
  }

  /// Returns the output of `explain` for a word, without the name of the folder.
  private func explain(_ word: String, in folder: TemporaryFolder) -> String {
    let run = runTool("explain", word, folder.path)
    return (run.output + run.errors).replacing(folder.path + "/", with: "")
  }

  @Test func `a file has the rules that do not take it`() throws {
    let folder = try TemporaryFolder()
    for name in ["Sounds/a", "Sounds/voices/b", "other"] { try folder.write("Assets/\(name)", name) }
    try folder.write(
      "Manifest.json",
      """
      { "bundleIdentifier": "a.b", "root": "Assets", "resources": [
        { "path": "Sounds", "tags": ["Core"], "except": ["Sounds/voices"] },
        { "path": "Sounds", "tags": ["Rest"], "otherwise": true },
        { "path": "other", "tags": ["Other"] } ] }
      """)
    let text = explain("Sounds/voices/b", in: folder)
    #expect(
      text.contains(
        """
          tags: {"Rest"}
            Manifest.json:3:13: path "Sounds" assigns "Rest"
            Manifest.json:2:13: path "Sounds" does not take files that its "except" leaves out with \
        "Sounds/voices"
        """), "\(text)")
    let core = explain("Sounds/a", in: folder)
    #expect(
      core.contains(
        """
            Manifest.json:2:13: path "Sounds" assigns "Core"
            Manifest.json:3:13: path "Sounds" does not take files that another rule takes, because it has \
        "otherwise"
        """), "\(core)")
    #expect(explain("Sounds", in: folder).components(separatedBy: "does not take").count == 3)
  }

  @Test func `a file has its rules and its pack`() throws {
    let expected = """
      file "Levels/1/boss.png": 17 bytes
        tags: {"Level 1", "Level 2"}
          Manifest.json:5:15: path "Levels/1" assigns "Level 1"
          Manifest.json:7:15: glob "**/boss.*" assigns "Level 2" and "Level 1"
        pack: com.example.test.asset-pack-17d4f9ec7b2ebe5fdd3f24b44e5e17b2
          files with exactly these tags: this file and 1 other, 34 bytes
        delivery: initial install, place 2 of 2, priority 1.00
          Manifest.json:11:26: "Level 1" is number 1 of "initialInstallTags"
        a request for "Level 1" or "Level 2" downloads this pack, 34 bytes

      """
    let folder = try project()
    let digest = try run(
      "python3", ["-c", "import hashlib; print(hashlib.md5(b'Level 1:Level 2').hexdigest())"]
    )
    .output.trimmingCharacters(in: .newlines)
    let wanted = expected.replacing("17d4f9ec7b2ebe5fdd3f24b44e5e17b2", with: digest)
    #expect(explain("Levels/1/boss.png", in: folder).hasPrefix(wanted))
    // The argument is a path as a user types it from the current folder, possibly with "." and "..".
    #expect(explain(folder.path("Assets/Levels/1/boss.png"), in: folder).hasPrefix(wanted))
    #expect(explain("Levels/2/../1/./boss.png", in: folder).hasPrefix(wanted))
  }

  /// It is not visible in the path that it leads to a file below the root.
  @Test func `a file is found by any path to it`() throws {
    let folder = try project()
    try folder.link("elsewhere", to: "Assets/Levels")
    for path in [
      "elsewhere/1/map.json", "../\(folder.path.split(separator: "/").last ?? "")/Assets/Levels/1/map.json",
    ] {
      let result = try run(packtoolProgram(), ["explain", path], in: folder.path)
      #expect(result.output.hasPrefix("file \"Levels/1/map.json\": 17 bytes\n"), "\(result.errors)")
    }
    let root = try run(packtoolProgram(), ["explain", "Assets/../elsewhere/.."], in: folder.path)
    #expect(root.output.hasPrefix("folder \".\": "), "\(root.errors)")
  }

  @Test func `programs get all that the text says`() throws {
    let folder = try project()
    func json(_ word: String) throws -> [[String: Any]] {
      let run = runTool("explain", word, folder.path, "--format", "json")
      let whole = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      #expect(whole?["formatVersion"] as? Int == 1)
      return try #require(whole?["subjects"] as? [[String: Any]])
    }
    func lines(_ places: Any?) -> [Int] {
      (places as? [[String: Any]] ?? []).compactMap { $0["line"] as? Int }
    }
    let file = try #require(try json("Music/a.ogg").first)
    #expect(file["kind"] as? String == "file")
    #expect(file["packPath"] as? String == "Sound/a.ogg")
    #expect(file["tags"] as? [String] == ["Music"])
    #expect(lines(file["rules"]) == [6])
    let pack = try #require(file["pack"] as? [String: Any])
    #expect(pack["place"] as? Int == 1)
    #expect(pack["priority"] as? Double == 0.95)
    #expect(lines(pack["listings"]) == [12])

    let untagged = try #require(try json("Music/c.wav").first)
    #expect(untagged["tags"] as? [String] == [])
    #expect(lines(untagged["nearRules"]).first == 6)
    #expect(try json("old/notes.txt").first?["excludedBy"] as? String == "old/**")

    let folderAndTag = try json("Music")
    #expect(folderAndTag.map { $0["kind"] as? String } == ["folder", "tag"])
    #expect(folderAndTag.map { $0["fileCount"] as? Int } == [1, 1])
    #expect(folderAndTag.map { $0["size"] as? Int } == [11, 11])

    let both = try #require(try json("Level 1+Level 2").first)
    #expect(both["kind"] as? String == "pack")
    #expect(
      (both["files"] as? [[String: Any]])?.map { $0["path"] as? String } == [
        "Levels/1/boss.png", "Levels/2/boss.png",
      ])
    #expect(both["delivery"] as? String == "initialInstall")
    let tag = try #require(try json("Level 2").first { $0["kind"] as? String == "tag" })
    #expect((tag["packs"] as? [[String: Any]])?.map { $0["fileCount"] as? Int } == [2, 1])
    #expect(lines(tag["rules"]) == [7, 8])
  }

  @Test func `a file is found by its place inside the pack`() throws {
    let text = explain("Sound/a.ogg", in: try project())
    #expect(text.hasPrefix("file \"Music/a.ogg\": 11 bytes\n"))
    #expect(text.contains("\n  path in its pack: \"Sound/a.ogg\"\n"))
    #expect(text.contains("\n  delivery: prefetch, place 1 of 2, priority 0.95\n"))
  }

  @Test(arguments: [
    (
      "Music/deep/b.ogg",
      #"6:15: glob "Music/*.ogg" does not match in subfolders; "Music/**/*.ogg" would match"#
    ),
    ("Music/c.wav", #"6:15: glob "Music/*.ogg" matches other names in the same folder"#),
    ("music/d.ogg", #"6:15: glob "Music/*.ogg" would match if upper and lower case were ignored"#),
    ("levels/1/e", #"5:15: path "Levels/1" differs from "levels/1" only in upper and lower case"#),
    ("Levels/11/f", #"5:15: path "Levels/1" is spelled almost like "Levels/11""#),
  ])
  func `a file without tags has near rules`(path: String, reason: String) throws {
    let text = explain(path, in: try project())
    let head =
      "file \"\(path)\": no tags, so it stays in the app bundle\n  no rule matches the file; the most similar rules:\n"
    #expect(text.hasPrefix(head + "    Manifest.json:\(reason)\n"))
  }

  @Test(arguments: [
    ("readme.txt", "no tags, so it stays in the app bundle\n  no rule has a similar path or glob"),
    ("Levels/1/x.psd", "never packed, because \"**/*.psd\" is excluded"),
    ("old/notes.txt", "never packed, because \"old/**\" is excluded"),
    ("Levels/3/.DS_Store", "never packed, because \".DS_Store\" is excluded"),
  ])
  func `a file that is not packed has its reason`(path: String, reason: String) throws {
    #expect(explain(path, in: try project()).hasPrefix("file \"\(path)\": \(reason)\n"))
  }

  @Test func `a tag has its downloads in order`() throws {
    let expected = """
      tag "Level 2": prefetch, 2 packs, 3 files, 51 bytes
          Manifest.json:12:33: "Level 2" is number 2 of "prefetchTagOrder"
        a request for this tag downloads these packs, in this order, if they are missing:
          1  {"Level 1", "Level 2"}  2 files  34 bytes  initial install
          2  {"Level 2"}              1 file  17 bytes  prefetch
        assigned by 2 rules:
          Manifest.json:7:15: glob "**/boss.*"
          Manifest.json:8:15: path "Levels/2"

      """
    #expect(explain("Level 2", in: try project()).hasPrefix(expected))
  }

  @Test(arguments: ["Level 1+Level 2", "com.example.test.Level 1+Level 2-", "id", "short"])
  func `a pack has many names`(word: String) throws {
    let folder = try project()
    let digest = try run(
      "python3", ["-c", "import hashlib; print(hashlib.md5(b'Level 1:Level 2').hexdigest())"]
    )
    .output.trimmingCharacters(in: .newlines)
    let name =
      switch word {
      case "id": "com.example.test.asset-pack-\(digest)"
      case "short": String(digest.prefix(6))
      default: word
      }
    let text = explain(name, in: folder)
    #expect(text.hasPrefix("pack {\"Level 1\", \"Level 2\"}: 2 files, 34 bytes\n"))
    #expect(text.contains("\n  files:\n    17  Levels/1/boss.png\n    17  Levels/2/boss.png\n"))
  }

  @Test func `a folder has its packs`() throws {
    let expected = """
      folder "Levels": 4 tagged files, 68 bytes
        {"Level 1"}              1 file  17 bytes  initial install
        {"Level 1", "Level 2"}  2 files  34 bytes  initial install
        {"Level 2"}              1 file  17 bytes  prefetch

      """
    #expect(explain("Levels", in: try project()).hasPrefix(expected))
    #expect(
      explain("old", in: try project()).hasPrefix("folder \"old\": nothing is packed, because \"old/**\""))
  }

  @Test(arguments: [
    ("Levl 1", "Level 1"), ("Levels/1/mpa.json", "Levels/1/map.json"), ("Musik", "Music"),
  ])
  func `an unknown word is guessed`(word: String, guess: String) throws {
    let folder = try project()
    let run = runTool("explain", word, folder.path)
    #expect(run.status == .usage)
    #expect(run.output.isEmpty)
    let path = folder.path("Manifest.json")
    #expect(run.errors.refuses(naming: word, path, guess), "\(run.errors)")
  }

  @Test func `a beginning of several packs is refused`() throws {
    let folder = try project()
    let run = runTool("explain", "com.example.test.Level 1", folder.path)
    #expect(run.status == .usage)
    #expect(
      run.errors.refuses(naming: "2", "com.example.test.Level 1", "Level 1", "Level 2"))
  }

  /// A word can be a tag and the name of a folder at the same time.
  @Test func `all that a word names is explained`() throws {
    let text = explain("Music", in: try project())
    #expect(text.hasPrefix("folder \"Music\": 1 tagged file, 11 bytes\n"))
    #expect(text.contains("\n\ntag \"Music\": prefetch, 1 pack, 1 file, 11 bytes\n"))
  }

  @Test func `a manifest with mistakes is reported`() throws {
    let folder = try project()
    try folder.write("Manifest.json", Self.manifest.replacing("\"root\"", with: "\"rot\""))
    let run = runTool("explain", "Level 1", folder.path)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("unknown-key"))
  }
}
