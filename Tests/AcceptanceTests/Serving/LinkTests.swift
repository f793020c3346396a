import Formats
import Play
@testable import packtool
import Foundation
import Support
import Testing

/// Compares the slow network that the server simulates with the network in simulations.
@Suite(.mostlyWaits, .serialized, .enabled(if: isInstalled("python3"), "needs python3")) struct LinkTests {
  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  /// Several packs of some kilobytes.
  ///
  /// The scenario requests these packs one after another, and at the same time.
  ///
  /// A busy machine can only be slower, so the test uses the fastest of five runs.
  @Test(.enabled(if: isAlone, "compares seconds, so nothing may run beside"), arguments: ["3G", "LTE"])
  func `a scenario takes what is simulated`(link: String) throws {
    let site = try AssetSite()
    for (name, size) in [("a/1", 60_000), ("b/x/1", 30_000), ("c/1", 90_000)] {
      try site.folder.write("Assets/\(name)", Sample.noise(size, seed: UInt64(size)))
    }
    let (out, scenario) = (site.folder.path("out"), site.folder.path("scenario.json"))
    #expect(runTool("build", site.folder.path, "-o", out).status == .done)
    try site.folder.write(
      "scenario.json",
      """
      {"link": "\(link)", "steps": [
        {"begin": ["Level 1"], "as": "first"}, {"await": "first"}, {"play": "300 ms"},
        {"begin": ["Boss"], "as": "boss"}, {"begin": ["Musik"], "as": "music"}, {"play": "100 ms"},
        {"await": "music"}, {"await": "boss"}, {"end": "first"}, {"begin": ["Level 1"], "as": "again"},
        {"await": "again"}
      ]}
      """)
    let simulated = try json(runTool("simulate", scenario, out, "--format", "json").output)
    let end = try #require((simulated["summary"] as? [String: Any])?["end"] as? Double)
    var (whole, downloads): ([Double], [Double]) = ([], [])
    for attempt in 0..<5 {
      let log = site.folder.path("log\(attempt)")
      let server = try RunningServer([out, "--link", link, "--log", log], in: site.folder)
      let played = try run(
        "python3", ["\(packageFolder)/Tests/Fixtures/Simulation/player.py", server.url, scenario])
      #expect(played.status == 0, "\(played.errors)")
      server.end()
      whole.append(try #require(try json(played.output)["end"] as? Double) / end)
      let replay = runTool("simulate", "--replay", log, "--link", link, "--format", "json")
      let summary = try #require(try json(replay.output)["summary"] as? [String: Double])
      downloads.append(try #require(summary["measured"]) / #require(summary["modelled"]))
      if attempt > 0, isClose(whole), isClose(downloads) { break }
    }
    #expect(isClose(whole), "\(whole)")
    #expect(isClose(downloads), "\(downloads)")
  }

  /// Whether the duration of the fastest run is within 5 % of the simulated duration.
  private func isClose(_ ratios: [Double]) -> Bool { ratios.min().map { abs($0 - 1) < 0.05 } ?? false }

  /// The client can connect but never gets a response.
  ///
  /// If one client gives up, this does not affect other clients.
  @Test func `a network that loses everything accepts and never answers`() throws {
    let site = try AssetSite()
    let out = site.folder.path("out")
    #expect(runTool("build", site.folder.path, "-o", out).status == .done)
    let server = try RunningServer([out, "--link", "100% Loss"], in: site.folder)
    for _ in 0..<2 {
      let words = ["-s", "-m", "2", "-o", "/dev/null", "-w", "%{http_code} %{num_connects} %{size_download}"]
      let asked = try run("curl", words + ["\(server.url)index.json"])
      // curl's status 28 means that the time limit was reached.
      #expect(asked.status == 28 && asked.output == "000 1 0", "\(asked.output) \(asked.errors)")
    }
    #expect(server.end() == 0)
  }

  /// The first response on a connection is delayed by the name lookup.
  ///
  /// The second response on the same connection is not delayed.
  @Test func `slow look-ups of names delay each connection once`() throws {
    let site = try AssetSite()
    let out = site.folder.path("out")
    #expect(runTool("build", site.folder.path, "-o", out).status == .done)
    let server = try RunningServer([out, "--link", "High Latency DNS"], in: site.folder)
    let url = "\(server.url)index.json"
    let words = [
      "-s", "-m", "600", "-o", "/dev/null", "-o", "/dev/null", "-w",
      "%{num_connects} %{time_starttransfer}\\n",
    ]
    let asked = try run("curl", words + [url, url])
    let answers = asked.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    try #require(answers.count == 2 && asked.status == 0, "\(asked.output) \(asked.errors)")
    let times = answers.compactMap { Double($0[1]) }
    #expect(answers.map { $0[0] } == ["1", "0"])
    // A busy machine only adds time, and it delays both responses.
    #expect(times[0] >= 3 && times[1] < times[0], "\(times)")
    server.end()
  }

  @Test func `replays say what they lack`() throws {
    let folder = try TemporaryFolder()
    try folder.write("log", "{\"time\": \"2026-11-22T21:49:30.123456Z\", \"pack\": null}\nnonsense\n")
    func replay(_ words: String...) -> ToolResult {
      runTool(words: ["simulate", "--replay", folder.path("log")] + words)
    }
    #expect(replay().errors.contains("\"--replay\" needs \"--link NAME\""))
    #expect(
      replay("scenario.json", "--link", "3G").errors.contains(
        "\"--replay\" can only be combined with \"--link\"")
    )
    let none = replay("--link", "3G")
    #expect(none.status == .inputHasErrors)
    #expect(
      none.errors.contains(
        "log:2:1: warning: \"nonsense\" is not a line that \"packtool serve\" writes to a log [log-syntax]"))
    #expect(none.errors.contains("error: the log does not contain a download of a pack [log-syntax]"))
    #expect(
      runTool("simulate", "--replay", folder.path("x"), "--link", "3G").errors.contains("does not exist"))
  }

  @Test func `replays are readable`() throws {
    let folder = try TemporaryFolder()
    func line(_ time: String, _ bytes: Int, _ milliseconds: Double, _ tag: String) -> String {
      "{\"time\": \"2026-11-22T21:49:\(time)Z\", \"request\": \"GET /x\", \"range\": null, \"status\": 200, "
        + "\"bytes\": \(bytes), \"milliseconds\": \(milliseconds), \"pack\": \"\(tag)\", \"tags\": [\"\(tag)\"]}\n"
    }
    // In the log, the second download ends first. In the model, it waits until the first download has
    // arrived.
    try folder.write("log", line("31.000000", 97_500, 1400, "B") + line("30.500000", 97_500, 1300, "A"))
    let run = runTool("simulate", "--replay", folder.path("log"), "--link", "3G")
    #expect(
      run.output == """
        \(folder.path("log")): 2 downloads, 195 kB over 3G (780 kbit/s, 200 ms)

          pack    bytes  measured  model     more
          {"B"}  97,500     1.4 s  1.9 s  -26.3 %
          {"A"}  97,500     1.3 s  1.2 s   +8.3 %

        in all 1.9 s measured, 2.4 s in the model (-20.8 %)

        """, "\(run.output)")
  }

  @Test func `logs have an end`() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("log", size: Int64(RequestLogReader.maxLogSize) + 1)
    let long = runTool("simulate", "--replay", folder.path("log"), "--link", "3G")
    #expect(
      long.status == .inputHasErrors && long.errors.contains("the log is larger than 268,435,456 bytes"))
    let line =
      #"{"time":"2026-11-22T21:49:30.123456Z","bytes":1,"milliseconds":1,"pack":"a","tags":[]}"# + "\n"
    func findings(_ count: Int) -> [String] {
      let bytes = Array(String(repeating: line, count: count).utf8)
      return RequestLogReader(text: SourceText(path: "log", bytes: bytes)).diagnostics.map(\.message)
    }
    #expect(findings(20_000) == [])
    #expect(findings(20_001) == ["the log contains 20,001 downloads; packtool can replay at most 20,000"])
  }
}
