import Foundation
import Model
import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `build --pointers --onto INDEX`, which builds a release of which some packs are already published.
@Suite struct OntoTests {
  /// Makes a project with three packs below `data`, its build in `old`, and the same project with pointers
  /// below `ci`.
  private func folder(
    _ kind: PointerKind = .lfs, _ container: Container = .zip
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["data", "ci"] {
      try folder.writeManifest(
        [.path("a", "A"), .path("b", "B"), .path("c", "C")], to: "\(name)/Manifest.json", root: "Assets",
        members: #""container": "\#(container.rawValue)""#)
      for pack in ["a", "b", "c"] {
        try folder.write("\(name)/Assets/\(pack)/text.json", Sample.text(3000))
        try folder.write(
          "\(name)/Assets/\(pack)/noise.png", Sample.noise(2000, seed: UInt64(pack.utf8.first!)))
      }
    }
    try build(folder, "data", into: "old")
    try kind.replaceFiles(below: "ci/Assets", in: folder)
    return folder
  }

  @discardableResult
  private func build(
    _ folder: TemporaryFolder, _ name: String, into output: String, _ flags: String...,
    status: packtool.ExitStatus = .done
  ) throws -> String {
    let run = runTool(words: ["build", folder.path(name), "-o", folder.path(output)] + flags)
    #expect(run.status == status, "\(run.errors)")
    return run.output + run.errors
  }

  private func onto(_ folder: TemporaryFolder, _ index: String = "old") -> [String] {
    ["--pointers", "--onto", folder.path(index), "--missing", folder.path("missing.txt")]
  }

  private func ontoBuild(
    _ folder: TemporaryFolder, into output: String = "new", _ flags: String...,
    status: packtool.ExitStatus = .done
  ) throws -> String {
    let run = runTool(
      words: ["build", folder.path("ci"), "-o", folder.path(output)] + onto(folder) + flags)
    #expect(run.status == status, "\(run.errors)")
    return run.output + run.errors
  }

  /// Changes a file in both projects.
  ///
  /// The second project contains a pointer to the file.
  private func change(_ path: String, _ kind: PointerKind, in folder: TemporaryFolder) throws {
    try folder.write("data/Assets/\(path)", "another content of \(path)")
    try kind.replace("ci/Assets/\(path)", folder.read("data/Assets/\(path)"), in: folder)
  }

  /// Provides the files that the previous build requested, like `git lfs pull --include`.
  private func pull(_ folder: TemporaryFolder) throws -> [String] {
    let text = String(decoding: try folder.read("missing.txt"), as: UTF8.self)
    let paths = text.split(separator: "\n").map { String($0.dropFirst(folder.path("ci/").count)) }
    for path in paths {
      try FileManager.default.removeItem(atPath: folder.path("ci/\(path)"))
      try folder.write("ci/\(path)", folder.read("data/\(path)"))
    }
    return paths
  }

  private func names(_ folder: TemporaryFolder, _ output: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(output)).filter { $0 != ".packtool" }
      .sorted()
  }

  @Test(arguments: PointerKind.allCases, Container.allCases)
  func `a build asks for the files of changed packs alone`(kind: PointerKind, container: Container) throws {
    let folder = try folder(kind, container)
    try change("b/text.json", kind, in: folder)
    let refused = try ontoBuild(folder, status: .inputHasErrors)
    #expect(refused.reports("missing-content", naming: "b/noise.png"))
    #expect(refused.contains("2 errors"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")), "nothing is written")
    #expect(try pull(folder) == ["Assets/b/noise.png", "Assets/b/text.json"])

    let built = try ontoBuild(folder, "--explain")
    #expect(built.contains("reused 2 packs: same contents in the earlier release\n"))
    #expect(built.contains("reused 2 packs from an earlier release\n"))
    #expect(try folder.read("missing.txt").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("new/packs")).count == 1)

    // The result has the same files as a complete build, with two exceptions: two packs are missing, and
    // there is a list of these packs.
    try build(folder, "data", into: "full")
    let list = try #require(try names(folder, "new").first { $0.hasPrefix("elsewhere.") })
    #expect(try names(folder, "new").filter { $0 != list } == names(folder, "full"))
    for name in try names(folder, "full") where name != "packs" {
      #expect(try folder.read("new/\(name)") == folder.read("full/\(name)"), "\(name)")
    }
    let again = try ontoBuild(folder)
    #expect(again.contains("is up to date"))
  }

