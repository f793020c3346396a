@testable import Play
import Support
import Testing

/// Tests the differences between Background Assets and On-Demand Resources.
@Suite(.noHang) struct RuntimeRulesTests {
  private static let network = NetworkProfile.named("LTE")

  /// Makes a release with four packs: one in the initial install, two in the prefetch, and one on demand.
  ///
  /// The order of the prefetch differs from the order of the identifiers.
  private func release(_ content: String = "1") -> SimulatedRelease {
    func pack(_ id: String, _ size: Int64, _ content: String = "1") -> SimulatedRelease.Pack {
      SimulatedRelease.Pack(id: id, tags: [id], size: size, transferSize: size, contentID: content)
    }
    return SimulatedRelease(
      packs: [pack("A", 100), pack("B", 300, content), pack("C", 150), pack("D", 200)], initialInstall: [0],
      prefetch: [2, 1])
  }

  private func run(
    _ rules: RuntimeRules, space: Int64 = .max, inUse: Int64 = .max, _ actions: ScenarioStep.Action...
  ) throws -> SimulationResult {
    var device = SimulatedDevice()
    (device.space, device.inUseLimit) = (space, inUse)
    var scenario = Scenario(network: Self.network, device: device, actions: [.install] + actions)
    scenario.rules = rules
    let table = try #require(PackTable(release(), updates: ["2": release("2")]))
    return try Simulation.run(scenario, on: table, detail: .events)
  }

  @Test(arguments: [
    (RuntimeRules.BackgroundOrder.listed, [0, 2, 1]), (.id, [0, 1, 2]), (.smallest, [0, 2, 1]),
    (.largest, [0, 1, 2]),
  ]) func `nothing orders what comes in the background`(order: RuntimeRules.BackgroundOrder, packs: [Int])
    throws
  {
    var rules = RuntimeRules.backgroundAssets
    rules.background = order
    #expect(try run(rules, .play(60_000_000)).transfers.map(\.pack) == packs)
  }

  /// Packs of the same size are downloaded in the order of their numbers.
  ///
  /// The order of the tags in the list does not matter.
  @Test func `packs of one size come by their numbers`() throws {
    let packs = ["A", "B", "C", "D", "E"].map { id in
      SimulatedRelease.Pack(id: id, tags: [id], size: id == "C" ? 50 : 100, transferSize: 10, contentID: "1")
    }
    for listed in [[4, 1, 2, 3], [3, 2, 4, 1], [1, 2, 3, 4]] {
      let release = SimulatedRelease(packs: packs, initialInstall: [0], prefetch: listed)
      let table = try #require(PackTable(release))
      let orders: [(RuntimeRules.BackgroundOrder, [Int])] = [
        (.listed, listed), (.id, [1, 2, 3, 4]), (.smallest, [2, 1, 3, 4]), (.largest, [1, 3, 4, 2]),
      ]
      for (order, expected) in orders {
        var scenario = Scenario(
          network: Self.network, device: SimulatedDevice(), actions: [.install, .play(60_000_000)])
        scenario.rules = .backgroundAssets
        scenario.rules.background = order
        let result = try Simulation.run(scenario, on: table, detail: .events)
        #expect(result.transfers.map(\.pack) == [0] + expected, "\(listed)")
      }
    }
  }

  @Test func `nothing is purged`() throws {
    let wants: [ScenarioStep.Action] = [
      .play(60_000_000), .begin(["D"], as: "d", priority: .standard), .await("d"),
    ]
    let background = try run(.backgroundAssets, space: 600, wants[0], wants[1], wants[2])
    #expect(background.requests[0].error == .outOfSpace && background.summary.purges == 0)
    let onDemand = try run(RuntimeRules(), space: 600, wants[0], wants[1], wants[2])
    #expect(onDemand.requests[0].error == nil && onDemand.summary.purges > 0)
    let shrunk = try run(.backgroundAssets, .play(60_000_000), .space(10))
    #expect(shrunk.summary.purges == 0)
  }

  @Test func `no request is too large`() throws {
    let asked = ScenarioStep.Action.begin(["D"], as: "d", priority: .standard)
    #expect(try run(.backgroundAssets, inUse: 10, asked, .await("d")).requests[0].error == nil)
    #expect(try run(RuntimeRules(), inUse: 10, asked, .await("d")).requests[0].error == .inUseLimit)
  }

  @Test func `what an update changes comes by itself`() throws {
    let steps: [ScenarioStep.Action] = [.play(60_000_000), .update("2", .immediate), .play(60_000_000)]
    let background = try run(.backgroundAssets, steps[0], steps[1], steps[2])
    #expect(background.packs.map(\.downloads) == [1, 2, 1, 0])
    let onDemand = try run(RuntimeRules(), steps[0], steps[1], steps[2])
    #expect(onDemand.packs.map(\.downloads) == [1, 1, 1, 0])
  }

  /// An update ends the transfers.
  ///
  /// The download of an unchanged pack then goes on with a new latency.
  @Test func `a download in the background begins again after an update`() throws {
    let release = try ScenarioNotation.release("a:1 b:4 initial:a prefetch:b")
    let table = try #require(PackTable(release, updates: ["2": release]))
    var scenario = Scenario(
      network: ScenarioNotation.network("8/1"),
      actions: ScenarioNotation.steps("install; play 2; update 2; play 9"))
    scenario.rules = .backgroundAssets
    let result = try Simulation.run(scenario, on: table, detail: .events)
    #expect(
      result.transfers.map { "\($0.pack ?? -1) \($0.from)-\($0.to) \($0.bytes) \($0.isComplete)" } == [
        "0 0-2000000 1000000 true", "1 2000000-4000000 1000000 false", "1 4000000-8000000 3000000 true",
      ])
  }
}
