import Formats
import Model
import Pipeline

struct ScenarioDraft {
  var scenario = Scenario()
  var namesLink = false
  var steps: [StepDraft] = []
}

extension ScenarioDraft {
  private static let linkShape = Shape.either(.text(.linkName), or: .object(NetworkProfile.shape))

  /// All keys of a scenario, in the order of the schema.
  static let keys: [ManifestKey<ScenarioDraft>] = [
    ManifestKey("$schema", summary: "The path or URL of this schema, for editors", shape: .text(.anything)) {
      _, _, _ in
    },
    ManifestKey(
      "link",
      summary: "The network at the start: the name of a network profile, or a rate and a latency; "
        + "\"none\" means no network",
      shape: linkShape
    ) { value, draft, reader in
      draft.scenario.network = NetworkProfile.read(value, reader: reader)
      draft.namesLink = true
    },
    ManifestKey(
      "connections",
      summary: "The number of packs that are downloaded at the same time, with equal shares of the rate",
      shape: .number(in: 1...Scenario.maxConnections), default: .integer(1)
    ) { value, draft, _ in
      draft.scenario.connections = value.wholeNumber.map { Int($0) } ?? 1
    },
    ManifestKey(
      "patience", summary: "How long a player or an installation waits if the network loses all data",
      shape: .text(.duration), default: .string("30 s")
    ) { value, draft, reader in
      draft.scenario.patience = reader.duration(value) ?? draft.scenario.patience
    },
    ManifestKey("device", summary: "The device's limits for packs", shape: .object(SimulatedDevice.shape)) {
      value, draft, reader in reader.read(value, into: &draft.scenario.device, by: SimulatedDevice.keys)
    },
    ManifestKey(
      "steps", summary: "The steps of the player, in order", shape: .list(of: StepDraft.shape, atLeast: 0),
      isRequired: true
    ) { value, draft, reader in
      draft.steps = value.elements?.compactMap { StepDraft($0, reader: reader) } ?? []
    },
    ManifestKey(
      "expect",
      summary: "The maximum results that the scenario expects", shape: .object(Expectation.shape)
    ) {
      value, draft, reader in reader.read(value, into: &draft.scenario.expectations, by: Expectation.keys)
    },
  ]

  static let shape = Shape.object(ObjectShape(keys: keys.map(\.shape)))
}

extension NetworkProfile {
  /// Reads the network from a name or an object; nil if there is no network.
  static func read(_ value: JSONValue, reader: ManifestValueReader) -> NetworkProfile? {
    if let name = value.string { return named(name) }
    var network = NetworkProfile(bitsPerSecond: 1, latencyMicroseconds: 0)
    reader.read(value, into: &network, by: keys)
    return network
  }

  private static let keys: [ManifestKey<NetworkProfile>] = [
    ManifestKey(
      "rate", summary: "Bits per second, or a string such as 50 Mbit/s",
      shape: .either(.positiveNumber, or: .text(.rate)),
      isRequired: true
    ) { value, network, _ in
      network.rate = max(1, value.wholeNumber ?? value.string.flatMap(bitsPerSecond) ?? 1)
    },
    ManifestKey(
      "latency", summary: "The time from the request for a pack to its first byte, such as 65 ms",
      shape: .text(.duration),
      isRequired: true
    ) { value, network, reader in
      network.latency = reader.duration(value) ?? 0
    },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))
}

extension SimulatedDevice {
  static let keys: [ManifestKey<SimulatedDevice>] = [
    ManifestKey(
      "space",
      summary: "Maximum size of packs on the device in bytes; unlimited without this key", shape: .size
    ) {
      value, device, reader in device.space = reader.size(value) ?? device.space
    },
    ManifestKey(
      "inUse",
      summary:
        "Maximum size of the packs of all open requests in bytes (default: the limit of the packs' profile)",
      shape: .size
    ) { value, device, reader in
      device.inUseLimit = reader.size(value) ?? device.inUseLimit
    },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))
}

