import Formats
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
  package var inUse: Int64?

  package init(space: Int64 = .max, inUse: Int64? = nil) {
    (self.space, self.inUse) = (space, inUse)
  }
}

/// One step of a scenario.
package struct ScenarioStep: Sendable {
  /// The action.
  package enum Action: Sendable, Hashable {
    case install
    case begin([String], as: String, LoadingPriority)
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

/// A link to the network as a device has it: how fast it is, and how long the first byte takes.
package struct NetworkProfile: Sendable, Hashable {
  /// Bits per second, 1 or more.
  package var rate: Int64
  /// Microseconds from asking for a pack to its first byte.
  package var latency: Int64
  /// Microseconds that each new connection waits first, until the server's name is looked up.
  package var lookup: Int64 = 0
  /// Whether connections are accepted, and nothing ever comes over them.
  package private(set) var losesAll = false

  package init(rate: Int64, latency: Int64, lookup: Int64 = 0) {
    (self.rate, self.latency, self.lookup) = (rate, latency, lookup)
  }

  /// The network that loses every packet.
  package static let silent = {
    var network = NetworkProfile(rate: 1, latency: 0)
    network.losesAll = true
    return network
  }()

  /// The links that can be named, slowest first; after Apple's Network Link Conditioner and Chrome's DevTools.
  ///
  /// Apple's "Very Bad Network" has 1 Mbit/s, a round trip of 1 s, and loses 10 % of the packets. TCP then comes to about
  /// 45 kbit/s (Mathis: segments of 11,680 bits, once a second, times 1.22 / √0.1), which is its rate here.
  package static let all: [(name: String, network: NetworkProfile)] = [
    ("100% Loss", silent),
    ("Very Bad Network", NetworkProfile(rate: 45_000, latency: 1_000_000)),
    ("Edge", NetworkProfile(rate: 240_000, latency: 840_000)),
    ("3G", NetworkProfile(rate: 780_000, latency: 200_000)),
    ("Slow 4G", NetworkProfile(rate: 1_440_000, latency: 562_500)),
    ("DSL", NetworkProfile(rate: 2_000_000, latency: 10_000)),
    ("Fast 4G", NetworkProfile(rate: 8_100_000, latency: 165_000)),
    ("High Latency DNS", NetworkProfile(rate: 40_000_000, latency: 2_000, lookup: 3_000_000)),
    ("Wi-Fi", NetworkProfile(rate: 40_000_000, latency: 2_000)),
    ("LTE", NetworkProfile(rate: 50_000_000, latency: 115_000)),
    ("Wi-Fi 802.11ac", NetworkProfile(rate: 250_000_000, latency: 2_000)),
  ]

  /// The name for no network at all.
  package static let noName = "none"

  /// The link of a name, whose case does not count; nil where there is none of it.
  package static func named(_ name: String) -> NetworkProfile? {
    let lowered = name.lowercased()
    return all.first { $0.name.lowercased() == lowered }?.network
  }

  /// The name of a link; nil where it has none.
  package var name: String? { Self.all.first { $0.network == self }?.name }

  /// The named networks that phones have away from Wi-Fi.
  private static let cellularNames: Set = ["Edge", "3G", "Slow 4G", "Fast 4G", "LTE"]

  /// Whether it is a named network of a mobile carrier, over which the store limits the size of an install.
  package var isCellular: Bool { name.map(Self.cellularNames.contains) ?? false }

  /// Microseconds that bytes take once they flow, rounded up; nil for more than can be counted.
  package func time(for bytes: Int64) -> Int64? {
    if losesAll { return nil }
    return Int64(exactly: (UInt128(bytes) * ActiveTransfer.parts + UInt128(rate) - 1) / UInt128(rate))
  }

  /// Whether a name means no network at all; case is ignored.
  package static func isNone(_ name: String) -> Bool { name.lowercased() == noName }
}

/// The end of a message on a name that no link has: the nearest, or all of `names`.
package func linkHint(
  _ name: String, among names: [String] = NetworkProfile.all.map(\.name) + [NetworkProfile.noName]
) -> String {
  let near = nearest(to: name, in: names)
  return near == nil ? "; expected one of \(listed(names))" : suggestion(near)
}
