@testable import Formats
@testable import Pipeline
@testable import Play
import Support
import Testing

/// Tests that each mistake in a scenario is reported at its place.
@Suite(.noHang) struct ScenarioReaderTests {
  @Test func `an update is read once`() throws {
    let text = #"{"steps": [{"update": "b"}, {"update": "a"}, {"update": "b"}]}"#
    let reader = ScenarioReader(text: SourceText(path: "s.json", bytes: Array(text.utf8)))
    #expect(reader.updates.map(\.value) == ["b", "a"])
    #expect(reader.updates.map(\.offset) == [22, 39])
  }

  /// Reads a scenario and returns each finding as `line:column id values`.
  private func findings(_ text: String) -> [String] {
    let reader = ScenarioReader(text: SourceText(path: "s.json", bytes: Array(text.utf8)))
    #expect(reader.diagnostics.hasErrors == (reader.scenario == nil))
    return reader.diagnostics.map { diagnostic in
      let place = diagnostic.place.position
      let named = diagnostic.namedValues.isEmpty ? "" : " \(diagnostic.namedValues)"
      return "\(place?.line ?? 0):\(place?.column ?? 0) \(diagnostic.check.id)\(named)"
    }
  }

  @Test(arguments: [
    (
      #"{"steps": [{"begn": ["a"], "as": "r"}]}"#,
      [
        #"1:13 unknown-key "begn" "begin""#,
        #"1:28 unknown-key "as" "install" "begin" "conditional" "await" "end" "priority" "preserve" "play" "link" "space" "quit" "kill" "update" "apply" "repeat""#,
      ]
    ),
    (
      #"{"steps": [{}]}"#,
      [
        #"1:12 missing-key "install" "begin" "conditional" "await" "end" "priority" "preserve" "play" "link" "space" "quit" "kill" "update" "apply" "repeat""#
      ]
    ),
    (#"{"steps": [{"begin": ["a"]}]}"#, [#"1:12 missing-key "as" "as" "level 1""#]),
    (#"{"steps": [{"begin": [], "as": "r"}]}"#, [#"1:22 invalid-value "begin" 1"#]),
    (
      #"{"steps": [{"quit": true, "play": "1 s"}]}"#,
      [#"1:13 invalid-value "quit" "play""#]
    ),
    (#"{"steps": [{"play": 3}]}"#, [#"1:21 wrong-type "play" "10 s""#]),
    (
      #"{"steps": [{"play": "3 m"}]}"#,
      [
        #"1:21 invalid-value "3 m" "200 us" "65 ms" "1.5 s" "3 min" "2 h" "1 day""#
      ]
    ),
    (#"{"steps": [{"apply": false}]}"#, [#"1:22 wrong-type "apply""#]),
    (#"{"steps": [{"update": "2", "staged": false}]}"#, [#"1:38 wrong-type "staged""#]),
    (#"{"steps": [{"apply": true, "staged": true}]}"#, [#"1:28 unknown-key "staged" "apply""#]),
    (#"{"steps": [{"install": false}]}"#, [#"1:24 wrong-type "install""#]),
    (
      #"{"steps": [{"quit": true}, {"install": true}]}"#,
      [#"1:40 invalid-value "install""#]
    ),
    (
      #"{"steps": [{"repeat": 2, "steps": [{"install": true}]}]}"#,
      [#"1:48 invalid-value "install""#]
    ),
    (
      #"{"steps": [{"begin": ["a"], "as": "first"}, {"await": "frist"}]}"#,
      [#"1:55 invalid-value "frist" "first""#]
    ),
    (
      #"{"steps": [{"begin": ["a"], "as": "r", "priority": 1.5}]}"#,
      [#"1:52 invalid-value "priority" 0 1 "1.5""#]
    ),
    (
      #"{"steps": [{"begin": ["a"], "as": "r", "priority": "urgnt"}]}"#,
      [#"1:52 invalid-value "urgnt" "urgent""#]
    ),
    (
      #"{"link": "LTF", "steps": []}"#,
      [#"1:10 invalid-value "LTF" "LTE""#]
    ),
    (
      #"{"link": {"rate": 0, "latency": "1 s"}, "steps": []}"#,
      [#"1:19 invalid-value "rate" 1 "0""#]
    ),
    (
      #"{"link": {"rate": "0 bit/s", "latency": "1 s"}, "steps": []}"#,
      [
        #"1:19 invalid-value "0 bit/s" 1 "780 kbit/s" "50 Mbit/s""#
      ]
    ),
    (#"{"link": {"rate": 1}, "steps": []}"#, [#"1:10 missing-key "latency""#]),
    ("[]", ["1:1 wrong-type"]),
    (
      #"{"steps": [{"repeat": 1000001, "steps": [{"quit": true}]}]}"#,
      ["1:23 invalid-value 1,000,000"]
    ),
    (
      #"{"steps": [{"repeat": 9000000000000000000, "steps": [{"quit": true}, {"quit": true}]}]}"#,
      ["1:23 invalid-value 1,000,000"]
    ),
    (
      #"{"device": {"space": -1}, "expect": {"stals": 1}, "steps": []}"#,
      [
        #"1:22 invalid-value "space" "-1""#,
        #"1:38 unknown-key "stals" "stalls""#,
      ]
    ),
  ])
  func `mistake is reported`(text: String, expected: [String]) { #expect(findings(text) == expected) }

  @Test(arguments: [
    #"{"steps": []}"#,
    #"{"$schema": "x", "$comment": "y", "link": "wi-fi 802.11AC", "steps": [{"$comment": 1, "quit": true}]}"#,
    #"{"steps": [{"repeat": 0, "steps": [{"quit": true}]}, {"repeat": 1e9, "steps": []}]}"#,
    #"{"steps": [{"repeat": 1000000, "steps": [{"play": "1 us"}]}]}"#,
  ])
  func `scenario is taken`(text: String) { #expect(findings(text) == []) }

  @Test(arguments: [
    ("200 us", 200), ("65 ms", 65_000), ("1.5 s", 1_500_000), ("3min", 180_000_000), ("2 h", 7_200_000_000),
    ("1 day", 86_400_000_000), ("2 days", 172_800_000_000), ("0.5 us", 1), ("1.0000001 s", nil), ("s", nil),
    (" 1 s", nil), ("1  s", nil), ("-1 s", nil), ("999999999999999 day", nil), ("1. s", nil), ("٣ s", nil),
  ])
  func `times are read`(text: String, expected: Int64?) throws {
    let reader = ScenarioReader(
      text: SourceText(path: "s", bytes: Array(#"{"steps": [{"play": "\#(text)"}]}"#.utf8)))
    #expect(reader.scenario?.steps.first?.action == expected.map { .play($0) })
  }

  @Test(arguments: [
    ("begin r a; begin r a", "\"r\""),
    ("begin r a; update 2", "\"r\""),
    ("quit; install", "\"install\""),
    ("apply", "{\"update\": \"PATH\", \"staged\": true}"),
    ("update 2; apply", "{\"update\": \"PATH\", \"staged\": true}"),
    ("stage 2; apply; apply", "{\"update\": \"PATH\", \"staged\": true}"),
    ("stage 2; stage 2", "\"2\""),
    ("stage 2; update 2", "\"2\""),
    ("play 9000000000000; play 9000000000000", "292,000"),
  ])
  func `run shows mistakes`(steps: String, expected: String) throws {
    let table = try #require(
      PackTable(try ScenarioNotation.release("a:1"), updates: ["2": try ScenarioNotation.release("a:1")]))
    let scenario = Scenario(network: ScenarioNotation.network("8/1"), actions: ScenarioNotation.steps(steps))
    #expect {
      try Simulation.run(scenario, on: table)
    } throws: { error in
      (error as? ScenarioMistake)?.message.names(expected) == true
    }
  }

  /// Numbers that overflow cause a finding, not a crash.
  @Test(arguments: [Int64(1) << 53, Int64.max])
  func `huge numbers are reported`(size: Int64) throws {
    let pack = SimulatedRelease.Pack(id: "a", tags: ["a"], size: size, transferSize: size, contentID: "")
    let table = try #require(PackTable(SimulatedRelease(packs: [pack], initialInstall: [], prefetch: [])))
    let steps = ScenarioNotation.steps("begin r a; play 1; await r")
    for rate in [1, 1_000_000_000_000_000, Int64.max] {
      let scenario = Scenario(
        network: NetworkProfile(bitsPerSecond: rate, latencyMicroseconds: .max),
        device: SimulatedDevice(space: .max, inUseLimit: .max),
        actions: steps)
      #expect(throws: ScenarioMistake.self) { try Simulation.run(scenario, on: table) }
      let quick = Scenario(
        network: NetworkProfile(bitsPerSecond: rate, latencyMicroseconds: 0),
        device: SimulatedDevice(space: .max, inUseLimit: .max),
        actions: steps)
      _ = try? Simulation.run(quick, on: table)
    }
    #expect(
      PackTable(SimulatedRelease(packs: [pack, pack], initialInstall: [], prefetch: [])) == nil || size < .max
    )
  }
}
