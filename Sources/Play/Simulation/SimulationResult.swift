import Formats
import System

/// The result of playing a scenario; times are microseconds from its start.
package struct SimulationResult: Sendable {
  /// The link at the start; nil where there was no network.
  package var network: NetworkProfile?
  /// The steps that were done, in order.
  package var steps: [Step] = []
  package var requests: [Request] = []
  /// Every pack of every release, by identifier.
  package var packs: [Pack] = []
  package var summary = Summary()
  /// The transfers of the link, in the order of their ends; empty if not requested.
  package private(set) var transfers: [Transfer] = []
  /// The longest time that one of them took.
  private var longestTransfer: Int64 = 0
  /// The purged packs, in order; empty if not requested.
  package private(set) var purges: [Purge] = []
  /// The times at which each pack was purged, in order.
  private var purgeTimes: [Int: [Int64]] = [:]
  /// For each request, when it and all before it were available or closed.
  private var latestAvailable: [Int64] = []
  /// What became of each pack, in order, with the step in which it did; empty if not requested.
  var states: [[(step: Int, state: TagGauge.State)]] = []

  /// When a step was begun and done.
  package struct Step: Sendable {
    /// The step by its place in the scenario's `steps`.
    package let source: Int
    package let from: Int64
    package var to: Int64
  }

  /// The outcome of a request.
  package struct Request: Sendable {
    package let name: String
    package let tags: [String]
    /// The step that began it, by its place in `steps`.
    package let step: Int
    package let began: Int64
    package var available: Int64?
    package var ended: Int64?
    /// The step that closes it; after all others where only the end of the run does.
    var last = Int.max
    /// Time in `await` on it.
    package var waited: Int64 = 0
    package var error: SimulatedError?
    /// How soon its packs were to be loaded, at last.
    package var priority = LoadingPriority.standard
  }

  /// The change of a pack.
  package struct Pack: Sendable {
    package let id: String
    /// How often it arrived whole.
    package var downloads = 0
    /// Bytes that came over the link.
    package var transferred: Int64 = 0
    package var purges = 0
  }

  /// The result of the run.
  package struct Summary: Sendable, Hashable {
    package var installed: Int64?
    package var stalls = 0
    package var stalled: Int64 = 0
    package var transferred: Int64 = 0
    /// Bytes of indexes and lists of patches that updates fetch, which take no time here.
    package var indexes: Int64 = 0
    package var unused: Int64 = 0
    package var purges = 0
    package var purged: Int64 = 0
    package var overPurged: Int64 = 0
    package var peakStored: Int64 = 0
    package var peakInUse: Int64 = 0
    package var errors = 0
    package var end: Int64 = 0

    package init() {}
  }

  /// A time during which the link served one pack.
  package struct Transfer: Sendable {
    /// The pack by its place in `packs`; nil for the app.
    package let pack: Int?
    /// Whether a request wanted it when the link began on it.
    package let isForRequest: Bool
    package let from: Int64
    package let to: Int64
    /// Bytes that came.
    package let bytes: Int64
    /// Whether the pack arrived whole.
    package let isComplete: Bool
  }

  /// A pack that was purged.
  package struct Purge: Sendable {
    /// The pack by its place in `packs`.
    package let pack: Int
    package let time: Int64
    /// Bytes that became free.
    package let size: Int64
    /// The pack that needed the space; nil where the space itself became less.
    package let cause: Int?
  }

  /// The transfers that served between two times; with several connections, they overlap.
  package func transfers(from: Int64, to: Int64) -> [Transfer] {
    let first = transfers.indices.partitioningIndex { transfers[$0].to > from }
    let end = to.saturatingSum(with: longestTransfer)
    return transfers[first...].prefix { $0.to <= end }.filter { $0.from < to }
  }

  mutating func add(_ transfer: Transfer) {
    transfers.append(transfer)
    longestTransfer = max(longestTransfer, transfer.to - transfer.from)
  }

  mutating func add(_ purge: Purge) {
    purges.append(purge)
    purgeTimes[purge.pack, default: []].append(purge.time)
  }

  /// When a pack was purged last before some time or at it; nil if it was not.
  func lastPurge(of pack: Int, upTo time: Int64) -> Int64? {
    guard let times = purgeTimes[pack] else { return nil }
    let end = times.indices.partitioningIndex { times[$0] > time }
    return end > 0 ? times[end - 1] : nil
  }

  mutating func noteLatestAvailable() {
    var latest = Int64.min
    latestAvailable = requests.map { request in
      latest = max(latest, request.available ?? request.ended ?? .max)
      return latest
    }
  }

  /// Whether a request that was begun before another was still waiting at some time.
  func wasWaiting(before request: Int, at time: Int64) -> Bool {
    request > 0 && latestAvailable[request - 1] > time
  }
}

