import System

/// A time in which the player waited, and what to do about it.
package struct Stall: Sendable {
  /// The step that waited, by its place in the result's `steps`.
  package let step: Int
  /// The request by its place in the result.
  package let request: Int
  package let from: Int64
  package let to: Int64

  /// How long it was.
  package var duration: Int64 { to - from }

  /// Advice against a wait, by the transfers that kept the link.
  package enum Remedy: Sendable, Hashable {
    /// A pack came again, which had been purged.
    case keep(pack: Int, purged: Int64)
    /// Other requests had the link for this long.
    case hurry(Int64)
    /// The link was free for as long as was needed before the request began.
    case beginEarlier(Int64)
    /// The link was free before, but for less than is needed.
    case beginAndSplit(Int64)
    /// The link was at its packs before it was begun.
    case shrink
    /// The link was busy for other requests, or nothing came before.
    case prefetch
  }

  /// All waits of a run with details, in order.
  package static func all(of result: SimulationResult, _ scenario: Scenario) -> [Stall] {
    var stalls: [Stall] = []
    var newest: [String: Int] = [:]
    var next = 0
    for (place, step) in result.steps.enumerated() {
      while next < result.requests.count, result.requests[next].step < place {
        newest[result.requests[next].name] = next
        next += 1
      }
      guard step.to > step.from, case .await(let name) = scenario.steps[step.source].action,
        let request = newest[name]
      else { continue }
      stalls.append(Stall(step: place, request: request, from: step.from, to: step.to))
    }
    return stalls
  }

  /// The action; a look at all that came before.
  package func remedy(in result: SimulationResult, _ table: PackTable) -> Remedy {
    let began = result.requests[request].began
    let during = Self.transfers(of: result, from: began, to: to)
    for transfer in during {
      let purge = result.purges.last { $0.pack == transfer.pack && $0.time <= transfer.from }
      if let purge { return .keep(pack: purge.pack, purged: purge.time) }
    }
    let (busyEnd, isOwn) = busyEnd(result, table, before: began)
    let free = began - busyEnd
    if free >= duration { return .beginEarlier(duration) }
    // What was begun before this request and came first.
    let others = result.requests[..<request].contains { ($0.available ?? $0.ended ?? .max) > began }
    if others, free == 0 { return .hurry(duration) }
    return isOwn ? .shrink : free > 0 ? .beginAndSplit(free) : .prefetch
  }

  private static func transfers(
    of result: SimulationResult, from: Int64, to: Int64
  ) -> ArraySlice<SimulationResult.Transfer> {
    let all = result.transfers
    let first = all.indices.partitioningIndex { all[$0].to > from }
    let last = all.indices.partitioningIndex { all[$0].from >= to }
    return all[min(first, last)..<last]
  }

  /// When the link last served the install, another request or packs of this one, and whether it was these; what else
  /// it prefetches can wait.
  private func busyEnd(
    _ result: SimulationResult, _ table: PackTable, before time: Int64
  ) -> (time: Int64, isOwn: Bool) {
    let all = result.transfers
    let tags = Set(result.requests[request].tags)
    let installed = result.summary.installed ?? 0
    var place = all.indices.partitioningIndex { all[$0].from >= time }
    while place > 0 {
      place -= 1
      let transfer = all[place]
      if transfer.to <= installed { break }
      let isOwn = transfer.pack.map { !tags.isDisjoint(with: table.tags(of: $0)) } ?? false
      if isOwn || transfer.isForRequest { return (min(transfer.to, time), isOwn) }
    }
    return (installed, false)
  }
}