extension Expectation {
  static let keys: [ManifestKey<[Expectation]>] = Kind.allCases.map { kind in
    ManifestKey(kind.rawValue, summary: kind.summary, shape: kind.shape) { value, expectations, reader in
      let allowed =
        switch kind {
        case .installed, .stalled: reader.duration(value)
        case .downloaded: reader.size(value)
        case .stalls, .errors: value.wholeNumber
        }
      if let allowed { expectations.append(Expectation(kind: kind, allowed: allowed, offset: value.offset)) }
    }
  }

  static let shape = ObjectShape(keys: keys.map(\.shape))
}

extension Expectation.Kind {
  fileprivate var summary: String {
    switch self {
    case .installed: "Maximum time until the app is installed"
    case .stalled: "Maximum total time that the player waits"
    case .stalls: "Maximum number of times that the player waits"
    case .downloaded: "Maximum number of downloaded bytes"
    case .errors: "Maximum number of requests that fail"
    }
  }

  fileprivate var shape: Shape {
    switch self {
    case .installed, .stalled: .text(.duration)
    case .downloaded: .size
    case .stalls, .errors: .wholeNumber
    }
  }
}

extension ManifestValueReader {
  /// Reads a duration in microseconds.
  func duration(_ value: JSONValue) -> Int64? {
    text(value).flatMap { microseconds(in: $0.value) }
  }
}

private let timeUnits: [(name: String, scale: Int64)] = [
  ("us", 1), ("ms", 1000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000),
  ("day", 86_400_000_000), ("days", 86_400_000_000),
]

private let rateUnits: [(name: String, scale: Int64)] = [
  ("bit/s", 1), ("kbit/s", 1000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000),
]

/// A regular expression for numbers with a unit, for the schema.
private func pattern(of units: [(name: String, scale: Int64)]) -> String {
  "^[0-9]{1,15}(\\.[0-9]{1,6})? ?(" + units.map(\.name).joined(separator: "|") + ")$"
}

/// Reads a number of microseconds from a string such as `1.5 s`; nil for any other string.
private func microseconds(in text: String) -> Int64? { number(in: text, units: timeUnits, rounding: .up) }

/// Reads a number of bits per second from a string such as `50 Mbit/s`; nil for any other string.
private func bitsPerSecond(in text: String) -> Int64? { number(in: text, units: rateUnits, rounding: .down) }

extension StringFormat {
  static let duration = value(pattern(of: timeUnits), example: "10 s") { text in
    microseconds(in: text) != nil
      ? nil
      : "\(quoted(text)) is not a time; expected a string such as \"200 us\", \"65 ms\", \"1.5 s\", "
        + "\"3 min\", \"2 h\" or \"1 day\""
  }
  static let rate = value(pattern(of: rateUnits), example: "50 Mbit/s") { text in
    bitsPerSecond(in: text) ?? 0 > 0
      ? nil
      : "\(quoted(text)) is not a rate; expected a number of bits per second, at least 1, or a string such "
        + "as \"780 kbit/s\" or \"50 Mbit/s\""
  }
  /// The name that an earlier step gave a request.
  static let requestName = value(example: "level 1") { _ in nil }
  /// Reads the name of a network profile, ignoring case.
  static let linkName = value(example: "3G") { text in
    NetworkProfile.isNone(text) || NetworkProfile.named(text) != nil
      ? nil : "the network profile \(quoted(text)) is unknown\(linkHint(text))"
  }

  private static func value(
    _ pattern: String? = nil, example: String, mistake: @escaping @Sendable (String) -> String?
  ) -> StringFormat {
    .other(pattern: pattern, example: example) { text in mistake(text).map { (.invalidValue, $0) } }
  }
}

/// A step as the scenario contains it: an action, or a list of other steps that are repeated.
enum StepDraft {
  case action(ScenarioStep)
  case repeated(count: Int64, [StepDraft], offset: Int)

