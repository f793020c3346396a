import Formats
import System

/// Plays a scenario with the packs of a release, following the rules of On-Demand Resources.
///
/// The result depends only on the arguments. The simulation uses no clock, files or threads. Its time jumps
/// from event to event.
package struct Simulation {
  /// The maximum amount of work of a run.
  ///
  /// With these limits, hostile input cannot use unlimited time or memory.
  package struct Bounds: Sendable {
    /// The maximum number of look-ups of packs and requests during the run.
    ///
    /// The default takes a few seconds.
    package var maxLookups = 1_000_000_000
    /// The maximum number of packs that open requests use.
    ///
    /// A pack counts once for each request.
    package var pins = 50_000_000
  }

  let scenario: Scenario
  let table: PackTable
  /// Whether the result lists each transfer and purge.
  let isDetailed: Bool

  var release: PackTable.Catalog
  /// The release of a staged update; nil if there is no staged update.
  var staged: StagedRelease?
  /// For each row of the table, the replaced pack from which a patch can start.
  ///
  /// A row has no entry if no patch is possible.
  var patchSources: [Int: PatchSource] = [:]
  /// Whether `patchSources` can contain packs that are deleted when space is needed.
  var hasUnpinnedPatchSources = false
  var now: Int64 = 0
  var network: NetworkProfile?
  var space: Int64
  var packs: [PackState]
  var result = SimulationResult()
  /// The index of the current step in the scenario's `steps`.
  var source = 0

  /// The maximum total size of packs that are in use at the same time.
  ///
  /// It is the device's limit or, without one, the limit of On-Demand Resources.
  var inUseLimit: Int64 { scenario.device.inUseLimit ?? 2_000_000_000 }
  /// The number of connections to the server, both busy and idle, whose name look-up has started or finished.
  var connections = 0
  /// The running transfers, in the order in which they started.
  var activeTransfers: [ActiveTransfer] = []
  /// The time up to which the bytes of the transfers have been credited.
  var settled: Int64 = 0
  /// The running install; nil if there is none.
  ///
  /// The install has the size of the app, which is nil as soon as the app is stored, and the packs from the
  /// first missing pack on.
  var install: (appSize: Int64?, packs: ArraySlice<Int>)?
  var appTransferred: Int64 = 0
  /// The packs of the prefetch that are not downloaded yet; empty before the app is installed.
  var prefetch: ArraySlice<Int> = []

  // The number of bytes of space that packs take up.
  var reserved: Int64 = 0
  /// The part of `reserved` that is not pinned.
  var purgeable: Int64 = 0
  /// The total size in bytes of the packs that open requests use.
  ///
  /// A pack that several requests use counts once.
  var pinned: Int64 = 0
  /// The packs that can be purged.
  ///
  /// A pack can have several entries, and some of them can be void.
  var purgeQueue = BinaryHeap<PurgeCandidate>()
  var tagPreservation: [Double]

  /// The open requests by their numbers.
  ///
  /// A request's number is its position in the result.
  var requests: [Int: OpenRequest] = [:]
  var waiting = BinaryHeap<WaitingEntry>()
  var newest: [String: Int] = [:]
  /// The number of packs that open requests use.
  ///
  /// A pack counts once for each request.
  var pins = 0

  /// The packs of each step's tags in the current release, by the step's position in the scenario.
  var resolved: [Int: [Int32]?] = [:]
  /// The total number of packs in `resolved`.
  var resolvedPacks = 0

  /// The number of look-ups of packs and requests.
  ///
  /// It depends only on the input.
  var lookups = 0
  let bounds: Bounds

  private init(_ scenario: Scenario, table: PackTable, isDetailed: Bool, bounds: Bounds) {
    self.bounds = bounds
    self.scenario = scenario
    self.table = table
    self.isDetailed = isDetailed
    release = table.first
    network = scenario.network
    space = scenario.device.space
    packs = Array(repeating: PackState(), count: table.rows.count)
    tagPreservation = Array(repeating: 0, count: table.tagNumbers.count)
    result.network = scenario.network
    result.packs = table.ids.map { SimulationResult.Pack(id: $0) }
    if isDetailed { result.states = Array(repeating: [], count: table.ids.count) }
    result.steps.reserveCapacity(scenario.order.count)
  }

  /// How detailed a result is.
  package enum Detail: Sendable {
    case summary
    /// The result also lists each transfer and purge.
    case events
  }

  /// Plays a scenario.
  ///
  /// - Throws: an error for a step that is impossible at its position, or for the step at which the work
  ///   exceeds the bounds.
  package static func run(
    _ scenario: Scenario, on table: PackTable, detail: Detail = .summary, within bounds: Bounds = Bounds()
  ) throws(ScenarioMistake) -> SimulationResult {
    var simulation = Simulation(scenario, table: table, isDetailed: detail == .events, bounds: bounds)
    try simulation.play()
    return simulation.result
  }

  private mutating func play() throws(ScenarioMistake) {
    for step in scenario.order {
      source = step
      result.steps.append(SimulationResult.Step(source: step, from: now, to: now))
      let goesOn = try perform(scenario.steps[step].action)
      // Events that take no time are handled before the next step.
      advance(to: now)
      try spend(0)
      result.steps[result.steps.count - 1].to = now
      if !goesOn { break }
    }
    finish()
  }

  private mutating func finish() {
    for request in requests.keys {
      closeRequest(request)
      result.requests[request].last = .max
    }
    stopAllTransfers()
    for pack in packs.indices where packs[pack].reserved != nil { endCopy(of: pack) }
    if isDetailed { result.noteLatestAvailable() }
    result.summary.end = now
    result.summary.transferred = result.packs.reduce(appTransferred) {
      $0.saturatingSum(with: $1.transferred)
    }
  }

  /// Advances the time to `time`, and handles all events up to then.
  mutating func advance(to time: Int64) {
    while let event = nextEvent, event <= time {
      now = event
      followEvent()
    }
    now = time
  }

  mutating func advanceToEvent() throws(ScenarioMistake) {
    guard let event = nextEvent else { throw endless }
    now = event
    followEvent()
    try spend(0)
  }

  /// Counts look-ups of packs and requests.
  ///
  /// A scenario with too much work thus ends with a finding.
  mutating func spend(_ count: Int) throws(ScenarioMistake) {
    lookups += count
    if lookups > bounds.maxLookups {
      throw mistake(
        "the scenario is too complex: up to this step, packtool inspects packs and requests more than "
          + "\(grouped(bounds.maxLookups)) times"
      )
    }
  }

  func mistake(_ message: String) -> ScenarioMistake { ScenarioMistake(message: message, source: source) }

  var endless: ScenarioMistake {
    mistake("this step ends after the year 292,000, which is more time than packtool can count")
  }
}

