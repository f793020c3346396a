@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests the numbers of a history of releases.
@Suite struct ReleaseHistoryTests {
  /// A file of a release; `content` determines its digest.
  private struct Asset {
    let path: String
    let tag: String
    let content: String
    let size: Int64

    init(_ path: String, _ tag: String, _ content: String, _ size: Int64) {
      (self.path, self.tag) = (path, tag)
      (self.content, self.size) = (content, size)
    }
  }

  private func release(_ name: String, _ files: Asset...) throws -> ReleaseContents {
    let plan = try makePlan(files.map { PlannedFile($0.path, [$0.tag], size: $0.size) })
    let digests = files.map { SHA256.digest(of: Array($0.content.utf8)) }
    return ReleaseContents(named: name, plan: plan, fileDigests: digests)
  }

  /// Two updates of the packs A and B, and a pack C that comes with the second update.
  private func history() throws -> History {
    History([
      try release("1", Asset("a1", "A", "1", 10), Asset("a2", "A", "kept", 100), Asset("b", "B", "b1", 5)),
      try release("2", Asset("a1", "A", "2", 12), Asset("a2", "A", "kept", 100), Asset("b", "B", "b1", 5)),
      try release(
        "3", Asset("a1", "A", "3", 14), Asset("a2", "A", "kept", 100), Asset("b", "B", "b2", 5),
        Asset("c", "C", "c", 7)),
    ])
  }

  @Test func `packs are summed over the updates in which devices had them`() throws {
    let packs = try history().packs
    #expect(packs.map(\.tags) == [["A"], ["B"], ["C"]])
    #expect(packs.map(\.updates) == [2, 2, 0] && packs.map(\.changes) == [2, 1, 0])
    #expect(packs.map(\.download) == [226, 5, 0] && packs.map(\.fileBytes) == [26, 5, 0])
  }

  @Test func `files and tags are sorted by what they cost`() throws {
    let history = try history()
    #expect(history.updates.count == 2 && history.releases.map(\.name) == ["1", "2", "3"])
    #expect(history.files.map(\.path) == ["a1", "b"])
    #expect(history.files.map(\.changes) == [2, 1] && history.files.map(\.size) == [26, 5])
    #expect(history.tags.map(\.tag) == ["A", "C", "B"])
    #expect(history.tags.map(\.updates) == [2, 1, 1])
    #expect(history.tags.map(\.download.byPacks) == [226, 7, 5])
    #expect(history.tags.map(\.download.packs) == [2, 1, 1])
    let total = history.total
    #expect(total.packs == 4 && total.byPacks == 238 && total.byFiles == 38 && total.byContent == 38)
    #expect(total.packed == nil && total.patched == nil && total.index == nil)
  }

  /// Files with as many changes are sorted by size, and then by path.
  @Test func `files of equal changes are sorted by size`() throws {
    let history = History([
      try release("1", Asset("a", "A", "1", 1), Asset("b", "A", "2", 1), Asset("c", "B", "3", 1)),
      try release("2", Asset("a", "A", "4", 5), Asset("b", "B", "5", 5), Asset("c", "B", "6", 6)),
    ])
    #expect(history.files.map(\.path) == ["c", "a", "b"])
    #expect(history.files.map(\.changes) == [1, 1, 1] && history.files.map(\.size) == [6, 5, 5])
    let equal = History([
      try release("1", Asset("b", "B", "1", 4), Asset("a", "A", "1", 4)),
      try release("2", Asset("b", "B", "2", 4), Asset("a", "A", "3", 4)),
    ])
    #expect(equal.tags.map(\.tag) == ["A", "B"])
  }

  @Test func `a split must save a tenth`() throws {
    func splits(_ changing: Int64, _ kept: Int64) throws -> [VolatileSplit] {
      History(
        try (1...3).map {
          try release("\($0)", Asset("x", "A", "\($0)", changing), Asset("y", "A", "kept", kept))
        }
      ).splits
    }
    #expect(try splits(91, 9).isEmpty)
    let split = try #require(try splits(90, 10).first)
    #expect(split.tags == ["A"] && split.files == ["x"] && split.changes == 2)
    #expect(split.download == 200 && split.possible == 180 && split.saving == 20)
    #expect(split.proposedTag == "A volatile")
    #expect(try history().splits.map(\.saving) == [200])
    #expect(try splits(0, 0).isEmpty)
  }

  @Test func `sums of downloads know what is not known`() {
    var (sum, other) = (Download(), Download())
    (sum.packs, sum.byPacks) = (1, 20)
    (sum.byFiles, sum.byContent) = (3, 4)
    sum.packed = 5
    (other.packs, other.byPacks) = (6, 70)
    (other.byFiles, other.byContent) = (8, 9)
    (other.patched, other.packed) = (2, 10)
    other.index = 11
    var first = sum
    first += other
    #expect(first.packs == 7 && first.byPacks == 90 && first.byFiles == 11 && first.byContent == 13)
    // Without patches, the archives count.
    #expect(first.patched == 5 + 2 && first.index == 11 && first.packed == 15)
    first += sum
    #expect(first.patched == 7 + 5 && first.index == 11 && first.packed == 20)
    first += other
    #expect(first.patched == 12 + 2 && first.index == 22 && first.packed == 30)
    var plain = sum
    plain += sum
    #expect(plain.patched == nil && plain.index == nil && plain.packed == 10)
    sum.packed = nil
    plain += sum
    #expect(plain.packed == nil)
  }

  @Test func `a removed tag is known by its files`() throws {
    let first = try release(
      "1", Asset("a", "Alpha", "a", 1), Asset("b", "Bravo", "b", 1), Asset("x", "Zulu 17", "z", 1))
    let second = try release("2", Asset("a", "Alpha", "a", 1), Asset("b", "Bravo", "b2", 1))
    let renamed = try release("3", Asset("a", "Alpha", "a", 1), Asset("other", "Delta", "b2", 1))
    let found = Comparison(old: second, new: renamed).removedTags
    #expect(found.map(\.name) == ["Bravo"] && found.map(\.newName) == ["Delta"])
    #expect(found.map(\.release) == ["2"])
    let all = History([first, second, renamed]).removedTags
    #expect(all.map(\.name) == ["Bravo", "Zulu 17"] && all.map(\.newName) == ["Delta", nil])
    // The newest release with the tag shows what became of it.
    #expect(all.map(\.release) == ["2", "1"])
    let twice = try release("4", Asset("p", "Delta", "b2", 1), Asset("q", "Sierra", "b2", 1))
    #expect(Comparison(old: second, new: twice).removedTags.map(\.newName) == [nil, nil])
    #expect(Comparison(old: first, new: first).removedTags.isEmpty && History([first]).removedTags.isEmpty)
  }
}
