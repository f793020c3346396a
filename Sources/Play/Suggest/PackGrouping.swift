import System

/// Groups files that are needed together into packs, so that the costs of waiting and updates are as low as
/// possible.
///
/// The cost of a pack does not depend on the other packs. First, the search merges the two packs whose merge
/// saves most, and repeats this while a merge lowers the cost. Then it moves single classes of files to other
/// packs until no move lowers the cost. Finally, it repeats these two steps with randomly changed groupings
/// until its budget is used up.
package struct PackGrouping: Sendable {
  /// A class of files that the same runs need.
  ///
  /// The type also stands for a pack, that is, for several classes together.
  package struct Item: Sendable {
    /// The total size of the class's files in bytes.
    package var size: Int64
    /// The runs that need the class in their first scene, as a set with one bit for each run.
    package var firstSceneRuns: UInt128
    /// The runs that need the class in any scene, as a set with one bit for each run.
    package var runs: UInt128
    /// The probability that a future run needs the class, if no recorded run needed it.
    package var unseenRunProbability = 0.0
    /// The updates that changed at least one file of the class, as a set with one bit for each update.
    package var updates: UInt64 = 0

    package init(
      size: Int64, firstSceneRunMask: UInt128, runMask: UInt128, unseenRunProbability: Double = 0,
      updateMask: UInt64 = 0
    ) {
      (self.size, self.firstSceneRuns, self.runs, self.unseenRunProbability, self.updates) = (
        size, firstSceneRunMask, runMask, unseenRunProbability, updateMask
      )
    }

    package static func + (one: Item, other: Item) -> Item {
      Item(
        size: one.size.saturatingSum(with: other.size),
        firstSceneRunMask: one.firstSceneRuns | other.firstSceneRuns,
        runMask: one.runs | other.runs,
        unseenRunProbability: one.unseenRunProbability + other.unseenRunProbability,
        updateMask: one.updates | other.updates)
    }
  }

  /// The costs of packs in seconds.
  package struct CostModel: Sendable {
    /// The cost of a request and the cost of a byte in the first scene of a run.
    package var first: (request: Double, byte: Double)
    /// The cost of a request and the cost of a byte in later scenes.
    ///
    /// There, part of the loading happens during play.
    package var later: (request: Double, byte: Double)
    /// The cost of a byte that an update changes.
    package var update = 0.0
    /// The cost of each pack.
    ///
    /// With this cost, there are fewer packs if this costs players almost nothing.
    package var pack = 0.0
    package var runCount: Int
    package var updateCount = 0
    package var largestPack = Int64.max
    package var maxPacks = Int.max

    package init(
      first: (request: Double, byte: Double), later: (request: Double, byte: Double), runCount: Int
    ) {
      (self.first, self.later, self.runCount) = (first, later, runCount)
    }

    /// Returns the cost of a pack for an average run, in seconds.
    ///
    /// A pack that exceeds the store's limit costs more than all other packs together.
    package func cost(of pack: Item) -> Double {
      let bytes = Double(pack.size)
      let runs = Double(max(1, runCount))
      let first = Double(pack.firstSceneRuns.nonzeroBitCount) / runs
      let later =
        Double((pack.runs & ~pack.firstSceneRuns).nonzeroBitCount) / runs + pack.unseenRunProbability
      let changes = Double(pack.updates.nonzeroBitCount) / Double(max(1, updateCount))
      let early = first * (self.first.request + self.first.byte * bytes)
      let late = later * (self.later.request + self.later.byte * bytes)
      // The cost is higher than the cost of any wait, but small enough that sums stay exact.
      let refusal = pack.size > largestPack ? 1e9 + bytes : 0
      return self.pack + early + late + update * changes * bytes * (first + later) + refusal
    }
  }

  /// The items of each pack, as indices in the list of items.
  package private(set) var groups: [[Int]]
  /// The cost of all packs for an average run, in seconds.
  package private(set) var cost: Double
  private let items: [Item]
  private let costModel: CostModel
  private var packs: [Item]
  /// The number of comparisons of pairs that the search may still make.
  ///
  /// With this limit, large inputs need only some seconds.
  private var budget = 20_000_000

  /// The approximate number of pairs of packs that are compared first when packs are merged.
  ///
  /// The number is enough for all pairs of 100 packs. It does not grow for more packs, because time and
  /// memory would then grow with the square of the number of packs.
  private static let maxPairs = 10_000
  /// The minimum number of neighbours on each side with which a pack is compared.
  private static let minWindow = 24
  /// The maximum number of packs for which randomly changed groupings are tried.
  private static let maxPerturbedPacks = 500

  /// Returns the number of neighbours on each side with which a pack is compared.
  ///
  /// Packs are ordered by the runs that need them.
  private static func window(among count: Int) -> Int { max(minWindow, maxPairs / max(1, count)) }

  /// Groups items into packs with low costs.
  package init(of items: [Item], costModel: CostModel, seed: UInt64 = 1) {
    (self.items, self.costModel) = (items, costModel)
    groups = items.indices.map { [$0] }
    packs = items
    cost = items.reduce(0) { $0 + costModel.cost(of: $1) }
    improve()
    var random = RandomNumbers(seed: seed)
    for _ in 0..<(groups.count > Self.maxPerturbedPacks ? 0 : 40) where self.budget > 0 && items.count > 2 {
      var other = self
      other.perturb(&random)
      other.improve()
      self.budget = other.budget
      if other.cost < cost - 1e-9 { (groups, packs, cost) = (other.groups, other.packs, other.cost) }
    }
  }

  private mutating func improve() {
    merge()
    for _ in 0..<20 where moveItems() { merge() }
    groups = groups.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    packs = groups.map(sum)
    cost = packs.reduce(0) { $0 + costModel.cost(of: $1) }
  }

  private func sum(_ members: [Int]) -> Item {
    members.dropFirst().reduce(items[members[0]]) { $0 + items[$1] }
  }

  private mutating func perturb(_ random: inout RandomNumbers) {
    for _ in 0...random.number(in: 0...2) {
      let place = random.number(in: 0...groups.count - 1)
      let members = groups.remove(at: place)
      if random.number(in: 0...2) == 0, !groups.isEmpty {
        groups[random.number(in: 0...groups.count - 1)] += members
      } else {
        groups += members.map { [$0] }
      }
    }
    packs = groups.map(sum)
  }
}

