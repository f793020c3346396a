import Foundation
import Support
import Testing
@testable import packtool

/// Tests builds in the layout `background-assets`: copies, incremental builds, and builds that were killed.
@Suite struct AssetBuildTests {
  @Test func `files are copies of their sources`() throws {
    let site = try AssetSite()
    chmod(site.folder.path("Assets/c/1"), 0o600)
    #expect(site.build().status == .done)
    let pack = "out/packs/\(try site.id(of: "Musik"))/c/1"
    #expect(try site.inode(pack) != site.inode("Assets/c/1"))
    #expect(try run("stat", ["-c", "%a", site.folder.path("Assets/c/1")]).output == "600\n")
    #expect(
      site.names("")
        == ["AssetTags.swift", "manifests", "package.sh", "packs", "tags.json", ".packtool"].sorted())
  }

  /// Because of a symlink, one file is in two packs.
  ///
  /// When the first pack was written, the second pack must not look changed.
  @Test func `a file may be in two packs under two paths`() throws {
    let site = try AssetSite(
      "a/1", rules: "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"b\", \"tags\": [\"B\"]}")
    try site.folder.link("Assets/b/2", to: "../a/1")
    for _ in 0..<5 {
      #expect(site.build("--no-cache").status == .done)
      #expect(site.verify().status == .done)
    }
  }

  /// The ids are the same as before, so packtool must check whether the file still exists.
  @Test func `a file of ids that went is written again`() throws {
    let site = try AssetSite()
    let map = site.folder.path("ids.json")
    #expect(site.build("--id-map", map).status == .done)
    let before = try site.folder.read("ids.json")
    try FileManager.default.removeItem(atPath: map)
    #expect(site.build("--id-map", map).status == .done)
    #expect(try site.folder.read("ids.json") == before)
  }

  @Test func `only what changed is written`() throws {
    let site = try AssetSite()
    let map = site.folder.path("ids.json")
    func builds() throws -> (status: String, written: Int, kept: Int, read: Int) {
      site.build("--id-map", map, "--result", site.folder.path("result.json"))
      let result = try site.json("result.json")
      return (
        try #require(result["status"] as? String), (result["written"] as? [Any])?.count ?? -1,
        (result["kept"] as? [Any])?.count ?? -1, result["read"] as? Int ?? -1
      )
    }
    // Wait until the files are older than one tick of the clock, because the build does not have to read such
    // files again.
    usleep(60_000)
    let first = try builds()
    #expect(first.status == "built" && first.written == 3 && first.kept == 0)
    #expect(try builds() == ("unchanged", 0, 3, 0))
    try FileManager.default.removeItem(atPath: site.folder.path("Assets/c/1"))
    try site.folder.write("Assets/c/1", "changed")
    let changed = try builds()
    #expect(changed.written == 1 && changed.kept == 2)
    #expect(site.verify().status == .done)
    // A changed policy changes a manifest, but no pack.
    try site.write(
      rules: """
        {"path": "a", "tags": ["Level 1"]}, {"path": "b", "tags": ["Level 2", "Boss"]}, {"path": "c", "tags": ["Musik"]}
        """, keys: "\"prefetchTagOrder\": [\"Musik\"]")
    let other = try builds()
    #expect(other.status == "built" && other.written == 0)
    #expect(site.verify().status == .done)
  }

  /// Packs contain copies of the files.
  ///
  /// So a source that is changed in place does not change a published pack.
  @Test func `a change in place is built again`() throws {
    let site = try AssetSite()
    site.build()
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: site.folder.path("Assets/c/1")))
    try handle.write(contentsOf: Data("CONTENT".utf8))
    try handle.close()
    #expect(site.verify().status == .done)
    #expect(site.build().status == .done)
    let pack = "out/packs/\(try site.id(of: "Musik"))/c/1"
    #expect(String(decoding: try site.folder.read(pack), as: UTF8.self) == "CONTENT of c/1")
    #expect(try site.inode(pack) != site.inode("Assets/c/1"))
    #expect(site.verify().status == .done)
  }

  @Test func `packs of older builds go`() throws {
    let site = try AssetSite()
    site.build()
    let old = try site.id(of: "Musik")
    try site.folder.write("out/archives/\(old).aar", "old")
    try site.folder.write("out/\(site.archive(of: old))", "old")
    try site.folder.write("out/packs/notes/x", "the user's own")
    try site.write(rules: "{\"path\": \"a\", \"tags\": [\"Level 1\"]}", keys: "\"container\": \"zip\"")
    #expect(site.build().status == .done)
    #expect(site.names("packs") == ["notes", try site.id(of: "Level 1")].sorted())
    #expect(site.names("manifests").count == 1)
    #expect(site.names("archives") == [])
    let surplus = site.verify()
    #expect(surplus.errors.reports("not-in-index", naming: "tags.json", "packs/notes"))
  }

  /// A build that was killed between two renames leaves packs that are not in any list.
  ///
  /// A note shows that packtool made these packs.
  @Test func `what a killed build left goes`() throws {
    let site = try AssetSite()
    site.build()
    let killed = try AssetSite()
    try killed.folder.write(
      "out/.packtool/publishing", "packs/Old-12345678\npacks/../../Assets\npacks/a/b\n../x\n")
    try killed.folder.write("out/packs/Old-12345678/a/1", "staged by a build that was killed")
    try killed.folder.write("out/packs/Own-12345678/a/1", "somebody else's")
    #expect(killed.build().status == .done)
    #expect(killed.names("packs").count == 4 && killed.names("packs").contains("Own-12345678"))
    #expect(try killed.folder.files(below: "Assets").count == 4)
  }

  @Test func `a killed build is completed by the next`() throws {
    let folder = try TemporaryFolder()
    let rules = (0..<60).map { "{\"path\": \"\($0)\", \"tags\": [\"Tag \($0)\"]}" }.joined(separator: ",")
    try folder.writeManifest(rules: rules, app: "a", root: "Assets")
    for round in 0..<4 {
      for number in 0..<60 {
        try folder.write("Assets/\(number)/x", Sample.noise(20_000, seed: UInt64(number * 7 + round)))
      }
      let process = try TestProcess(
        packtoolProgram(),
        ["build", folder.path, "-o", folder.path("out"), "--layout", "background-assets", "-q"])
      usleep(UInt32(20_000 + round * 45_000))
      process.signal(SIGKILL)
      process.waitForEnd()
    }
    #expect(
      runTool("build", folder.path, "-o", folder.path("out"), "--layout", "background-assets", "-q").status
        == .done)
    let verified = runTool("verify", folder.path("out"), "--strict")
    #expect(verified.status == .done && verified.output.hasPrefix("60 packs, 60 files"), "\(verified.errors)")
  }

  @Test func `another programs folder stays`() throws {
    let site = try AssetSite()
    try site.folder.write("out/tags.json", "{\"mine\": 1}")
    #expect(
      site.build().errors.reports("foreign-output"))
    for name in ["package.sh", "AssetTags.swift"] {
      let site = try AssetSite()
      try site.folder.write("out/\(name)", "# mine\n")
      let run = site.build()
      #expect(run.status == .inputHasErrors)
      #expect(
        run.errors.reports("foreign-output", naming: site.folder.path("out/\(name)")), "\(run.errors)")
      #expect(try site.folder.read("out/\(name)") == Data("# mine\n".utf8))
      // Files of an older build belong to packtool.
      try FileManager.default.removeItem(atPath: site.folder.path("out"))
      #expect(site.build().status == .done)
      for rest in ["tags.json", ".packtool"] {
        try FileManager.default.removeItem(atPath: site.folder.path("out/\(rest)"))
      }
      #expect(site.build().status == .done)
    }
    let other = try AssetSite()
    #expect(runTool("build", other.folder.path, "-o", other.folder.path("out"), "-q").status == .done)
    #expect(other.build().errors.reports("foreign-output", naming: "packtool"))
    let third = try AssetSite()
    third.build()
    #expect(
      runTool("build", third.folder.path, "-o", third.folder.path("out"), "-q").errors.reports(
        "foreign-output", naming: "background-assets"))
  }

  /// packtool must not write or remove anything through a symlink.
  @Test(arguments: ["manifests", "archives", "packs"]) func `links are refused`(name: String) throws {
    let site = try AssetSite()
    try site.folder.write("elsewhere/keep", "x")
    try site.folder.link("out/\(name)", to: site.folder.path("elsewhere"))
    #expect(site.build().errors.reports("unsafe-output"))
    #expect(try site.folder.files(below: "elsewhere").count == 1)
  }

  @Test(arguments: [
    (
      ["--shard", "1/2"],
      #""--shard" "background-assets""#
    ),
    (["--platforms", "iPadOS"], #""iOS""#),
    (["--platforms", "ios"], #""iOS""#),
    (["--platforms", "iOS,"], #""--platforms""#),
    (["--bundle-version", "25"], "26 27"),
    (["--url-prefix", "x"], #""xcode" "hosted""#),
  ])
  func `flags that do not fit`(flags: [String], facts: String) throws {
    let site = try AssetSite()
    let run = runTool(
      words: ["build", site.folder.path, "-o", site.folder.path("out"), "--layout", "background-assets"]
        + flags)
    #expect(run.status == .usage && run.errors.hasFacts(facts), "\(run.errors)")
    let other = runTool("build", site.folder.path, "-o", site.folder.path("out"), "--id-map", "x.json")
    #expect(other.errors.refuses(naming: "--id-map", "background-assets"))
  }

  /// In this layout, packs have other identifiers on devices than in other layouts.
  @Test func `a build is the baseline of its manifest`() throws {
    let site = try AssetSite()
    #expect(site.build().status == .done)
    let same = runTool("diff", site.folder.path("out"), site.folder.path)
    #expect(same.output.contains("unchanged      3  61 bytes"), "\(same.output)")
    try site.folder.write("Assets/a/1", "another content")
    let again = site.build("--baseline", site.folder.path("out"))
    #expect(again.status == .done && !again.errors.reports("foreign-baseline"), "\(again.errors)")
    #expect((again.output + again.errors).contains("update from "))
  }
}
