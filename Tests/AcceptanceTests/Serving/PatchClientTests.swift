import Foundation
import Support
import Testing

@testable import packtool

/// Tests the example client in Python.
///
/// The client's downloads are compared with the sizes that packtool reports for an update.
@Suite(.mostlyWaits, .enabled(if: isInstalled("python3") && isInstalled("zstd"), "needs python3 and zstd"))
struct PatchClientTests {
  private struct Fetched {
    let output: [String: Any]
    let errors: String

    func count(_ group: String, _ key: String) -> Int { (output[group] as? [String: Int])?[key] ?? -1 }
  }

  /// Makes four releases of a game, each with patches from all earlier releases.
  private func releases(in folder: TemporaryFolder) throws -> [String] {
    var random = SeededRandom(seed: 41)
    var files: [String: [UInt8]] = ["b/first": Array("of the folder".utf8)]
    for number in 0..<40 {
      let size = Int.random(in: 0...30_000, using: &random)
      files["a/\(number)"] = Array(Sample.noise(size, seed: UInt64(number)))
    }
    try folder.writeManifest(
      [.path("a", "A"), .path("b", "B"), .glob("*/*5", "Five")], root: "Assets",
      members: #""initialInstallTags": ["A"]"#)
    var built: [String] = []
    for release in 0..<4 {
      for name in files.keys.filter({ $0 != "b/first" }).sorted().shuffled(using: &random).prefix(
        release == 0 ? 0 : 12)
      {
        guard var bytes = files[name] else { continue }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: files[name] = nil
        case 1: files["b/\(name.dropFirst(2))"] = files.removeValue(forKey: name)
        default:
          bytes.insert(contentsOf: Array("release \(release)".utf8), at: bytes.count / 2)
          files[name] = bytes
        }
      }
      try? FileManager.default.removeItem(atPath: folder.path("Assets"))
      for (name, bytes) in files { try folder.write("Assets/\(name)", Data(bytes)) }
      let out = folder.path("out\(release)")
      let run = runTool(words: ["build", folder.path, "-o", out] + built.flatMap { ["--patch-from", $0] })
      #expect(run.status == .done, "\(run.errors)")
      built.append(out)
    }
    return built
  }

  private func update(_ url: String, _ store: String, _ tags: [String] = []) throws -> Fetched {
    let run = try run("python3", ["\(packageFolder)/Examples/Patches/client.py", url, store] + tags)
    #expect(run.status == 0, "\(run.errors)")
    let output = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    return Fetched(output: try #require(output), errors: run.errors)
  }

  @Test func `the client fetches what diff and simulate say`() throws {
    let folder = try TemporaryFolder()
    let built = try releases(in: folder)
    #expect(
      runTool(words: ["verify", built[3], "--strict"] + built[..<3].flatMap { ["--patch-from", $0] }).status
        == .done)
    let servers = try built.map { try RunningServer([$0], in: folder) }
    for old in 0..<3 {
      let store = folder.path("store\(old)")
      _ = try update(servers[old].url, store)
      let fetched = try update(servers[3].url, store)
      #expect(fetched.errors.isEmpty, "\(fetched.errors)")
      let words = ["diff", built[old], built[3], "--format", "json"]
      let diff =
        try JSONSerialization.jsonObject(with: Data(runTool(words: words).output.utf8)) as? [String: Any]
      let summary = try #require(diff?["summary"] as? [String: Any])
      let packs = fetched.count("fetched", "patches") + fetched.count("fetched", "archives")
      #expect(packs == summary["downloadPatched"] as? Int)
      #expect(packs < summary["downloadPacked"] as? Int ?? 0)
      #expect(fetched.count("fetched", "index") == summary["downloadIndex"] as? Int)
      try folder.write(
        "s.json",
        """
        {"link": "LTE", "steps": [{"begin": ["A", "B", "Five"], "as": "a"}, {"await": "a"}, {"end": "a"},
         {"update": "out3"}, {"begin": ["A", "B", "Five"], "as": "b"}, {"await": "b"}]}
        """)
      let run = runTool("simulate", folder.path("s.json"), built[old], "--format", "json").output
      let simulated = try JSONSerialization.jsonObject(with: Data(run.utf8)) as? [String: Any]
      let result = try #require(simulated?["summary"] as? [String: Any])
      #expect(fetched.count("fetched", "index") == result["indexes"] as? Int)
      // A second update finds nothing to do.
      #expect(try update(servers[3].url, store).count("packs", "archives") == 0)
    }
  }

  @Test func `a device with some tags gets all its files`() throws {
    let folder = try TemporaryFolder()
    let built = try releases(in: folder)
    let servers = try built.map { try RunningServer([$0], in: folder) }
    for old in 0..<3 {
      let store = folder.path("store\(old)")
      _ = try update(servers[old].url, store, ["B"])
      let fetched = try update(servers[3].url, store, ["B", "Five"])
      #expect(fetched.count("packs", "patches") + fetched.count("packs", "archives") > 0)
    }
  }
}