// Merging packs.
extension PackGrouping {
  private struct Pair: Comparable {
    let gain: Double
    let one: Int
    let other: Int

    static func < (first: Pair, second: Pair) -> Bool {
      (first.gain, first.one, first.other) < (second.gain, second.one, second.other)
    }
  }

  /// Merges the two packs whose merge saves most.
  ///
  /// Repeats this while a merge saves costs or there are too many packs.
  private mutating func merge() {
    var costs = packs.map(costModel.cost)
    var count = groups.count
    var queue = BinaryHeap<Pair>()
    let window = Self.window(among: count)
    // This order puts packs that the same runs need next to each other.
    let order = packs.indices.sorted {
      (packs[$0].runs, packs[$0].firstSceneRuns, packs[$0].size, $0) < (
        packs[$1].runs, packs[$1].firstSceneRuns, packs[$1].size, $1
      )
    }
    for (place, one) in order.enumerated() {
      for other in order[(place + 1)...].prefix(window) {
        add(min(one, other), other: max(one, other), costs: costs, packCount: count, to: &queue)
      }
    }
    while let pair = queue.removeLeast() {
      let (one, other) = (pair.one, pair.other)
      if groups[one].isEmpty || groups[other].isEmpty { continue }
      if pair.gain >= -1e-12 && count <= costModel.maxPacks { break }
      groups.append(groups[one] + groups[other])
      packs.append(packs[one] + packs[other])
      costs.append(costModel.cost(of: packs[packs.count - 1]))
      (groups[one], groups[other]) = ([], [])
      count -= 1
      let last = groups.count - 1
      for place in neighbours(of: last, in: order, window: window)
      where !groups[place].isEmpty {
        add(place, other: last, costs: costs, packCount: count, to: &queue)
      }
    }
    let before = order.count
    packs = groups.indices.filter { !groups[$0].isEmpty }.map { packs[$0] }
    groups.removeAll(where: \.isEmpty)
    // The remaining packs have new neighbours, so merging is tried again.
    if count < before && (count > costModel.maxPacks || window < before) { merge() }
  }

  /// Returns the packs that are near a pack in `order`, and the packs that the last merges made.
  private func neighbours(of pack: Int, in order: [Int], window: Int) -> [Int] {
    if window >= order.count { return Array(groups.indices.dropLast()) }
    let key = (packs[pack].runs, packs[pack].firstSceneRuns, packs[pack].size)
    let place = order.indices.partitioningIndex {
      (packs[order[$0]].runs, packs[order[$0]].firstSceneRuns, packs[order[$0]].size) >= key
    }
    return Array(order[max(0, place - window)..<min(order.count, place + window)])
      + Array(groups.indices.dropLast().suffix(window).filter { $0 >= order.count })
  }