struct PackState {
  /// The number of bytes that are reserved for the pack from the start of its first transfer on; nil if none
  /// are reserved.
  var reserved: Int64?
  /// The number of bytes of the current copy of the pack that have arrived.
  var arrived: Int64 = 0
  var isStored = false
  /// The number of bytes that a download of the whole pack needs.
  ///
  /// The value is set when a request still uses a pack of an earlier release.
  var transfer: Int64 = 0
  /// Whether the pack has ever been stored, even if that copy no longer exists.
  var wasStored = false
  /// The time when the pack was last stored, or when a request last released it.
  var lastUse: Int64 = 0
  /// The number of open requests that use the pack.
  var pins = 0
  /// Whether an open request used this copy of the pack while it was stored.
  var isUsed = false
  /// Whether the pack was purged.
  ///
  /// The prefetch does not download purged packs again.
  var wasPurged = false
  /// The highest preservation priority of the pack's tags.
  var preservation = 0.0
  /// The requests that wait for the pack, including closed requests.
  var waiters: [Int32] = []
  /// The number of open requests in `waiters`.
  var openWaiters = 0
}

/// A stored pack that an update replaced.
struct PatchSource {
  let pack: Int
  /// The digest of the release that the pack is from.
  let release: Digest
}

/// A release that the device has found but not applied yet.
struct StagedRelease {
  let name: String
  let catalog: PackTable.Catalog
  /// The packs of the tags that were stored when the update was found, in the order of their download.
  ///
  /// The list is empty when all packs are stored, or when a pack did not fit.
  private(set) var packs: [Int] = []
  private var members: Set<Int> = []
  /// The number of packs in `packs` that are not stored.
  private var missing = 0
  /// The position in `packs` before which all packs are stored.
  private(set) var firstMissing = 0

  init(name: String, catalog: PackTable.Catalog) { (self.name, self.catalog) = (name, catalog) }

  /// Begins the download of `packs`.
  ///
  /// `missing` is the number of these packs that are not stored.
  mutating func download(_ packs: [Int], missing: Int) {
    if missing == 0 { return }
    (self.packs, members, self.missing) = (packs, Set(packs), missing)
  }

  /// Whether the staged update downloads a pack.
  func downloads(_ pack: Int) -> Bool { members.contains(pack) }

  /// Records that a pack was stored.
  ///
  /// The download ends when the last missing pack is stored.
  mutating func noteStored(_ pack: Int) {
    if !members.contains(pack) { return }
    missing -= 1
    if missing == 0 { endDownload() }
  }

  /// Records that a stored pack was purged.
  ///
  /// The pack will be downloaded again.
  mutating func notePurged(_ pack: Int) {
    if !members.contains(pack) { return }
    missing += 1
    firstMissing = 0
  }

  /// Skips a pack that is stored.
  mutating func passFirst() { firstMissing += 1 }

  /// Ends the download.
  ///
  /// No further packs are downloaded for the update.
  mutating func endDownload() { (packs, members, missing, firstMissing) = ([], [], 0, 0) }
}

struct OpenRequest {
  /// The numbers of the request's packs, sorted.
  let packs: [Int32]
  var priority: LoadingPriority
  var missing: Int
  /// The number of packs at the beginning of `packs` that are known to be stored.
  var stored = 0
  /// The number of entries that the request has had in the queue of waiting requests.
  ///
  /// Only its newest entry is valid.
  var version: Int32 = 0
}

/// An entry in the queue of waiting requests.
///
/// The request of the smallest entry is served first.
struct WaitingEntry: Comparable {
  let priority: LoadingPriority
  let request: Int
  let version: Int32

  static func < (first: WaitingEntry, second: WaitingEntry) -> Bool {
    let ranks = (first.rank, second.rank)
    return ranks.0 == ranks.1 ? first.request < second.request : ranks.0 > ranks.1
  }

  private var rank: Double {
    switch priority {
    case .urgent: .infinity
    case .level(let level): level
    }
  }
}
