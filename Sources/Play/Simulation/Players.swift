import Formats
package import Model

/// How generated players move through an app.
///
/// The three patterns are from Apple's talks.
package enum PlayerPattern: String, Sendable, CaseIterable {
  /// The player goes from level to level, and requests the next level while playing the current level.
  case linear
  /// The player requests a few possible next places.
  ///
  /// When the player goes to one of them, the requests for the other places are ended.
  case branching
  case random
}

extension TagLists {
  /// Derives the tag lists from the order of a release's packs.
  ///
  /// Only packs with exactly one tag show the position of their tag.
  init(_ release: SimulatedRelease) {
    func tags(_ order: [Int]) -> [String] {
      var seen: Set<String> = []
      return order.flatMap { release.packs[$0].tags.count == 1 ? release.packs[$0].tags : [] }
        .filter { seen.insert($0).inserted }
    }
    self.init(initialInstall: tags(release.initialInstall), prefetch: tags(release.prefetch))
  }
}

/// Generates scenarios from the tags of a release and the order of these tags.
///
/// The same seed gives the same scenarios.
package struct Players: Sendable {
  package let pattern: PlayerPattern
  package let runs: Int
  package let seed: UInt64
  /// The device of all players.
  package var device = SimulatedDevice()
  private let base: [String]
  private let levels: [String]

  private static let maxLevels = 50
  /// The number of places that can come next with the pattern `branching`.
  private static let branches = 3
  /// The maximum number of open requests with the pattern `random`.
  private static let maxOpenRequests = 3

  package init(
    _ pattern: PlayerPattern, of release: SimulatedRelease, lists: TagLists?, runs: Int, seed: UInt64
  ) {
    self.pattern = pattern
    self.runs = runs
    self.seed = seed
    let lists = lists ?? TagLists(release)
    let all = Set(release.packs.lazy.flatMap(\.tags))
    base = lists.initialInstall.filter(all.contains)
    let known = Set(lists.initialInstall + lists.prefetch)
    let rest = all.subtracting(known).sorted { $0.precedesByNumbers($1) }
    let initial = Set(base)
    levels = lists.prefetch.filter { all.contains($0) && !initial.contains($0) } + rest
  }

  /// Returns the scenario of one player on a network.
  ///
  /// `number` identifies the player.
  package func scenario(_ number: Int, network: NetworkProfile?) -> Scenario {
    var random = RandomNumbers(seed: seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(number))
    var steps: [ScenarioStep.Action] = [.install]
    if !base.isEmpty { steps += [.begin(base, as: "base", priority: .standard), .await("base")] }
    switch pattern {
    case _ where levels.isEmpty: steps.append(playing(&random))
    case .linear: steps += linear(&random)
    case .branching: steps += branching(&random)
    case .random: steps += anywhere(&random)
    }
    return Scenario(network: network, device: device, actions: steps)
  }

  private func linear(_ random: inout RandomNumbers) -> [ScenarioStep.Action] {
    let count = random.number(in: 1...min(levels.count, Self.maxLevels))
    var steps = [begin(0)]
    if !base.isEmpty { steps.append(playing(&random)) }
    for level in 0..<count {
      steps.append(.await("\(level)"))
      if level > 0 { steps.append(.end("\(level - 1)")) }
      if level + 1 < count { steps.append(begin(level + 1)) }
      steps.append(playing(&random))
    }
    return steps
  }

  private func begin(_ level: Int) -> ScenarioStep.Action {
    .begin([levels[level]], as: "\(level)", priority: .standard)
  }

  private func branching(_ random: inout RandomNumbers) -> [ScenarioStep.Action] {
    var steps: [ScenarioStep.Action] = [begin(0), .await("0")]
    var level = 0
    for _ in 0..<random.number(in: 1...min(levels.count, Self.maxLevels)) {
      let next = nextPlaces(from: level)
      steps += next.map(begin)
      steps.append(playing(&random))
      guard !next.isEmpty else { break }
      let chosen = next[random.number(in: 0...next.count - 1)]
      steps += next.filter { $0 != chosen }.map { .end("\($0)") }
      steps += [.await("\(chosen)"), .end("\(level)")]
      level = chosen
    }
    return steps
  }

  /// Returns the places that can come after a place.
  ///
  /// The graph of places is the same for all players with the same seed.
  private func nextPlaces(from level: Int) -> [Int] {
    var random = RandomNumbers(seed: seed &+ UInt64(level) &* 31)
    var next = [(level + 1) % levels.count]
    while next.count < min(Self.branches, levels.count - 1) {
      let other = random.number(in: 0...levels.count - 1)
      if other != level && !next.contains(other) { next.append(other) }
    }
    return next.filter { $0 != level }
  }

  private func anywhere(_ random: inout RandomNumbers) -> [ScenarioStep.Action] {
    var steps: [ScenarioStep.Action] = []
    var open: [Int] = []
    for request in 0..<random.number(in: 1...Self.maxLevels) {
      let level = random.number(in: 0...levels.count - 1)
      steps += [
        .begin([levels[level]], as: "\(request)", priority: .standard), .await("\(request)"),
        playing(&random),
      ]
      open.append(request)
      if open.count > Self.maxOpenRequests || random.number(in: 0...1) == 0 {
        steps.append(.end("\(open.removeFirst())"))
      }
    }
    return steps
  }

  private func playing(_ random: inout RandomNumbers) -> ScenarioStep.Action {
    .play(Int64(random.number(in: 30...300)) * 1_000_000)
  }
}

