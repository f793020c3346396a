@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests indexes whose numbers contradict each other.
///
/// Each test changes one number.
@Suite struct IndexConsistencyTests {
  /// Returns the priority of a tag at the position `place` in a list whose last position is `last`.
  private static func place(_ place: Double, _ last: Double) -> Double { place / last * 0.9 + 0.05 }

  /// A change of an index, and the findings that it must cause.
  ///
  /// The findings are compared without their places.
  private struct Change {
    let what: String
    let expected: [String]
    let make: (inout PublishedIndex) -> Void

    init(_ what: String, expected: [String], make: @escaping (inout PublishedIndex) -> Void) {
      self.what = what
      self.expected = expected
      self.make = make
    }
  }

  private static func expect(_ changes: [Change], in index: PublishedIndex) {
    #expect(IndexConsistency(index, contents: nil).diagnostics.isEmpty)
    for change in changes {
      var index = index
      // Without the manifest's lists, every list that explains the order of packs is accepted. TagListTests
      // tests indexes with these lists.
      index.lists = nil
      change.make(&index)
      let found = IndexConsistency(index, contents: nil).diagnostics
      #expect(found.map(\.namedValues) == change.expected, "\(change.what)")
      #expect(Set(found.map(\.check)).isSubset(of: [.damagedIndex]))
    }
  }

  @Test func `deliveries have the packs and bytes that they should`() throws {
    let built = try BuiltSite()
    let index = built.index
    let sizes = index.deliveries.mapValues(\.size)
    let initial = try #require(sizes[.initialInstall])
    func text(_ size: Int64) -> String { values(in: ByteSize.exact(size)) }
    Self.expect(
      [
        Change(
          "one byte more",
          expected: ["\"initialInstall\" \(text(initial + 1)) \(values(in: ByteSize.number(initial)))"]
        ) {
          $0.deliveries[.initialInstall]?.change(size: initial + 1)
        },
        Change("a pack of another", expected: ["\"initialInstall\""]) {
          $0.deliveries[.initialInstall]?.change(packs: index.deliveries[.prefetch]?.packs ?? [])
        },
        Change("a pack less", expected: ["\"prefetch\""]) {
          $0.deliveries[.prefetch]?.change(packs: [index.deliveries[.prefetch]?.packs.first ?? ""])
        },
        Change("a pack that is unknown", expected: ["\"prefetch\""]) {
          $0.deliveries[.prefetch]?.change(packs: (index.deliveries[.prefetch]?.packs ?? []) + ["x"])
        },
      ], in: index)
  }

  @Test func `a tag has the packs and bytes of those that have it`() throws {
    let built = try BuiltSite()
    let number = try #require(built.index.tags.firstIndex { $0.name == "C" })
    let tag = built.index.tags[number]
    Self.expect(
      [
        Change(
          "one byte more",
          expected: [
            "\"C\" \(values(in: ByteSize.exact(tag.size + 1))) \(values(in: ByteSize.number(tag.size)))"
          ]
        ) { $0.tags[number].change(size: tag.size + 1) },
        Change("a pack less", expected: ["\"C\""]) { $0.tags[number].change(packs: [tag.packs[0]]) },
        Change("its packs in another order", expected: ["\"C\""]) {
          $0.tags[number].change(packs: tag.packs.reversed())
        },
      ], in: built.index)
  }

