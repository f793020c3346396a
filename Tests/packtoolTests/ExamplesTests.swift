@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// The examples against figures that another program computed from their files.
@Suite struct ExamplesTests {
  /// A pack of a plan as the figures have it.
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

  private static let greatGame = [
    Pack(["Common Textures"], "initialInstall", 13, 14587, 1),
    Pack(["Common Sounds"], "initialInstall", 7, 48592, 1),
    Pack(["Level 1"], "initialInstall", 6, 48286, 1),
    Pack(["Level 1", "Level 2 Part 1"], "initialInstall", 3, 8473, 1),
    Pack(["Level 1", "Level 3"], "initialInstall", 3, 144526, 1),
    Pack(["Level 2 Part 1"], "prefetch", 5, 31417, 0.9500000000000001),
    Pack(["Level 2 Part 1", "Level 2 Part 2", "Level 2 Part 3"], "prefetch", 4, 107163, 0.9500000000000001),
    Pack(["Level 2 Part 2"], "prefetch", 5, 46301, 0.5),
    Pack(["Level 2 Part 2", "Level 2 Part 3"], "prefetch", 2, 12591, 0.5),
    Pack(["Level 2 Part 2", "Level 2 Part 3", "Level 3"], "prefetch", 3, 7328, 0.5),
    Pack(["Level 2 Part 3"], "prefetch", 8, 137252, 0.05),
    Pack(["Golden Sword"], "onDemand", 5, 22620),
    Pack(["Level 3"], "onDemand", 7, 120590),
  ]

  private static let iTravel = [
    Pack(["Welcome"], "initialInstall", 3, 22736, 1),
    Pack(["Italy"], "prefetch", 10, 40665, 0.5),
    Pack(["Iceland", "Italy"], "prefetch", 3, 3433, 0.5),
    Pack(["Iceland"], "onDemand", 10, 37951),
  ]

  @Test(arguments: [
    ("GreatGame", greatGame, 13, 13156), ("iTravel", iTravel, 5, 936),
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
    #expect(order.compactMap { byID[$0] } == packs)
    #expect(plan.untagged.fileCount == untagged && plan.untagged.size == untaggedSize)
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
  /// The list of all files of a build.
  fileprivate func contents(of output: String) throws -> Data {
    let names = try FileManager.default.contentsOfDirectory(atPath: path(output))
    return try read("\(output)/\(names.first { $0.hasPrefix("contents.") } ?? "")")
  }
}
