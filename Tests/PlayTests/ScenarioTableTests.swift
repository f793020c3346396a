@testable import Pipeline
@testable import Play
import Support
import Testing

/// Compares the results of scenarios with results that were calculated by hand from the rules.
@Suite(.noHang) struct ScenarioTableTests {
  @Test(arguments: KnownScenario.all) func `result is the one reckoned`(known: KnownScenario) throws {
    var device = SimulatedDevice()
    if let space = known.space { device.space = ScenarioNotation.millions(space) }
    if let inUse = known.inUse { device.inUseLimit = ScenarioNotation.millions(inUse) }
    var scenario = Scenario(
      network: ScenarioNotation.network(known.link), device: device,
      actions: ScenarioNotation.steps(known.steps))
    scenario.connections = known.connections
    let updates = try known.update.map { ["2": try ScenarioNotation.release($0)] } ?? [:]
    let table = try #require(PackTable(try ScenarioNotation.release(known.release), updates: updates))
    #expect(ScenarioNotation.text(of: try Simulation.run(scenario, on: table)) == known.result)
  }

  @Test func `table is long`() { #expect(KnownScenario.all.count >= 60) }
}
