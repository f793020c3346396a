import System

/// A player's steps on a device and a link, with the limits on the result.
package struct Scenario: Sendable {
  /// The link at the start; nil where there is no network.
  package var network: NetworkProfile?
  package var device = SimulatedDevice()
  /// Packs that come over the link at a time, with equal shares of its rate.
  package var connections = 1
  /// Microseconds that a player or an install waits while a network loses everything.
  package var patience: Int64 = 30_000_000
  /// The steps as they are written, those of repeats once.
  package var steps: [ScenarioStep] = []
  /// The steps in the order in which they are done, by their place in `steps`.
  package var order: [Int] = []
  package var expectations: [Expectation] = []
  package var rules = RuntimeRules()

  /// Steps that are done at most.
  package static let maxSteps = 1_000_000
  /// The most packs at a time.
  package static let maxConnections = 64

  /// A scenario that does some steps once each.
  package init(
    network: NetworkProfile? = nil, device: SimulatedDevice = SimulatedDevice(),
    doing actions: [ScenarioStep.Action] = []
  ) {
    (self.network, self.device) = (network, device)
    steps = actions.map { ScenarioStep(action: $0, offset: 0) }
    order = Array(actions.indices)
  }
}

/// What the system does with packs by itself; the default are the rules of On-Demand Resources.
package struct RuntimeRules: Sendable {
  /// Whether packs are purged for space; else what does not fit fails.
  package var purges = true
  /// Whether packs in use at once are limited.
  package var limitsUse = true
  /// Whether stored packs that an update changes are downloaded again without being asked for.
  package var renews = false
  /// The order of packs that the system downloads by itself.
  package var background = BackgroundOrder.listed

  /// The order of packs that are downloaded in the background; the raw value is its name in flags.
  package enum BackgroundOrder: String, Sendable, CaseIterable {
    /// As the manifest lists tags.
    case listed
    case id
    case smallest
    case largest
  }

  package init() {}

  /// The rules of Background Assets, as far as they are known.
  package static var backgroundAssets: RuntimeRules {
    var rules = RuntimeRules()
    (rules.purges, rules.limitsUse, rules.renews, rules.background) = (false, false, true, .id)
    return rules
  }
}

/// The device that a scenario is played on.
package struct SimulatedDevice: Sendable, Hashable {
  /// Bytes that packs may take up; without a limit there is no end to them.
  package var space: Int64
  /// Bytes that packs of open requests may have together; nil for as many as the profile of the packs advises.
  package var inUseLimit: Int64?

  package init(space: Int64 = .max, inUseLimit inUse: Int64? = nil) {
    (self.space, self.inUseLimit) = (space, inUse)
  }
}

/// One step of a scenario.
package struct ScenarioStep: Sendable {
  /// The action.
  package enum Action: Sendable, Hashable {
    case install
    case begin([String], as: String, priority: LoadingPriority)
    case conditional([String], as: String)
    case end(String)
    case await(String)
    case priority(String, to: LoadingPriority)
    case preserve([String], to: Double)
    /// Microseconds.
    case play(Int64)
    /// Nil where the network goes away.
    case network(NetworkProfile?)
    /// Bytes.
    case space(Int64)
    case quit
    /// Ends the process in the middle of whatever it does.
    case kill
    /// The manifest or built folder of a new release, as the scenario names it.
    case update(String)
  }

  package let action: Action
  /// The offset of the step's value in the scenario's text.
  package let offset: Int

  package init(action: Action, offset: Int) { (self.action, self.offset) = (action, offset) }
}

/// How soon the packs of a request are to be loaded.
package enum LoadingPriority: Sendable, Hashable {
  /// From 0 to 1, higher first.
  case level(Double)
  /// Before all others.
  case urgent

  /// What holds where nothing is said.
  package static let standard = LoadingPriority.level(0.5)
}

/// A limit on what a run may come to.
package struct Expectation: Sendable {
  /// The limited value; the raw value is its key in a scenario.
  package enum Kind: String, Sendable, CaseIterable {
    case installed
    case stalled
    case stalls
    case downloaded
    case errors
  }

  package let kind: Kind
  /// The most: microseconds, bytes or a count.
  package let allowed: Int64
  /// The offset of the value in the scenario's text.
  package let offset: Int

  package init(kind: Kind, allowed: Int64, offset: Int) {
    (self.kind, self.allowed, self.offset) = (kind, allowed, offset)
  }

  /// What a run came to: microseconds, bytes or a count; nil where the app is never installed.
  package func value(in summary: SimulationResult.Summary) -> Int64? {
    switch kind {
    case .installed: summary.installed
    case .stalled: summary.stalled
    case .stalls: Int64(summary.stalls)
    case .downloaded: summary.transferred
    case .errors: Int64(summary.errors)
    }
  }
}

extension Scenario {
  /// By how many microseconds and bytes a result exceeds what is expected; numbers of waits and failures only follow these.
  package func excess(in summary: SimulationResult.Summary) -> Int64 {
    expectations.filter { $0.kind != .stalls && $0.kind != .errors }.saturatingSum {
      max(0, ($0.value(in: summary) ?? .max) - $0.allowed)
    }
  }
}
