@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests that packs are synced to the disk while other packs are being created.
@Suite(.noHang) struct PackSyncTests {
  @Test func `a pack that cannot be synced fails the build`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<20 { try folder.write("\(number)", "pack") }
    let whole = PackSync()
    for number in 0..<20 { whole.add(folder.path("\(number)")) }
    try whole.finish()
    let failing = PackSync()
    for number in 0..<30 { failing.add(folder.path("\(number)")) }
    let error = #expect(throws: SystemError.self) { try failing.finish() }
    #expect(error?.isMissing == true)
  }

  @Test func `what is abandoned is not waited for`() throws {
    let sync = PackSync()
    sync.add("/none")
    sync.abandon()
    let empty = PackSync()
    try empty.finish()
  }
}

/// Tests how the packs of a build are divided among shards.
@Suite struct ShardDivisionTests {
  @Test func `a shard has a number up to the count`() {
    #expect(Shard(0, of: 1) == nil && Shard(2, of: 1) == nil && Shard(1, of: 0) == nil)
    #expect(Shard(1, of: 1) != nil && Shard(3, of: 3) != nil)
    #expect(Shard(10_000, of: 10_000) != nil && Shard(1, of: 10_001) == nil)
  }

  /// The packs are assigned in the order of their sizes, the largest first.
  ///
  /// Each pack goes to the shard that has the fewest bytes so far.
  @Test func `bytes are spread evenly`() throws {
    let sizes: [Int64] = [7, 5, 5, 4, 3, 3, 2]
    let files = sizes.enumerated().map { PlannedFile("f\($0)", ["T\($0)"], size: $1) }
    let plan = try makePlan(files)
    let all = (1...3).compactMap { Shard($0, of: 3)?.packs(of: plan) }
    #expect(all.joined().sorted() == Array(plan.packs.indices))
    #expect(all.areAll { $0 == $0.sorted() })
    // The three shards get packs of 7 + 3, 5 + 4 and 5 + 3 + 2 bytes. The first shard gets the largest pack.
    #expect(all.map { $0.map { plan.packs[$0].size }.sorted(by: >) } == [[7, 3], [5, 4], [5, 3, 2]])
  }

  /// Packs of the same size are assigned in the order of their identifiers.
  ///
  /// If shards have equally many bytes, the shard with the lowest number gets the pack.
  @Test func `equal packs go round`() throws {
    let plan = try makePlan((0..<5).map { PlannedFile("f\($0)", ["T\($0)"], size: 9) })
    let all = (1...2).compactMap { Shard($0, of: 2)?.packs(of: plan) }
    #expect(all == [[0, 2, 4], [1, 3]])
    #expect(try makePlan([PlannedFile("f", ["T"])]).packs.count == 1)
    #expect(Shard(2, of: 2)?.packs(of: try makePlan([PlannedFile("f", ["T"])])) == [])
  }

  /// All shards of a build must have plans with the same paths, the same sizes, and the same content for the
  /// index.
  @Test func `plans that differ have other digests`() throws {
    func digest(_ path: String = "f", _ size: Int64 = 1, _ tag: String = "A", to destination: String? = nil)
      throws
      -> Digest
    {
      try makePlan([
        PlannedFile(path, [tag], size: size, destination: destination),
        PlannedFile("g", ["A"], size: 3 - size),
      ]).digest
    }
    let first = try digest()
    #expect(try digest() == first)
    let others = [
      try digest("e"), try digest("f", 2), try digest("f", 1, "B"), try digest("f", 1, "A", to: "h"),
    ]
    #expect(Set(others).count == 4 && !others.contains(first))
  }
}
