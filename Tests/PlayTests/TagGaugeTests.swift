import Pipeline
@testable import Play
import Support
import Testing

/// Tests the state of each tag after each step.
///
/// Xcode's debugger shows the same states.
@Suite(.noHang) struct TagGaugeTests {
  /// Makes a pack of 1,000 bytes.
  ///
  /// The download of the pack takes 10 ms: 2 ms of latency, and 8 ms of transfer.
  private static func pack(_ id: String, _ tags: String..., content: String = "") -> SimulatedRelease.Pack {
    SimulatedRelease.Pack(id: id, tags: tags, size: 1000, transferSize: 1000, contentID: content + id)
  }

  private static let network = NetworkProfile(bitsPerSecond: 1_000_000, latencyMicroseconds: 2000)

  private func states(
    _ release: SimulatedRelease, updates: [String: SimulatedRelease] = [:], space: Int64 = .max,
    _ actions: ScenarioStep.Action...
  ) throws -> [String: [TagGauge.State]] {
    let table = try #require(PackTable(release, updates: updates))
    let scenario = Scenario(network: Self.network, device: SimulatedDevice(space: space), actions: actions)
    let result = try Simulation.run(scenario, on: table, detail: .events)
    let gauges = TagGauge.all(of: result, table: table, after: Array(result.steps.indices))
    return Dictionary(uniqueKeysWithValues: gauges.map { ($0.tag, $0.states) })
  }

  @Test func `a tag is loaded used and purged`() throws {
    let release = SimulatedRelease(
      packs: [Self.pack("a", "A"), Self.pack("b", "B"), Self.pack("ab", "A", "B")], initialInstall: [],
      prefetch: [])
    let states = try states(
      release, space: 2000, .begin(["A"], as: "a", priority: .standard), .play(5000), .await("a"), .end("a"),
      .begin(["B"], as: "b", priority: .standard), .await("b"))
    #expect(states["A"] == [.downloading, .downloading, .inUse, .downloaded, .purged, .purged])
    #expect(
      states["B"] == [.notDownloaded, .notDownloaded, .downloading, .downloading, .downloading, .inUse])
  }

  @Test func `an update takes away what it replaces`() throws {
    let old = SimulatedRelease(
      packs: [Self.pack("a", "A"), Self.pack("b", "B")], initialInstall: [0, 1], prefetch: [])
    let new = SimulatedRelease(
      packs: [Self.pack("a", "A"), Self.pack("b", "B", content: "other ")], initialInstall: [0, 1],
      prefetch: [])
    let states = try states(old, updates: ["2": new], .install, .update("2", .immediate), .play(1000))
    #expect(states["A"] == [.downloaded, .downloaded, .downloaded])
    #expect(states["B"] == [.downloaded, .notDownloaded, .notDownloaded])
  }
}
