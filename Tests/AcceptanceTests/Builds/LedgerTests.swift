import Foundation
import Support
import Testing

/// Tests the versions of packs on the developer's own server, with many releases and with killed builds.
@Suite struct LedgerTests {
  /// A second implementation of the rules, in Python, checks series of releases with branches that git
  /// merges.
  @Test func `no series strands a device`() throws {
    let run = try Support.run(
      "python3",
      ["\(packageFolder)/Tests/Fixtures/BackgroundAssets/ledger_series.py", try packtoolProgram(), "12"])
    #expect(run.status == 0 && run.output.contains("\"series\": 12"), "\(run.output)")
  }

  /// Each build changes all packs.
  ///
  /// A killed build leaves either the old version lockfile or the new version lockfile.
  @Test func `a killed build leaves a ledger`() throws {
    let folder = try TemporaryFolder()
    let rules = (0..<60).map { "{\"path\": \"\($0)\", \"tags\": [\"Tag \($0)\"]}" }.joined(separator: ",")
    try folder.writeManifest(rules: rules, app: "a.b", root: "Assets")
    let words = [
      "build", folder.path, "-o", folder.path("out"), "--layout", "background-assets", "-q", "--self-hosted",
      "--url-prefix", "https://example.com/", "--ledger", folder.path("ledger.json"),
    ]
    func versions() throws -> [Int] {
      guard FileManager.default.fileExists(atPath: folder.path("ledger.json")) else { return [] }
      let ledger = try #require(
        try JSONSerialization.jsonObject(with: folder.read("ledger.json")) as? [String: Any])
      let packs = try #require(ledger["packs"] as? [String: [String: Any]])
      return packs.values.compactMap { $0["version"] as? Int }
    }
    var before = 0
    for round in 0..<12 {
      for number in 0..<60 { try folder.write("Assets/\(number)/x", "\(round) of \(number)") }
      let process = try TestProcess(packtoolProgram(), words)
      usleep(UInt32(10_000 + round * 15_000))
      process.signal(SIGKILL)
      process.waitForEnd()
      let found = try versions()
      // Either all values are old, or all values are new.
      #expect(Set(found).count <= 1 && (found.isEmpty || found.count == 60))
      #expect((found.first ?? 0) == before || (found.first ?? 0) == before + 1)
      before = found.first ?? 0
    }
    #expect(try Support.run(packtoolProgram(), words).status == 0)
    let verified = try Support.run(
      packtoolProgram(), ["verify", folder.path("out"), "--ledger", folder.path("ledger.json"), "--strict"])
    #expect(verified.status == 0, "\(verified.output)")
  }
}
