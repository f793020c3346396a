@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests which orders of packs are possible in the initial install.
///
/// An order of packs is possible if some order of tags results in it.
@Suite struct InitialOrderTests {
  private func firstMisplaced(_ tagSets: [[String]], listed: Set<String>) -> Int? {
    let none = PublishedFile(path: "", file: WrittenFile(size: 0, digest: .zero))
    let packs = tagSets.map { tags in
      PublishedIndex.Pack(
        id: PackIdentity(tags: tags, bundleIdentifier: "x").identifier, name: "", tags: tags,
        delivery: .initialInstall, priority: 1, fileCount: 0, size: 0,
        published: PublishedPack(digest: .zero, archive: none), offset: 0)
    }
    return Inspect.firstMisplaced(packs, initialTags: listed)
  }

  @Test(
    arguments: [
      ([["A"], ["A", "B"], ["B"]], nil),
      ([["B"], ["A", "B"], ["A"]], nil),
      ([["A", "B"], ["A"], ["B"]], 0),
      ([["A"], ["B"], ["A", "B"]], 0),
      ([["A"], ["A", "x"], ["A", "x", "y"]], nil),
      ([["A", "x"], ["A"]], 0),
      ([["A"], ["x"]], 1),
      ([["A", "B"], ["B", "C"], ["C"]], nil),
    ] as [([[String]], Int?)])
  func `packs stand by the first of their tags`(tagSets: [[String]], place: Int?) {
    #expect(firstMisplaced(tagSets, listed: ["A", "B", "C"]) == place)
  }

  /// The order that a plan produces for random tag sets is always possible.
  @Test func `every planned order is possible`() {
    var random = SeededRandom(seed: 3)
    let tags = ["A", "B", "C", "D", "E", "F"]
    for _ in 0..<300 {
      let listed = tags.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random))
      let order = DeliveryOrder(initialInstallTags: Array(listed), prefetchTagOrder: [])
      var sets: Set<[String]> = []
      for _ in 0..<8 {
        let set = tags.filter { _ in Int.random(in: 0...2, using: &random) == 0 }
        if order.delivery(of: set) == .initialInstall { sets.insert(set) }
      }
      let sorted = sets.sorted { first, second in
        let keys = [first, second].map { tags in
          (
            order.position(of: tags, for: .initialInstall), tags.count,
            PackIdentity(tags: tags, bundleIdentifier: "x").identifier
          )
        }
        return keys[0] < keys[1]
      }
      #expect(firstMisplaced(sorted, listed: Set(listed)) == nil)
    }
  }
}
