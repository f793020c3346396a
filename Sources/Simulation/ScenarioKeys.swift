import Findings
import Formats
import PackKit
import Projects

/// A scenario as it is read, before its steps are known to make sense.
struct ScenarioDraft {
  /// The link, or nil within for no network; nil where none is named.
  var link: NetworkLink??
  var connections = 1
  var device = SimulatedDevice()
  var steps: [StepDraft] = []
  var expectations: [Expectation] = []
}

extension ScenarioDraft {
  private static let linkShape = Shape.either(.text(.linkName), or: .object(LinkDraft.shape))

  /// Every key of a scenario, in the order of the schema.
  static let keys: [ManifestKey<ScenarioDraft>] = [
    ManifestKey("$schema", "Where editors find this schema", .text(.anything)) { _, _, _ in },
    ManifestKey(
      "link", "The link at the start: a name, or a rate and a latency; \"none\" is no network", linkShape
    ) { value, draft, values in
      draft.link = .some(NetworkLink.read(value, values))
    },
    ManifestKey(
      "connections", "How many packs come over the link at a time, with equal shares of its rate",
      .number(in: 1...Scenario.mostConnections), default: .integer(1)
    ) { value, draft, _ in
      draft.connections = value.wholeNumber.map { Int($0) } ?? 1
    },
    ManifestKey("device", "What the device has room for", .object(SimulatedDevice.shape)) {
      value, draft, values in values.read(value, into: &draft.device, by: SimulatedDevice.keys)
    },
    ManifestKey(
      "steps", "What the player does, step by step", .list(of: StepDraft.shape, atLeast: 0),
      isRequired: true
    ) { value, draft, values in
      draft.steps = value.elements?.compactMap { StepDraft($0, values) } ?? []
    },
    ManifestKey("expect", "The most that may come of it", .object(Expectation.shape)) {
      value, draft, values in values.read(value, into: &draft.expectations, by: Expectation.keys)
    },
  ]

  /// The shape of a whole scenario.
  static let shape = Shape.object(ObjectShape(keys: keys.map(\.shape)))
}

extension NetworkLink {
  /// The link that a name or an object describes; nil for no network.
  static func read(_ value: JSONValue, _ values: ManifestValues) -> NetworkLink? {
    if let name = value.string { return named(name) }
    var draft = LinkDraft()
    values.read(value, into: &draft, by: LinkDraft.keys)
    return NetworkLink(rate: max(1, draft.rate), latency: draft.latency)
  }
}

/// A link as it is read.
struct LinkDraft {
  var rate: Int64 = 0
  var latency: Int64 = 0

  static let keys: [ManifestKey<LinkDraft>] = [
    ManifestKey(
      "rate", "Bits per second, or a text such as 50 Mbit/s", .either(.positiveNumber, or: .text(.rate)),
      isRequired: true
    ) { value, draft, _ in
      draft.rate = value.wholeNumber ?? value.string.flatMap(UnitText.rate.number) ?? 0
    },
    ManifestKey(
      "latency", "The time from asking for a pack to its first byte, such as 65 ms", .text(.duration),
      isRequired: true
    ) { value, draft, values in
      draft.latency = values.duration(value) ?? 0
    },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))
}

extension SimulatedDevice {
  static let keys: [ManifestKey<SimulatedDevice>] = [
    ManifestKey("space", "Bytes that packs may take up; without it there is no end to them", .size) {
      value, device, values in device.space = values.size(value) ?? device.space
    },
    ManifestKey(
      "inUse", "Bytes that the packs of all open requests may have", .size, default: .string("2 GB")
    ) { value, device, values in
      device.inUse = values.size(value) ?? device.inUse
    },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))
}

extension Expectation {
  static let keys: [ManifestKey<[Expectation]>] = Kind.allCases.map { kind in
    ManifestKey(kind.rawValue, kind.summary, kind.shape) { value, expectations, values in
      let most =
        switch kind {
        case .installed, .stalled: values.duration(value)
        case .downloaded: values.size(value)
        case .stalls, .errors: value.wholeNumber
        }
      if let most { expectations.append(Expectation(kind, atMost: most, at: value.offset)) }
    }
  }

  static let shape = ObjectShape(keys: keys.map(\.shape))
}

extension Expectation.Kind {
  fileprivate var summary: String {
    switch self {
    case .installed: "The latest time at which the app may be installed"
    case .stalled: "The most time that the player may wait in all"
    case .stalls: "How often the player may wait"
    case .downloaded: "The most bytes that may come over the link"
    case .errors: "How many requests may fail"
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

extension ManifestValues {
  /// Microseconds.
  func duration(_ value: JSONValue) -> Int64? {
    text(value).flatMap { UnitText.duration.number(in: $0.value) }
  }
}

/// Numbers with a unit as scenarios write them: `1.5 s`, `50 Mbit/s`.
struct UnitText: Sendable {
  /// The units with their values.
  let units: [(name: String, scale: Int64)]
  /// Whether what is left over counts as one more.
  let roundsUp: Bool

  /// Times, in microseconds.
  static let duration = UnitText(
    units: [
      ("us", 1), ("ms", 1000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000),
      ("day", 86_400_000_000), ("days", 86_400_000_000),
    ], roundsUp: true)

  /// Rates, in bits per second.
  static let rate = UnitText(
    units: [("bit/s", 1), ("kbit/s", 1000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000)],
    roundsUp: false)

  /// The form that `number(in:)` reads, for the schema.
  var pattern: String { "^[0-9]{1,15}(\\.[0-9]{1,6})? ?(" + units.map(\.name).joined(separator: "|") + ")$" }

  /// The value of a text; nil for any other text.
  func number(in text: String) -> Int64? { Findings.number(in: text, units: units, roundsUp: roundsUp) }
}

extension TextForm {
  /// A time such as `1.5 s`.
  static let duration = TextForm.other(
    pattern: UnitText.duration.pattern, mistake: durationMistake)
  /// Bits per second such as `50 Mbit/s`.
  static let rate = TextForm.other(pattern: UnitText.rate.pattern, mistake: rateMistake)
  /// The name of a link, whose case does not count.
  static let linkName = TextForm.other(mistake: linkNameMistake)
}

private func durationMistake(_ text: String) -> (check: Check, message: String)? {
  if UnitText.duration.number(in: text) != nil { return nil }
  return (
    .invalidValue,
    "\(quoted(text)) is no time; expected a text such as \"200 us\", \"65 ms\", \"1.5 s\", \"3 min\", \"2 h\" or "
      + "\"1 day\""
  )
}

private func rateMistake(_ text: String) -> (check: Check, message: String)? {
  if let rate = UnitText.rate.number(in: text), rate > 0 { return nil }
  return (
    .invalidValue,
    "\(quoted(text)) is no rate; expected bits per second, 1 or more, or a text such as \"780 kbit/s\" or "
      + "\"50 Mbit/s\""
  )
}

private func linkNameMistake(_ text: String) -> (check: Check, message: String)? {
  if NetworkLink.isNone(text) || NetworkLink.named(text) != nil { return nil }
  return (.invalidValue, "the link \(quoted(text)) is unknown\(linkHint(text))")
}
