import Formats
import System

/// Plays a scenario against packs by the rules of on-demand resources.
///
/// A pure function of its values: no clock, no files, no threads. Time goes from event to event.
package struct Simulation {
  /// How much work a run may be, so that hostile input takes neither all time nor all memory.
  package struct Bounds: Sendable {
    /// Looks at packs and requests: some seconds.
    package var maxLookups = 1_000_000_000
    /// Packs that open requests hold at once, each as often as it is held.
    package var pins = 50_000_000
  }

  let scenario: Scenario
  let table: PackTable
  /// Whether transfers and purges are reported one by one.
  let isDetailed: Bool

  var release: PackTable.Catalog
  var now: Int64 = 0
  var network: NetworkProfile?
  var space: Int64
  var packs: [PackState]
  var result = SimulationResult()
  /// The step that is done, by its place in the scenario's `steps`.
  var source = 0

  /// The bytes that may be in use at once: those of the device, or else those that the store's runtime allows.
  var inUseLimit: Int64 { scenario.device.inUseLimit ?? 2_000_000_000 }
  /// Connections to the server, busy ones and idle ones, whose look-ups of its name are over or under way.
  var connections = 0
  /// The transfers on the link, in the order of their starts.
  var activeTransfers: [ActiveTransfer] = []
  /// The time up to which their bytes are counted.
  var settled: Int64 = 0
  /// The install while it is under way: bytes of the app until it is stored, and the packs from the first that is not.
  var install: (appSize: Int64?, packs: ArraySlice<Int>)?
  var appTransferred: Int64 = 0
  /// The packs of the prefetch that are still to come; empty before the app is installed.
  var prefetch: ArraySlice<Int> = []

  // What takes up space.
  var reserved: Int64 = 0
  /// The part that is not pinned.
  var purgeable: Int64 = 0
  /// Bytes of all packs of open requests, each once.
  var pinned: Int64 = 0
  /// The packs that may be purged, some of them more than once or no longer.
  var purgeQueue = BinaryHeap<PurgeCandidate>()
  var tagPreservation: [Double]

  /// The open requests by number: their place in the result.
  var requests: [Int: OpenRequest] = [:]
  var waiting = BinaryHeap<WaitingEntry>()
  var newest: [String: Int] = [:]
  /// Packs that open requests hold, each as often as it is held.
  var pins = 0

  /// The tags of steps as packs of the release in place, by the step's place in the scenario.
  var resolved: [Int: [Int32]?] = [:]
  /// Packs that these have together.
  var resolvedPacks = 0

  /// Looks at packs and requests that steps have taken, as far as their number depends on the input alone.
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
    packs = Array(repeating: PackState(), count: table.ids.count)
    tagPreservation = Array(repeating: 0, count: table.tagNumbers.count)
    result.network = scenario.network
    result.packs = table.ids.map { SimulationResult.Pack(id: $0) }
    if isDetailed { result.states = Array(repeating: [], count: packs.count) }
    result.steps.reserveCapacity(scenario.order.count)
  }

  /// How much a result has.
  package enum Detail: Sendable {
    case summary
    /// Also each transfer and purge.
    case events
  }

  /// Plays a scenario.
  ///
  /// - Throws: a step that makes no sense where it stands, or at which the work is over its bounds.
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
      // Arrivals that take no time come before the next step.
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

  /// Lets time pass until some moment, with all that arrives up to it.
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

  /// Counts looks, so that a scenario of many steps over many packs ends in a finding.
  mutating func spend(_ count: Int) throws(ScenarioMistake) {
    lookups += count
    if lookups > bounds.maxLookups {
      throw mistake(
        "the steps up to here look at packs and requests more than \(grouped(bounds.maxLookups)) times")
    }
  }

  func mistake(_ message: String) -> ScenarioMistake { ScenarioMistake(message: message, source: source) }

  var endless: ScenarioMistake {
    mistake("this takes until after the year 292,000, which is as far as time is counted")
  }
}

struct PackState {
  /// Bytes that it takes up from the link's first start on it on; nil while it takes none.
  var reserved: Int64?
  /// Bytes that have arrived of the copy that is there.
  var arrived: Int64 = 0
  var isStored = false
  /// The release whose contents of the pack are there, as far as patches go; nil for none.
  var patchSource: Digest?
  /// Whether it was stored before, be it in a copy that is gone.
  var wasStored = false
  /// When the last request that held it was closed, or it was stored.
  var lastUse: Int64 = 0
  /// Open requests that hold it.
  var pins = 0
  /// Whether an open request held the copy while it was stored.
  var isUsed = false
  /// Whether it was purged, which a prefetch takes as final.
  var wasPurged = false
  /// The highest preservation priority of its tags.
  var preservation = 0.0
  /// Requests that wait for it, closed ones among them.
  var waiters: [Int32] = []
  /// Those of them that are open.
  var openWaiters = 0
}

struct OpenRequest {
  /// Its packs by number, sorted.
  let packs: [Int32]
  var priority: LoadingPriority
  var missing: Int
  /// Packs at the front of `packs` that are known to be stored.
  var stored = 0
  /// Counts its entries in the queue of waiting requests; all but the newest are void.
  var version: Int32 = 0
}

/// A waiting request as the link's queue sees it: the least is served first.
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
