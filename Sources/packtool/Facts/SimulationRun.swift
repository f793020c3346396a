import Findings
import Projects
import Simulation

/// One run of a scenario with all that reports say of it.
struct SimulationRun {
  let scenario: Scenario
  let result: SimulationResult
  let table: PackTable
  /// The scenario's path as the user typed it.
  let path: String
  /// In order.
  let stalls: [Stall]

  init(_ scenario: Scenario, _ result: SimulationResult, _ table: PackTable, path: String) {
    self.scenario = scenario
    self.result = result
    self.table = table
    self.path = path
    stalls = Stall.all(of: result, scenario)
  }

  /// The name of a link.
  static func name(of link: NetworkLink?) -> String {
    guard let link else { return "no network" }
    let figures = "\(rate(link.rate)), \(TimeText.text(link.latency))"
    return link.name.map { "\($0) (\(figures))" } ?? "a link of \(figures)"
  }

  private static func rate(_ rate: Int64) -> String {
    for (scale, unit) in [(Int64(1_000_000_000), "Gbit/s"), (1_000_000, "Mbit/s"), (1000, "kbit/s")]
    where rate >= scale {
      let tenths = rate / (scale / 10)
      return tenths % 10 == 0
        ? "\(grouped(tenths / 10)) \(unit)" : "\(grouped(tenths / 10)).\(tenths % 10) \(unit)"
    }
    return "\(rate) bit/s"
  }

  /// The request that a stall waited for.
  func request(of stall: Stall) -> SimulationResult.Request { result.requests[stall.request] }

  /// A pack by its tags.
  func name(ofPack pack: Int) -> String { setNotation(table.tags(of: pack)) }

  /// Bytes that came between two times; of a pack that came in part of it, by the time.
  func transfers(from: Int64, to: Int64) -> [SimulationResult.Transfer] {
    result.transfers.filter { $0.to > from && $0.from < to }
  }
}
