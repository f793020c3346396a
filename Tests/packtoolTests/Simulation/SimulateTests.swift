@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
@testable import packtool
import Foundation
import Support
import Testing

/// Tests `packtool simulate` as a user uses it.
@Suite(.serialized) struct SimulateTests {
  private static let examples = "\(packageFolder)/Examples"

  private func run(
    _ example: String, _ scenario: String, _ more: String...
  ) -> ToolResult {
    runTool(
      words: [
        "simulate", "\(Self.examples)/\(example)/Scenarios/\(scenario).json", "\(Self.examples)/\(example)",
      ] + more)
  }

  private func summary(_ text: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(object?["summary"] as? [String: Any])
  }

  /// The examples show what the talk teaches: begin early, request the first part first, and keep packs
  /// small.
  @Test func `examples show their lessons`() throws {
    let late = try summary(run("GreatGame", "late", "--format", "json").output)
    let early = try summary(run("GreatGame", "early", "--format", "json").output)
    #expect(late["stalls"] as? Int == 1 && early["stalls"] as? Int == 0)
    // Without tag lists, the game waits once for the packs that all levels share, and once before each of the
    // five levels.
    let scenarios = "\(Self.examples)/GreatGame/Scenarios"
    let words = ["simulate", "\(scenarios)/no-lists.json", "\(scenarios)/no-lists.manifest.json"]
    let none = try summary(runTool(words: words + ["--format", "json"]).output)
    #expect(none["stalls"] as? Int == 6)
    let purchase = try summary(run("GreatGame", "purchase", "--format", "json").output)
    #expect(purchase["stalls"] as? Int == 1 && purchase["errors"] as? Int == 0)
    let space = try summary(run("GreatGame", "low-space", "--format", "json").output)
    #expect((space["overPurged"] as? Int ?? 0) > 0 && (space["purges"] as? Int ?? 0) > 0)
    let split = try ["one-tag", "four-tags"].map { name in
      let path = "\(Self.examples)/GreatGame/Scenarios/Split/\(name)"
      return try summary(
        runTool("simulate", "\(path).json", "\(path).manifest.json", "--format", "json").output)["stalled"]
        as? Double ?? 0
    }
    #expect(split[1] / split[0] < 0.5)
    #expect(try summary(run("iTravel", "anywhere", "--format", "json").output)["stalls"] as? Int == 2)
    let travel = "\(Self.examples)/iTravel"
    let points = try summary(
      runTool(
        "simulate", "\(travel)/Scenarios/points-of-interest.json", "\(travel)/Split.json", "--format", "json"
      ).output)
    let one = try summary(run("iTravel", "one-request", "--format", "json").output)
    #expect((points["stalled"] as? Int ?? .max) * 2 < one["stalled"] as? Int ?? 0)
    #expect(try summary(run("iTravel", "on-board", "--format", "json").output)["errors"] as? Int == 1)
  }

  @Test(arguments: ["late", "early", "low-space"]) func `text is the one read`(scenario: String) throws {
    for link in ["3G", "LTE", "Wi-Fi"] {
      let text = run("GreatGame", scenario, "--link", link).output.replacing("\(packageFolder)/", with: "")
      try expectSnapshot(text, "../Simulation/\(scenario)-\(link).txt")
    }
  }

  @Test func `schema is the one read`() throws {
    try expectSnapshot(runTool("schema", "scenario").output, "../Simulation/scenario.schema.json")
    #expect(runTool("schema", "manifest").output == Manifest.schemaText)
    #expect(runTool("schema", "scenaro").errors.refuses(naming: "scenario"))
  }