/// Why a request or an install failed; the raw value is its name in JSON.
package enum SimulatedError: String, Sendable, CaseIterable {
  case invalidTag = "invalid-tag"
  case inUseLimit = "in-use-limit"
  case offline
  case outOfSpace = "out-of-space"
  case timedOut = "timed-out"
}

/// A step that is impossible at its position, which only a run shows.
package struct ScenarioMistake: Error, Hashable {
  /// The message: lower case, names in quotes, no full stop.
  package let message: String
  /// The step, by its place in the scenario's `steps`.
  package let source: Int
}

/// Times as people write them.
package enum TimeText {
  /// Microseconds for reading: three digits below a minute, two units above.
  package static func text(_ time: Int64) -> String {
    if time == 0 { return "0 s" }
    if time < 1000 { return "\(time) us" }
    if time < 999_500 { return "\(digits(time, unit: 1000)) ms" }
    if time < 59_950_000 { return "\(digits(time, unit: 1_000_000)) s" }
    let seconds = time / 1_000_000 + (time % 1_000_000 >= 500_000 ? 1 : 0)
    if seconds < 3600 { return two(first: seconds / 60, unit: "min", second: seconds % 60, smaller: "s") }
    let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
    if minutes < 1440 { return two(first: minutes / 60, unit: "h", second: minutes % 60, smaller: "min") }
    let hours = minutes / 60 + (minutes % 60 >= 30 ? 1 : 0)
    return counted(hours / 24, of: "day") + (hours % 24 > 0 ? " \(hours % 24) h" : "")
  }

  private static func two(first: Int64, unit: String, second: Int64, smaller: String) -> String {
    second == 0 ? "\(first) \(unit)" : "\(first) \(unit) \(second) \(smaller)"
  }

  /// A number of units with three digits in all, without noughts at its end.
  private static func digits(_ time: Int64, unit: Int64) -> String {
    if time >= unit * 100 || time % unit == 0 { return "\((time + unit / 2) / unit)" }
    let places: Int64 = time >= unit * 10 ? 10 : 100
    let scaled = (time * places + unit / 2) / unit
    var fraction = String(places + scaled % places).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(scaled / places)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}

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
    case keep(pack: Int, purgedAt: Int64)
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
    /// The network lost everything.
    case retry
  }

  /// All waits of a run with details, in order.
  package static func all(of result: SimulationResult, scenario: Scenario) -> [Stall] {
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
  package func remedy(in result: SimulationResult, table: PackTable) -> Remedy {
    if result.requests[request].error == .timedOut { return .retry }
    let began = result.requests[request].began
    for transfer in result.transfers(from: began, to: to) {
      guard let pack = transfer.pack, let time = result.lastPurge(of: pack, upTo: transfer.from) else {
        continue
      }
      return .keep(pack: pack, purgedAt: time)
    }
    let (busyEnd, isOwn) = busyEnd(result, table: table, before: began)
    let free = began - busyEnd
    if free >= duration { return .beginEarlier(duration) }
    // What was begun before this request and came first.
    let isUrgent = result.requests[request].priority == .urgent
    if result.wasWaiting(before: request, at: began), free == 0, !isUrgent { return .hurry(duration) }
    return isOwn ? .shrink : free > 0 ? .beginAndSplit(free) : .prefetch
  }

  /// When the link last served the install, another request or packs of this one, and whether it was these; what else
  /// it prefetches can wait.
  private func busyEnd(
    _ result: SimulationResult, table: PackTable, before time: Int64
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
  package static func all(of result: SimulationResult, table: PackTable, after steps: [Int]) -> [TagGauge] {
    return table.tags.map { tag in
      let packs = table.tagNumbers[tag].map { table.first.packsOfTag[$0].map(Int.init) } ?? []
      let users = result.requests.filter { $0.error == nil && $0.tags.contains(tag) }
      let states = steps.map { step -> State in
        let isUsed = users.contains { request in
          (request.step..<request.last).contains(step)
            && (request.available ?? .max) <= result.steps[step].to
        }
        if isUsed { return .inUse }
        return combined(
          packs.map { result.states[$0].last { $0.step <= step }?.state ?? .notDownloaded })
      }
      return TagGauge(tag: tag, size: packs.saturatingSum { table.first.size($0) }, states: states)
    }
  }

  private static func combined(_ states: [State]) -> State {
    if states.allSatisfy({ $0 == .downloaded }) { return .downloaded }
    if states.contains(.purged) { return .purged }
    return states.allSatisfy { $0 == .notDownloaded } ? .notDownloaded : .downloading
  }
}
