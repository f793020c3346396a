import Formats
@testable import Inspect
import Model
import Packing
@testable import Pipeline
import System
import Support
import Testing

/// Tests updates between builds with patches.
///
/// The sizes of the patches are read from the lists of patches.
@Suite struct PatchedUpdateTests {
  private func read(_ site: PatchSite, _ output: String) throws -> ReleaseContents {
    let reader = try ReleaseReader(site.site.folder.path(output), jobs: 1)
    #expect(reader.diagnostics == [])
    return try #require(reader.release)
  }

  @Test func `who has a pack takes its patch, and who has not takes the archive`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let update = Comparison(old: try read(site, "old"), new: try read(site, "out"))
    #expect(update.isPatched)
    let index = try site.index()
    let before = Dictionary(uniqueKeysWithValues: try site.index("old").packs.map { ($0.id, $0.digest) })
    let patches = try site.patches()
    func expected(of has: ([String]) -> Bool) -> (packed: Int64, patched: Int64, packs: Int) {
      var (packed, patched, packs) = (Int64(0), Int64(0), 0)
      for pack in index.packs where before[pack.id] != pack.digest && has(pack.tags) {
        packed += pack.archive.file.size
        patched += patches[pack.tags].map { Int64($0.bytes.count) } ?? pack.archive.file.size
        packs += 1
      }
      return (packed, patched, packs)
    }
    let all = expected { _ in true }
    let download = update.download(forUserWith: .everything)
    #expect(download.packed == all.packed && download.patched == all.patched && download.packs == all.packs)
    #expect(all.patched < all.packed && all.packs > 3)
    for tags in [["A"], ["D"], ["A", "C"], ["F"]] {
      let some = expected { !Set($0).isDisjoint(with: tags) }
      let download = update.download(forUserWith: .having(tags))
      #expect(download.packed == some.packed && download.patched == some.patched, "\(tags)")
    }
    // A user with only the initial install downloads nothing in this update.
    let none = update.download(forUserWith: .initialInstall)
    #expect(none.packs == 0 && none.packed == 0 && none.patched == 0)
  }

  /// A device with all old packs has all old files that any patch needs.
  ///
  /// Such a device can even use a patch that makes a new pack. Only lists of other programs can contain such
  /// a patch.
  @Test func `who has everything takes the patch of a new pack`() throws {
    let site = try ScanSite("a/x", "b/y")
    try site.build([.path("a", "A"), .path("b", "B")], into: "old")
    try site.build([.path("a", "C"), .path("b", "B")], into: "new")
    let (old, new) = (try BuiltFolder(site.folder.path("old")), try BuiltFolder(site.folder.path("new")))
    let (from, to) = (try #require(old.index), try #require(new.index))
    let pack = try #require(to.packs.first { $0.tags == ["C"] })
    let patch = PublishedFile(path: "patches/p.zip", file: WrittenFile(size: 3, digest: .zero))
    let list = PublishedFile(path: "patches/l.json", file: WrittenFile(size: 9, digest: .zero))
    let set = PatchSet(
      fromIndex: from.digest, list: list, packs: [.init(id: pack.id, digest: pack.digest, patch: patch)])
    let update = Comparison(
      old: ReleaseContents(named: "old", index: from, contents: try #require(old.contents)),
      new: ReleaseContents(named: "new", index: to, contents: try #require(new.contents), patches: [set]))
    let packed = pack.archive.file.size
    #expect(
      update.download(forUserWith: .everything).patched == 3
        && update.download(forUserWith: .everything).packed == packed)
    for tags in [["C"], ["A", "C"]] { #expect(update.download(forUserWith: .having(tags)).patched == packed) }
  }

  @Test func `sums over updates take archives where there are no patches`() {
    func download(packed: Int64?, patched: Int64?, index: Int64?) -> Download {
      var download = Download()
      (download.packs, download.byPacks, download.byFiles, download.byContent) = (1, 10, 5, 3)
      (download.packed, download.patched, download.index) = (packed, patched, index)
      return download
    }
    let table: [(first: [Int64?], second: [Int64?], sum: [Int64?])] = [
      ([8, 2, 100], [7, 3, 50], [15, 5, 150]),
      ([8, nil, 100], [7, 3, nil], [15, 11, 100]),
      ([8, 2, nil], [7, nil, 50], [15, 9, 50]),
      ([8, nil, nil], [7, nil, nil], [15, nil, nil]),
      ([nil, 2, nil], [7, 3, nil], [nil, 5, nil]),
      ([nil, nil, nil], [7, 3, nil], [nil, nil, nil]),
      ([8, 2, nil], [nil, nil, nil], [nil, nil, nil]),
    ]
    for (first, second, sum) in table {
      var total = download(packed: first[0], patched: first[1], index: first[2])
      total += download(packed: second[0], patched: second[1], index: second[2])
      #expect([total.packed, total.patched, total.index] == sum, "\(first) \(second)")
      #expect(total.packs == 2 && total.byPacks == 20 && total.byFiles == 10 && total.byContent == 6)
    }
  }

  /// If several old files have the same content, a removed file is preferred, because a new file is often a
  /// renamed old file.
  @Test func `a new file has a twin of the same bytes, a removed one first, and an empty one has none`()
    throws
  {
    let content = { (number: Int) in SHA256.digest(of: Array("\(number)".utf8).span.bytes) }
    func release(_ files: [(path: String, size: Int64, content: Int)]) throws -> ReleaseContents {
      ReleaseContents(
        named: "release", plan: try makePlan(files.map { PlannedFile($0.path, ["A"], size: $0.size) }),
        fileDigests: files.map { content($0.content) })
    }
    let old = try release([
      ("a", 5, 1), ("b", 5, 1), ("c", 5, 1), ("empty", 0, 2), ("gone", 7, 3), ("kept", 7, 3), ("z", 9, 4),
    ])
    let new = try release([
      ("a", 5, 1), ("b", 5, 1), ("c", 5, 1), ("copy", 5, 1), ("empty", 0, 2), ("kept", 7, 3), ("moved", 7, 3),
      ("none", 0, 2), ("other", 6, 5), ("z", 9, 4),
    ])
    let update = Comparison(old: old, new: new)
    let change = try #require(update.packs.first)
    let twins = Dictionary(
      uniqueKeysWithValues: change.files.filter { $0.change == .added }.map { file in
        (file.new.map { new.path($0) } ?? "", file.sameContent.map { old.path($0) })
      })
    #expect(twins == ["copy": "c", "moved": "gone", "none": nil, "other": nil])
    #expect(change.count(.added) == 4 && change.count(.removed) == 1 && change.count(.changed) == 0)
  }
}
