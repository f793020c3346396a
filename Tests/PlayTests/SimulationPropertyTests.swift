@testable import Formats
@testable import Pipeline
@testable import Play
import Support
import Testing

/// Tests properties that every run has, regardless of its scenario.
@Suite(.noHang) struct SimulationPropertyTests {
  private static let cases = (10_000..<10_400).map { RandomScenario(seed: UInt64($0)) }

  /// The cases with their results.
  ///
  /// Several tests use them.
  private static let allResults = Result {
    try cases.map { random in
      (random, try simulate(random.scenario.text, on: random.release, random.updates, isDetailed: true))
    }
  }

  private func results() throws -> [(RandomScenario, SimulationResult)] { try Self.allResults.get() }

  @Test func `time never runs back`() throws {
    for (random, result) in try results() {
      var time: Int64 = 0
      for step in result.steps {
        #expect(step.from == time && step.to >= step.from)
        time = step.to
      }
      #expect(result.summary.end == time)
      for transfer in result.transfers {
        #expect(transfer.to >= transfer.from)
        let beside = result.transfers.filter { $0.from <= transfer.from && $0.to > transfer.from }
        #expect(beside.count <= random.connections)
      }
      for request in result.requests {
        let times = [request.began, request.available ?? request.began, request.ended ?? time]
        #expect(times == times.sorted())
      }
    }
  }

  @Test func `reserved never exceeds space`() throws {
    var (bounded, full) = (0, 0)
    for (random, result) in try results() {
      #expect(result.summary.peakInUse <= random.inUse ?? 2_000_000_000)
      guard let space = random.space, random.steps.allSatisfy({ $0["space"] == nil }) else { continue }
      #expect(result.summary.peakStored <= space)
      bounded += 1
      // Count the runs that fill more than half of the space. Without this count, a simulation that always
      // leaves half of the space free would pass the check above.
      full += result.summary.peakStored > space / 2 ? 1 : 0
    }
    #expect(bounded > 30 && full > 15, "\(bounded) \(full)")
  }

  /// No pack is purged while an open request uses it.
  @Test func `pinned packs are never purged`() throws {
    var count = 0
    for (random, result) in try results() where random.updates.isEmpty {
      for purge in result.purges {
        count += 1
        let tags = Set(random.tags(of: result.packs[purge.pack].id))
        let holders = result.requests.filter { request in
          guard let ended = request.ended, !tags.isDisjoint(with: request.tags) else { return false }
          return request.began < purge.time && purge.time < ended
        }
        #expect(holders.isEmpty)
      }
    }
    #expect(count > 50)
  }

  @Test func `what came is what was served`() throws {
    for (_, result) in try results() {
      var bytes = Array(repeating: Int64(0), count: result.packs.count)
      var app: Int64 = 0
      for transfer in result.transfers {
        if let pack = transfer.pack { bytes[pack] += transfer.bytes } else { app += transfer.bytes }
      }
      #expect(bytes == result.packs.map(\.transferred))
      #expect(bytes.reduce(app, +) == result.summary.transferred)
      #expect(result.summary.unused <= result.summary.transferred - app)
      let whole = result.transfers.filter { $0.isComplete && $0.pack != nil }.count
      #expect(whole == result.packs.reduce(0) { $0 + $1.downloads })
      #expect(result.purges.count == result.summary.purges)
      #expect(result.purges.reduce(0) { $0 + $1.size } == result.summary.purged)
    }
  }

  /// When all requests have ended, every stored pack can be purged.
  @Test func `ending all requests frees all pins`() throws {
    var asked = 0
    for random in Self.cases where random.updates.isEmpty {
      guard let pack = random.release.packs.first(where: { $0.size > 0 }) else { continue }
      var scenario = random
      scenario.append(.object(["quit": .bool(true)]))
      scenario.append(.object(["space": .integer(0)]))
      scenario.append(.object(["conditional": .array([.string(pack.tags[0])]), "as": .string("last")]))
      let result = try simulate(scenario.scenario.text, on: random.release)
      #expect(result.requests.allSatisfy { $0.ended != nil || $0.available == nil })
      // If the install failed, the run ended early.
      if let last = result.requests.last, last.name == "last" {
        #expect(last.available == nil)
        asked += 1
      }
    }
    #expect(asked > 50, "\(asked)")
  }

  @Test func `faster link never makes one request wait longer`() throws {
    var dice = Dice(seed: 3)
    for random in Self.cases {
      let tags = Array(Set(random.release.packs.flatMap(\.tags))).sorted()
      let steps: [ScenarioStep.Action] = [
        .install, .begin([dice.pick(tags)], as: "r", priority: .standard),
        .play(Int64(dice.below(2_000_000))),
        .await("r"),
      ]
      let rate = Int64(1000 + dice.below(50_000_000))
      let latency = Int64(dice.below(500_000))
      let table = try #require(PackTable(random.release))
      func wait(_ network: NetworkProfile) throws -> Int64 {
        try Simulation.run(Scenario(network: network, actions: steps), on: table).summary.stalled
      }
      let slow = try wait(NetworkProfile(bitsPerSecond: rate, latencyMicroseconds: latency))
      #expect(try wait(NetworkProfile(bitsPerSecond: rate * 2, latencyMicroseconds: latency)) <= slow)
      #expect(try wait(NetworkProfile(bitsPerSecond: rate, latencyMicroseconds: latency / 2)) <= slow)
    }
  }

  @Test func `same input gives the same result`() throws {
    for random in Self.cases.prefix(50) {
      let texts = try (0..<2).map { _ in
        ScenarioNotation.text(of: try simulate(random.scenario.text, on: random.release, random.updates))
      }
      #expect(texts[0] == texts[1])
    }
  }
}

extension RandomScenario {
  private var members: [String: JSONText] {
    guard case .object(let members) = scenario else { return [:] }
    return members
  }

  /// The steps outside repeats.
  var steps: [[String: JSONText]] {
    guard case .array(let steps) = members["steps"] else { return [] }
    return steps.map { step in
      guard case .object(let members) = step else { return [:] }
      // A repeat counts as a change of the space, because its steps can change anything.
      return members["repeat"] == nil ? members : ["space": .null]
    }
  }

  var space: Int64? { device("space") }
  var inUse: Int64? { device("inUse") }

  private func device(_ key: String) -> Int64? {
    guard case .object(let device) = members["device"], case .integer(let value) = device[key] else {
      return nil
    }
    return value
  }

  func tags(of id: String) -> [String] { release.packs.first { $0.id == id }?.tags ?? [] }

  mutating func append(_ step: JSONText) {
    var all = members
    guard case .array(let steps) = all["steps"] else { return }
    all["steps"] = .array(steps + [step])
    scenario = .object(all)
  }
}