/// Generates random numbers with the algorithm SplitMix64.
///
/// The same seed gives the same numbers in every run.
package struct RandomNumbers {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Returns the next random number in a range.
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return range.lowerBound + Int((mixed ^ (mixed >> 31)) % UInt64(range.count))
  }
}

extension String {
  /// Whether this string sorts before another string if numbers in them are compared by value.
  ///
  /// For example, `Level 2` sorts before `Level 10`.
  fileprivate func precedesByNumbers(_ other: String) -> Bool {
    let parts = (numbersAndTexts, other.numbersAndTexts)
    for (first, second) in zip(parts.0, parts.1) where first != second {
      if let first = Int(first), let second = Int(second), first != second { return first < second }
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
    return parts.0.count < parts.1.count
  }

  private var numbersAndTexts: [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let first = rest.first {
      let isDigit = first.isASCII && first.isNumber
      let part = rest.prefix { ($0.isASCII && $0.isNumber) == isDigit }
      parts.append(part)
      rest = rest[part.endIndex...]
    }
    return parts
  }
}

/// The results of many players on one network, as medians and percentiles.
package struct PlayersResult: Sendable {
  package let network: NetworkProfile?
  /// The number of microseconds until the app is installed; nil if the app is never installed.
  package let installed: Spread?
  package let stalls: Spread
  /// The total duration of all stalls in microseconds.
  package let stalled: Spread
  /// The number of bytes that are transferred over the network.
  package let transferred: Spread

  /// The median and the 95th percentile of many numbers.
  package struct Spread: Sendable, Hashable {
    package let median: Int64
    package let percentile95: Int64

    /// Computes the median and the percentile.
    ///
    /// Returns nil if there are no numbers.
    package init?(_ numbers: [Int64]) {
      if numbers.isEmpty { return nil }
      let sorted = numbers.sorted()
      // With the nearest-rank method, each result is one of the measured numbers and not a value between two
      // numbers.
      median = sorted[(sorted.count + 1) / 2 - 1]
      percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
    }
  }

  /// Plays the scenarios of all players on a network.
  package init?(_ players: Players, on table: PackTable, network: NetworkProfile?) {
    var summaries: [SimulationResult.Summary] = []
    for number in 0..<players.runs {
      guard let result = try? Simulation.run(players.scenario(number, network: network), on: table) else {
        return nil
      }
      summaries.append(result.summary)
    }
    guard let stalls = Spread(summaries.map { Int64($0.stalls) }),
      let stalled = Spread(summaries.map(\.stalled)),
      let transferred = Spread(summaries.map(\.transferred))
    else { return nil }
    self.network = network
    installed = Spread(summaries.compactMap(\.installed))
    self.stalls = stalls
    self.stalled = stalled
    self.transferred = transferred
  }
}
