@testable import Play
import Support
import Testing

/// Tests how a few classes are grouped into packs.
///
/// The packs are compared with all possible divisions of the classes.
@Suite struct PackLimitTests {
  /// Returns all divisions of the numbers from 0 to `count` - 1 into groups.
  private func divisions(of count: Int) -> [[[Int]]] {
    var all: [[[Int]]] = [[]]
    for number in 0..<count {
      all = all.flatMap { groups in
        groups.indices.map { place in
          var groups = groups
          groups[place].append(number)
          return groups
        } + [groups + [[number]]]
      }
    }
    return all
  }

  private func cost(of groups: [[Int]], items: [PackGrouping.Item], price: PackGrouping.CostModel) -> Double {
    groups.reduce(0) { sum, members in
      sum + price.cost(of: members.dropFirst().reduce(items[members[0]]) { $0 + items[$1] })
    }
  }

  private struct Case {
    let items: [PackGrouping.Item]
    let price: PackGrouping.CostModel
    let grouping: PackGrouping
    /// The lowest cost of the divisions that have at most the allowed number of packs.
    let least: Double
  }

  /// Groupings of random classes.
  ///
  /// Each grouping is made with and without a limit on the number of packs.
  private var cases: [Case] {
    sample(40, of: Array(UInt64(0)..<150)).map { RandomClasses(seed: $0) }.filter { $0.items.count <= 6 }
      .flatMap { random in
        let all = divisions(of: random.items.count)
        return [1, 2, 3, .max].map { most in
          var price = random.costModel
          price.maxPacks = most
          let costs = all.filter { $0.count <= most }.map { cost(of: $0, items: random.items, price: price) }
          return Case(
            items: random.items, price: price, grouping: PackGrouping(of: random.items, costModel: price),
            least: costs.min() ?? 0)
        }
      }
  }

  @Test func `limits of packs hold and cost the least`() throws {
    let cases = cases
    try #require(cases.count > sample(40, of: 150))
    for each in cases {
      let grouping = each.grouping
      #expect(grouping.groups.count <= each.price.maxPacks)
      #expect(grouping.groups.joined().sorted() == Array(each.items.indices))
      #expect(grouping.groups.areAll { $0 == $0.sorted() })
      #expect(grouping.groups.map { $0[0] } == grouping.groups.map { $0[0] }.sorted())
      let cost = cost(of: grouping.groups, items: each.items, price: each.price)
      #expect(abs(grouping.cost - cost) < 1e-9)
      #expect(cost >= each.least - 1e-9)
    }
    // Every grouping must have the same cost as the best division.
    let worse = cases.filter { $0.grouping.cost > $0.least + 1e-9 }
    #expect(worse.count == 0, "\(worse.map { $0.grouping.cost / $0.least })")
  }

  /// Some groupings cannot be found with merges and moves alone.
  ///
  /// The search finds these groupings after random changes.
  @Test func `many classes cost the least that there is`() {
    let misses = sample(15, of: Array(UInt64(0)..<60)).filter { seed in
      let random = RandomClasses(seed: seed)
      return random.items.count <= 9
        && PackGrouping(of: random.items, costModel: random.costModel).cost > random.leastCost + 1e-9
    }
    #expect(misses == [])
  }

  @Test func `prices are those of the parts`() {
    var price = PackGrouping.CostModel(
      first: (request: 3, byte: 5), later: (request: 7, byte: 11), runCount: 4)
    price.update = 13
    price.pack = 17
    price.updateCount = 2
    price.largestPack = 100
    // One of four runs needs the pack in its first scene, and two runs need it later. One of two updates
    // changes it.
    var pack = PackGrouping.Item(
      size: 100, firstSceneRunMask: 0b1, runMask: 0b111, unseenRunProbability: 0.25, updateMask: 0b10)
    let (first, later) = (0.25, 0.75)
    let expected = 17 + first * (3 + 5 * 100) + later * (7 + 11 * 100) + 13 * 0.5 * 100 * (first + later)
    #expect(price.cost(of: pack) == expected)
    pack.size = 101
    #expect(price.cost(of: pack) > 1e9)
    let sum =
      pack
      + PackGrouping.Item(
        size: .max, firstSceneRunMask: 0b1000, runMask: 0b1000, unseenRunProbability: 0.5, updateMask: 0b1)
    #expect(sum.size == .max && sum.firstSceneRuns == 0b1001 && sum.runs == 0b1111)
    #expect(sum.unseenRunProbability == 0.75 && sum.updates == 0b11)
  }
}
