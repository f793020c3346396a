@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Compares the examples with numbers that another program computed from their files.
@Suite struct ExamplesTests {
  /// A pack of a plan, as in the file with the numbers.
  struct Pack: Decodable, Equatable {
    let tags: [String]
    let delivery: String
    let fileCount: Int
    let size: Int
    let priority: Double?

    init(_ tags: [String], _ delivery: String, _ fileCount: Int, _ size: Int, _ priority: Double? = nil) {
      self.tags = tags
      self.delivery = delivery
      self.fileCount = fileCount
      self.size = size
      self.priority = priority
    }
  }

  private struct Plan: Decodable {
    struct Delivery: Decodable {
      let packs: [String]
      let size: Int
    }
    struct Count: Decodable, Equatable {
      let fileCount: Int
      let size: Int
    }
    let initialInstall: Delivery
    let prefetch: Delivery
    let onDemand: Delivery
    let packs: [Pack]
    let untagged: Count
  }

  /// The sizes are those from the slides, with 1 kB for 1 MB: 50, 30 and 60, then 40, 45 and 35.
  private static let greatGame = [
    Pack(["Common Textures"], "initialInstall", 22, 50_000, 1),
    Pack(["Common Sounds"], "initialInstall", 10, 30_000, 1),
    Pack(["Level 1"], "initialInstall", 8, 60_000, 1),
    Pack(["Level 2 Part 1"], "prefetch", 5, 40_000, 0.9500000000000001),
    Pack(["Level 2 Part 2"], "prefetch", 7, 45_000, 0.5),
    Pack(["Level 2 Part 3"], "prefetch", 8, 35_000, 0.05),
    Pack(["Golden Sword"], "onDemand", 4, 22_188),
    Pack(["Golden Sword", "Level 3"], "onDemand", 1, 432),
    Pack(["Level 3"], "onDemand", 7, 26_382),
  ]

  private static let iTravel = [
    Pack(["Welcome"], "initialInstall", 6, 26_157, 1),
    Pack(["Italy"], "onDemand", 15, 130_000),
    Pack(["Iceland"], "onDemand", 11, 40_000),
  ]

  private static let fourTags = [
    Pack(["Castle"], "onDemand", 1, 40),
    Pack(["Castle", "Cave"], "onDemand", 1, 41),
    Pack(["Cave"], "onDemand", 1, 31),
    Pack(["Cave", "Shop"], "onDemand", 1, 48),
    Pack(["Forest"], "onDemand", 1, 62),
    Pack(["Shop"], "onDemand", 1, 54),
  ]

  @Test(arguments: [
    ("GreatGame", greatGame, 13, 13156), ("iTravel", iTravel, 5, 936), ("FourTags", fourTags, 0, 0),
  ])
  func `plan is what the files say`(name: String, packs: [Pack], untagged: Int, untaggedSize: Int) throws {
    let run = runTool("plan", "\(packageFolder)/Examples/\(name)", "--format", "json", "--submission")
    #expect(run.status == .done)
    let data = Data(run.output.utf8)
    let plan = try JSONDecoder().decode(Plan.self, from: data)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let listed = try #require(object["packs"] as? [[String: Any]])
    let order = plan.initialInstall.packs + plan.prefetch.packs + plan.onDemand.packs
    let byID = Dictionary(
      uniqueKeysWithValues: zip(listed.compactMap { $0["id"] as? String }, plan.packs))
    // Packs on demand are sorted by their identifiers.
    let delivered = order.compactMap { byID[$0] }
    #expect(delivered.filter { $0.delivery != "onDemand" } == packs.filter { $0.delivery != "onDemand" })
    #expect(
      delivered.filter { $0.delivery == "onDemand" }.sorted { $0.tags.joined() < $1.tags.joined() }
        == packs.filter { $0.delivery == "onDemand" }.sorted { $0.tags.joined() < $1.tags.joined() })
    #expect(plan.untagged.fileCount == untagged && plan.untagged.size == untaggedSize)
  }

  /// The numbers are those from the talks, with 1 kB for 1 MB.
  @Test func `the examples have the numbers of the talks`() throws {
    let game = try object("plan", "GreatGame/Manifest.json")
    #expect((game["initialInstall"] as? [String: Any])?["size"] as? Int == 140_000)
    #expect((game["prefetch"] as? [String: Any])?["size"] as? Int == 120_000)
    let tags = try #require(game["tags"] as? [String: [String: Any]])
    let names = ["Common Textures", "Common Sounds", "Level 1"]
    #expect(names.map { tags[$0]?["size"] as? Int } == [50_000, 30_000, 60_000])
    #expect((1...3).map { tags["Level 2 Part \($0)"]?["size"] as? Int } == [40_000, 45_000, 35_000])
    // The pack with the random-access map of a whole country is larger than the recommended size of a tag.
    // Its parts are smaller.
    let whole = runTool("plan", "\(packageFolder)/Examples/iTravel")
    #expect(whole.errors.reports("tag-size", naming: "Italy", "130,000", "64,000"))
    let split = runTool("plan", "\(packageFolder)/Examples/iTravel/Split.json")
    #expect(split.status == .done && split.errors.findings.isEmpty, "\(split.errors)")
    let parts = try #require(try object("plan", "iTravel/Split.json")["tags"] as? [String: [String: Any]])
    let sizes = ["Italy", "Rome", "Florence", "Venice", "Etna"].map { parts[$0]?["size"] as? Int ?? 0 }
    #expect(sizes.reduce(0, +) == 130_000 && sizes.allSatisfy { (1...64_000).contains($0) })
  }

  private func object(_ command: String, _ example: String) throws -> [String: Any] {
    let run = runTool(command, "\(packageFolder)/Examples/\(example)", "--format", "json")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test(arguments: sample(1, of: ["GreatGame", "iTravel"]))
  func `build is read by others`(name: String) throws {
    let folder = try TemporaryFolder()
    let example = "\(packageFolder)/Examples/\(name)"
    #expect(runTool("build", example, "-o", folder.path("out")).status == .done)
    let contents = try JSONSerialization.jsonObject(with: try folder.contents(of: "out")) as? [String: Any]
    let files = try #require(contents?["files"] as? [[String: Any]])
    for archive in try folder.files(below: "out/packs").keys {
      try run("python3", ["-m", "zipfile", "-e", folder.path("out/packs/\(archive)"), folder.path("all")])
    }
    let unpacked = try folder.files(below: "all")
    #expect(Set(unpacked.keys) == Set(files.compactMap { $0["path"] as? String }))
    #expect(files.areAll { unpacked[$0["path"] as? String ?? ""]?.count == $0["size"] as? Int })
  }
}

extension TemporaryFolder {
  /// Returns the list of all files of a build.
  fileprivate func contents(of output: String) throws -> Data {
    let names = try FileManager.default.contentsOfDirectory(atPath: path(output))
    return try read("\(output)/\(names.first { $0.hasPrefix("contents.") } ?? "")")
  }
}
