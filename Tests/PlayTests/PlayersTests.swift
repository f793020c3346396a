import Pipeline
@testable import Model
@testable import Play
import Support
import Testing

/// Tests generated players: the tags that they request, the order of these tags, and the requests that stay
/// open.
@Suite(.noHang) struct PlayersTests {
  private static func release(_ tags: [String]) -> SimulatedRelease {
    SimulatedRelease(
      packs: tags.map {
        SimulatedRelease.Pack(id: $0, tags: [$0], size: 1000, transferSize: 1000, contentID: "")
      },
      initialInstall: [], prefetch: [])
  }

  /// Returns the tags that a player requests, in order.
  private func asked(_ players: Players, number: Int = 0) -> [[String]] {
    players.scenario(number, network: nil).steps.compactMap { step in
      if case .begin(let tags, _, _) = step.action { tags } else { nil }
    }
  }

  /// Returns the longest run among several linear players.
  ///
  /// This run contains all levels in their order.
  private func levels(of tags: [String], lists: TagLists? = nil) -> [[String]] {
    let players = Players(.linear, of: Self.release(tags), lists: lists, runs: 1, seed: 1)
    return (0..<40).map { asked(players, number: $0) }.max { $0.count < $1.count } ?? []
  }

  @Test func `levels come by their numbers`() {
    let tags = ["Level 10", "Level 2", "Level 1", "Area 3", "Level", "Level 02", "Level 2b", "Level 2a"]
    let expected = ["Area 3", "Level", "Level 1", "Level 02", "Level 2", "Level 2a", "Level 2b", "Level 10"]
    #expect(levels(of: tags).map { $0[0] } == expected)
    #expect(levels(of: tags.reversed()).map { $0[0] } == expected)
  }

  /// Tags that are not in any pack are ignored.
  ///
  /// A tag that is in both lists belongs to the initial install.
  @Test func `lists come before other tags`() {
    let lists = TagLists(initialInstall: ["Base", "none"], prefetch: ["Z", "Base", "none", "Y"])
    #expect(levels(of: ["A", "Y", "Z", "Base"], lists: lists) == [["Base"], ["Z"], ["Y"], ["A"]])
  }

  @Test func `lists are read from the order of packs`() {
    var release = Self.release(["A", "B", "C"])
    release.packs.append(
      SimulatedRelease.Pack(id: "AB", tags: ["A", "B"], size: 1, transferSize: 1, contentID: ""))
    release.initialInstall = [3, 1, 1]
    release.prefetch = [2, 0, 3]
    #expect(TagLists(release) == TagLists(initialInstall: ["B"], prefetch: ["C", "A"]))
  }

  /// Follows the requests of a scenario, and returns the maximum number of open requests.
  ///
  /// A request must not begin while it is open, and must not be awaited or ended while it is not open.
  private func maxOpenRequests(in scenario: Scenario) throws -> Int {
    var open: Set<String> = []
    var most = 0
    for step in scenario.steps {
      switch step.action {
      case .begin(_, let name, _):
        try #require(open.insert(name).inserted)
        most = max(most, open.count)
      case .await(let name): try #require(open.contains(name))
      case .end(let name): try #require(open.remove(name) != nil)
      case .play(let time): #expect((30_000_000...300_000_000).contains(time))
      default: break
      }
    }
    return most
  }

  @Test(arguments: PlayerPattern.allCases, [1, 2, 3, 4, 9, 60])
  func `requests are begun, awaited and ended in turn`(pattern: PlayerPattern, count: Int) throws {
    let tags = (0..<count).map { "level \($0)" }
    for lists in [nil, TagLists(initialInstall: [tags[0]], prefetch: [])] {
      let players = Players(pattern, of: Self.release(tags), lists: lists, runs: 30, seed: 7)
      let table = try #require(PackTable(Self.release(tags)))
      let scenarios = (0..<30).map { players.scenario($0, network: NetworkProfile.named("LTE")) }
      let most = try scenarios.map { try maxOpenRequests(in: $0) }.max() ?? 0
      let base = lists == nil ? 0 : 1
      let levels = count - base
      let expected =
        switch pattern {
        case .linear: min(levels, 2)
        case .branching: levels == 0 ? 0 : 1 + min(3, levels - 1)
        case .random: levels == 0 ? 0 : 4
        }
      #expect(most == expected + base, "\(most)")
      for scenario in scenarios.prefix(3) { _ = try Simulation.run(scenario, on: table) }
      // At least one player visits each level.
      let all = Set(
        scenarios.flatMap {
          $0.steps.flatMap { step -> [String] in
            if case .begin(let tags, _, _) = step.action { tags } else { [] }
          }
        })
      #expect(all.isSubset(of: tags) && (count > 9 || all.count == count))
      #expect(Set(scenarios.map { $0.steps.count }).count > 1 || levels <= 1)
    }
  }

  @Test func `the middle of numbers is one of them`() {
    typealias Spread = PlayersResult.Spread
    #expect(Spread([]) == nil)
    #expect(Spread([4]).map { [$0.median, $0.percentile95] } == [4, 4])
    #expect(Spread([9, 1]).map { [$0.median, $0.percentile95] } == [1, 9])
    #expect(Spread([3, 1, 2]).map { [$0.median, $0.percentile95] } == [2, 3])
    let hundred = Spread((1...100).reversed().map { Int64($0) })
    #expect(hundred.map { [$0.median, $0.percentile95] } == [50, 95])
    let twenty = Spread((1...20).map { Int64($0) })
    #expect(twenty.map { [$0.median, $0.percentile95] } == [10, 19])
    let more = Spread((1...21).map { Int64($0) })
    #expect(more.map { [$0.median, $0.percentile95] } == [11, 20])
  }
}