  /// A kind of step: its keys, and a function that makes the action from the values of these keys.
  ///
  /// The first key identifies the kind.
  struct Kind: Sendable {
    let keys: [KeyShape]
    /// A step of this kind, for messages; nil if messages need no example.
    let example: String?
    /// Names that users write instead of the first key.
    let otherNames: [String]
    let action: @Sendable (JSONValue, ManifestValueReader) -> ScenarioStep.Action

    init(
      _ keys: KeyShape..., example: String? = nil, isCalled otherNames: [String] = [],
      action: @escaping @Sendable (JSONValue, ManifestValueReader) -> ScenarioStep.Action
    ) {
      (self.keys, self.example, self.otherNames, self.action) = (keys, example, otherNames, action)
    }

    var name: String { keys[0].name }
  }

  /// The kinds of steps, in the order of the schema.
  ///
  /// If the first key of one kind is also a key of a second kind, the second kind comes first.
  static let kinds: [Kind] = [
    Kind(
      key(
        "install", summary: "Downloads the app and the initial install; must be the first step",
        shape: .onlyTrue)
    ) { _, _ in
      .install
    },
    Kind(
      key("begin", summary: "Requests all packs of some tags", shape: tags), asKey,
      optionalKey(
        "priority",
        summary:
          "The loading priority of the packs: a number from 0 to 1; higher numbers are downloaded first, and "
          + "\"urgent\" before all numbers",
        shape: priority),
      example: #"{"begin": ["Level 1"], "as": "level 1"}"#,
      isCalled: ["request", "load", "open", "start", "download", "fetch"]
    ) { step, _ in .begin(step.tags("begin"), as: step.text("as"), priority: step.priority("priority")) },
    Kind(
      key(
        "conditional",
        summary: "Opens a request for some tags, but only if all of their packs are on the device",
        shape: tags),
      asKey
    ) { step, _ in .conditional(step.tags("conditional"), as: step.text("as")) },
    Kind(
      key("await", summary: "Waits until all packs of a request are available", shape: .text(.requestName))
    ) {
      step, _ in
      .await(step.text("await"))
    },
    Kind(
      key("end", summary: "Closes a request; this does not delete anything", shape: .text(.requestName)),
      example: #"{"end": "level 1"}"#, isCalled: ["release", "close", "finish", "stop", "unload"]
    ) { step, _ in
      .end(step.text("end"))
    },
    Kind(
      key("priority", summary: "Changes the loading priority of a request", shape: .text(.requestName)),
      key("to", summary: "The new priority: a number from 0 to 1, or \"urgent\"", shape: priority)
    ) { step, _ in .priority(step.text("priority"), to: step.priority("to")) },
    Kind(
      key("preserve", summary: "Sets the preservation priority of the packs of some tags", shape: tags),
      key(
        "to", summary: "A number from 0 to 1; packs with the lowest priority are purged first",
        shape: .fraction)
    ) { step, _ in .preserve(step.tags("preserve"), to: step.member("to")?.fraction ?? 0) },
    Kind(
      key("play", summary: "Lets time pass", shape: .text(.duration)),
      example: #"{"play": "10 s"}"#, isCalled: ["wait", "sleep", "delay", "pause", "idle", "time"]
    ) { step, reader in
      .play(step.member("play").flatMap(reader.duration) ?? 0)
    },
    Kind(
      key(
        "link", summary: "Changes the network",
        shape: .either(.text(.linkName), or: .object(NetworkProfile.shape))),
      example: #"{"link": "3G"}"#, isCalled: ["network", "connection"]
    ) { step, reader in .network(step.member("link").flatMap { NetworkProfile.read($0, reader: reader) }) },
    Kind(
      key(
        "space",
        summary: "Changes the maximum size of packs on the device", shape: .size)
    ) { step, reader in
      .space(step.member("space").flatMap(reader.size) ?? 0)
    },
    Kind(key("quit", summary: "Closes all requests", shape: .onlyTrue)) { _, _ in .quit },
    Kind(
      key(
        "kill", summary: "Kills the app; downloads keep the bytes that have already arrived",
        shape: .onlyTrue)
    ) { _, _ in .kill },
    Kind(
      key(
        "update",
        summary:
          "Updates the app to another release: the path of a manifest or built folder, relative to the "
          + "scenario",
        shape: .text(.anything)),
      optionalKey(
        "staged",
        summary:
          "Downloads the new packs of stored tags after the packs of all requests; the app uses the old "
          + "release until \"apply\"",
        shape: .onlyTrue)
    ) { step, _ in .update(step.text("update"), step.member("staged") == nil ? .immediate : .staged) },
    Kind(key("apply", summary: "Switches to the staged update", shape: .onlyTrue)) { _, _ in .apply },
    // This action is never used, because packtool performs the steps in the list of `repeat` instead.
    Kind(
      key("repeat", summary: "Repeats the steps this many times", shape: .wholeNumber),
      key("steps", summary: "The steps to repeat", shape: .list(of: shape, atLeast: 0))
    ) { _, _ in .quit },
  ]

