/// The waits of many players on one link.
package struct PlayersResult: Sendable {
  package let link: NetworkLink?
  /// Microseconds until the app is installed; nil where it never is.
  package let installed: Spread?
  package let stalls: Spread
  /// Microseconds of waiting in all.
  package let stalled: Spread
  /// Bytes over the link.
  package let transferred: Spread

  /// The middle of many numbers, and what 95 of 100 do not exceed.
  package struct Spread: Sendable, Hashable {
    package let median: Int64
    package let percentile95: Int64

    /// Nil of no numbers.
    init?(_ numbers: [Int64]) {
      if numbers.isEmpty { return nil }
      let sorted = numbers.sorted()
      // By nearest rank: a number that was measured, not one between two.
      median = sorted[(sorted.count + 1) / 2 - 1]
      percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
    }
  }

  /// Plays all players on a link.
  package init?(_ players: Players, on table: PackTable, link: NetworkLink?) {
    var summaries: [SimulationResult.Summary] = []
    for number in 0..<players.runs {
      guard let result = try? Simulation.run(players.scenario(number, link: link), on: table) else {
        return nil
      }
      summaries.append(result.summary)
    }
    guard let stalls = Spread(summaries.map { Int64($0.stalls) }),
      let stalled = Spread(summaries.map(\.stalled)),
      let transferred = Spread(summaries.map(\.transferred))
    else { return nil }
    self.link = link
    installed = Spread(summaries.compactMap(\.installed))
    self.stalls = stalls
    self.stalled = stalled
    self.transferred = transferred
  }
}
