import Formats
@testable import Model
import Support
import System
import Testing

/// Tests sums and orders of a release's packs and tags.
@Suite struct ReleaseTests {
  /// A pack of a release, in a short form.
  private struct Sample {
    let tags: [String]
    let size: Int64
    var delivery = Delivery.onDemand
    var language: String?
    /// The size of the archive; nil if it is not built.
    var packed: Int64?
  }

  private static func digest(_ text: String) -> Digest { SHA256.digest(of: Array(text.utf8)) }

  /// Makes a release whose packs have their index as identifier.
  private func release(
    _ samples: [Sample], tags: [Release.Tag] = [], order: [Delivery: [Int]] = [:], lists: TagLists? = nil,
    patches: [PatchSet] = [], indexDigest: Digest? = nil
  ) -> Release {
    let packs = samples.enumerated().map { number, sample in
      Release.Pack(
        id: "\(number)", name: "\(number)", tags: sample.tags, delivery: sample.delivery, priority: nil,
        fileCount: Int64(number + 1), size: sample.size,
        published: sample.packed.map { size in
          let file = WrittenFile(size: size, digest: Self.digest("\(number)"))
          return PublishedPack(
            digest: Self.digest("x"), archive: PublishedFile(path: "\(number).zip", file: file))
        }, language: sample.language)
    }
    return Release(
      bundleIdentifier: "a.b", profile: "app-store", packs: packs, tags: tags, order: order, lists: lists,
      untagged: FileCount(), contents: nil, patches: patches, indexDigest: indexDigest)
  }

  private func tag(_ name: String, _ delivery: Delivery, _ packs: [Int]) -> Release.Tag {
    Release.Tag(name: name, delivery: delivery, packs: packs, size: 0)
  }

  @Test func `sizes and files are added up`() {
    let built = release([
      Sample(tags: ["A"], size: 10, delivery: .prefetch, packed: 3), Sample(tags: ["B"], size: 20, packed: 4),
      Sample(tags: ["C"], size: 40, packed: 5),
    ])
    #expect(built.total == FileCount(files: 6, size: 70))
    #expect(built.count(of: .onDemand) == FileCount(files: 5, size: 60))
    #expect(built.count(of: .initialInstall) == FileCount())
    #expect(built.packedSize(of: [Int]()) == 0 && built.packedSize(of: [0, 2]) == 8)
    #expect(built.archivedSize == 12 && built.hasPackedSizes)
    let part = release([Sample(tags: ["A"], size: 10, packed: 3), Sample(tags: ["B"], size: 20)])
    #expect(part.packedSize(of: [0]) == 3 && part.packedSize(of: [0, 1]) == nil)
    #expect(part.archivedSize == nil && part.hasPackedSizes)
    // Folders are as large as their files.
    let folders = release([Sample(tags: ["A"], size: 10, packed: 10)])
    #expect(folders.packedSize(of: [0]) == 10 && folders.archivedSize == nil)
    #expect(!release([Sample(tags: ["A"], size: 1)]).hasPackedSizes)
  }

  @Test func `packs of a mode are added up in their order`() {
    let built = release(
      [Sample(tags: ["A"], size: 1, packed: 3), Sample(tags: ["B"], size: 1, packed: 4)],
      order: [.prefetch: [1], .initialInstall: []])
    #expect(built.packedSize(of: Delivery.prefetch) == 4)
    #expect(built.packedSize(of: Delivery.initialInstall) == 0)
    #expect(built.order(of: .prefetch) == [1] && built.order(of: .onDemand) == [])
  }

  @Test func `tags are in the order of the lists`() {
    let tags = [
      tag("A", .prefetch, [0]), tag("B", .onDemand, [0]), tag("C", .prefetch, [0]), tag("D", .prefetch, [0]),
      tag("E", .initialInstall, [0]), tag("F", .onDemand, [0]), tag("G", .initialInstall, [0]),
      tag("H", .prefetch, [0]),
    ]
    let lists = TagLists(initialInstall: ["G", "E"], prefetch: ["D", "A", "D"])
    let built = release([Sample(tags: ["A"], size: 1)], tags: tags, lists: lists)
    // Tags that the list lacks come last, by name.
    #expect(built.tags(of: .prefetch).map(\.name) == ["D", "A", "C", "H"])
    #expect(built.tags(of: .initialInstall).map(\.name) == ["G", "E"])
    #expect(built.tags(of: .onDemand).map(\.name) == ["B", "F"])
    #expect(built.tagsByDelivery.map(\.name) == ["G", "E", "D", "A", "C", "H", "B", "F"])
  }