  @Test func `packs on demand stand by identifier`() throws {
    let site = try ScanSite("1", "2", "3")
    try site.build([.path("1", "A"), .path("2", "B"), .path("3", "C")])
    let index = try #require(try BuiltFolder(site.folder.path("out")).index)
    Self.expect(
      [
        Change("the order", expected: [""]) { index in
          index.deliveries[.onDemand]?.change(packs: index.packs.map(\.id).reversed())
        }
      ], in: index)
    var swapped = index
    swapped.packs.swapAt(0, 1)
    let found = IndexConsistency(swapped, contents: nil).diagnostics.map(\.namedValues)
    #expect(found.first == "\"\(index.packs[0].id)\"")
    // If a pack occurs twice, the order is also wrong.
    var twice = index
    twice.packs.insert(index.packs[0], at: 0)
    #expect(
      IndexConsistency(twice, contents: nil).diagnostics.map(\.namedValues).first
        == "\"\(index.packs[0].id)\"")
  }

  @Test func `prefetched packs stand by priority, then tags, then identifier`() throws {
    let built = try BuiltSite()
    let order = try #require(built.index.deliveries[.prefetch]?.packs)
    let tags = order.map { id in built.index.packs.first { $0.id == id }?.tags ?? [] }
    func named(_ tags: [String]) -> String { tags.map { "\"\($0)\"" }.joined(separator: " ") }
    Self.expect(
      [
        Change("reversed", expected: ["\(named(tags[0])) \(named(tags[1]))"]) {
          $0.deliveries[.prefetch]?.change(packs: order.reversed())
        }
      ], in: built.index)
  }

  @Test func `the initial install stands by some order of tags`() throws {
    let built = try BuiltSite()
    let order = try #require(built.index.deliveries[.initialInstall]?.packs)
    #expect(order.count == 2)
    Self.expect(
      [
        // A list that begins with A results in this order of packs: {"A"}, {"A", "B"}.
        Change("reversed", expected: []) {
          $0.deliveries[.initialInstall]?.change(packs: order.reversed())
        }
      ], in: built.index)
  }

  @Test func `lists and archives are named by their digests`() throws {
    let built = try BuiltSite()
    let (first, second) = (Digest.zero, SHA256.digest(of: [UInt8]().span.bytes))
    func list(_ from: Digest) -> PublishedFile {
      PublishedFile(
        path: PublishedNames.patchListPath(fromIndex: from, listDigest: second),
        file: WrittenFile(size: 1, digest: second)
      )
    }
    let contents = built.index.contents
    Self.expect(
      [
        Change("patches in order", expected: []) {
          $0.patches = [(first, list(first)), (second, list(second))]
        },
        Change("patches in another order", expected: [""]) {
          $0.patches = [(second, list(second)), (first, list(first))]
        },
        Change("patches from one release twice", expected: [""]) {
          $0.patches = [(first, list(first)), (first, list(first))]
        },
        Change(
          "a list of patches of another name", expected: ["\"x\" \"\(list(first).path)\""]
        ) { $0.patches = [(first, PublishedFile(path: "x", file: list(first).file))] },
        Change("a list of files of another name", expected: ["\"contents.json\" \"\(contents.path)\""]) {
          $0.contents = PublishedFile(path: "contents.json", file: contents.file)
        },
        Change(
          "an unknown profile", expected: ["\"app-stroe\" \"app-store\""]
        ) { $0.limits = Located("app-stroe", at: 0) },
      ], in: built.index)
  }

  @Test func `packs of one index are in one kind of container`() throws {
    let built = try BuiltSite()
    let pack = built.index.packs[0]
    let tar = PublishedNames.archive(ofPack: pack.name, digest: pack.archive.file.digest, in: .tarGzip)
    var index = built.index
    index.packs[0].change(path: tar)
    let found = IndexConsistency(index, contents: nil).diagnostics
    #expect(found.map(\.namedValues) == [""] && found[0].place == index.place(at: index.packsOffset))
    index.packs[0].change(path: "packs/x.zip")
    let named = IndexConsistency(index, contents: nil).diagnostics
    #expect(named.map(\.namedValues) == ["\"packs/x.zip\" \"\(pack.archive.path)\""])
    #expect(named.map(\.place) == [index.place(at: pack.offset)])
  }

  /// If there are many findings, only the first findings are shown, so their order matters.
  @Test func `mistakes stand in the order of the checks`() throws {
    let built = try BuiltSite()
    var index = built.index
    index.limits = Located("app-stroe", at: 5)
    index.bundleIdentifier = "com.example.other"
    index.tags[0].change(size: 7)
    index.contents = PublishedFile(path: "contents.json", file: index.contents.file)
    let found = IndexConsistency(index, contents: nil).diagnostics.map {
      $0.namedValues.split(separator: " ").first.map(String.init)
    }
    #expect(
      found == ["\"app-stroe\"", "\"com.example.other\"", "\"\(index.tags[0].name)\"", "\"contents.json\""])
  }

  @Test func `more bytes than can be counted are a mistake`() throws {
    let built = try BuiltSite()
    var index = built.index
    for number in index.packs.indices { index.packs[number].change(size: .max) }
    let found = IndexConsistency(index, contents: nil).diagnostics
    #expect(found.contains { $0.namedValues.isEmpty && $0.place == index.place(at: index.packsOffset) })
  }

  /// If a list has only one tag, the tag has the priority 0.5.
  ///
  /// The priorities of longer lists are distributed evenly from 0.05 to 0.95. A list can contain up to 16
  /// repeated tags.
  @Test(
    arguments: [
      ([0.5], 1, 0, true), ([0.51], 1, 0, false), ([], 1, 0, true), ([0.05, place(1, 1)], 2, 0, true),
      ([0.05, place(1, 2), place(2, 2)], 2, 0, true), ([0.05, 0.06], 2, 0, false), ([-0.1], 2, 0, false),
      ([1.1], 2, 0, false), ([0.0], 2, 0, false), ([1.0], 2, 0, false), ([place(1, 18)], 3, 0, true),
      ([place(1, 18)], 2, 1, true), ([place(1, 18)], 2, 0, false), ([place(1, 17)], 2, 0, true),
      ([place(1, 3), place(1, 2)], 2, 0, true), ([place(1, 17), place(1, 16)], 2, 0, false),
      ([place(1, 1)], 3, 0, true), ([0.5], 2, 0, true), ([0.5], 0, 0, true),
    ] as [([Double], Int, Int, Bool)])
  func `priorities are positions in one list`(priorities: [Double], tags: Int, others: Int, isOne: Bool) {
    let none = PublishedFile(path: "", file: WrittenFile(size: 0, digest: .zero))
    let packs = priorities.map { priority in
      PublishedIndex.Pack(
        id: "", name: "", tags: [], delivery: .prefetch, priority: priority, fileCount: 0, size: 0,
        published: PublishedPack(digest: .zero, archive: none), offset: 0)
    }
    #expect(prioritiesFitOneList(of: packs, prefetchTagCount: tags, otherTagCount: others) == isOne)
  }
}

extension PublishedIndex.Tag {
  fileprivate mutating func change(packs: [String]? = nil, size: Int64? = nil) {
    self = PublishedIndex.Tag(
      name: name, delivery: delivery, packs: packs ?? self.packs, size: size ?? self.size, offset: offset)
  }
}

extension PublishedIndex.Pack {
  fileprivate mutating func change(size: Int64? = nil, path: String? = nil) {
    let archive = PublishedFile(path: path ?? self.archive.path, file: self.archive.file)
    self = PublishedIndex.Pack(
      id: id, name: name, tags: tags, delivery: delivery, priority: priority, fileCount: fileCount,
      size: size ?? self.size, published: PublishedPack(digest: digest, archive: archive), offset: offset)
  }
}
