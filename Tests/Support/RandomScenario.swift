package import Formats
import Pipeline
package import Play
import Testing

/// A random scenario as JSON, with its releases.
package struct RandomScenario {
  package let release: SimulatedRelease
  package let updates: [String: SimulatedRelease]
  package var scenario = JSONText.null
  /// The number of packs that are downloaded at the same time.
  package private(set) var connections = 1

  private var random: Dice
  private var open: [String] = []
  private var names = 0
  private var quits = 0

  /// Whether sizes are whole megabytes and the network transfers one megabyte per second.
  ///
  /// In this case, many events happen at the same time.
  private let isRound: Bool
  private let steps: Steps
  /// Whether an update is staged after the steps that were made so far.
  private var isStaged = false

  /// The kinds of steps in a random scenario.
  package enum Steps: Sendable {
    /// All kinds of steps except staged updates and networks that lose everything.
    case plain
    case all
  }

  package init(seed: UInt64, steps: Steps = .plain) {
    var dice = Dice(seed: seed)
    self.steps = steps
    isRound = dice.chance(40)
    let first = Self.release(&dice, isRound)
    release = first
    switch steps {
    case .plain: updates = dice.chance(30) ? ["2.0": Self.successor(of: first, &dice, isRound)] : [:]
    case .all:
      let second = Self.successor(of: first, &dice, isRound)
      updates = ["1.0": first, "2.0": second, "3.0": Self.successor(of: second, &dice, isRound)]
    }
    random = dice
    scenario = makeScenario()
  }

  /// One line of input for the oracle.
  package var task: String {
    let releases = updates.mapValues(Self.json)
    let task = JSONText.object([
      "release": Self.json(of: release), "updates": .object(releases), "scenario": scenario,
    ])
    return task.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  private static let tags = ["a", "b", "c", "d", "e"]

  private static func size(_ dice: inout Dice, _ isRound: Bool) -> Int64 {
    if dice.chance(8) { return 0 }
    return isRound ? Int64(dice.below(6)) * 1_000_000 : Int64(dice.below(3_000_000))
  }

  private static func release(_ dice: inout Dice, _ isRound: Bool) -> SimulatedRelease {
    var packs: [SimulatedRelease.Pack] = []
    var seen: Set<[String]> = []
    for _ in 0..<(2 + dice.below(9)) {
      let tags = tags.filter { _ in dice.chance(30) }
      if tags.isEmpty || !seen.insert(tags).inserted { continue }
      packs.append(pack(tags, &dice, isRound))
    }
    if packs.isEmpty { packs = [pack(["a"], &dice, isRound)] }
    packs.sort { $0.id < $1.id }
    var places = Array(packs.indices)
    dice.shuffle(&places)
    let initial = dice.below(3)
    let prefetch = dice.below(5)
    return SimulatedRelease(
      packs: packs, initialInstall: Array(places.prefix(initial)),
      prefetch: Array(places.dropFirst(initial).prefix(prefetch)),
      appSize: dice.chance(50) ? size(&dice, isRound) : nil)
  }

  private static func pack(_ tags: [String], _ dice: inout Dice, _ isRound: Bool) -> SimulatedRelease.Pack {
    let size = size(&dice, isRound)
    let id = "\(dice.below(1000)).\(tags.joined())"
    return SimulatedRelease.Pack(
      id: id, tags: tags, size: size,
      transferSize: dice.chance(50) ? size : Self.size(&dice, isRound), contentID: "\(dice.below(1_000_000))")
  }

  private static func successor(
    of old: SimulatedRelease, _ dice: inout Dice, _ isRound: Bool
  ) -> SimulatedRelease {
    var release = old
    release.packs = old.packs.compactMap { pack in
      if dice.chance(15) { return nil }
      if dice.chance(60) { return pack }
      let size = size(&dice, isRound)
      return SimulatedRelease.Pack(
        id: pack.id, tags: pack.tags, size: size, transferSize: size, contentID: "new \(dice.below(1000))")
    }
    if dice.chance(30) { release.packs.append(pack(["new"], &dice, isRound)) }
    release.initialInstall = []
    release.prefetch = []
    return release
  }

  private static func json(of release: SimulatedRelease) -> JSONText {
    let packs = release.packs.map { pack in
      JSONText.object([
        "id": .string(pack.id), "tags": .array(pack.tags.map(JSONText.string)), "size": .integer(pack.size),
        "transfer": .integer(pack.transfer), "content": .string(pack.content),
      ])
    }
    func ids(_ places: [Int]) -> JSONText { .array(places.map { .string(release.packs[$0].id) }) }
    return .object([
      "packs": .array(packs), "initialInstall": ids(release.initialInstall),
      "prefetch": ids(release.prefetch),
      "appSize": release.appSize.map(JSONText.integer) ?? .null,
    ])
  }
}

extension RandomScenario {
  private mutating func makeScenario() -> JSONText {
    let total = release.packs.reduce(0) { $0 + $1.size }
    var members: [String: JSONText] = ["link": network()]
    if random.chance(60) {
      var device: [String: JSONText] = [:]
      if random.chance(80) { device["space"] = .integer(total * Int64(20 + random.below(80)) / 100) }
      if random.chance(15) { device["inUse"] = .integer(total * Int64(20 + random.below(80)) / 100) }
      members["device"] = .object(device)
    }
    var steps: [JSONText] = random.chance(45) ? [.object(["install": .bool(true)])] : []
    for _ in 0..<(4 + random.below(40)) {
      steps.append(contentsOf: step(depth: 0))
      if self.steps == .all && random.chance(15) { steps.append(contentsOf: stagedUpdate()) }
    }
    members["steps"] = .array(steps)
    if self.steps == .all && random.chance(50) { members["patience"] = time() }
    // This code comes last, because the steps for a seed must stay the same.
    if random.chance(50) {
      connections = random.pick([2, 3, 4, 16])
      members["connections"] = .integer(connections)
    }
    return .object(members)
  }

  /// Returns a step that stages an update.
  ///
  /// If an update is already staged, returns the step that applies it.
  private mutating func stagedUpdate() -> [JSONText] {
    isStaged.toggle()
    if !isStaged { return [.object(["apply": .bool(true)])] }
    return [.object(["update": .string(random.pick(["1.0", "2.0", "3.0"])), "staged": .bool(true)])]
  }

  private mutating func network() -> JSONText {
    if steps == .all && random.chance(10) { return .string("100% Loss") }
    if random.chance(4) { return .string(random.chance(50) ? "none" : "None") }
    if isRound {
      return .object([
        "rate": .string(random.chance(70) ? "8 Mbit/s" : "4 Mbit/s"),
        "latency": .string(random.pick(["0 us", "1 s", "500 ms"])),
      ])
    }
    if random.chance(50) {
      return .string(
        random.pick(["LTE", "3g", "Wi-Fi", "Edge", "DSL", "slow 4G", "Fast 4G", "WI-FI 802.11AC"]))
    }
    return .object([
      "rate": random.chance(50) ? .integer(Int64(1 + random.below(90_000_000))) : .string("1.7 Mbit/s"),
      "latency": .string("\(random.below(300_000)) us"),
    ])
  }

  private mutating func priority() -> JSONText {
    random.chance(20) ? .string("urgent") : .real(random.pick([0, 0.25, 0.5, 0.75, 1]))
  }

  private mutating func someTags() -> JSONText {
    if random.chance(4) { return .array([.string("x")]) }
    let known = Set(release.packs.flatMap(\.tags)).sorted()
    let tags = known.filter { _ in random.chance(25) }
    return .array((tags.isEmpty ? [random.pick(known)] : tags).map(JSONText.string))
  }

  private mutating func time() -> JSONText {
    .string(isRound ? "\(random.below(8)) s" : "\(random.below(12_000_000)) us")
  }

  /// Returns a step that begins a request with a new name.
  private mutating func begun(_ key: String, _ more: [String: JSONText]) -> [JSONText] {
    names += 1
    let name = "r\(names)"
    open.append(name)
    var members = more
    members[key] = someTags()
    members["as"] = .string(name)
    return [.object(members)]
  }

  private mutating func step(depth: Int) -> [JSONText] {
    switch random.below(depth == 0 ? 30 : 28) {
    case 0..<7:
      let begin = begun("begin", random.chance(50) ? ["priority": priority()] : [:])
      // Most players wait for the packs that they have requested.
      let name = JSONText.string(open[open.count - 1])
      let wait = random.chance(50) ? [JSONText.object(["await": name])] : []
      return begin + wait + (random.chance(40) ? [.object(["play": time()]), .object(["end": name])] : [])
    case 7..<9: return begun("conditional", [:])
    case 9..<13: return [.object(["play": time()])]
    case 13..<18: return named("await")
    case 18..<22: return named("end")
    case 22: return named("priority", ["to": priority()])
    case 23: return [.object(["preserve": someTags(), "to": .real(random.pick([0, 0.5, 1]))])]
    case 24: return [.object(["link": network()])]
    case 25: return [.object(["space": .integer(Int64(2_000_000 + random.below(16_000_000)))])]
    case 26: return quit()
    case 27:
      guard !updates.isEmpty, !isStaged else { return [] }
      return quit() + [.object(["update": .string("2.0")])]
    default: return repeated()
    }
  }

  private mutating func named(_ key: String, _ more: [String: JSONText] = [:]) -> [JSONText] {
    if open.isEmpty { return [] }
    var members = more
    members[key] = .string(random.pick(open))
    return [.object(members)]
  }

  /// Returns a step that quits the app.
  ///
  /// Every third of these steps kills the app and interrupts downloads.
  private mutating func quit() -> [JSONText] {
    quits += 1
    return [.object([quits % 3 == 0 ? "kill" : "quit": .bool(true)])]
  }

  /// Returns a step that repeats other steps.
  ///
  /// The repeated steps end every request that they begin.
  private mutating func repeated() -> [JSONText] {
    var body: [JSONText] = []
    let before = open
    for _ in 0..<random.below(4) { body += step(depth: 1) }
    body += quit()
    let count = random.below(4)
    // If the steps are repeated 0 times, their requests do not exist. The use of a name that no step defines
    // is a mistake.
    if count == 0 { open = before }
    return [.object(["repeat": .integer(Int64(count)), "steps": .array(body)])]
  }
}

/// Simulates a scenario with the given releases.
package func simulate(
  _ text: String, on release: SimulatedRelease, _ updates: [String: SimulatedRelease] = [:],
  isDetailed: Bool = false
) throws -> SimulationResult {
  let reader = ScenarioReader(text: SourceText(path: "scenario.json", bytes: Array(text.utf8)))
  let scenario = try #require(reader.scenario, "\(reader.diagnostics)")
  let table = try #require(PackTable(release, updates: updates))
  return try Simulation.run(scenario, on: table, detail: isDetailed ? .events : .summary)
}

/// Random numbers that are the same in every run (SplitMix64).
package struct Dice {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  package mutating func shuffle(_ elements: inout [Int]) {
    for index in elements.indices.reversed() { elements.swapAt(index, below(index + 1)) }
  }
}