  @Test func `verify reports packs that are published elsewhere`() throws {
    let folder = try folder()
    try change("b/text.json", .lfs, in: folder)
    _ = try ontoBuild(folder, status: .inputHasErrors)
    _ = try pull(folder)
    _ = try ontoBuild(folder)
    let verified = runTool("verify", folder.path("new"))
    #expect(verified.status == .done)
    #expect(verified.output.hasSuffix(": all packs are undamaged; 2 packs reused from a release\n"))
    #expect(
      verified.errors.reports("published-elsewhere", naming: "A"))
    #expect(verified.errors.contains("0 errors, 0 warnings, 2 notes"))

    // An archive that exists in the folder is read. If a pack of the folder itself is missing, this is
    // reported as usual.
    let index = try folder.read("new/index.json")
    let packs = try #require(
      try (JSONSerialization.jsonObject(with: index) as? [String: Any])?["packs"] as? [[String: Any]])
    func path(_ tag: String) throws -> String {
      let pack = try #require(packs.first { $0["tags"] as? [String] == [tag] })
      return try #require((pack["archive"] as? [String: Any])?["path"] as? String)
    }
    try folder.write("new/\(path("A"))", "something else")
    #expect(runTool("verify", folder.path("new")).errors.reports("damaged-pack"))
    try FileManager.default.removeItem(atPath: folder.path("new/\(path("A"))"))
    try FileManager.default.removeItem(atPath: folder.path("new/\(path("B"))"))
    #expect(runTool("verify", folder.path("new")).errors.reports("missing-pack", naming: "B"))
  }

  @Test func `a list of packs elsewhere speaks for its own index alone`() throws {
    let folder = try folder()
    _ = try ontoBuild(folder)
    let list = try #require(try names(folder, "new").first { $0.hasPrefix("elsewhere.") })
    // With another index, the list does not belong to the build, and the packs count as missing.
    try FileManager.default.removeItem(atPath: folder.path("old/packs"))
    try folder.write("old/elsewhere.0123456789abcdef.json", folder.read("new/\(list)"))
    let other = runTool("verify", folder.path("old"))
    #expect(other.errors.reports("missing-pack") && other.errors.reports("not-in-index"))
    #expect(other.errors.contains("3 errors"))
    for damage in [
      "", "[]", "{\"formatVersion\": 1}", "{\"formatVersion\": 1, \"packs\": [1]}", "{\"packs\": []}",
    ] {
      try folder.write("new/\(list)", damage)
      let run = runTool("verify", folder.path("new"))
      #expect(run.errors.reports("damaged-index") && run.errors.reports("missing-pack"), "\(damage)")
    }
  }

  @Test func `a whole build removes the list and has every pack`() throws {
    let folder = try folder()
    _ = try ontoBuild(folder)
    #expect(try names(folder, "new").contains { $0.hasPrefix("elsewhere.") })
    try build(folder, "data", into: "new")
    #expect(try names(folder, "new") == names(folder, "old"))
    let verified = runTool("verify", folder.path("new"))
    #expect(verified.status == .done && verified.errors.isEmpty)
  }

  @Test func `packs of other settings are not taken over`() throws {
    let folder = try folder(.lfs, .zip)
    try folder.write(
      "ci/Manifest.json",
      String(decoding: folder.read("ci/Manifest.json"), as: UTF8.self).replacing(
        "\"zip\"", with: "\"tar.gz\""))
    let refused = try ontoBuild(folder, status: .inputHasErrors)
    #expect(refused.contains("6 errors"))
  }

  @Test func `real files are compared by content`() throws {
    let folder = try folder()
    try folder.write("data/Assets/b/text.json", "changed")
    let result = try build(
      folder, "data", into: "new", "--onto", folder.path("old"), "--result", folder.path("result.json"))
    #expect(result.contains("reused 2 packs from an earlier release"))
    let json = try #require(
      try JSONSerialization.jsonObject(with: folder.read("result.json")) as? [String: Any])
    #expect((json["takenOver"] as? [String])?.count == 2 && (json["written"] as? [String])?.count == 1)
    #expect((json["kept"] as? [String]) == [])
  }

  /// If a build with pointers writes to a folder that contains the archives, it keeps the archives.
  ///
  /// The build cache of this build must not mislead a later build.
  @Test(arguments: PointerKind.allCases) func `pointers keep packs of the last build`(kind: PointerKind)
    throws
  {
    let folder = try folder(kind)
    let kept = try build(folder, "ci", into: "old", "--pointers", "--explain")
    #expect(
      kept.contains("kept 3 packs: same contents, other times\n") && kept.contains("is up to date"))
    #expect(try build(folder, "data", into: "old").contains("is up to date"))
    if kind != .annexLink {
      let written = try build(folder, "ci", into: "old", "--severity", "lfs-pointer=ignore", "--explain")
      #expect(written.contains("wrote {\"A\"}"), "without the flag a pointer is a file of its own")
    }
  }

  /// The pointer states its own size as the size of the file.
  ///
  /// So the pointer and the file differ only in their contents.
  @Test func `a pointer of its file's size is not taken for the file later`() throws {
    let folder = try folder()
    let content = Sample.noise(128)
    let pointer = PointerKind.lfsPointer(to: content)
    let file = Sample.noise(pointer.utf8.count, seed: 3)
    #expect(PointerKind.lfsPointer(to: file).utf8.count == file.count)
    try folder.write("data/Assets/a/equal", file)
    try build(folder, "data", into: "out")
    try folder.write("ci/Assets/a/equal", PointerKind.lfsPointer(to: file))
    Thread.sleep(forTimeInterval: 0.1)
    for flags in [["--pointers"], ["--pointers"]] {
      let kept = runTool(words: ["build", folder.path("ci"), "-o", folder.path("out"), "--explain"] + flags)
      #expect(kept.status == .done && kept.errors.contains("kept 3 packs"))
    }
    let written = try build(folder, "ci", into: "out", "--severity", "lfs-pointer=ignore", "--explain")
    #expect(written.contains("wrote {\"A\"}"))
  }

  @Test func `what cannot be built onto is refused`() throws {
    let folder = try folder()
    for layout in ["xcode", "hosted"] {
      let run = runTool(
        words: [
          "build", folder.path("ci"), "-o", folder.path("new"), "--layout", layout, "--pointers", "--onto",
          folder.path("old"),
        ] + (layout == "hosted" ? ["--url-prefix", "https://example.com/"] : []))
      #expect(run.status == .usage)
      #expect(
        run.errors.refuses(naming: "--onto", "packtool", layout))
    }
    let alone = runTool("build", folder.path("ci"), "-o", folder.path("new"), "--missing", "x")
    #expect(alone.status == .usage && alone.errors.refuses(naming: "--pointers"))
    let part = runTool(
      words: ["build", folder.path("ci"), "-o", folder.path("new"), "--shard", "1/2"] + onto(folder))
    #expect(part.status == .usage && part.errors.refuses(naming: "--shard"))
    let nowhere = runTool(
      words: ["build", folder.path("ci"), "-o", folder.path("new")] + onto(folder, "nothing"))
    #expect(nowhere.status == .inputHasErrors && nowhere.errors.reports("missing-index"))
    let index = String(decoding: try folder.read("old/index.json"), as: UTF8.self)
    try folder.write("old/index.json", index.replacing("\"fileCount\": 2", with: "\"fileCount\": 3"))
    let damaged = runTool(words: ["build", folder.path("ci"), "-o", folder.path("new")] + onto(folder))
    #expect(damaged.status == .inputHasErrors && damaged.errors.reports("damaged-index"))
  }

  /// There is a file with machine code in a pack that the build does not write.
  @Test func `files of packs that are taken over are inspected`() throws {
    let folder = try folder()
    for name in ["data", "ci"] {
      try folder.write(
        "\(name)/Assets/a/code", Data([0x7f, 0x45, 0x4c, 0x46] + [UInt8](repeating: 1, count: 60)))
    }
    try build(folder, "data", into: "old", "--severity", "executable-content=ignore")
    let refused = try ontoBuild(folder, status: .inputHasErrors)
    #expect(refused.reports("executable-content") && refused.contains("1 error"))
  }

  @Test func `a depfile names no link that leads to nothing`() throws {
    let folder = try folder(.annexLink)
    try build(folder, "ci", into: "old", "--pointers", "--depfile", folder.path("build.d"))
    let depfile = String(decoding: try folder.read("build.d"), as: UTF8.self)
    #expect(depfile.contains("Manifest.json") && !depfile.contains("noise.png"))
  }
}