  /// A pack of one tag is at the place of this tag, so such packs decide if there are any.
  @Test func `without lists tags are in the order of their packs`() {
    let samples = [
      Sample(tags: ["A"], size: 1, delivery: .prefetch),
      Sample(tags: ["A", "B"], size: 1, delivery: .prefetch),
      Sample(tags: ["B"], size: 1, delivery: .prefetch),
      Sample(tags: ["C", "X"], size: 1, delivery: .prefetch),
      Sample(tags: ["A", "B", "C"], size: 1, delivery: .prefetch),
    ]
    let tags = [
      tag("A", .prefetch, [0, 1, 4]), tag("B", .prefetch, [1, 2, 4]), tag("C", .prefetch, [3, 4]),
      tag("D", .prefetch, []), tag("E", .prefetch, []),
    ]
    let built = release(samples, tags: tags, order: [.prefetch: [1, 4, 2, 3, 0]])
    // A is at 4, B at 2, and C at 1, because C has no pack of its own.
    #expect(built.tags(of: .prefetch).map(\.name) == ["C", "B", "A", "D", "E"])
  }

  @Test func `a device gets the packs of its language`() {
    let built = release(
      [
        Sample(tags: ["A"], size: 1, delivery: .initialInstall),
        Sample(tags: ["B"], size: 10, delivery: .initialInstall, language: "fr"),
        Sample(tags: ["C"], size: 6, delivery: .initialInstall, language: "en"),
        Sample(tags: ["D"], size: 5, delivery: .initialInstall, language: "en"),
        Sample(tags: ["E"], size: 100, delivery: .prefetch, language: "fr"),
        Sample(tags: ["F"], size: 7, delivery: .prefetch, language: "en"), Sample(tags: ["G"], size: 3),
      ], order: [.initialInstall: [3, 1, 0, 2], .prefetch: [5, 4], .onDemand: [6]])
    #expect(built.packsOnDevice(of: [0, 1, 2, 3, 6]) == [0, 2, 3, 6])
    #expect(built.packsOnDevice(of: 0..<7) == [0, 1, 4, 6])
    #expect(built.packsOnDevice(of: [6, 0]) == [6, 0])
    // The initial install decides the language of both modes.
    #expect(built.orderOnDevice(of: .initialInstall) == [3, 0, 2])
    #expect(built.orderOnDevice(of: .prefetch) == [5])
    #expect(built.orderOnDevice(of: .onDemand) == [6])
    #expect(built.sizeOnDevice(of: .initialInstall) == 12)
    #expect(built.sizeOnDevice(of: .prefetch) == 100)
    #expect(built.sizeOnDevice(of: .initialInstall, .prefetch) == 111)
    #expect(built.sizeOnDevice(of: .onDemand) == 3)
  }

  @Test func `the prefetch decides the language if the install has none`() {
    let built = release(
      [
        Sample(tags: ["A"], size: 1, delivery: .initialInstall),
        Sample(tags: ["B"], size: 5, delivery: .prefetch, language: "pl"),
        Sample(tags: ["C"], size: 5, delivery: .prefetch, language: "da"),
      ], order: [.initialInstall: [0], .prefetch: [1, 2]])
    // If two languages have the same number of bytes, the first by name is taken.
    #expect(built.orderOnDevice(of: .prefetch) == [2])
    #expect(built.packsOnDevice(of: [2, 1]) == [2])
  }

  /// Sizes that add up to more than the largest number are equal, but these are not.
  @Test func `the largest sizes decide the language`() {
    let built = release(
      [
        Sample(tags: ["B"], size: .max - 1, delivery: .prefetch, language: "da"),
        Sample(tags: ["C"], size: .max, delivery: .prefetch, language: "pl"),
      ], order: [.initialInstall: [], .prefetch: [0, 1]])
    #expect(built.orderOnDevice(of: .prefetch) == [1])
  }

  @Test func `the patches of a release are found by its index`() {
    let file = { (name: String) in
      PublishedFile(path: name, file: WrittenFile(size: 1, digest: Self.digest(name)))
    }
    let set = { (from: String, packs: [(id: String, path: String)]) in
      PatchSet(
        fromIndex: Self.digest(from), list: file("list"),
        packs: packs.map { PatchSet.Pack(id: $0.id, digest: Self.digest($0.id), patch: file($0.path)) })
    }
    let new = release(
      [],
      patches: [
        set("1", [("p", "first"), ("q", "second")]), set("2", [("p", "third")]), set("1", [("p", "fourth")]),
      ])
    let patches = { (from: String) in
      new.patches(from: release([], indexDigest: Self.digest(from)))?.mapValues(\.path)
    }
    #expect(patches("1") == ["p": "first", "q": "second"])
    #expect(patches("2") == ["p": "third"])
    #expect(patches("3") == nil)
    #expect(new.patches(from: release([])) == nil)
  }

  @Test func `other sizes also change those of the tags`() {
    let built = release(
      [Sample(tags: ["A"], size: 1), Sample(tags: ["A", "B"], size: 2)],
      tags: [tag("A", .onDemand, [0, 1]), tag("B", .onDemand, [1])])
    let other = built.with([FileCount(files: 7, size: 30), FileCount(files: 8, size: 500)])
    #expect(other.packs.map(\.fileCount) == [7, 8] && other.packs.map(\.size) == [30, 500])
    #expect(other.tags.map(\.size) == [530, 500])
    #expect(built.packs.map(\.size) == [1, 2])
  }

