@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the files of a build with patches from an earlier release.
@Suite struct PatchTests {
  private func json(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `patches stand where they are smaller than their packs`() throws {
    let site = try PatchSite()
    let result = try site.build()
    let patches = try site.patches()
    #expect(Set(patches.keys) == [["A"], ["A", "B"], ["C"], ["D"]])
    for (tags, patch) in patches {
      let pack = try #require(try site.index().packs.first { $0.tags == tags })
      #expect(Int64(patch.bytes.count) * 5 < pack.archive.file.size * 4, "\(tags)")
    }
    #expect(result.changes.patches == patches.values.map(\.path).sorted())
    #expect(try site.findings(from: ["old"]).map(\.message) == [])
  }

  @Test func `index list and names are as players read them`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let old = sha256(Array(try site.site.folder.read("old/index.json")))
    let index = try json(site.site.folder.read("out/index.json"))
    let sets = try #require(index["patches"] as? [[String: Any]])
    let set = try #require(sets.first)
    #expect(sets.count == 1 && Set(set.keys) == ["from", "path", "size", "digest"])
    let path = try #require(set["path"] as? String)
    let bytes = try site.site.folder.read("out/\(path)")
    let digest = sha256(Array(bytes))
    #expect(path == "patches/\(old.hex.prefix(16)).\(digest.hex.prefix(16)).json")
    #expect(set["from"] as? String == old.prefixed && set["digest"] as? String == digest.prefixed)
    #expect(set["size"] as? Int == bytes.count)
    let list = try json(bytes)
    #expect(Set(list.keys) == ["formatVersion", "from", "packs"])
    #expect(list["formatVersion"] as? Int == 1 && list["from"] as? String == old.prefixed)
    let packs = try #require(list["packs"] as? [[String: Any]])
    #expect(packs.count == 4)
    let ids = packs.compactMap { $0["id"] as? String }
    #expect(ids == ids.sorted { $0.precedesInBytes($1) })
    let digests = Dictionary(uniqueKeysWithValues: try site.index().packs.map { ($0.id, $0.digest.prefixed) })
    for pack in packs {
      #expect(Set(pack.keys) == ["id", "digest", "patch"])
      let id = try #require(pack["id"] as? String)
      #expect(pack["digest"] as? String == digests[id])
      let patch = try #require(pack["patch"] as? [String: Any])
      let path = try #require(patch["path"] as? String)
      let bytes = try site.site.folder.read("out/\(path)")
      let digest = sha256(Array(bytes))
      let name = id.split(separator: "-").last ?? ""
      #expect(
        path == "patches/\(name).\(old.hex.prefix(16)).\(digest.hex.prefix(16)).zip" && name.count == 32)
      #expect(Set(patch.keys) == ["path", "size", "digest"])
      #expect(patch["size"] as? Int == bytes.count && patch["digest"] as? String == digest.prefixed)
    }
    let named = Set(packs.compactMap { ($0["patch"] as? [String: Any])?["path"] as? String } + [path])
    #expect(try Set(site.published(below: "patches/").keys) == named)
  }

  @Test func `recipes name all files in byte order with their sources`() throws {
    let site = try PatchSite()
    let before = try site.site.folder.files(below: "Assets")
    _ = try site.build()
    let patch = try #require(try site.patches()[["A"]])
    let recipe = try patch.recipe
    let pack = try #require(try site.index().packs.first { $0.tags == ["A"] })
    #expect(Set(recipe.keys) == ["formatVersion", "pack", "digest", "files"])
    #expect(recipe["pack"] as? String == pack.id && recipe["digest"] as? String == pack.digest.prefixed)
    let files = try patch.files
    func digest(_ data: Data) -> String { sha256(Array(data)).prefixed }
    let map = digest(Sample.noise(7_000, seed: 4)), twin = digest(Sample.noise(9_000, seed: 2))
    let ways = files.map { "\($0.path): \($0.method)" }
    #expect(
      ways == [
        "a/Z.txt: same", "a/a.txt: same", "a/changed.bin: patch", "a/empty now: same",
        "a/level-07-maps.bin: patch",
        "a/new name: same", "a/twin 1: patch", "a/twin 2: patch", "a/twin 3: patch", "a/was empty: same",
        "a/é.txt: same",
      ])
    for file in files {
      let content = try #require(before[file.path])
      #expect(file.size == content.count && file.digest == digest(content), "\(file.path)")
      if file.method == "same" { #expect(file.from == file.digest) }
    }
    #expect(files.filter { $0.path.contains("twin") }.areAll { $0.from == twin })
    #expect(files.first { $0.path.contains("maps") }?.from == map)
    let moved = try #require(try site.patches()[["C"]]?.files.first { $0.path == "c/moved.bin" })
    #expect(moved.method == "patch" && moved.from == digest(Sample.noise(30_000, seed: 6)))
    let new = try #require(try site.patches()[["D"]]?.files.first { $0.path == "d/new" })
    #expect(new.method == "whole" && new.from == nil)
  }

  @Test func `entries are stored one for each new contents`() throws {
    let site = try PatchSite()
    _ = try site.build()
    for (tags, patch) in try site.patches() {
      let made = Set(try patch.files.filter { $0.method != "same" }.map { String($0.digest.dropFirst(7)) })
      #expect(patch.entries.map(\.name) == ["patch.json"] + made.sorted(), "\(tags)")
      #expect(patch.entries.areAll { $0.method == 0 && $0.time == patch.entries[0].time }, "\(tags)")
    }
  }

  @Test(.enabled(if: isInstalled("zstd")), arguments: Container.allCases)
  func `other programs make the new files of the old ones`(container: Container) throws {
    let site = try PatchSite(container)
    let folder = site.site.folder
    _ = try site.build()
    var old: [String: Data] = [:]
    for pack in try site.index("old").packs {
      let published = PublishedPack(digest: pack.digest, archive: pack.archive)
      let program = try #require(container.readers.first)
      for content in try site.site.contents(of: published, in: "old", by: program).values {
        old[sha256(Array(content)).prefixed] = content
      }
    }
    for (tags, patch) in try site.patches() {
      for file in try patch.files {
        if file.method == "same" { #expect(old[file.digest] != nil, "\(tags) \(file.path)") }
        if file.method == "same" { continue }
        try folder.write("frame.zst", patch.content(String(file.digest.dropFirst(7))))
        var prefix: [String] = []
        if let from = file.from {
          try folder.write("prefix", try #require(old[from]))
          prefix = ["--patch-from=prefix"]
        }
        let zstd = try run(
          "zstd", ["-d", "-q", "-f"] + prefix + ["frame.zst", "-o", "made"], in: folder.path)
        #expect(zstd.status == 0, "\(zstd.errors)")
        #expect(try folder.read("made") == folder.read("Assets/\(file.path)"), "\(tags) \(file.path)")
      }
    }
    #expect(try site.patches()[["A"]] != nil)
  }

  @Test func `a patch is smaller than four fifths of what it replaces`() {
    #expect(PatchMaker.isWorthwhile(79, insteadOf: 100))
    #expect(!PatchMaker.isWorthwhile(80, insteadOf: 100))
    #expect(!PatchMaker.isWorthwhile(81, insteadOf: 100))
    #expect(PatchMaker.isWorthwhile(0, insteadOf: 1) && !PatchMaker.isWorthwhile(0, insteadOf: 0))
  }

  /// Makes two releases of a pack with a large file.
  ///
  /// Returns the patch from the first release to the second.
  private func patch(of file: String, from old: Data, to new: Data) throws -> TestPatch {
    let site = try ScanSite()
    try site.write("a/same", Sample.noise(200_000, seed: 3))
    try site.write("a/\(file)", old)
    try site.build([.path("a", "A")], into: "old")
    try site.write("a/\(file)", new)
    _ = try site.manifest([.path("a", "A")])
    var request = site.request()
    request.patchFrom = [site.folder.path("old")]
    #expect(try request.run(Policy()).findings.filter { $0.severity == .error } == [])
    let set = try #require(try BuiltFolder(site.folder.path("out")).patches.first)
    let list = try #require(set.packs.first)
    return try TestPatch(list.patch.path, site.folder.read("out/\(list.patch.path)"))
  }

  /// An old file with the same name can have completely different contents.
  @Test(arguments: [
    (Sample.noise(30_000, seed: 1), Sample.noise(30_000, seed: 2), "whole"),
    (Sample.noise(30_000, seed: 1), Sample.text(30_000), "whole"),
    (Sample.text(30_000), Sample.noise(30_000, seed: 2), "whole"),
    (Sample.noise(30_000, seed: 1), Sample.noise(30_000, seed: 1).flipped(at: 9_000), "patch"),
    (Sample.text(30_000), Sample.text(30_000).flipped(at: 9_000), "patch"),
    // Half of the file is new.
    (
      Sample.noise(30_000, seed: 1),
      Sample.noise(15_000, seed: 1) + Sample.noise(15_000, seed: 4), "patch"
    ),
    // 90 percent of the file is new.
    (
      Sample.noise(30_000, seed: 1),
      Sample.noise(3_000, seed: 1) + Sample.noise(27_000, seed: 4), "whole"
    ),
  ]) func `old contents are used where they help`(old: Data, new: Data, method: String) throws {
    let files = try patch(of: "file", from: old, to: new).files
    #expect(files.map(\.path) == ["a/file", "a/same"] && files.map(\.method) == [method, "same"])
  }

  /// If a frame with old contents is small, no frame without old contents is made.
  ///
  /// Each frame reads the file once.
  @Test(
    arguments: [
      (Sample.noise(30_000, seed: 1), Sample.noise(30_000, seed: 1).flipped(at: 9_000), 1),
      (Sample.text(30_000), Sample.text(30_000).flipped(at: 9_000), 1),
      (Sample.noise(30_000, seed: 1), Sample.noise(30_000, seed: 2), 2),
      (Sample.noise(30_000, seed: 1), Sample.noise(15_000, seed: 1) + Sample.noise(15_000, seed: 4), 2),
      (Sample.noise(30_000, seed: 1), Sample.noise(30_000, seed: 1), 0),
    ] as [(Data, Data, Int64)]) func `only frames that may be used are made`(
      old: Data, new: Data, frames: Int64
    ) throws
  {
    let site = try ScanSite()
    try site.write("a/same", Sample.noise(200_000, seed: 3))
    try site.write("a/file", old)
    try site.build([.path("a", "A")], into: "old")
    try site.write("a/file", new)
    _ = try site.manifest([.path("a", "A")])
    var request = site.request(jobs: 1)
    request.patchFrom = [site.folder.path("old")]
    let result = try request.run(Policy())
    #expect(result.release != nil && result.reads.read == 230_000 + frames * 30_000)
  }

  /// The build keeps a pack whose file is a pointer, but no patch can be made from the pointer.
  @Test func `a pack whose new file is a pointer has no patch`() throws {
    let site = try ScanSite()
    let (old, new) = (Sample.noise(20_000), Sample.noise(20_000).flipped(at: 9_000))
    for (content, output) in [(old, "old"), (new, "out")] {
      for name in ["a/1", "b/1"] { try site.write(name, content + Data(name.utf8)) }
      site.waitForClockTick()
      try site.build([.path("a", "A"), .path("b", "B")], into: output)
    }
    try PointerKind.lfs.replace("Assets/a/1", new + Data("a/1".utf8), in: site.folder)
    var request = site.request()
    request.patchFrom = [site.folder.path("old")]
    request.input.acceptsPointers = true
    let result = try request.run(Policy())
    #expect(result.decisions.areAll { $0.isKeep })
    let packs = try #require(result.release?.patches.first).packs
    #expect(packs.count == 1 && result.changes.patches == packs.map(\.patch.path))
    let other = try #require(result.plan?.packs.first { $0.tags == ["B"] })
    #expect(packs[0].id == other.identity.identifier)
    #expect(try request.run(Policy()).isUnchanged)
    // With the file itself, the next build makes the patch.
    try site.write("a/1", new + Data("a/1".utf8))
    let whole = try request.run(Policy())
    #expect(whole.decisions.areAll(\.isKeep) && whole.changes.patches.count == 1)
    #expect(whole.release?.patches.first?.packs.count == 2 && whole.changes.removed.count == 1)
  }

  /// Frames larger than 1 MiB are copied in several parts.
  @Test(arguments: [(1 << 20) - 100, 1 << 20, (5 << 20) / 2])
  func `new files of any size are in a patch`(size: Int) throws {
    let site = try PatchSite()
    try site.site.write("ab/stays", Sample.noise(4 << 20, seed: 7))
    _ = try site.build(into: "old", from: [])
    try site.site.write("ab/new", Sample.noise(size, seed: 12))
    site.site.waitForClockTick()
    _ = try site.build()
    let patch = try #require(try site.patches()[["A", "B"]])
    #expect(try patch.files.first { $0.path == "ab/new" }?.method == "whole")
    #expect(patch.bytes.count > size)
    #expect(try site.findings(from: ["old"]).map(\.message) == [])
  }

  /// Each patch needs about 70 MB of memory while packtool creates it.
  @Test(.timeLimit(.minutes(10))) func `large files are patched one after the other`() throws {
    let site = try ScanSite()
    for number in 0..<4 { try site.write("a/\(number)", Sample.noise(4_400_000, seed: UInt64(number))) }
    try site.build([.path("a", "A")], into: "old", .test(.zip, .store))
    for number in 0..<4 {
      try site.write("a/\(number)", Sample.noise(4_400_000, seed: UInt64(number)).flipped(at: 9))
    }
    _ = try site.manifest([.path("a", "A")])
    var request = site.request(.test(.zip, .store), jobs: 4)
    request.patchFrom = [site.folder.path("old")]
    _ = try request.run(Policy())
    let set = try #require(try BuiltFolder(site.folder.path("out")).patches.first)
    let patch = try #require(set.packs.first).patch
    #expect(patch.file.size < 10_000)
  }

  @Test(arguments: ["a/changed.bin", "c/moved.bin", "e/all new"])
  func `a file that changed after it was packed is reported`(file: String) throws {
    let site = try PatchSite()
    var request = try site.request(jobs: 1)
    request.patchFrom = [site.site.folder.path("old")]
    let rest = Monitor(try site.site.folder.files(below: "Assets").values.reduce(0) { $0 + Int64($1.count) })
    let path = "Assets/\(file)"
    let content = try site.site.folder.read(path)
    let folder = site.site.folder
    let result = try request.run(progress: { count, _ in
      let isLast = rest.change { rest in
        rest -= count
        return rest == 0
      }
      if isLast { try? folder.write(path, content.flipped(at: 100)) }
    })
    #expect(rest.change { $0 } == 0)
    #expect(result.release == nil)
    let errors = result.findings.filter { $0.severity == .error }
    #expect(errors.map(\.check) == [.fileChanged] && errors.map(\.place.path) == [folder.path(path)])
  }

  /// Each case has a new file of the pack {"P"}, the files of the earlier release with their tags, and the
  /// best source for the new file.
  @Test(arguments: [
    // If all devices with the new pack have a certain old pack as well, a file of this old pack is preferred
    // to a file with the same path in another pack.
    ("n/data.bin", ["n/data.bin": ["R"], "q/data.bin": ["P", "Q"]], "q/data.bin"),
    ("n/data.bin", ["n/data.bin": ["P"], "q/data.bin": ["P"]], "n/data.bin"),
    ("n/data.bin", ["n/data-1.bin": ["P"], "q/data.bin": ["P"]], "q/data.bin"),
    ("n/level-13.bin", ["n/level-12.bin": ["P"], "n/other.bin": ["P"]], "n/level-12.bin"),
    ("n/data.bin", ["n/data.bin": ["R"], "n/odd": ["P"]], "n/data.bin"),
    ("n/data.bin", ["n/data.bin": ["P"], "q/data.bin": ["P", "Q"]], "n/data.bin"),
  ]) func `sources that devices have come first`(new: String, old: [String: [String]], best: String) throws {
    let site = try ScanSite()
    for (number, path) in old.keys.sorted().enumerated() {
      try site.write(path, Sample.noise(6_000).flipped(at: number * 100))
    }
    let source = sha256(Array(try site.folder.read("Assets/\(best)"))).prefixed
    try site.build(old.keys.sorted().map { TestRule(path: $0, tags: old[$0]) }, into: "old")
    for path in old.keys { try FileOperations.removeFile(site.folder.path("Assets/\(path)")) }
    try site.write(new, Sample.noise(6_000).flipped(at: 5_000))
    _ = try site.manifest([.path(new, "P")])
    var request = site.request()
    request.patchFrom = [site.folder.path("old")]
    _ = try request.run(Policy())
    let list = try #require(try BuiltFolder(site.folder.path("out")).patches.first?.packs.first)
    let patch = try TestPatch(list.patch.path, site.folder.read("out/\(list.patch.path)"))
    #expect(try patch.files.map(\.from) == [source])
  }
}
