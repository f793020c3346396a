import System

/// A player's steps on a device and a network, and the limits that the result must not exceed.
package struct Scenario: Sendable {
  /// The network at the start; nil if there is no network.
  package var network: NetworkProfile?
  package var device = SimulatedDevice()
  /// The number of packs that are downloaded at the same time.
  ///
  /// The downloads share the network's rate equally.
  package var connections = 1
  /// The number of microseconds that a player or an install waits before giving up, if the network loses
  /// every packet.
  package var patience: Int64 = 30_000_000
  /// The steps as the scenario lists them.
  ///
  /// A step that is repeated is included only once.
  package var steps: [ScenarioStep] = []
  /// The order in which the steps are performed, as indices in `steps`.
  ///
  /// A step that is repeated occurs several times.
  package var order: [Int] = []
  package var expectations: [Expectation] = []
  package var rules = RuntimeRules()

  /// The maximum number of steps that a run can perform.
  package static let maxSteps = 1_000_000
  /// The maximum number of connections.
  package static let maxConnections = 64

  /// Makes a scenario that performs each of the given steps once.
  package init(
    network: NetworkProfile? = nil, device: SimulatedDevice = SimulatedDevice(),
    actions: [ScenarioStep.Action] = []
  ) {
    (self.network, self.device) = (network, device)
    steps = actions.map { ScenarioStep(action: $0, offset: 0) }
    order = Array(actions.indices)
  }
}

/// The rules for the system's downloads and purges of packs.
///
/// The defaults are the rules of On-Demand Resources.
package struct RuntimeRules: Sendable {
  /// Whether the system purges packs to get free space.
  ///
  /// If it does not purge packs, the download of a pack that does not fit fails.
  package var purges = true
  /// Whether the total size of packs in use is limited.
  package var limitsUse = true
  /// Whether the system downloads a stored pack again, without a request, if an update changes the pack.
  package var renews = false
  /// The order in which the system downloads packs that no request needs.
  package var background = BackgroundOrder.listed

  /// An order of downloads in the background; the raw value is its name in flags.
  package enum BackgroundOrder: String, Sendable, CaseIterable {
    /// The order of the tags in the manifest.
    case listed
    case id
    case smallest
    case largest
  }

  package init() {}

  /// The rules of Background Assets, as far as Apple documents them.
  package static var backgroundAssets: RuntimeRules {
    var rules = RuntimeRules()
    (rules.purges, rules.limitsUse, rules.renews, rules.background) = (false, false, true, .id)
    return rules
  }
}

/// The device of a scenario.
package struct SimulatedDevice: Sendable, Hashable {
  /// The space for packs on the device in bytes; unlimited by default.
  package var space: Int64
  /// The maximum total size in bytes of the packs that open requests use; nil to use the limit of the store's
  /// profile.
  package var inUseLimit: Int64?

  package init(space: Int64 = .max, inUseLimit inUse: Int64? = nil) {
    (self.space, self.inUseLimit) = (space, inUse)
  }
}

/// One step of a scenario.
package struct ScenarioStep: Sendable {
  /// The action of a step.
  package enum Action: Sendable, Hashable {
    case install
    case begin([String], as: String, priority: LoadingPriority)
    case conditional([String], as: String)
    case end(String)
    case await(String)
    case priority(String, to: LoadingPriority)
    case preserve([String], to: Double)
    /// Plays for this number of microseconds.
    case play(Int64)
    /// Changes the network; nil means that there is no network from then on.
    case network(NetworkProfile?)
    /// Sets the space for packs, in bytes.
    case space(Int64)
    case quit
    /// Ends the app's process immediately, in the middle of its work.
    case kill
    /// Installs a new release, or stages it.
    ///
    /// The string is the path of its manifest or built folder, as written in the scenario.
    case update(String, UpdateTiming)
    /// Installs the staged update.
    case apply
  }

  package let action: Action
  /// The offset of the step's value in the text of the scenario.
  package let offset: Int

  package init(action: Action, offset: Int) { (self.action, self.offset) = (action, offset) }
}

/// The time at which an update replaces the current release.
package enum UpdateTiming: Sendable, Hashable {
  /// In the `update` step itself, while the app does not run.
  case immediate
  /// In the `apply` step.
  ///
  /// Until then, the new packs of stored tags are downloaded, and the old packs stay available.
  case staged
}

/// How soon the packs of a request are loaded.
package enum LoadingPriority: Sendable, Hashable {
  /// A number from 0 to 1.
  ///
  /// Requests with a higher number come first.
  case level(Double)
  /// The packs are loaded before the packs of all other requests.
  case urgent

  /// The priority of requests that do not set a priority.
  package static let standard = LoadingPriority.level(0.5)
}

/// A limit on a result of a run.
package struct Expectation: Sendable {
  /// The kind of value that is limited; the raw value is its key in a scenario.
  package enum Kind: String, Sendable, CaseIterable {
    case installed
    case stalled
    case stalls
    case downloaded
    case errors
  }

  package let kind: Kind
  /// The maximum value: microseconds, bytes or a count.
  package let allowed: Int64
  /// The offset of the value in the text of the scenario.
  package let offset: Int

  package init(kind: Kind, allowed: Int64, offset: Int) {
    (self.kind, self.allowed, self.offset) = (kind, allowed, offset)
  }

  /// Returns the value of a run that this limit applies to: microseconds, bytes or a count.
  ///
  /// The value is nil if the app is never installed.
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
  /// Returns by how many microseconds and bytes, in total, a run exceeds the limits.
  ///
  /// The sum does not include the limits for the numbers of stalls and errors, because these numbers result
  /// from times and bytes.
  package func excess(in summary: SimulationResult.Summary) -> Int64 {
    expectations.filter { $0.kind != .stalls && $0.kind != .errors }.saturatingSum {
      max(0, ($0.value(in: summary) ?? .max) - $0.allowed)
    }
  }
}