  static let shape = Shape.variants(name: "step") { shapes }

  static let shapes = kinds.map {
    ObjectShape(keys: $0.keys).named(by: $0.otherNames, example: $0.example)
  }

  private static let tags = Shape.list(of: .text(.anything), atLeast: 1)
  private static let priority = Shape.either(.fraction, or: .choice(["urgent"]))
  private static let asKey = {
    var shape = key("as", summary: "The name of the request, for later steps", shape: .text(.requestName))
    shape.example = #""as": "level 1""#
    return shape
  }()

  private static func key(_ name: String, summary: String, shape: Shape) -> KeyShape {
    ManifestKey<Void>(name, summary: summary, shape: shape, isRequired: true) { _, _, _ in }.shape
  }

  private static func optionalKey(_ name: String, summary: String, shape: Shape) -> KeyShape {
    ManifestKey<Void>(name, summary: summary, shape: shape) { _, _, _ in }.shape
  }

  /// Whether every step of a list has a known kind, and every update step specifies its release.
  static func areAllRead(in steps: JSONValue) -> Bool {
    guard let elements = steps.elements else { return false }
    return elements.allSatisfy { step in
      switch kinds.first(where: { step.member($0.name) != nil })?.name {
      case nil: false
      case "repeat": step.member("steps").map(areAllRead) ?? false
      case "update": step.member("update")?.string != nil
      default: true
      }
    }
  }

  /// Reads a step from its JSON; nil if its kind is unknown.
  ///
  /// Unknown kinds have already been reported.
  init?(_ value: JSONValue, reader: ManifestValueReader) {
    guard let kind = Self.kinds.first(where: { value.member($0.name) != nil }),
      let own = value.member(kind.name)
    else { return nil }
    if kind.name == "repeat" {
      let steps = value.member("steps")?.elements?.compactMap { StepDraft($0, reader: reader) } ?? []
      self = .repeated(count: own.wholeNumber ?? 1, steps, offset: own.offset)
    } else {
      self = .action(ScenarioStep(action: kind.action(value, reader), offset: own.offset))
    }
  }
}

extension JSONValue {
  fileprivate func tags(_ key: String) -> [String] { member(key)?.elements?.compactMap(\.string) ?? [] }

  fileprivate func text(_ key: String) -> String { member(key)?.string ?? "" }

  fileprivate func priority(_ key: String) -> LoadingPriority {
    guard let value = member(key) else { return .standard }
    return value.fraction.map(LoadingPriority.level) ?? .urgent
  }
}

extension Scenario {
  /// The JSON Schema of scenarios, made from the same list of keys that the reader uses.
  package static var schemaText: String {
    let kinds = StepDraft.shapes.map(\.schema)
    let steps: [(String, JSONText)] = [
      ("$defs", .ordered([("step", .ordered([("anyOf", .array(kinds))]))]))
    ]
    return ScenarioDraft.shape.schemaFile(
      title: "packtool scenario",
      description: "The steps of a player. packtool simulates how long the player waits.",
      extraMembers: steps)
  }
}
