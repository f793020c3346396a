import Findings
import Foundation
import Projects
import Support
import Testing

@testable import Packing

/// Several builds that keep their ids in one file.
@Suite struct IDMapTests {
  /// A request for the packs of some tags, one file each, in an output folder of their own.
  private func request(
    _ tags: String..., in folder: TemporaryFolder, map: String = "ids.json"
  ) throws -> BuildRequest {
    let name = tags.joined()
    for tag in tags { try folder.write("\(name)/\(tag)", tag) }
    let rules = tags.map { "{\"path\": \"\($0)\", \"tags\": [\"\($0)\"]}" }.joined(separator: ", ")
    try folder.write("\(name)/Manifest.json", "{\"bundleIdentifier\": \"a.b\", \"resources\": [\(rules)]}")
    var request = BuildRequest(
      Preparation.Request(folder.path(name), jobs: 1), output: folder.path("\(name)-out"),
      entryTime: 1_000_000_000)
    request.layout = LayoutChoice(layout: .backgroundAssets)
    request.layout.assets.idMap = folder.path(map)
    return request
  }

  private func ids(_ folder: TemporaryFolder) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: folder.read("ids.json"))
  }

  @Test func idsThatCameMeanwhileStay() throws {
    let folder = try TemporaryFolder()
    let request = try request("A", "B", in: folder)
    let observer = BuildObserver(packing: { _, _, _ in
      try? folder.write("ids.json", "{\"C\": \"C-1\", \"A\": \"A-7fc56270\"}")
      return nil
    })
    #expect(try request.run(Policy(), observer).release != nil)
    #expect(try ids(folder) == ["A": "A-7fc56270", "B": "B-9d5ed678", "C": "C-1"])
  }

  @Test(arguments: ["{\"A\": \"A-other\"}", "{\"C\": \"a-7fc56270\"}", "[]"])
  func idsThatOthersTookMeanwhileEndTheBuild(changed: String) throws {
    let folder = try TemporaryFolder()
    let request = try request("A", in: folder)
    let observer = BuildObserver(packing: { _, _, _ in
      try? folder.write("ids.json", changed)
      return nil
    })
    #expect(throws: ChangedLedger.self) { try request.run(Policy(), observer) }
    #expect(try folder.read("ids.json") == Data(changed.utf8))
    #expect(!FileManager.default.fileExists(atPath: folder.path("A-out")))
  }

  @Test func buildsAtOnceLoseNothing() throws {
    let folder = try TemporaryFolder()
    let tags = ["A", "B", "C", "D", "E", "F"]
    let requests = try tags.map { try request($0, in: folder, map: "A/../ids.json") }
    DispatchQueue.concurrentPerform(iterations: requests.count) { number in
      _ = try? requests[number].run(Policy())
    }
    #expect(try ids(folder).keys.sorted() == tags)
  }
}
