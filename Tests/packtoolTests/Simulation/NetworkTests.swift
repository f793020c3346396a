import Foundation
import Support
import Testing
@testable import packtool

/// Tests two networks of Apple's tool: one loses every packet, and the other looks up names slowly.
///
/// Tests the limit of bytes in use as well.
@Suite struct NetworkTests {
  private func site(_ members: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] {
      try folder.write("game/Assets/\(name)/x.bin", Data(repeating: 7, count: 50_000))
    }
    try folder.writeManifest(
      [.path("a", "A"), .path("b", "B")], to: "game/Manifest.json", app: "com.example.g", root: "Assets",
      members: #""appBundle": { "size": 0 }"#, members.isEmpty ? #""$comment": """# : members)
    return folder
  }

  private func play(
    _ steps: String, link: String, more: String = "", in folder: TemporaryFolder
  ) throws -> [String: Any] {
    try folder.write("s.json", #"{ "link": "\#(link)", \#(more) "steps": [\#(steps)] }"#)
    let run = runTool("simulate", folder.path("s.json"), folder.path("game"), "--format", "json")
    #expect(run.status == .done, "\(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func requests(_ result: [String: Any]) throws -> [[String: Any]] {
    try #require(result["requests"] as? [[String: Any]])
  }

  private func sums(of result: [String: Any]) throws -> [String: Any] {
    try #require(result["summary"] as? [String: Any])
  }

  @Test(arguments: [("", 30_000_000), (#""patience": "5 s","#, 5_000_000)])
  func `a wait on a network that loses everything ends`(patience: String, time: Int) throws {
    let steps = #"{ "begin": ["A"], "as": "a" }, { "play": "1 s" }, { "await": "a" }, { "play": "1 s" }"#
    let result = try play(steps, link: "100% Loss", more: patience, in: site())
    let request = try requests(result)[0]
    #expect(request["error"] as? String == "timed-out" && request["waited"] as? Int == time)
    #expect(request["ended"] as? Int == time + 1_000_000 && request["available"] is NSNull)
    let summary = try sums(of: result)
    #expect(summary["stalls"] as? Int == 1 && summary["errors"] as? Int == 1)
    #expect(summary["transferred"] as? Int == 0 && summary["end"] as? Int == time + 2_000_000)
  }

  /// Without names, nobody can find the packs that are downloaded for nothing.
  @Test func `unused packs are named`() throws {
    let folder = try site(#""initialInstallTags": ["A", "B"]"#)
    try folder.write(
      "s.json",
      #"{ "link": "Wi-Fi", "steps": [{ "install": true }, { "begin": ["B"], "as": "b" }, { "await": "b" }] }"#
    )
    let run = runTool("simulate", folder.path("s.json"), folder.path("game"))
    let lines = run.output.split(separator: "\n").drop { !$0.contains("unused") }.dropFirst()
    #expect(lines.first?.contains(/50.0 kB +{"A"}$/) == true, "\(run.output)")
    #expect(lines.dropFirst().first?.contains("{") != true, "\(run.output)")
  }

  @Test func `an install on such a network fails`() throws {
    let result = try play(#"{ "install": true }, { "play": "1 s" }"#, link: "100% loss", in: site())
    let summary = try sums(of: result)
    #expect(summary["errors"] as? Int == 1 && summary["installed"] is NSNull)
    #expect(summary["end"] as? Int == 30_000_000)
  }

  /// Requests that no player waits for neither fail nor receive a byte.
  ///
  /// They continue when the network is back.
  @Test func `requests outlast such a network`() throws {
    let steps = """
      { "begin": ["A"], "as": "a" }, { "play": "2 h" }, { "link": "LTE" }, { "await": "a" }, { "quit": true }
      """
    let request = try requests(play(steps, link: "100% Loss", in: site()))[0]
    // The time is 115 ms of latency, and the time for 50,000 bytes at 50 Mbit/s.
    #expect(request["available"] as? Int == 7_200_000_000 + 115_000 + 8000 && request["error"] is NSNull)
  }

  /// The time is 3 s for the look-up, 2 ms of latency, and 10 ms for 50,000 bytes at 40 Mbit/s.
  ///
  /// The second pack uses the open connection.
  @Test func `each connection looks up the name once`() throws {
    let steps = """
      { "begin": ["A"], "as": "a" }, { "await": "a" }, { "play": "1 s" }, { "begin": ["B"], "as": "b" },
      { "await": "b" }, { "quit": true }
      """
    let waits = try requests(play(steps, link: "High Latency DNS", in: site())).map { $0["waited"] as? Int }
    #expect(waits == [3_012_000, 12_000])
    let both = """
      { "begin": ["A"], "as": "a" }, { "begin": ["B"], "as": "b" }, { "await": "a" }, { "await": "b" }, { "quit": true }
      """
    let result = try play(both, link: "High Latency DNS", more: #""connections": 2,"#, in: site())
    // Both connections look up the name, and then share the rate.
    #expect(try requests(result).map { $0["available"] as? Int } == [3_022_000, 3_022_000])
  }

  /// The limit of bytes in use is the limit of the packs' profile, as in `validate`.
  @Test(arguments: [
    (#""limits": { "inUseSize": 99999 }"#, 1), (#""limits": { "inUseSize": 100000 }"#, 0),
    (#""limits": { "inUseSize": null }"#, 0),
  ]) func `the limit of what is in use is the profile's`(limits: String, errors: Int) throws {
    let steps = """
      { "begin": ["A"], "as": "a" }, { "await": "a" }, { "begin": ["B"], "as": "b" }, { "await": "b" }, { "quit": true }
      """
    let folder = try site(limits)
    #expect(try sums(of: play(steps, link: "Wi-Fi", in: folder))["errors"] as? Int == errors)
    // A built folder contains the limits of its manifest.
    #expect(runTool("build", folder.path("game"), "-o", folder.path("out")).status == .done)
    let built = runTool("simulate", folder.path("s.json"), folder.path("out"), "--format", "json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(built.output.utf8)) as? [String: Any])
    #expect(try sums(of: object)["errors"] as? Int == errors)
  }

  /// If a request is already urgent, there is no advice to make it urgent.
  @Test(arguments: [(#", "priority": "urgent""#, false), ("", true)])
  func `urgent is advised where it helps`(priority: String, isAdvised: Bool) throws {
    let folder = try site()
    let steps = """
      { "begin": ["A"], "as": "a" }, { "play": "100 ms" }, { "begin": ["B"], "as": "b"\(priority) }, { "await": "b" }, { "quit": true }
      """
    try folder.write("s.json", #"{ "link": "3G", "steps": [\#(steps)] }"#)
    let text = runTool("simulate", folder.path("s.json"), folder.path("game")).output
    #expect(text.contains("1 stall") && text.contains("\"urgent\"") == isAdvised, "\(text)")
  }

  @Test(arguments: [
    (#"{ "preserve": ["A", "B"], "to": 1 }"#, 1), (#"{ "preserve": ["A"], "to": 1 }"#, 0),
    (#"{ "preserve": ["A"], "to": 1 }, { "preserve": ["B"], "to": 1 }"#, 1),
    (#"{ "preserve": ["A", "B"], "to": 0.9 }"#, 0),
  ]) func `all tags preserved at 1 are a warning`(steps: String, count: Int) throws {
    let folder = try site()
    try folder.write("s.json", #"{ "link": "3G", "steps": [\#(steps)] }"#)
    for words in [
      ["simulate", folder.path("s.json"), folder.path("game")],
      ["validate", folder.path("game"), "--scenario", folder.path("s.json")],
    ] {
      #expect(runTool(words: words).errors.count(of: "all-preserved") == count)
    }
  }

  @Test(arguments: [
    (#"{ "begin": ["A"], "as": "a" }, { "await": "a" }"#, 1),
    (#"{ "begin": ["A"], "as": "a" }, { "await": "a" }, { "end": "a" }"#, 0),
    (#"{ "begin": ["A"], "as": "a" }, { "await": "a" }, { "quit": true }"#, 0),
    (#"{ "conditional": ["A"], "as": "a" }"#, 0),
  ]) func `requests that stay open are noted`(steps: String, count: Int) throws {
    let folder = try site()
    try folder.write("s.json", #"{ "link": "3G", "steps": [\#(steps)] }"#)
    let run = runTool("simulate", folder.path("s.json"), folder.path("game"))
    #expect(run.status == .done && run.errors.count(of: "open-request") == count, "\(run.errors)")
    #expect(count == 0 || run.errors.reports("open-request", at: "s.json:1:38", naming: "a"))
  }

  @Test func `a catalog that a rule takes is noted`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("Art.xcassets/Festival", "F"), .path("b", "B")])
    for name in ["Art.xcassets/Festival/a.imageset/a.png", "Art.xcassets/Festival/Contents.json", "b"] {
      try folder.write(name, "x")
    }
    let errors = runTool("validate", folder.path).errors
    #expect(errors.count(of: "uncompiled-catalog") == 1)
    #expect(errors.reports("uncompiled-catalog", naming: "Art.xcassets", "2"), "\(errors)")
  }

  @Test func `serve offers only what it takes`() throws {
    let run = runTool("serve", "nowhere", "--link", "carrier pigeon")
    #expect(run.status == .usage && run.errors.contains("100% Loss") && !run.errors.contains("\"none\""))
    #expect(runTool("suggest", "a.log", "--link", "100% Loss").status == .usage)
  }
}
