@testable import Play
import Support
import Testing

/// Tests how classes of files are grouped into packs.
///
/// The packs are compared with the best possible packs.
@Suite struct PackGroupingTests {
  /// The acceptance tests run more of these cases.
  @Test(arguments: 0..<20) func `cost is near the least`(seed: Int) {
    let random = RandomClasses(seed: UInt64(seed))
    let grouping = PackGrouping(of: random.items, costModel: random.costModel)
    let least = random.leastCost
    #expect(grouping.cost <= least * 1.05 + 1e-9)
    #expect(grouping.cost >= least - 1e-9)
    #expect(grouping.groups.joined().sorted() == Array(random.items.indices))
  }

  private static let costModel = PackGrouping.CostModel(
    first: (request: 0.1, byte: 1e-6), later: (request: 0.1, byte: 1e-6), runCount: 4)

  @Test func `what the same runs need is one pack`() {
    let items = [1000, 5000, 9_000_000].map {
      PackGrouping.Item(size: $0, firstSceneRunMask: 0, runMask: 0b1111)
    }
    #expect(PackGrouping(of: items, costModel: Self.costModel).groups == [[0, 1, 2]])
  }

  @Test func `large files of other runs stay apart`() {
    let items = [0b0011, 0b1100].map { PackGrouping.Item(size: 5_000_000, firstSceneRunMask: 0, runMask: $0) }
    #expect(PackGrouping(of: items, costModel: Self.costModel).groups == [[0], [1]])
  }

  @Test func `a pack that was merged is compared by its own cost`() {
    let items = [(10, 0b0011), (10, 0b0001), (5_000_000, 0b1100)].map {
      PackGrouping.Item(size: $0, firstSceneRunMask: 0, runMask: $1)
    }
    #expect(PackGrouping(of: items, costModel: Self.costModel).groups == [[0, 1], [2]])
  }

  @Test func `what changes stays apart from what does not`() {
    let items = [0, 0b11].map {
      PackGrouping.Item(size: 5_000_000, firstSceneRunMask: 0, runMask: 0b1111, updateMask: $0)
    }
    var costModel = Self.costModel
    costModel.updateCount = 2
    #expect(PackGrouping(of: items, costModel: costModel).groups == [[0, 1]])
    costModel.update = 1e-6
    #expect(PackGrouping(of: items, costModel: costModel).groups == [[0], [1]])
  }

  @Test func `limits hold`() {
    let items = (0..<30).map {
      PackGrouping.Item(size: 600, firstSceneRunMask: 0, runMask: 1 << UInt128($0 % 4))
    }
    var costModel = Self.costModel
    costModel.first = (0, 1)
    costModel.later = (0, 1)
    costModel.maxPacks = 3
    #expect(PackGrouping(of: items, costModel: costModel).groups.count == 3)
    costModel.maxPacks = .max
    costModel.later = (1e6, 0)
    costModel.largestPack = 1300
    #expect(PackGrouping(of: items, costModel: costModel).groups.allSatisfy { $0.count <= 2 })
  }

  /// The pack is needed by two of four runs in their first scene, and by one run later.
  ///
  /// Two of four updates change it.
  @Test func `a pack costs what its requests, bytes, updates and limits say`() {
    var model = PackGrouping.CostModel(
      first: (request: 0.5, byte: 0.25), later: (request: 0.125, byte: 0.0625), runCount: 4)
    let pack = PackGrouping.Item(
      size: 16, firstSceneRunMask: 0b0011, runMask: 0b0111, unseenRunProbability: 0.5, updateMask: 0b0101)
    let first = 0.5 * (0.5 + 0.25 * 16)
    let later = 0.75 * (0.125 + 0.0625 * 16)
    #expect(model.cost(of: pack) == first + later)
    model.updateCount = 4
    model.update = 2
    let update = 2 * 0.5 * 16 * 1.25
    #expect(model.cost(of: pack) == first + later + update)
    model.pack = 8
    #expect(model.cost(of: pack) == first + later + update + 8)
    model.largestPack = 16
    #expect(model.cost(of: pack) == first + later + update + 8)
    model.largestPack = 15
    #expect(model.cost(of: pack) == first + later + update + 8 + 1_000_000_016)
    model.runCount = 0
    model.updateCount = 0
    model.largestPack = 16
    #expect(
      model.cost(of: PackGrouping.Item(size: 2, firstSceneRunMask: 1, runMask: 1, updateMask: 1)) == 1 + 4 + 8
    )
  }

  @Test func `the same seed gives the same packs`() {
    let random = RandomClasses(seed: 5)
    let groups = (0..<2).map { _ in
      PackGrouping(of: random.items, costModel: random.costModel, seed: 9).groups
    }
    #expect(groups[0] == groups[1])
  }
}
