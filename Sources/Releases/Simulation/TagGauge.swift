import System

/// What Xcode's debugger would show of one tag: how large it is, and its state after each step of a run.
package struct TagGauge: Sendable {
  /// The state of all packs of a tag together; the raw value is its name.
  package enum State: String, Sendable, CaseIterable {
    case notDownloaded = "not downloaded"
    case downloading
    case downloaded
    case inUse = "in use"
    case purged
  }

  package let tag: String
  /// Bytes of the tag's packs in the first release.
  package let size: Int64
  /// One for each step that was asked for.
  package let states: [State]

  /// The gauges of every tag of the first release after some steps, which are places in the result's `steps`.
  package static func all(
    of result: SimulationResult, _ scenario: Scenario, _ table: PackTable, after steps: [Int]
  ) -> [TagGauge] {
    let life = PackLife(result, scenario, table)
    let open = result.requests.filter { $0.error == nil }
    return table.tags.map { tag in
      let packs = table.packs(ofTag: tag)
      let users = open.filter { $0.tags.contains(tag) }
      let states = steps.map { step -> State in
        let time = result.steps[step].to
        let isUsed = users.contains { request in
          request.step <= step && (request.ended ?? .max) > time && (request.available ?? .max) <= time
        }
        return isUsed ? .inUse : combined(packs.map { life.state(of: $0, at: time) })
      }
      return TagGauge(tag: tag, size: table.size(ofTag: tag), states: states)
    }
  }

  private static func combined(_ states: [State]) -> State {
    if states.allSatisfy({ $0 == .downloaded }) { return .downloaded }
    if states.contains(.purged) { return .purged }
    return states.allSatisfy { $0 == .notDownloaded } ? .notDownloaded : .downloading
  }
}

/// When packs came and went.
private struct PackLife {
  /// What happened to a pack, by its number, in order of time.
  private var events: [[(time: Int64, state: TagGauge.State)]]

  init(_ result: SimulationResult, _ scenario: Scenario, _ table: PackTable) {
    events = Array(repeating: [], count: result.packs.count)
    for transfer in result.transfers {
      guard let pack = transfer.pack else { continue }
      events[pack].append((transfer.from, .downloading))
      if transfer.isComplete { events[pack].append((transfer.to, .downloaded)) }
    }
    for purge in result.purges { events[purge.pack].append((purge.time, .purged)) }
    addUpdates(result, scenario, table)
    for pack in events.indices {
      // A stable order, since a purge and what follows it may be at one time.
      let sorted = events[pack].enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }
      events[pack] = sorted.map(\.element)
    }
  }

  /// Updates take away what they replace.
  private mutating func addUpdates(_ result: SimulationResult, _ scenario: Scenario, _ table: PackTable) {
    var current = table.first
    for step in result.steps {
      guard case .update(let name) = scenario.steps[step.source].action, let next = table.update(name) else {
        continue
      }
      for pack in events.indices where current.packs[pack]?.content != next.packs[pack]?.content {
        events[pack].append((step.to, .notDownloaded))
      }
      current = next
    }
  }

  func state(of pack: Int, at time: Int64) -> TagGauge.State {
    let events = events[pack]
    let next = events.indices.partitioningIndex { events[$0].time > time }
    return next == 0 ? .notDownloaded : events[next - 1].state
  }
}

extension PackTable {
  /// The packs of a tag in the first release, by number.
  func packs(ofTag name: String) -> [Int] { tag(name).map { first.packsOfTag[$0].map(Int.init) } ?? [] }

  /// Bytes of a tag's packs in the first release.
  func size(ofTag name: String) -> Int64 { packs(ofTag: name).saturatingSum { first.size($0) } }
}
