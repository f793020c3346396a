@testable import Play
import Support
import System
import Testing

/// Tests from which replaced packs a patch of an update can start.
@Suite(.noHang) struct PatchSourceTests {
  private static let first = SHA256.digest(of: Array("first".utf8))

  /// Makes a release with three packs, of which the second release changes only the pack B.
  ///
  /// A patch of 10 bytes makes the new pack B from the old one.
  private func release(_ content: String) -> SimulatedRelease {
    func pack(_ id: String, _ size: Int64, _ content: String = "same") -> SimulatedRelease.Pack {
      SimulatedRelease.Pack(id: id, tags: [id], size: size, transferSize: size, contentID: content)
    }
    return SimulatedRelease(
      packs: [pack("A", 100), pack("B", 300, content), pack("C", 500)], initialInstall: [], prefetch: [])
  }

  /// Downloads A and B, updates the app, downloads C, and returns the size of the download of B.
  private func downloadSize(space: Int64) throws -> Int64? {
    var (old, new) = (release("old"), release("new"))
    old.digest = Self.first
    new.patches = [Self.first: ["B": 10]]
    var device = SimulatedDevice()
    device.space = space
    func load(_ tag: String) -> [ScenarioStep.Action] {
      [.begin([tag], as: tag, priority: .standard), .await(tag), .end(tag)]
    }
    let last = ScenarioStep.Action.begin(["B"], as: "last", priority: .standard)
    let scenario = Scenario(
      network: NetworkProfile.named("LTE"), device: device,
      actions: load("A") + load("B") + [.quit, .update("2", .immediate)] + load("C") + [last])
    let table = try #require(PackTable(old, updates: ["2": new]))
    let result = try Simulation.run(scenario, on: table, detail: .events)
    return try #require(result.requests.last).downloadSize
  }

  @Test func `a replaced pack is kept for a patch`() throws {
    #expect(try downloadSize(space: 600) == 10)
  }

  /// The pack A must be purged for the pack C, and OnDemand deletes replaced packs before it purges others.
  @Test func `a purge deletes replaced packs`() throws {
    #expect(try downloadSize(space: 599) == 300)
  }
}
