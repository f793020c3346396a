@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
@testable import packtool
import Foundation
import Support
import Testing

/// Tests `packtool suggest TRACE...`, which proposes tags for files that several runs load.
@Suite struct ProposalTests {
  /// Makes a game with a folder for each kind of file.
  ///
  /// The tags are as a person would write them.
  private func project(runs: Int = 8) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest(
      [.glob("*/**", templates: "$1")], root: "Assets", members: #""limits": "app-store""#)
    for level in 1...4 {
      for (kind, size) in [("Maps", 40_000), ("Textures", 300_000), ("Music", 200_000)] {
        try folder.write(
          "Assets/\(kind)/level \(level).dat", String(repeating: "\(kind)\(level) ", count: size / 8))
      }
    }
    try folder.write("Assets/Textures/title.png", String(repeating: "title ", count: 9000))
    try folder.write("Assets/Textures/grass.png", String(repeating: "grass ", count: 20_000))
    try folder.write("Assets/Textures/credits.png", String(repeating: "credits ", count: 50_000))
    try folder.write("Assets/Maps/unused.dat", String(repeating: "unused ", count: 10_000))
    for run in 0..<runs { try folder.write("run\(run).log", Self.log(of: run)) }
    return folder
  }

  /// Returns the log of a run in which a player plays three levels.
  ///
  /// The format is that of strace. One of the players sees the credits in addition.
  private static func log(of run: Int) -> String {
    var lines = [line(0, "Textures/title.png")]
    for (place, level) in [1, 2 + run % 3, 2 + (run + 1) % 3].enumerated() {
      let start = Double(place * 30 + 10)
      for (number, name) in [
        "Maps/level \(level).dat", "Textures/level \(level).dat", "Music/level \(level).dat",
        "Textures/grass.png",
      ].enumerated() {
        lines.append(line(start + Double(number) / 10, name))
      }
    }
    if run == 3 { lines.append(line(95, "Textures/credits.png")) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ time: Double, _ path: String) -> String {
    "7  \(1_767_600_000 + time) openat(AT_FDCWD</>, \"x\", O_RDONLY) = 5</srv/Assets/\(path)>"
  }

  private func run(_ folder: TemporaryFolder, _ more: String..., runs: Int = 8) throws -> ToolResult {
    for run in 0..<runs {
      let text = try String(contentsOfFile: folder.path("run\(run).log"), encoding: .utf8)
      try folder.write("run\(run).log", text.replacing("/srv/Assets", with: folder.path("Assets")))
    }
    let logs = (0..<runs).map { folder.path("run\($0).log") }
    return runTool(words: ["suggest"] + logs + [folder.path, "--scenes", "Maps/*.dat"] + more)
  }

  @Test func `tags are those of the scenes`() throws {
    let folder = try project()
    let run = try run(folder, "--format", "json", "--output", folder.path("New.json"))
    #expect(run.status == .done, "\(run.errors)")
    let found = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let table = try #require(found["table"] as? [[String: Any]])
    #expect(
      table.map { $0["name"] as? String } == [
        "today", "folders", "exact sets", "one pack", "proposal", "lower bound",
      ])
    let waits = table.compactMap { ($0["wait"] as? [String: Int])?["median"] }
    #expect(
      waits.count == 6 && waits[4] < waits[0] * 7 / 10 && waits[4] <= waits[2] && waits[5] <= waits[4],
      "\(waits)")
    let split = try #require(found["runs"] as? [String: [String]])
    #expect(split["learned"]?.count == 6 && split["heldOut"]?.count == 2)
    let never = try #require(found["neverLoaded"] as? [String: Int])
    #expect((never["files"] ?? 0) >= 1)
    let prepared = try Preparation(.init(argument: folder.path("New.json"), jobs: 1))
    let plan = try #require(prepared.plan)
    let tags = Dictionary(
      uniqueKeysWithValues: plan.tree.files.map { ($0.path, plan.tree.tagSets.tags(of: $0.tagSet)) })
    #expect(tags.count == 16)
    #expect(tags["Textures/level 2.dat"] == ["level 2"] && tags["Textures/title.png"] == ["start"])
    // Files that no run loads, or that only one of many runs loads, are on demand. They must not be left out
    // of the packs.
    #expect(
      tags["Maps/unused.dat"]?.isEmpty == false && tags["Textures/credits.png"]?.contains("start") == false)
    #expect(plan.manifest.initialInstallTags.map(\.value) == ["start"])
  }

  /// With no tags can the waits be shorter than the lower bound.
  ///
  /// This is true even if one pack in the initial install contains all loaded files.
  @Test(arguments: ["a few bytes", "megabytes"]) func `the lower bound is one`(size: String) throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.glob("*/**", templates: "$1")], root: "A")
    for level in 1...3 {
      for file in 0..<2 {
        try folder.writeSparse(
          "A/l\(level)/\(file).ogg", size: size == "megabytes" ? 400_000 * Int64(level) : 5)
      }
    }
    let logs = try (0..<12).map { run in
      let pause = [0.1, 3, 60][run % 3]
      let lines = (1...3).map { level in
        "\(Double(level) * pause) level\(level) l\((level + run / 6) % 3 + 1)/\(run % 2).ogg\n"
      }
      try folder.write("\(run).log", lines.joined())
      return folder.path("\(run).log")
    }
    for link in sample(2, of: NetworkProfile.all.filter({ !$0.network.losesAll }).map(\.name)) + ["three"] {
      let links = link == "three" ? [] : ["--link", link]
      for connections in ["1", "4"] {
        let words =
          ["suggest"] + logs + [folder.path, "--format", "json", "--connections", connections] + links
        let run = runTool(words: words)
        let found = try #require(
          try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let table = try #require(found["table"] as? [[String: Any]])
        let waits = table.compactMap { ($0["wait"] as? [String: Int])?["median"] }
        let bound = try #require(waits.last)
        #expect(
          waits.count == 6 && bound > 0 && waits.allSatisfy { $0 >= bound },
          "\(link), \(connections): \(waits)")
      }
    }
  }

  /// A manifest in another folder refers to the same files.
  @Test(arguments: ["New.json", "other/New.json", "other/deep/New.json", "../beside/New.json"])
  func `the proposal works where it is written`(output: String) throws {
    let roots = ["Assets", ".", "../game/Assets"]
    // For a push, each place has one of the roots, and each root has a place.
    for root in isWhole ? roots : [roots[output.utf8.count % 3]] {
      let site = try TemporaryFolder()
      let folder = try project()
      for place in ["game", "beside"] {
        try FileManager.default.createDirectory(atPath: site.path(place), withIntermediateDirectories: true)
      }
      try FileManager.default.removeItem(atPath: site.path("game"))
      try FileManager.default.moveItem(atPath: folder.path, toPath: site.path("game"))
      for name in ["other", "other/deep"] {
        try FileManager.default.createDirectory(
          atPath: site.path("game/\(name)"), withIntermediateDirectories: true)
      }
      let isRoot = root == "."
      var manifest = String(decoding: try site.read("game/Manifest.json"), as: UTF8.self)
      manifest = manifest.replacing("\"root\": \"Assets\",", with: isRoot ? "" : "\"root\": \"\(root)\",")
      if isRoot { manifest = manifest.replacing("*/**", with: "Assets/*/**") }
      manifest = manifest.replacing(
        "\"limits\"",
        with: "\"$schema\": \"schema.json\", \"appBundle\": { \"path\": \"Game.app\" }, \"limits\"")
      try site.write("game/Manifest.json", manifest)
      try site.write("game/Game.app/Game", String(repeating: "x", count: 1234))
      for run in 0..<8 {
        let text = String(decoding: try site.read("game/run\(run).log"), as: UTF8.self)
        try site.write("game/run\(run).log", text.replacing("/srv/Assets", with: site.path("game/Assets")))
      }
      let logs = (0..<8).map { site.path("game/run\($0).log") }
      let scenes = isRoot ? "Assets/Maps/*.dat" : "Maps/*.dat"
      let new = site.path("game/\(output)")
      let run = runTool(words: ["suggest"] + logs + [site.path("game"), "--scenes", scenes, "-o", new])
      #expect(run.status == .done, "\(run.errors)")
      let plans = try [site.path("game"), new].map {
        try #require(try Preparation(.init(argument: $0, jobs: 1)).plan)
      }
      #expect(plans[0].tree.files.map(\.path) == plans[1].tree.files.map(\.path), "\(root) \(output)")
      #expect(try plans[1].manifest.appBundleSize().size == 1234)
      let found =
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: new))) as? [String: Any]
      let schema = try #require(found?["$schema"] as? String)
      let folders = [new, site.path("game/x")].map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
      #expect(
        folders[0].appendingPathComponent(schema).standardizedFileURL.path
          == folders[1].appendingPathComponent("schema.json").standardizedFileURL.path, "\(schema)")
    }
  }

  /// If the value of a key is a path relative to the manifest's folder, it is adapted to the new folder.
  @Test func `all path keys are known`() throws {
    let schema = try JSONSerialization.jsonObject(with: Data(Manifest.schemaText.utf8))
    let pattern = try #require(StringFormat.folderPath.pattern)
    var found: [[String]] = []
    func walk(_ value: Any, _ keys: [String]) {
      for (key, member) in value as? [String: Any] ?? [:] {
        if let properties = member as? [String: Any], key == "properties" {
          for (name, shape) in properties {
            if (shape as? [String: Any])?["pattern"] as? String == pattern { found.append(keys + [name]) }
            walk(shape, keys + [name])
          }
        } else {
          walk(member, keys)
        }
      }
      for element in value as? [Any] ?? [] { walk(element, keys) }
    }
    walk(schema, [])
    #expect(Set(found).union([["$schema"]]) == Set(pathKeys), "\(found)")
  }

  @Test func `a proposal says what it costs`() throws {
    let folder = try project()
    let run = try run(folder, "--format", "json")
    let found = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let table = try #require(found["table"] as? [[String: Any]])
    let rows = Dictionary(uniqueKeysWithValues: table.map { ($0["name"] as? String ?? "", $0) })
    #expect(rows["today"]?["rules"] as? Int == 1 && rows["today"]?["tags"] as? Int == 3)
    #expect(rows["one pack"]?["rules"] as? Int == 1 && rows["one pack"]?["tagsOfScene"] as? Int == 1)
    let manifest = try #require(found["manifest"] as? String)
    let written = try JSONSerialization.jsonObject(with: Data(manifest.utf8)) as? [String: Any]
    #expect(rows["proposal"]?["rules"] as? Int == (written?["resources"] as? [Any])?.count)
    #expect(rows["lower bound"]?["rules"] is NSNull)
  }

  @Test func `proposed manifest builds without findings`() throws {
    let folder = try project()
    #expect(try run(folder, "--output", folder.path("New.json")).status == .done)
    for words in [["validate"], ["fmt", "--check"], ["build", "-o", folder.path("packs")]] {
      let run = runTool(words: words + [folder.path("New.json")])
      #expect(
        run.status == .done && !run.errors.contains("warning") && !run.errors.contains("note: "),
        "\(words) \(run.errors)")
    }
  }

  /// For the only held-out run, `simulate` with the proposed manifest must report the same wait as the table.
  @Test func `simulate says what the table said`() throws {
    let folder = try project(runs: 4)
    let suggestion = try run(folder, "--format", "json", "--output", folder.path("New.json"), runs: 4)
    let found = try #require(
      JSONSerialization.jsonObject(with: Data(suggestion.output.utf8)) as? [String: Any])
    let row = try #require((found["table"] as? [[String: Any]])?[4])
    let split = try #require(found["runs"] as? [String: [String]])
    let heldOut = try #require(split["heldOut"])
    try #require(heldOut.count == 1)
    let plan = try #require(try Preparation(.init(argument: folder.path("New.json"), jobs: 1)).plan)
    let loaded = try LoadedScenes(tracesAt: heldOut, in: plan, sceneMarks: [Glob("Maps/*.dat")], jobs: 1)
    let tagging = Tagging("new", plan: plan, scenes: loaded.scenes)
    var steps = [#"{ "install": true }"#]
    let visits = try #require(loaded.runs.first).visits
    for (place, visit) in visits.enumerated() {
      let tags = tagging.tagsAsked(in: visit, tagSizes: tagging.tagSizes).map { "\"\($0)\"" }.joined(
        separator: ", ")
      steps.append(#"{ "begin": [\#(tags)], "as": "\#(place)" }, { "await": "\#(place)" }"#)
      if place + 1 < visits.count {
        steps.append(#"{ "play": "\#(visits[place + 1].start - visit.start) us" }"#)
      }
    }
    try folder.write("Scenario.json", #"{ "steps": [\#(steps.joined(separator: ", "))] }"#)
    let waits = try ["3G", "Fast 4G", "LTE"].map { link -> Int in
      let run = runTool(
        "simulate", folder.path("Scenario.json"), folder.path("New.json"), "--link", link, "--format", "json")
      let result = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let summary = try #require(result["summary"] as? [String: Any])
      return (summary["installed"] as? Int ?? 0) + (summary["stalled"] as? Int ?? 0)
    }
    #expect((row["wait"] as? [String: Int])?["median"] == waits.reduce(0, +) / 3)
  }

  @Test func `explanations name runs and prices`() throws {
    let folder = try project()
    let output = try run(folder, "--explain").output
    #expect(output.contains("learned from 6 runs, measured on 2 held-out runs (seed 1)"), "\(output)")
    #expect(
      output.contains("combined with") && output.contains(#"{"level 2"}"#) && output.contains("of 6"),
      "\(output)")
    #expect(output.contains(#"-    { "glob": "*/**""#) && output.contains("+++ "))
  }

  @Test func `tags that are best already stay`() throws {
    let folder = try project()
    #expect(try run(folder, "--output", folder.path("New.json")).status == .done)
    try folder.write("Manifest.json", String(contentsOfFile: folder.path("New.json"), encoding: .utf8))
    let run = try run(folder)
    #expect(
      run.output.contains("no proposal makes the held-out runs faster than the current tags"), "\(run.output)"
    )
    #expect(!run.output.contains("+++"))
  }

  @Test(arguments: [(3, true), (1000, false)])
  func `sets beyond the limits are named`(most: Int, areBeyond: Bool) throws {
    let folder = try project()
    let manifest = try String(contentsOfFile: folder.path("Manifest.json"), encoding: .utf8)
    try folder.write(
      "Manifest.json", manifest.replacing(#""app-store""#, with: #"{ "packCount": \#(most) }"#))
    let output = try run(folder).output
    #expect(
      output.contains(
        "packs, but the limits allow \(most), so packs are combined, even if players then wait longer")
        == areBeyond, "\(output)")
  }

  @Test func `one run is no proof`() throws {
    let folder = try project(runs: 1)
    let run = try run(folder, runs: 1)
    #expect(run.status == .usage && run.errors.refuses(naming: "1"), "\(run.errors)")
    #expect(runTool("suggest").errors.refuses(naming: "TRACE"))
  }
}