  /// Up to four tags are named.
  ///
  /// If there are more, three are named and the others are counted.
  @Test(arguments: [
    (1, #""U0" 9 bytes"#), (4, #""U0" 9 bytes "U1" 8 bytes "U2" 7 bytes "U3" 6 bytes"#),
    (5, #""U0" 9 bytes "U1" 8 bytes "U2" 7 bytes 2"#), (6, #""U0" 9 bytes "U1" 8 bytes "U2" 7 bytes 3"#),
  ]) func `few of the tags that are in no list are named`(count: Int, text: String) throws {
    let pulled = (0..<count).map {
      Sample(tags: ["L", "U\($0)"], size: Int64(9 - $0), delivery: .initialInstall)
    }
    let samples = pulled + [Sample(tags: ["L"], size: 1, delivery: .initialInstall)]
    let tags =
      [tag("L", .initialInstall, Array(samples.indices))]
      + (0..<count).map { tag("U\($0)", .onDemand, [$0]) }
    let built = release(samples, tags: tags, order: [.initialInstall: Array(samples.indices)])
    let packs = try #require(built.pulledInPacks.first)
    #expect(built.pulledInPacks.count == 1 && packs.delivery == .initialInstall)
    #expect(values(in: packs.unlistedText) == text)
  }

  @Test func `a release of packs on demand pulls in none`() {
    let built = release(
      [Sample(tags: ["A", "B"], size: 5), Sample(tags: ["A"], size: 5)],
      tags: [tag("A", .onDemand, [0, 1]), tag("B", .onDemand, [0])], order: [.onDemand: [0, 1]])
    #expect(built.pulledInPacks.isEmpty)
  }
}

/// Tests the two lists of tags, and the positions of packs in them.
@Suite struct TagListTests {
  @Test func `lists keep the tags of a release`() {
    let lists = TagLists(initialInstall: ["C", "A"], prefetch: ["B", "A"])
    let tags = ["A", "B"].map { Release.Tag(name: $0, delivery: .onDemand, packs: [], size: 0) }
    #expect(lists.keeping(tags) == TagLists(initialInstall: ["A"], prefetch: ["B", "A"]))
    #expect(lists.tags(of: .initialInstall) == ["C", "A"] && lists.tags(of: .prefetch) == ["B", "A"])
    #expect(lists.tags(of: .onDemand) == [])
  }

  @Test func `a pack is at the place of its first tag`() {
    let order = DeliveryOrder(TagLists(initialInstall: ["I", "J", "I"], prefetch: ["A", "B", "J"]))
    #expect(order.position(of: ["J", "x"], for: .initialInstall) == 1)
    #expect(order.position(of: ["J", "B"], for: .prefetch) == 1)
    #expect(order.position(of: ["J"], for: .prefetch) == 2)
    #expect(order.position(of: ["x"], for: .prefetch) == 0)
    #expect(order.position(of: ["I"], for: .initialInstall) == 0)
  }

  @Test func `a count of files ends at the largest exact size`() {
    var sum = FileCount()
    sum.add(5)
    sum.add(ByteSize.largestExact - 6)
    #expect(sum == FileCount(files: 2, size: ByteSize.largestExact - 1))
    var other = sum
    other.add(2)
    #expect(other == FileCount(files: 3, size: ByteSize.largestExact))
    sum += FileCount(files: 4, size: 1)
    #expect(sum == FileCount(files: 6, size: ByteSize.largestExact))
    sum += FileCount(files: 1, size: .max)
    #expect(sum == FileCount(files: 7, size: ByteSize.largestExact))
  }

  /// The download has a limit, and a download of exactly this size is not too large.
  @Test(arguments: [(99, false), (100, false), (101, true)] as [(Int64, Bool)])
  func `an app and its install are one download`(app: Int64, isAbove: Bool) {
    let limits = LimitSettings(overrides: [.cellularSize: .init(.exactly(150))])
    let first = FirstDownload(appSize: app, initialInstall: 50, limits: limits)
    #expect(first.size == app + 50 && first.isAboveCellularLimit == isAbove)
    #expect(first.partsText.map { values(in: $0) } != nil)
    let unknown = FirstDownload(appSize: nil, initialInstall: 50, limits: limits)
    #expect(unknown.size == 50 && unknown.partsText == nil && !unknown.isAboveCellularLimit)
    let unlimited = LimitSettings(overrides: [.cellularSize: .init(nil)])
    let free = FirstDownload(appSize: .max, initialInstall: .max, limits: unlimited)
    #expect(free.size == .max && !free.isAboveCellularLimit)
  }
}
