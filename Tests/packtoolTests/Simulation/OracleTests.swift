@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
@testable import packtool
import Foundation
import Support
import Testing

/// Compares the simulation with a second implementation of the same rules.
///
/// The second implementation is in another language and in another style.
@Suite struct OracleTests {
  /// The number of scenarios.
  ///
  /// Set PACKTOOL_SCENARIOS, for example to 20000, to run more scenarios.
  private static let count =
    ProcessInfo.processInfo.environment["PACKTOOL_SCENARIOS"].flatMap(Int.init) ?? sample(60, of: 600)

  @Test func `both say the same`() throws {
    let cases = (0..<Self.count).flatMap { seed in
      [RandomScenario(seed: UInt64(seed)), RandomScenario(seed: UInt64(seed), steps: .all)]
    }
    let folder = try TemporaryFolder()
    try folder.write("tasks", cases.map(\.task).joined(separator: "\n"))
    let oracle = "\(packageFolder)/Tests/Fixtures/Simulation/oracle.py"
    let run = try Support.run("bash", ["-c", "python3 \"$0\" < tasks", oracle], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let answers = run.output.split(separator: "\n")
    try #require(answers.count == cases.count)
    var (stalls, purges, errors) = (0, 0, 0)
    for (seed, (random, answer)) in zip(cases, answers).enumerated() {
      let result = try simulate(random.scenario.text, on: random.release, random.updates)
      let ours = try JSONSerialization.jsonObject(with: Data(result.json().text.utf8))
      let theirs = try JSONSerialization.jsonObject(with: Data(answer.utf8))
      let isSame = (ours as? NSDictionary) == (theirs as? NSDictionary)
      #expect(isSame, "seed \(seed)\n\(random.task)\n\(result.json().text)\n\(answer)")
      if !isSame { return }
      stalls += result.summary.stalls
      purges += result.summary.purges
      errors += result.summary.errors
    }
    // Check that enough happens in the scenarios. Otherwise, it would mean little that both implementations
    // agree.
    let least = Self.count / 4
    #expect(stalls > least && purges > least && errors > least)
  }
}
