import Formats
package import Model
import Pipeline
import System

/// Changes that reduce the player's waiting time.
///
/// packtool has tried each change in a simulation.
package struct Advice: Sendable {
  /// A change of the tag lists or of the scenario.
  package enum Change: Sendable, Hashable {
    case swapPrefetch(String, String)
    /// Move a tag to the end of the initial install.
    case addToInstall(String)
    /// Move a tag from the initial install to the front of the prefetch order.
    case moveToPrefetch(String)
    /// Perform a `begin` step before the previous `play` step.
    ///
    /// The value is the index of the `begin` step in the scenario's `steps`.
    case beginEarlier(Int)
    /// Perform every `begin` step before the `play` step that comes before it.
    case beginAllEarlier
  }

  /// A change with its result.
  package struct Proposal: Sendable {
    package let change: Change
    package let summary: SimulationResult.Summary
    /// The total number of microseconds of installation and stalls that the change saves; negative if the
    /// change only helps to meet a limit.
    package let saved: Int64
    fileprivate let excess: Int64
  }

  /// The changes that help, best first.
  ///
  /// They are sorted by how little their results exceed the scenario's limits, and then by the time that they
  /// save.
  package let proposals: [Proposal]
  package let tried: Int
  /// The number of changes that packtool did not try, because there are too many possible changes.
  package let untried: Int
  /// Whether the tag lists are known.
  ///
  /// The index of an earlier packtool version does not contain these lists.
  package let knowsLists: Bool
  /// Whether the result, without any change, exceeds a limit of the scenario.
  package let isShort: Bool

  private static let maxTried = 2000

  /// Tries all changes for a scenario that has been played.
  ///
  /// It does not try all of them if their simulations would have more than `maxSteps` steps and packs together.
  package init?(for play: ScenarioPlay, lists: TagLists?, maxSteps: Int = 1_000_000) {
    guard let summaryBefore = play.result?.summary, let release = play.release else { return nil }
    knowsLists = lists != nil
    let trial = Trial(play: play, release: release, lists: lists)
    let changes = trial.changes
    let affordable = max(1, maxSteps / (play.scenario.order.count + release.packs.count + 1))
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
  /// Returns nil if the change saves no time and does not bring the result closer to the scenario's limits.
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

  /// Returns the result of the scenario with a change; nil if the change is not possible.
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
  /// Moves each occurrence of a step before the previous `play` step; returns false if there is no such
  /// `play` step.
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
