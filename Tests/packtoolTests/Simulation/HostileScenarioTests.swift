@testable import Formats
@testable import Pipeline
@testable import Play
@testable import packtool
import Support
import Testing

/// Tests that a scenario with very many steps and packs soon leads to a finding.
@Suite struct HostileScenarioTests {
  /// Makes a release in which each pack has the tag `a`.
  private func table(packs: Int) throws -> PackTable {
    let packs = (0..<packs).map {
      SimulatedRelease.Pack(id: "\($0)", tags: ["a", "\($0)"], size: 0, transferSize: 0, contentID: "")
    }
    return try #require(PackTable(SimulatedRelease(packs: packs, initialInstall: [], prefetch: [])))
  }

  private func scenario(_ steps: String, repeated count: Int) -> Scenario {
    var scenario = Scenario(
      network: NetworkProfile(bitsPerSecond: 8, latencyMicroseconds: 1),
      actions: ScenarioNotation.steps(steps))
    let body = scenario.order
    scenario.order = (0..<count).flatMap { _ in body }
    return scenario
  }

  @Test func `looks are counted`() throws {
    let table = try table(packs: 100)
    var bounds = Simulation.Bounds()
    bounds.maxLookups = 10_000
    for steps in ["preserve a 1; preserve a 0", "begin r a; end r", "conditional r a"] {
      #expect {
        try Simulation.run(scenario(steps, repeated: 1000), on: table, within: bounds)
      } throws: { error in (error as? ScenarioMistake)?.message.names("10,000") == true }
    }
  }

  @Test func `pins are counted`() throws {
    var scenario = scenario("quit", repeated: 1)
    scenario.steps = (0..<2100).map {
      ScenarioStep(action: .begin(["a"], as: "\($0)", priority: .standard), offset: 0)
    }
    scenario.order = Array(scenario.steps.indices)
    let table = try table(packs: 50)
    var bounds = Simulation.Bounds()
    bounds.pins = 100_000
    #expect {
      try Simulation.run(scenario, on: table, within: bounds)
    } throws: { error in (error as? ScenarioMistake)?.message.names("100,000") == true }
  }

  /// Scenarios with changed bytes are either played or reported, but they never cause a crash.
  @Test func `damaged texts are reported`() throws {
    var dice = Dice(seed: 5)
    var readable = 0
    for seed in 0..<sample(300, of: 1500) {
      let random = RandomScenario(seed: UInt64(seed % 100))
      var bytes = Array(random.scenario.text.utf8)
      for _ in 0...dice.below(3) {
        let digits = bytes.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
        // Change mostly numbers, because the scenario can then still be read.
        if dice.chance(80), !digits.isEmpty {
          bytes.insert(dice.pick(Array("0123456789".utf8)), at: dice.pick(digits))
        } else {
          bytes[dice.below(bytes.count)] = dice.pick(Array("019.,:\"{}[]-eE \\u".utf8))
        }
      }
      let reader = ScenarioReader(text: SourceText(path: "s.json", bytes: bytes))
      guard let scenario = reader.scenario, let table = PackTable(random.release, updates: random.updates)
      else {
        #expect(reader.diagnostics.hasErrors)
        continue
      }
      readable += 1
      if let result = try? Simulation.run(scenario, on: table, detail: .events) {
        _ = SimulationRun(
          scenario: scenario, result: result, table: table, path: "s.json", firstDownload: nil
        ).text(width: 80)
      }
    }
    #expect(readable > sample(60, of: 200))
  }

  /// There is no overflow even in reports with the largest possible numbers.
  @Test func `huge results are reported`() throws {
    let packs = ["a", "b", "c"].map {
      SimulatedRelease.Pack(id: $0, tags: [$0], size: .max / 4, transferSize: .max / 4, contentID: "")
    }
    let release = SimulatedRelease(
      packs: packs, initialInstall: [0, 0], prefetch: [1, 1], appSize: .max / 4)
    let table = try #require(PackTable(release))
    let steps: [ScenarioStep.Action] =
      [.install, .play(1 << 60)]
      + (0..<20).flatMap { number -> [ScenarioStep.Action] in
        let tag = ["a", "b", "c"][number % 3]
        return [
          .begin([tag], as: tag, priority: .standard), .await(tag), .end(tag), .space(.max / 4), .space(.max),
        ]
      }
    let device = SimulatedDevice(space: .max, inUseLimit: .max)
    let scenario = Scenario(
      network: NetworkProfile(bitsPerSecond: .max, latencyMicroseconds: 0), device: device, actions: steps)
    let result = try Simulation.run(scenario, on: table, detail: .events)
    #expect(result.summary.transferred == .max && result.summary.purged == .max)
    let run = SimulationRun(
      scenario: scenario, result: result, table: table, path: "s.json", firstDownload: nil)
    #expect(run.text(width: 80).text.contains("TB"))
  }
}
