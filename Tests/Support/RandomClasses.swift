package import Play

/// Random classes of files, and the lowest cost of packs that consist of them.
///
/// The files of a class are needed by the same runs.
package struct RandomClasses {
  package let items: [PackGrouping.Item]
  package let costModel: PackGrouping.CostModel

  /// The maximum number of classes that an exhaustive search can divide into packs.
  package static let most = 12

  package init(seed: UInt64) {
    var dice = Dice(seed: seed &* 7919 &+ 13)
    let runs = 2 + dice.below(20)
    let all = (UInt128(1) << UInt128(runs)) - 1
    items = (0..<(2 + dice.below(Self.most - 1))).map { _ in
      // A class is needed by a few runs, by most runs, or by every run. Some classes are needed in the first
      // scene.
      let density = dice.pick([10, 50, 90, 100])
      let any = (0..<runs).reduce(UInt128(0)) { dice.chance(density) ? $0 | 1 << UInt128($1) : $0 } & all
      let first = dice.chance(30) ? any : 0
      let size = dice.chance(50) ? dice.below(30_000) : dice.below(3_000_000)
      return PackGrouping.Item(
        size: Int64(size), firstSceneRunMask: first, runMask: any, unseenRunProbability: any == 0 ? 0.01 : 0,
        updateMask: dice.chance(30) ? UInt64(dice.below(16)) : 0)
    }
    let (latency, byte) = (
      Double(dice.below(600)) / 1000, 8 / Double(dice.pick([780_000, 8_100_000, 50_000_000]))
    )
    let share = Double(10 + dice.below(90)) / 100
    var costModel = PackGrouping.CostModel(
      first: (latency, byte), later: (share * latency, share * byte), runCount: runs)
    costModel.update = dice.chance(50) ? byte / 10 : 0
    costModel.updateCount = 4
    if dice.chance(20) { costModel.largestPack = Int64(1_000_000 + dice.below(2_000_000)) }
    self.costModel = costModel
  }

  /// The minimum cost of any division into packs.
  ///
  /// The cost is computed for all sets of classes. For each set, one pack is removed, and the cost of this
  /// pack is added to the lowest cost of the rest.
  package var leastCost: Double {
    let count = 1 << items.count
    var sums = Array(repeating: PackGrouping.Item(size: 0, firstSceneRunMask: 0, runMask: 0), count: count)
    var costs = Array(repeating: 0.0, count: count)
    for set in 1..<count {
      let lowest = set.trailingZeroBitCount
      sums[set] = set & (set - 1) == 0 ? items[lowest] : sums[set & (set - 1)] + items[lowest]
      costs[set] = costModel.cost(of: sums[set])
    }
    var least = Array(repeating: 0.0, count: count)
    for set in 1..<count {
      let lowest = set & -set
      let rest = set ^ lowest
      var best = Double.infinity
      var part = rest
      while true {
        best = min(best, costs[part | lowest] + least[rest ^ part])
        if part == 0 { break }
        part = (part - 1) & rest
      }
      least[set] = best
    }
    return least[count - 1]
  }
}