  /// Adds a pair of packs to the queue if merging the pair lowers the cost, or if there are too many packs.
  private mutating func add(
    _ one: Int, other: Int, costs: [Double], packCount: Int, to queue: inout BinaryHeap<Pair>
  ) {
    budget -= 1
    let gain = costModel.cost(of: packs[one] + packs[other]) - costs[one] - costs[other]
    if gain < -1e-12 || packCount > costModel.maxPacks {
      queue.insert(Pair(gain: gain, one: one, other: other))
    }
  }

  /// Moves each item to the pack in which it costs least, if the move lowers the total cost.
  ///
  /// Returns false if no item was moved.
  private mutating func moveItems() -> Bool {
    var costs = packs.map(costModel.cost)
    var hasMoved = false
    var filled = groups.count { !$0.isEmpty }
    let nearby = NearbyPacks(packs, window: Self.window(among: groups.count))
    for place in groups.indices {
      let members = groups[place]
      // For each member, the sum of the members after it. With these sums, the cost of a pack without one
      // member can be computed without adding up all other members again.
      let later = sums(after: members)
      var (kept, keptMembers): (Item?, [Int]) = (nil, [])
      for (number, item) in members.enumerated() {
        let left = Self.sum(of: kept, and: later[number])
        let others = nearby.numbers(near: items[item], among: groups.count)
        budget -= others.count + 1
        let saved = costs[place] - (left.map(costModel.cost) ?? 0)
        // A position after all groups means a new pack that contains only this item.
        let canBeAlone = left != nil && filled < costModel.maxPacks
        var best = (gain: canBeAlone ? costModel.cost(of: items[item]) - saved : 0, place: groups.count)
        for other in others where budget > 0 && other != place && !groups[other].isEmpty {
          let gain = costModel.cost(of: packs[other] + items[item]) - costs[other] - saved
          if gain < best.gain - 1e-12 { best = (gain, other) }
        }
        if best.gain >= -1e-9 {
          kept = Self.sum(of: kept, and: items[item])
          keptMembers.append(item)
          continue
        }
        hasMoved = true
        costs[place] = left.map(costModel.cost) ?? 0
        if left == nil { filled -= 1 }
        if best.place == groups.count {
          filled += 1
          groups.append([item])
          packs.append(items[item])
          costs.append(costModel.cost(of: items[item]))
        } else {
          groups[best.place].append(item)
          packs[best.place] = packs[best.place] + items[item]
          costs[best.place] = costModel.cost(of: packs[best.place])
        }
      }
      groups[place] = keptMembers
      if let kept { packs[place] = kept }
    }
    packs = groups.indices.filter { !groups[$0].isEmpty }.map { packs[$0] }
    groups.removeAll(where: \.isEmpty)
    return hasMoved
  }

  /// Returns, for each member, the sum of the members after it; nil for the last member.
  private func sums(after members: [Int]) -> [Item?] {
    var sums: [Item?] = Array(repeating: nil, count: members.count)
    for number in members.indices.dropLast().reversed() {
      sums[number] = Self.sum(of: items[members[number + 1]], and: sums[number + 1])
    }
    return sums
  }

  private static func sum(of one: Item?, and other: Item?) -> Item? {
    guard let one else { return other }
    return other.map { one + $0 } ?? one
  }
}

/// The packs that an item can be moved to.
private struct NearbyPacks {
  /// The sort key of packs.
  private struct Key: Comparable {
    let any: UInt128
    let first: UInt128
    let size: Int64

    init(_ pack: PackGrouping.Item) { (any, first, size) = (pack.runs, pack.firstSceneRuns, pack.size) }

    static func < (one: Key, other: Key) -> Bool {
      (one.any, one.first, one.size) < (other.any, other.first, other.size)
    }
  }

  /// The number of near packs on each side.
  private let window: Int
  /// The indices of the packs, sorted so that packs which the same runs need are next to each other.
  private let order: [Int]
  private let keys: [Key]
  private let count: Int

  init(_ packs: [PackGrouping.Item], window: Int) {
    self.window = window
    count = packs.count
    let all = packs.map(Key.init)
    order = all.indices.sorted { (all[$0], $0) < (all[$1], $1) }
    keys = order.map { all[$0] }
  }

  /// Returns the indices of the packs that are near an item in the sort order, and of packs that were added
  /// recently.
  func numbers(near item: PackGrouping.Item, among all: Int) -> [Int] {
    if window >= count { return Array(0..<all) }
    let key = Key(item)
    let place = keys.indices.partitioningIndex { keys[$0] >= key }
    return order[max(0, place - window)..<min(order.count, place + window)]
      + Array(max(count, all - window)..<all)
  }
}
