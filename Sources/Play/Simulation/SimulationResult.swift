import Formats
import System

/// The result of playing a scenario.
///
/// Times are in microseconds since the start of the scenario.
package struct SimulationResult: Sendable {
  /// The network at the start; nil if there was no network.
  package var network: NetworkProfile?
  /// The steps that were performed, in order.
  package var steps: [Step] = []
  package var requests: [Request] = []
  /// Every pack of every release, sorted by identifier.
  package var packs: [Pack] = []
  package var summary = Summary()
  /// The transfers, in the order in which they ended; empty if the caller did not request details.
  package private(set) var transfers: [Transfer] = []
  /// The duration of the longest transfer.
  private var longestTransfer: Int64 = 0
  /// The purged packs, in order; empty if the caller did not request details.
  package private(set) var purges: [Purge] = []
  /// The times at which each pack was purged, in order.
  private var purgeTimes: [Int: [Int64]] = [:]
  /// For each request, the time at which this request and all earlier requests had become available or had
  /// been closed.
  private var latestAvailable: [Int64] = []
  /// The changes of each pack's state in order, each with the step in which it happened; empty if the caller
  /// did not request details.
  var states: [[(step: Int, state: TagGauge.State)]] = []

  /// A step that was performed, and the times at which it started and ended.
  package struct Step: Sendable {
    /// The step's index in the scenario's `steps`.
    package let source: Int
    package let from: Int64
    package var to: Int64
    /// The number of bytes that a staged update still has to download when it is found; nil for other steps.
    package var downloadSize: Int64?
  }

  /// The outcome of a request.
  package struct Request: Sendable {
    package let name: String
    package let tags: [String]
    /// The step that began the request, as an index in `steps`.
    package let step: Int
    package let began: Int64
    package var available: Int64?
    package var ended: Int64?
    /// The step that closes the request.
    ///
    /// The value is `Int.max` if the request stays open until the end of the run.
    var last = Int.max
    /// The time that the player waited for the request in `await` steps.
    package var waited: Int64 = 0
    /// The number of bytes that must still be downloaded for the request when it begins; nil if a tag is
    /// unknown.
    package var downloadSize: Int64?
    package var error: SimulatedError?
    /// The loading priority of the request at the end of the run.
    package var priority = LoadingPriority.standard
  }

  /// The downloads and purges of a pack.
  package struct Pack: Sendable {
    package let id: String
    /// The number of times that the pack was downloaded completely.
    package var downloads = 0
    /// The number of bytes that were downloaded for the pack.
    package var transferred: Int64 = 0
    package var purges = 0
    /// The number of bytes of the pack that no request used.
    package var unused: Int64 = 0
  }

  /// The totals of the run.
  package struct Summary: Sendable, Hashable {
    package var installed: Int64?
    package var stalls = 0
    package var stalled: Int64 = 0
    package var transferred: Int64 = 0
    /// The number of bytes of the indexes and lists of patches that updates download.
    ///
    /// The simulation assumes that these downloads take no time.
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

  /// A period during which the network served one pack.
  package struct Transfer: Sendable {
    /// The pack, as an index in `packs`; nil for the app itself.
    package let pack: Int?
    /// Whether the transfer was started for a request.
    package let isForRequest: Bool
    package let from: Int64
    package let to: Int64
    /// The number of bytes that arrived.
    package let bytes: Int64
    /// Whether the transfer completed the pack.
    package let isComplete: Bool
  }

  /// A pack that was purged.
  package struct Purge: Sendable {
    /// The pack, as an index in `packs`.
    package let pack: Int
    package let time: Int64
    /// The number of bytes that became free.
    package let size: Int64
    /// The pack that needed the space; nil if the space for packs became smaller.
    package let cause: Int?
  }

  /// Returns the transfers in a period.
  ///
  /// With several connections, transfers can overlap.
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

  /// Returns the last time, up to `time`, at which a pack was purged; nil if it was not purged until then.
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

  /// Returns the last transfer before `time` that was started for a request, or that served one of `packs`;
  /// nil if there is none that ended after `start`.
  ///
  /// Other prefetched packs do not count, because they can wait.
  func lastTransfer(forRequestsOr packs: Set<Int>, after start: Int64, before time: Int64) -> Transfer? {
    let end = transfers.indices.partitioningIndex { transfers[$0].from >= time }
    for transfer in transfers[..<end].reversed() {
      if transfer.to <= start { return nil }
      if transfer.isForRequest || transfer.pack.map(packs.contains) ?? false { return transfer }
    }
    return nil
  }

  /// Whether a request that began before this request was still waiting at `time`.
  func wasWaiting(before request: Int, at time: Int64) -> Bool {
    request > 0 && latestAvailable[request - 1] > time
  }
}

/// The reason why a request or an install failed; the raw value is its name in JSON.
package enum SimulatedError: String, Sendable, CaseIterable {
  case invalidTag = "invalid-tag"
  case inUseLimit = "in-use-limit"
  case offline
  case outOfSpace = "out-of-space"
  case timedOut = "timed-out"
}

/// A step that is impossible at its position.
///
/// Such a mistake can only be found by playing the scenario.
package struct ScenarioMistake: Error, Hashable {
  /// The message: lower case, names in quotes, without a full stop.
  package let message: String
  /// The step, as an index in the scenario's `steps`.
  package let source: Int
}

/// Formats times for readers.
package enum TimeText {
  /// Formats a number of microseconds.
  ///
  /// A time below a minute has three digits, and a longer time has two units.
  package static func text(_ time: Int64) -> String {
    if time == 0 { return "0 s" }
    if time < 1000 { return "\(time) us" }
    if time < 999_500 { return "\(digits(microseconds: time, perUnit: 1000)) ms" }
    if time < 59_950_000 { return "\(digits(microseconds: time, perUnit: 1_000_000)) s" }
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

  /// Formats a time in a unit, with three digits and without trailing zeros.
  private static func digits(microseconds time: Int64, perUnit unit: Int64) -> String {
    if time >= unit * 100 || time % unit == 0 { return "\((time + unit / 2) / unit)" }
    let places: Int64 = time >= unit * 10 ? 10 : 100
    let scaled = (time * places + unit / 2) / unit
    var fraction = String(places + scaled % places).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(scaled / places)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}

/// A period in which the player waited for a request.
package struct Stall: Sendable {
  /// The step in which the player waited, as an index in the result's `steps`.
  package let step: Int
  /// The request that the player waited for, as an index in the result's `requests`.
  package let request: Int
  package let from: Int64
  package let to: Int64

  /// The length of the stall in microseconds.
  package var duration: Int64 { to - from }

  /// Advice on how to avoid a stall.
  ///
  /// The advice is derived from the transfers that kept the network busy.
  package enum Remedy: Sendable, Hashable {
    /// Keep a pack, because it had to be downloaded again after it had been purged.
    case keep(pack: Int, purgedAt: Int64)
    /// Raise the request's priority, because other requests used the network for this number of microseconds.
    case raisePriority(Int64)
    /// Begin the request this number of microseconds earlier, because the network was idle for long enough.
    case beginEarlier(Int64)
    /// Begin the request this number of microseconds earlier and split it, because the network was idle, but
    /// not for long enough.
    case beginAndSplit(Int64)
    /// Make the packs smaller, because the network was already downloading them before the request began.
    case shrink
    /// Prefetch the packs, because the network was busy with other requests.
    case prefetch
    /// Put the packs into the initial install, because the request began when the app started, and nothing
    /// could be downloaded before it.
    case install
    /// Retry later, because the network lost every packet.
    case retry
  }

  /// Returns all stalls of a run in order.
  ///
  /// The result must contain details.
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

  /// Returns the advice for a stall, derived from all earlier events.
  package func remedy(in result: SimulationResult, table: PackTable) -> Remedy {
    if result.requests[request].error == .timedOut { return .retry }
    let began = result.requests[request].began
    for transfer in result.transfers(from: began, to: to) {
      guard let pack = transfer.pack, let time = result.lastPurge(of: pack, upTo: transfer.from) else {
        continue
      }
      return .keep(pack: pack, purgedAt: time)
    }
    let own = awaitedPacks(in: result, table: table)
    let installed = result.summary.installed ?? 0
    let busy = result.lastTransfer(forRequestsOr: own, after: installed, before: began)
    let busyEnd = busy.map { min($0.to, began) } ?? installed
    let free = began - busyEnd
    if free >= duration { return .beginEarlier(duration) }
    // Requests that began before this request were served first.
    let isUrgent = result.requests[request].priority == .urgent
    let othersArrived = result.transfers(from: began, to: to).contains { transfer in
      transfer.isForRequest && transfer.pack.map { !own.contains($0) } ?? false
    }
    if othersArrived, result.wasWaiting(before: request, at: began), !isUrgent {
      return .raisePriority(duration)
    }
    if let pack = busy?.pack, own.contains(pack) { return .shrink }
    if began <= installed { return .install }
    return free > 0 ? .beginAndSplit(free) : .prefetch
  }

  /// The packs of the request that were transferred during the stall, as positions in the result's `packs`.
  private func awaitedPacks(in result: SimulationResult, table: PackTable) -> Set<Int> {
    let tags = Set(result.requests[request].tags)
    return Set(result.transfers(from: from, to: to).compactMap(\.pack)).filter {
      !tags.isDisjoint(with: table.tags(of: $0))
    }
  }

  /// Whether the first release already prefetches all packs that the request waited for.
  package func isPrefetched(in result: SimulationResult, table: PackTable) -> Bool {
    let release = table.firstRelease
    let prefetched = Set(release.prefetch.map { release.packs[$0].id })
    let own = awaitedPacks(in: result, table: table)
    return !own.isEmpty && own.allSatisfy { prefetched.contains(result.packs[$0].id) }
  }
}

/// The size of a tag, and the tag's state after each step of a run.
///
/// This is similar to a row of the table in Xcode's debugger.
package struct TagGauge: Sendable {
  /// The combined state of all packs of a tag; the raw value is its name.
  package enum State: String, Sendable, CaseIterable {
    case notDownloaded = "not downloaded"
    case downloading
    case downloaded
    case inUse = "in use"
    case purged
  }

  package let tag: String
  /// The size in bytes of the tag's packs in the first release.
  package let size: Int64
  /// The tag's states after the requested steps.
  package let states: [State]

  /// Returns the gauges of all tags of the first release after some steps.
  ///
  /// The steps are given as indices in the result's `steps`.
  package static func all(of result: SimulationResult, table: PackTable, after steps: [Int]) -> [TagGauge] {
    return table.tags.map { tag in
      let packs = table.tagNumbers[tag].map { table.first.packsOfTag[$0].map(Int.init) } ?? []
      let rows = packs.map { table.rows[$0] }
      let users = result.requests.filter { $0.error == nil && $0.tags.contains(tag) }
      let states = steps.map { step -> State in
        let isUsed = users.contains { request in
          (request.step..<request.last).contains(step)
            && (request.available ?? .max) <= result.steps[step].to
        }
        if isUsed { return .inUse }
        return combined(
          rows.map { result.states[$0].last { $0.step <= step }?.state ?? .notDownloaded })
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
