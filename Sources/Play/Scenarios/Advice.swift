import Formats
package import Model
import Pipeline
import System

/// Changes that make a player wait less, each one tried.
package struct Advice: Sendable {
  /// The change.
  package enum Change: Sendable, Hashable {
    case swapPrefetch(String, String)
    /// A tag moves to the end of the initial install.
    case addToInstall(String)
    /// A tag moves from the initial install to the front of the prefetch order.
    case moveToPrefetch(String)
    /// A step begins its request before the `play` before it; the step by its place in the scenario's `steps`.
    case beginEarlier(Int)
    /// All such steps do.
    case beginAllEarlier
  }

  /// A change with what comes of it.
  package struct Proposal: Sendable {
    package let change: Change
    package let summary: SimulationResult.Summary
    /// Microseconds of install and waits that it saves in all; below 0 where it only helps what is expected.
    package let saved: Int64
    fileprivate let excess: Int64
  }

  /// The changes that help: first those that bring the run nearest to what is expected, then those that save most.
  package let proposals: [Proposal]
  package let tried: Int
  /// Changes that were not tried, for they are too many.
  package let untried: Int
  /// Whether the lists of tags are known: an index of an earlier packtool has none.
  package let knowsLists: Bool
  /// Whether the scenario expects more than its packs give.
  package let isShort: Bool

  private static let maxTried = 2000
  private static let maxSteps = 1_000_000

  /// Tries the changes on a scenario that was played.
  package init?(for play: ScenarioPlay, lists: TagLists?) {
    guard let summaryBefore = play.result?.summary, let release = play.release else { return nil }
    knowsLists = lists != nil
    let trial = Trial(play: play, release: release, lists: lists)
    let changes = trial.changes
    let affordable = max(1, Self.maxSteps / (play.scenario.order.count + release.packs.count + 1))
    let chosen = changes.prefix(min(Self.maxTried, affordable))
    tried = chosen.count
    untried = changes.count - chosen.count
    isShort = play.scenario.excess(in: summaryBefore) > 0
    let proposals = onThreads(availableProcessors(), each: Array(chosen)) { change in
      trial.summary(with: change).flatMap {
        Proposal(change, summary: $0, before: summaryBefore, scenario: play.scenario)
      }
    }
    self.proposals = proposals.compactMap(\.self).sorted { ($0.excess, $1.saved) < ($1.excess, $0.saved) }
  }
}

extension Advice.Proposal {
  /// Nil where nothing is saved, and nothing comes nearer to what is expected.
  fileprivate init?(
    _ change: Advice.Change, summary: SimulationResult.Summary, before: SimulationResult.Summary,
    scenario: Scenario
  ) {
    if summary.errors > before.errors || (summary.installed == nil) != (before.installed == nil) {
      return nil
    }
    let times = [before, summary].map { $0.stalled.saturatingSum(with: $0.installed ?? 0) }
    saved = times[0] - times[1]
    excess = scenario.excess(in: summary)
    if saved <= 0 && excess >= scenario.excess(in: before) { return nil }
    self.change = change
    self.summary = summary
  }
}

private struct Trial: Sendable {
  let play: ScenarioPlay
  let release: SimulatedRelease
  let lists: TagLists?

  private var begins: [Int] {
    play.scenario.steps.indices.filter {
      if case .begin = play.scenario.steps[$0].action { return true }
      return false
    }
  }

  var changes: [Advice.Change] {
    let all = begins.count > 1 ? [Advice.Change.beginAllEarlier] : []
    return all + begins.map(Advice.Change.beginEarlier) + listChanges
  }

  private var listChanges: [Advice.Change] {
    guard let lists else { return [] }
    let initial = Set(lists.initialInstall)
    var seen = initial
    let levels = Set(release.packs.lazy.flatMap(\.tags)).sorted { $0.precedesInBytes($1) }
    let others = (lists.prefetch + levels).filter { seen.insert($0).inserted }
    return zip(lists.prefetch, lists.prefetch.dropFirst()).map { .swapPrefetch($0, $1) }
      + others.map { .addToInstall($0) } + lists.initialInstall.map { .moveToPrefetch($0) }
  }

  /// The result with a change; nil where it cannot be made.
  func summary(with change: Advice.Change) -> SimulationResult.Summary? {
    var scenario = play.scenario
    var table = play.table
    switch change {
    case .beginEarlier(let step): if !scenario.beginEarlier(step) { return nil }
    case .beginAllEarlier: for step in begins { _ = scenario.beginEarlier(step) }
    default: table = reordered(by: change)
    }
    guard let table else { return nil }
    return try? Simulation.run(scenario, on: table).summary
  }

  private func reordered(by change: Advice.Change) -> PackTable? {
    guard var lists else { return nil }
    lists.apply(change)
    let changed = release.ordered(initialInstallTags: lists.initialInstall, prefetchTagOrder: lists.prefetch)
    return PackTable(changed, updates: play.updates)
  }
}

extension TagLists {
  fileprivate mutating func apply(_ change: Advice.Change) {
    switch change {
    case .swapPrefetch(let first, let second):
      guard let place = prefetch.firstIndex(of: first), prefetch.indices.contains(place + 1),
        prefetch[place + 1] == second
      else { return }
      prefetch.swapAt(place, place + 1)
    case .addToInstall(let tag):
      prefetch.removeAll { $0 == tag }
      initialInstall.append(tag)
    case .moveToPrefetch(let tag):
      initialInstall.removeAll { $0 == tag }
      prefetch.insert(tag, at: 0)
    case .beginEarlier, .beginAllEarlier: break
    }
  }
}

extension Scenario {
  /// Moves a step, each time that it is done, before the `play` before it; false where there is none.
  fileprivate mutating func beginEarlier(_ step: Int) -> Bool {
    var moved: [Int] = []
    moved.reserveCapacity(order.count)
    var lastPlay: Int?
    var hasMoved = false
    for next in order {
      if next == step, let place = lastPlay {
        moved.insert(next, at: place)
        hasMoved = true
        lastPlay = nil
        continue
      }
      if case .play = steps[next].action { lastPlay = moved.count }
      moved.append(next)
    }
    order = moved
    return hasMoved
  }
}
