import Formats
import Model
@testable import Packing
import Pipeline
import Foundation
import Support
import Testing

/// Tests several builds that store their IDs in one file.
@Suite struct IDMapTests {
  /// Makes a request for a build in its own output folder.
  ///
  /// Each of the tags has one pack with one file.
  private func request(
    _ tags: String..., in folder: TemporaryFolder, map: String = "ids.json"
  ) throws -> BuildRequest {
    let name = tags.joined()
    for tag in tags { try folder.write("\(name)/\(tag)", tag) }
    let rules = tags.map { "{\"path\": \"\($0)\", \"tags\": [\"\($0)\"]}" }.joined(separator: ", ")
    try folder.writeManifest(rules: rules, to: "\(name)/Manifest.json", app: "a.b")
    var request = BuildRequest(
      Preparation.Request(argument: folder.path(name), jobs: 1), output: folder.path("\(name)-out"),
      entryTime: 1_000_000_000)
    request.layout = LayoutChoice(layout: .backgroundAssets)
    request.layout.assets.idMap = folder.path(map)
    return request
  }

  private func ids(_ folder: TemporaryFolder) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: folder.read("ids.json"))
  }

  @Test func `ids that came meanwhile stay`() throws {
    let folder = try TemporaryFolder()
    let request = try request("A", "B", in: folder)
    let result = try request.run(beforePacking: {
      try folder.write("ids.json", "{\"C\": \"C-1\", \"A\": \"A-7fc56270\"}")
    })
    #expect(result.release != nil)
    #expect(try ids(folder) == ["A": "A-7fc56270", "B": "B-9d5ed678", "C": "C-1"])
  }

  @Test(arguments: ["{\"A\": \"A-other\"}", "{\"C\": \"a-7fc56270\"}", "[]"])
  func `ids that others took meanwhile end the build`(changed: String) throws {
    let folder = try TemporaryFolder()
    let request = try request("A", in: folder)
    #expect(throws: ChangedLedger.self) {
      try request.run(beforePacking: { try folder.write("ids.json", changed) })
    }
    #expect(try folder.read("ids.json") == Data(changed.utf8))
    #expect(!FileManager.default.fileExists(atPath: folder.path("A-out")))
  }

  /// Each build has its own pack, and a different version of a shared pack.
  ///
  /// All IDs are stored in one file.
  @Test func `builds at once lose no version`() throws {
    let folder = try TemporaryFolder()
    let requests = try ["A", "B", "C", "D"].map { tag in
      var request = try request(tag, "Shared", in: folder)
      try folder.write("\(tag)Shared/Shared", "of \(tag)")
      request.layout.urlPrefix = "https://example.com/"
      request.layout.assets.isSelfHosted = true
      request.layout.assets.ledger = request.layout.assets.idMap
      return request
    }
    let builds = requests
    DispatchQueue.concurrentPerform(iterations: builds.count) { number in
      _ = try? builds[number].run(Policy())
    }
    let ledger = try #require(
      try JSONSerialization.jsonObject(with: folder.read("ids.json")) as? [String: Any])
    let packs = try #require(ledger["packs"] as? [String: [String: Any]])
    #expect((ledger["ids"] as? [String: String])?.keys.sorted() == ["A", "B", "C", "D", "Shared"])
    #expect(packs.count == 5)
    let shared = try #require(packs.first { $0.key.hasPrefix("Shared") })
    #expect(shared.value["version"] as? Int == 4)
    // Each output folder has a different version of the shared pack.
    let versions = try ["A", "B", "C", "D"].map { tag in
      let manifest = String(
        decoding: try folder.read("\(tag)Shared-out/download-manifest.json"), as: UTF8.self)
      return try #require(manifest.matches(of: /"version": (\d+)/).map { Int($0.1) ?? 0 }.max())
    }
    #expect(versions.sorted() == [1, 2, 3, 4])
  }

  @Test func `builds at once lose nothing`() throws {
    let folder = try TemporaryFolder()
    let tags = ["A", "B", "C", "D", "E", "F"]
    let requests = try tags.map { try request($0, in: folder, map: "A/../ids.json") }
    DispatchQueue.concurrentPerform(iterations: requests.count) { number in
      _ = try? requests[number].run(Policy())
    }
    #expect(try ids(folder).keys.sorted() == tags)
  }
}