  @Test(.enabled(if: Python(with: "jsonschema") != nil, "needs PyPI's jsonschema"))
  func `schema takes what the reader takes`() throws {
    let texts = (0..<sample(20, of: 60)).map {
      ("s\($0).json", RandomScenario(seed: UInt64($0)).scenario.text)
    }
    let script = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      for name in sys.argv[2:]:
          jsonschema.validate(json.load(open(name)), schema)
      for wrong in [{"steps": [{"begn": 1}]}, {"steps": [{"play": 1}]}, {"steps": [{"repeat": 1}]}, {}]:
          assert not jsonschema.Draft202012Validator(schema).is_valid(wrong), wrong
      """
    let python = try #require(Python(with: "jsonschema"))
    let result = try python.run(script, over: [("schema", Scenario.schemaText)] + texts)
    #expect(result.status == 0, "\(result.errors)")
  }

  private func site() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, count) in [("a", 100_000), ("b", 300_000), ("c", 1)] {
      try folder.write("game/Assets/\(name)/x.bin", Data(repeating: 7, count: count))
    }
    try folder.writeManifest(
      [.path("a", "A"), .path("b", "B"), .path("c", "C")], to: "game/Manifest.json", app: "com.example.g",
      root: "Assets", members: #""appBundle": { "size": 1000000 }"#, #""initialInstallTags": ["A"]"#)
    try folder.write(
      "s.json",
      """
      { "link": { "rate": "8 Mbit/s", "latency": "0 us" },
        "steps": [ { "install": true }, { "begin": ["B"], "as": "b" }, { "await": "b" }, { "link": "none" }, { "begin": ["C"], "as": "c" } ],
        "expect": { "installed": "1 s", "stalled": "0.2 s", "stalls": 0, "downloaded": "1 MB", "errors": 0 } }
      """)
    return folder
  }

  @Test(arguments: [
    (#"{ "begin": ["Bx"], "as": "b" }"#, #"[unknown-tag] "Bx""#, "unknown-tag", "no stall; 1 failure"),
    (
      #"{ "link": "none" }, { "begin": ["B"], "as": "b" }"#, "[failed-request] 1", "failed-request",
      "no stall; 1 failure"
    ),
    (#"{ "play": "1 s" }"#, nil, "", "no request\n"),
  ]) func `what fails is an error`(steps: String, facts: String?, check: String, head: String) throws {
    let folder = try site()
    try folder.write(
      "s.json", #"{ "link": "3G", "steps": [ \#(steps) ], "expect": { "stalled": "1 s" } }"#)
    let run = runTool("simulate", folder.path("s.json"), folder.path("game"))
    #expect(run.status == (facts == nil ? .done : .inputHasErrors))
    #expect(run.output.contains(": \(head)"), "\(run.output)")
    if let facts {
      #expect(run.errors.reports(check) && run.errors.hasFacts(facts), "\(run.errors)")
    }
  }

  /// An unknown tag is reported in spite of other mistakes, unless a step that could install another release
  /// was not read.
  @Test(arguments: [
    (#""steps": [{ "begin": ["Bx"], "as": "b" }], "conections": 2"#, 1),
    (#""steps": [{ "begin": ["Bx"], "as": "b", "priorty": 1 }, { "play": "1 x" }]"#, 1),
    (#""steps": [{ "repeat": 2, "steps": [{ "begin": ["Bx"], "as": "b" }] }], "connections": 0"#, 1),
    (#""steps": [{ "begin": ["Bx"], "as": "b" }, { "updat": "new" }]"#, 0),
    (#""steps": [{ "begin": ["Bx"], "as": "b" }, { "update": 3 }]"#, 0),
  ]) func `an unknown tag is reported together with other mistakes`(members: String, count: Int) throws {
    let folder = try site()
    try folder.write("s.json", "{ \"link\": \"3G\", \(members) }")
    let run = runTool("simulate", folder.path("s.json"), folder.path("game"))
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.components(separatedBy: #"no pack has the tag "Bx""#).count - 1 == count, "\(run.errors)")
  }

  /// A scenario can simulate the error that an app gets for a tag that does not exist.
  @Test func `tags may be unknown where failures are expected`() throws {
    let folder = try site()
    try folder.write(
      "s.json", #"{ "link": "3G", "steps": [ { "begin": ["Bx"], "as": "b" } ], "expect": { "errors": 1 } }"#)
    let run = runTool("simulate", folder.path("s.json"), folder.path("game"))
    #expect(run.status == .done && run.output.contains("1 failure"), "\(run.output)")
    #expect(run.errors.reports("unknown-tag", naming: "Bx"), "\(run.errors)")
  }

  @Test func `swapped words are reported`() {
    let folder = "\(Self.examples)/GreatGame"
    let run = runTool("simulate", folder, "\(folder)/Scenarios/late.json")
    #expect(
      run.status == .usage && run.errors.refuses(naming: folder))
    #expect(
      self.run("GreatGame", "late", "--link", "carrier pigeon").errors.refuses(naming: "Very Bad Network"))
  }

  @Test func `what is expected is held`() throws {
    let folder = try site()
    let run = runTool("simulate", folder.path("s.json"), folder.path("game"))
    #expect(run.status == .inputHasErrors)
    #expect(
      run.output.hasPrefix("\(folder.path("s.json")) on a network with 8 Mbit/s, 0 s: 1 stall, 300 ms in all")
    )
    let validated = runTool("validate", folder.path("game"), "--scenario", folder.path("s.json"))
    for errors in [run.errors, validated.errors] {
      #expect(
        errors.findings.count {
          ["stalls", "slow-install", "transfer-size", "failed-request"].contains($0.check)
        } == 5)
      #expect(errors.reports("slow-install", at: "s.json:3:28", naming: "1.1", "100"))
      #expect(errors.reports("stalls", at: "s.json:3:46", naming: "300", "100"))
      #expect(errors.reports("stalls", at: "s.json:3:65", naming: "1", "0"))
      #expect(
        errors.reports("transfer-size", at: "s.json:3:82", naming: "1,400,000", "400,000", "1,000,000"))
      #expect(errors.reports("failed-request", at: "s.json:3:100", naming: "1", "0"))
    }
    #expect(validated.status == .inputHasErrors)
    #expect(runTool("validate", folder.path("game")).status == .done)
    let lenient = ["--severity", "stalls=note", "--severity", "slow-install=ignore"]
    let severities = ["--severity", "transfer-size=warning", "--severity", "failed-request=warning"]
    #expect(
      runTool(
        words: ["validate", folder.path("game"), "--scenario", folder.path("s.json")] + lenient + severities
      ).status
        == .done)
  }

  @Test func `built folder counts archives`() throws {
    let folder = try site()
    #expect(runTool("build", folder.path("game"), "-o", folder.path("out")).status == .done)
    let run = runTool("simulate", folder.path("s.json"), folder.path("out"), "--format", "json")
    let built = try summary(run.output)
    // A file of equal zeros becomes an archive of a few hundred bytes. An index does not contain the app.
    #expect((built["transferred"] as? Int ?? .max) < 10_000)
    #expect(built["peakStored"] as? Int == 400_000)
    #expect(!run.errors.reports("uncompressed-sizes"))
    let text = runTool("simulate", folder.path("s.json"), folder.path("out")).output
    #expect(text.contains(" without the app\n"), "\(text)")
    let whole = runTool("simulate", folder.path("s.json"), folder.path("game")).output
    #expect(whole.contains("; installed after 1.1 s\n"), "\(whole)")
    #expect(
      runTool("simulate", folder.path("s.json"), folder.path("game")).errors.reports("uncompressed-sizes")
    )
  }

  @Test func `update is read from beside the scenario`() throws {
    let folder = try site()
    #expect(runTool("build", folder.path("game"), "-o", folder.path("1.0")).status == .done)
    try folder.write("game/Assets/b/x.bin", Data(repeating: 8, count: 50_000))
    #expect(runTool("build", folder.path("game"), "-o", folder.path("2.0")).status == .done)
    let steps = """
      { "begin": ["A", "B"], "as": "all" }, { "await": "all" }, { "quit": true }, { "update": "2.0" },
      { "conditional": ["A"], "as": "a" }, { "conditional": ["B"], "as": "b" }, { "end": "a" }
      """
    try folder.write("u.json", "{ \"link\": \"LTE\", \"steps\": [ \(steps) ] }")
    let run = runTool("simulate", folder.path("u.json"), folder.path("1.0"), "--format", "json")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let requests = try #require(object["requests"] as? [[String: Any]])
    #expect(requests.map { $0["available"] is NSNull } == [false, false, true])
    try folder.write("u.json", "{ \"link\": \"LTE\", \"steps\": [ { \"update\": \"3.0\" } ] }")
    let missing = runTool("simulate", folder.path("u.json"), folder.path("1.0"))
    #expect(missing.errors.reports("invalid-value", at: "u.json:1:41", naming: "3.0"))
  }

  @Test func `advice holds when it is taken`() throws {
    let folder = try site()
    let manifest = try String(contentsOfFile: folder.path("game/Manifest.json"), encoding: .utf8)
    let advised = runTool(
      "simulate", folder.path("s.json"), folder.path("game"), "--advise", "--format", "json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(advised.output.utf8)) as? [String: Any])
    let changes = try #require((object["advice"] as? [String: Any])?["changes"] as? [[String: Any]])
    let best = try #require(changes.first)
    #expect(best["change"] as? String == "prefetch \"A\" instead of installing it")
    try folder.write(
      "game/Manifest.json",
      manifest.replacing("\"initialInstallTags\": [\"A\"]", with: "\"prefetchTagOrder\": [\"A\"]"))
    let after = try summary(
      runTool("simulate", folder.path("s.json"), folder.path("game"), "--format", "json").output)
    #expect(after as NSDictionary == best["summary"] as? NSDictionary)
  }

  /// Changes that help to meet an expectation come before changes that save more time in total.
  @Test func `advice first fixes the stalls that were expected to be short`() throws {
    let folder = try site()
    func advised(_ expected: String) throws -> (text: String, first: String?) {
      let scenario = """
        { "link": { "rate": "8 Mbit/s", "latency": "0 us" }, "expect": { \(expected) },
          "steps": [ { "install": true }, { "begin": ["A", "B"], "as": "b" }, { "await": "b" } ] }
        """
      try folder.write("e.json", scenario)
      let words = ["simulate", folder.path("e.json"), folder.path("game"), "--advise"]
      let json = runTool(words: words + ["--format", "json"]).output
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      let changes = (object?["advice"] as? [String: Any])?["changes"] as? [[String: Any]]
      return (runTool(words: words).output, changes?.first?["change"] as? String)
    }
    let installed = try advised(#""installed": "1 s""#)
    #expect(installed.first == "prefetch \"A\" instead of installing it", "\(installed.text)")
    #expect(installed.text.contains(", the closest to the expected results first:"), "\(installed.text)")
    let stalled = try advised(#""stalled": "0.1 s""#)
    #expect(stalled.first == "put \"B\" into the initial install", "\(stalled.text)")
    #expect(!(try advised(#""installed": "9 s""#).text.contains("expected results first")))
  }

  @Test(arguments: PlayerPattern.allCases) func `players are the same each time`(pattern: PlayerPattern)
    throws
  {
    let words = [
      "simulate", "--players", pattern.rawValue, "--runs", "20", "--seed", "7", "--format", "json",
      "\(Self.examples)/GreatGame",
    ]
    let first = runTool(words: words)
    #expect(first.status == .done && first.output == runTool(words: words).output)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any])
    #expect((object["links"] as? [Any])?.count == 5)
  }

  @Test(arguments: [
    ([], #""SCENARIO""#),
    (["--players", "linear", "a", "b"], #""--players""#),
    (["--players", "linear", "--advise"], #""--players""#),
    (["s.json", "--runs", "3"], #""--runs" "--players""#),
    (["s.json", "--link", "LTF"], #""LTE""#),
  ])
  func `wrong words are refused`(words: [String], facts: String) {
    let run = runTool(words: ["simulate"] + words)
    #expect(run.status == .usage && run.errors.hasFacts(facts))
  }

  @Test func `missing files are reported`() throws {
    let folder = try site()
    let run = runTool("simulate", folder.path("none.json"), folder.path("game"))
    #expect(
      run.status == .inputHasErrors
        && run.errors.reports("missing-scenario"))
    let nothing = runTool("simulate", folder.path("s.json"), folder.path("none"))
    #expect(nothing.status == .inputHasErrors && nothing.errors.reports("missing-manifest"))
    try folder.write("l.json", "{\"steps\": []}")
    #expect(runTool("simulate", folder.path("l.json"), folder.path("game")).errors.reports("missing-key"))
    #expect(runTool("simulate", folder.path("l.json"), folder.path("game"), "--link", "lte").status == .done)
  }
}
