import System

/// A row of Xcode's debugger for one tag: how large it is, and its state after each step of a run.
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
    let ends = result.requests.map { end(of: $0, result, scenario) }
    return table.tags.map { tag in
      let packs = table.packs(ofTag: tag)
      let users = result.requests.indices.filter {
        result.requests[$0].error == nil && result.requests[$0].tags.contains(tag)
      }
      let states = steps.map { step -> State in
        let isUsed = users.contains { number in
          let request = result.requests[number]
          return request.step <= step && step < ends[number]
            && (request.available ?? .max) <= result.steps[step].to
        }
        return isUsed ? .inUse : combined(packs.map { life.state(of: $0, after: step) })
      }
      return TagGauge(tag: tag, size: table.size(ofTag: tag), states: states)
    }
  }

  /// The step that closes a request; after the last one where only the end of the run does.
  private static func end(
    of request: SimulationResult.Request, _ result: SimulationResult, _ scenario: Scenario
  ) -> Int {
    let later = result.steps.indices.dropFirst(request.step)
    return later.first { step in
      guard result.steps[step].to == request.ended else { return false }
      switch scenario.steps[result.steps[step].source].action {
      case .end(let name): return name == request.name
      case .quit: return true
      default: return false
      }
    } ?? .max
  }

  private static func combined(_ states: [State]) -> State {
    if states.allSatisfy({ $0 == .downloaded }) { return .downloaded }
    if states.contains(.purged) { return .purged }
    return states.allSatisfy { $0 == .notDownloaded } ? .notDownloaded : .downloading
  }
}

/// When packs came and went.
private struct PackLife {
  /// The change of a pack, with the first step after which it counts: of arrivals the first at their time, of all else the
  /// last, since one of the steps at that time is the cause.
  private typealias Event = (time: Int64, step: Int, state: TagGauge.State)

  /// By the pack's number, in order.
  private var events: [[Event]]
  private let steps: [SimulationResult.Step]

  init(_ result: SimulationResult, _ scenario: Scenario, _ table: PackTable) {
    events = Array(repeating: [], count: result.packs.count)
    steps = result.steps
    for transfer in result.transfers {
      guard let pack = transfer.pack else { continue }
      add(.downloading, pack, at: transfer.from, after: lastStep(at: transfer.from))
      if transfer.isComplete { add(.downloaded, pack, at: transfer.to, after: firstStep(at: transfer.to)) }
    }
    for purge in result.purges { add(.purged, purge.pack, at: purge.time, after: lastStep(at: purge.time)) }
    addUpdates(scenario, table)
    for pack in events.indices {
      // A stable order, since a purge and what follows it may be at one time.
      let sorted = events[pack].enumerated().sorted {
        ($0.1.step, $0.1.time, $0.0) < ($1.1.step, $1.1.time, $1.0)
      }
      events[pack] = sorted.map(\.element)
    }
  }

  /// The first step that ends at a time or later.
  private func firstStep(at time: Int64) -> Int { steps.indices.partitioningIndex { steps[$0].to >= time } }

  /// The last step that ends at a time, or the first one after it.
  private func lastStep(at time: Int64) -> Int {
    let next = steps.indices.partitioningIndex { steps[$0].to > time }
    return next > 0 && steps[next - 1].to == time ? next - 1 : next
  }

  private mutating func add(_ state: TagGauge.State, _ pack: Int, at time: Int64, after step: Int) {
    events[pack].append((time, step, state))
  }

  /// Updates take away what they replace.
  private mutating func addUpdates(_ scenario: Scenario, _ table: PackTable) {
    var current = table.first
    for (number, step) in steps.enumerated() {
      guard case .update(let name) = scenario.steps[step.source].action, let next = table.update(name) else {
        continue
      }
      for pack in events.indices where current.packs[pack]?.content != next.packs[pack]?.content {
        add(.notDownloaded, pack, at: step.to, after: number)
      }
      current = next
    }
  }

  func state(of pack: Int, after step: Int) -> TagGauge.State {
    events[pack].last { $0.step <= step }?.state ?? .notDownloaded
  }
}

extension PackTable {
  /// The packs of a tag in the first release, by number.
  func packs(ofTag name: String) -> [Int] { tag(name).map { first.packsOfTag[$0].map(Int.init) } ?? [] }

  /// Bytes of a tag's packs in the first release.
  func size(ofTag name: String) -> Int64 { packs(ofTag: name).saturatingSum { first.size($0) } }
}
