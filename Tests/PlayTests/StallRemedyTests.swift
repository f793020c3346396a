@testable import Formats
@testable import Play
import Support
import Testing

/// Advice for waits: each advice must be able to make the wait shorter.
@Suite struct StallRemedyTests {
  /// Three packs of 1 MB, whose tags are their names; A is prefetched on request.
  private func release(prefetched: Bool) -> SimulatedRelease {
    let packs = ["A", "B", "C"].map {
      SimulatedRelease.Pack(id: $0, tags: [$0], size: 1_000_000, transferSize: 1_000_000, contentID: $0)
    }
    return SimulatedRelease(packs: packs, initialInstall: [], prefetch: prefetched ? [0] : [])
  }

  /// Plays steps on a network that transfers 1 MB in a second, and returns the advice for each wait.
  private func remedies(_ steps: String, prefetched: Bool = false) throws -> [Stall.Remedy] {
    let text = "{ \"link\": { \"rate\": \"8 Mbit/s\", \"latency\": \"0 us\" }, \"steps\": [ \(steps) ] }"
    let reader = ScenarioReader(text: SourceText(path: "scenario.json", bytes: Array(text.utf8)))
    let scenario = try #require(reader.scenario, "\(reader.diagnostics)")
    let table = try #require(PackTable(release(prefetched: prefetched)))
    let result = try Simulation.run(scenario, on: table, detail: .events)
    return Stall.all(of: result, scenario: scenario).map { $0.remedy(in: result, table: table) }
  }

  @Test func `a request is hurried only while another request is served`() throws {
    let both = #"{ "begin": ["A"], "as": "a" }, { "begin": ["B"], "as": "b" }, { "await": "b" }"#
    #expect(try remedies(both) == [.raisePriority(2_000_000)])
    // The earlier request has all its packs when the later request begins.
    let oneByOne =
      #"{ "begin": ["A"], "as": "a" }, { "await": "a" }, { "begin": ["B"], "as": "b" }, { "await": "b" }"#
    #expect(try remedies(oneByOne) == [.install, .prefetch])
  }

  @Test func `a request at the start cannot begin earlier`() throws {
    #expect(try remedies(#"{ "begin": ["A"], "as": "a" }, { "await": "a" }"#) == [.install])
  }

  @Test func `packs that were stored before the wait are not the packs that are awaited`() throws {
    let steps = #"""
      { "begin": ["A"], "as": "a" }, { "await": "a" }, { "begin": ["A", "C"], "as": "c" }, { "await": "c" }
      """#
    #expect(try remedies(steps) == [.install, .prefetch])
  }

  @Test func `a pack that is being prefetched can only be made smaller`() throws {
    let steps = #"""
      { "install": true }, { "play": "0.4 s" }, { "begin": ["A"], "as": "a" }, { "await": "a" }
      """#
    #expect(try remedies(steps, prefetched: true) == [.shrink])
  }

  @Test func `an earlier begin is advised if no request needed the network`() throws {
    let steps = #"""
      { "install": true }, { "play": "2 s" }, { "begin": ["B"], "as": "b" }, { "await": "b" }
      """#
    // The prefetch of A does not count, because it can wait.
    #expect(try remedies(steps, prefetched: true) == [.beginEarlier(1_000_000)])
  }

  @Test func `a request on a network that loses everything is retried`() throws {
    #expect(
      try remedies(#"{ "link": "100% Loss" }, { "begin": ["A"], "as": "a" }, { "await": "a" }"#) == [.retry])
  }

  @Test func `a pack that was purged should be kept`() throws {
    let steps = #"""
      { "space": "1 MB" }, { "begin": ["A"], "as": "a" }, { "await": "a" }, { "end": "a" },
      { "begin": ["B"], "as": "b" }, { "await": "b" }, { "end": "b" },
      { "begin": ["A"], "as": "a" }, { "await": "a" }
      """#
    #expect(try remedies(steps) == [.install, .prefetch, .keep(pack: 0, purgedAt: 1_000_000)])
  }

  /// The request needs one second of the network.
  @Test(arguments: [
    ("0.4 s", Stall.Remedy.beginAndSplit(400_000)), ("0.999999 s", .beginAndSplit(999_999)),
    ("1 s", .beginEarlier(1_000_000)), ("5 s", .beginEarlier(1_000_000)),
  ]) func `an idle network can do a part or all`(idle: String, remedy: Stall.Remedy) throws {
    let steps = #"""
      { "begin": ["A"], "as": "a" }, { "await": "a" }, { "play": "\#(idle)" },
      { "begin": ["B"], "as": "b" }, { "await": "b" }
      """#
    #expect(try remedies(steps) == [.install, remedy])
  }

  @Test func `an urgent request cannot be hurried`() throws {
    let steps = #"""
      { "begin": ["A"], "as": "a", "priority": "urgent" },
      { "begin": ["B"], "as": "b", "priority": "urgent" }, { "await": "b" }
      """#
    #expect(try remedies(steps) == [.install])
  }

  @Test func `a wait is for a prefetch if all its packs are prefetched`() throws {
    func isPrefetched(_ tags: String...) throws -> [Bool] {
      let table = try #require(PackTable(release(prefetched: true)))
      let scenario = Scenario(
        network: NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 0),
        actions: [.install, .begin(tags, as: "r", priority: .standard), .await("r")])
      let result = try Simulation.run(scenario, on: table, detail: .events)
      return Stall.all(of: result, scenario: scenario).map { $0.isPrefetched(in: result, table: table) }
    }
    #expect(try isPrefetched("A") == [true] && isPrefetched("B") == [false])
    #expect(try isPrefetched("A", "B") == [false])
  }
}