/// Tests the times in the result of a simulation.
@Suite struct SimulationResultTests {
  private func transfer(_ from: Int64, _ to: Int64) -> SimulationResult.Transfer {
    SimulationResult.Transfer(pack: 0, isForRequest: true, from: from, to: to, bytes: 1, isComplete: true)
  }

  @Test func `transfers between two times are those that overlap`() {
    var result = SimulationResult()
    // The transfers are added in the order in which they end. The last transfer begins before any other
    // transfer has ended.
    for each in [(0, 2), (2, 5), (5, 9), (1, 20)] { result.add(transfer(Int64(each.0), Int64(each.1))) }
    func starts(_ from: Int64, _ to: Int64) -> [Int64] { result.transfers(from: from, to: to).map(\.from) }
    #expect(starts(0, 1) == [0])
    #expect(starts(2, 5) == [2, 1])
    #expect(starts(5, 6) == [5, 1])
    #expect(starts(4, 6) == [2, 5, 1])
    #expect(starts(9, 30) == [1])
    #expect(starts(20, 30) == [])
    #expect(starts(0, 0) == [])
  }

  @Test func `the last purge is the one before a time or at it`() {
    var result = SimulationResult()
    for time in [3, 7] as [Int64] {
      result.add(SimulationResult.Purge(pack: 4, time: time, size: 1, cause: nil))
    }
    #expect([2, 3, 6, 7, 9].map { result.lastPurge(of: 4, upTo: $0) } == [nil, 3, 3, 7, 7])
    #expect(result.lastPurge(of: 1, upTo: 9) == nil)
  }

  /// Each look at a pack counts as work, because the work of a scenario must be limited.
  @Test(arguments: [
    ("begin r ab; await r", 6), ("preserve ab 0.5", 6), ("begin r c; await r; end r; link", 2),
    ("begin r a; link none", 4), ("update 2", 5), ("stage 2; apply", 10), ("play 1", 0),
    ("install; play 9", 2), ("begin r a; await r; end r; space 0", 6),
  ])
  func `looks are counted`(steps: String, expected: Int) throws {
    let text = "a:1 ab:1 b:1 c:1 prefetch:c,b"
    let release = try ScenarioNotation.release(text)
    let table = try #require(
      PackTable(release, updates: ["2": ScenarioNotation.release("a:1! ab:1 b:1 c:1 prefetch:c")]))
    let scenario = Scenario(
      network: NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 1),
      actions: ScenarioNotation.steps(steps))
    func isEnough(_ looks: Int) -> Bool {
      var bounds = Simulation.Bounds()
      bounds.maxLookups = looks
      return (try? Simulation.run(scenario, on: table, within: bounds)) != nil
    }
    let least = try #require((0...200).first(where: isEnough))
    #expect(least == expected)
    #expect((least...200).areAll(isEnough))
  }

  /// If packs arrive without any delay after the last step, the looks at them are counted for that step.
  @Test func `looks at arrivals that take no time are counted`() throws {
    let table = try #require(PackTable(ScenarioNotation.release("a:0 ab:0 b:0")))
    let scenario = Scenario(
      network: NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 0),
      actions: ScenarioNotation.steps("begin r ab"))
    func isEnough(_ looks: Int) -> Bool {
      var bounds = Simulation.Bounds()
      bounds.maxLookups = looks
      return (try? Simulation.run(scenario, on: table, within: bounds)) != nil
    }
    #expect((0...20).first(where: isEnough) == 6)
  }

  /// The run ends at the first look too many, not at the end of the step.
  @Test func `looks are counted after each event of a step`() throws {
    // The second pack never arrives, because its time cannot be counted.
    let table = try #require(PackTable(ScenarioNotation.release("a:1 ab:9000000000000")))
    let scenario = Scenario(
      network: ScenarioNotation.network("0.8/1"), device: SimulatedDevice(space: .max, inUseLimit: .max),
      actions: ScenarioNotation.steps("begin r a; await r"))
    func mistake(_ looks: Int) -> ScenarioMistake? {
      var bounds = Simulation.Bounds()
      bounds.maxLookups = looks
      do throws(ScenarioMistake) { _ = try Simulation.run(scenario, on: table, within: bounds) } catch {
        return error
      }
      return nil
    }
    #expect(mistake(2)?.source == 0 && mistake(2)?.message.names("2") == true)
    #expect(mistake(3)?.source == 1 && mistake(3)?.message.names("3") == true)
    #expect(mistake(4)?.source == 1 && mistake(4)?.message.names("292,000") == true)
  }

  /// The packs of a request count as looks before the request is opened.
  @Test func `looks are counted before the packs of open requests`() throws {
    let table = try #require(PackTable(ScenarioNotation.release("a:1 ab:1 abc:1")))
    let scenario = Scenario(
      network: ScenarioNotation.network("8/1"), actions: ScenarioNotation.steps("begin r a"))
    func message(looks: Int, pins: Int) -> String? {
      var bounds = Simulation.Bounds()
      (bounds.maxLookups, bounds.pins) = (looks, pins)
      do throws(ScenarioMistake) { _ = try Simulation.run(scenario, on: table, within: bounds) } catch {
        return error.message
      }
      return nil
    }
    #expect(message(looks: 2, pins: 1)?.names("2") == true)
    #expect(message(looks: 9, pins: 1)?.names("1") == true)
    #expect(message(looks: 9, pins: 2)?.names("2") == true && message(looks: 9, pins: 3) == nil)
  }
}
