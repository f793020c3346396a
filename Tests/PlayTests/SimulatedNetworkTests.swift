@testable import Formats
@testable import Pipeline
@testable import Play
import Support
import Testing

/// Tests networks that lose all packets or look up names, and logs that are replayed over a network.
@Suite(.noHang) struct SimulatedNetworkTests {
  private func text(
    _ steps: [ScenarioStep.Action], of release: String, on network: NetworkProfile?, connections: Int = 1,
    patience: Int64? = nil
  ) throws -> String {
    var scenario = Scenario(network: network, actions: steps)
    scenario.connections = connections
    if let patience { scenario.patience = patience }
    let table = try #require(PackTable(try ScenarioNotation.release(release)))
    return ScenarioNotation.text(of: try Simulation.run(scenario, on: table))
  }

  @Test func `a player gives up on a network that loses everything`() throws {
    let wants = ScenarioNotation.steps("begin r a; await r; await r")
    #expect(
      try text(wants, of: "a:2", on: .silent)
        == "r 0>->30 w30 !timed-out | end 30 stalls 1/30 stored 2 use 2 errors 1")
    #expect(
      try text(wants, of: "a:2", on: .silent, patience: 5_000_000)
        == "r 0>->5 w5 !timed-out | end 5 stalls 1/5 stored 2 use 2 errors 1")
    let installs = ScenarioNotation.steps("install; play 3")
    #expect(
      try text(installs, of: "a:2 initial:a", on: .silent, patience: 4_000_000)
        == " | end 4 stored 2 errors 1")
    // Nothing is missing, so nothing is lost.
    #expect(try text(installs, of: "a:2", on: .silent) == " | end 3 installed 0")
  }

  @Test func `patience has an end that can be counted`() throws {
    let table = try #require(PackTable(try ScenarioNotation.release("a:2")))
    let steps = ScenarioNotation.steps("begin r a") + [.play(.max - 30_000_000), .await("r")]
    #expect(try Simulation.run(Scenario(network: .silent, actions: steps), on: table).summary.end == .max)
    let later = ScenarioNotation.steps("begin r a") + [.play(.max - 29_999_999), .await("r")]
    #expect {
      try Simulation.run(Scenario(network: .silent, actions: later), on: table)
    } throws: { error in
      let mistake = error as? ScenarioMistake
      return mistake?.message.names("292,000") == true && mistake?.source == 2
    }
  }

  @Test func `each new connection looks up the name`() throws {
    let network = NetworkProfile(
      bitsPerSecond: 8_000_000, latencyMicroseconds: 1_000_000, lookupMicroseconds: 3_000_000)
    func text(_ steps: String, connections: Int = 1) throws -> String {
      try self.text(
        ScenarioNotation.steps(steps).map { $0 == .network(nil) ? .network(network) : $0 }, of: "a:2 b:1",
        on: network, connections: connections)
    }
    // The second pack uses the idle connection of the first pack.
    #expect(
      try text("begin r a; await r; begin s b; await s")
        == "r 0>6>8 w6, s 6>8>8 w2 | end 8 stalls 2/8 got 3 stored 3 use 3")
    // An interrupted download closes its connection.
    #expect(
      try text("begin r a; play 5; end r; begin s b; await s")
        == "r 0>->5, s 5>10>10 w5 | end 10 stalls 1/5 got 2 unused 1 stored 3 use 2")
    // A change of the network closes all connections, both idle and busy.
    #expect(
      try text("begin r a; await r; link; begin s b; await s")
        == "r 0>6>11 w6, s 6>11>11 w5 | end 11 stalls 2/11 got 3 stored 3 use 3")
    #expect(
      try text("begin r a; begin s b; await r", connections: 2)
        == "r 0>7>7 w7, s 0>6>7 | end 7 stalls 1/7 got 3 stored 3 use 3")
  }

  @Test func `times are whole microseconds rounded up`() {
    func time(_ bytes: Int64, rate: Int64) -> Int64? {
      NetworkProfile(bitsPerSecond: rate, latencyMicroseconds: 7).time(for: bytes)
    }
    #expect([7_999_999, 8_000_000, 8_000_001].map { time(1, rate: $0) } == [2, 1, 1])
    #expect([0, 1, 2, 3].map { time($0, rate: 3) } == [0, 2_666_667, 5_333_334, 8_000_000])
    #expect(time(.max, rate: 1) == nil && time(.max, rate: 8_000_000) == .max)
    #expect(NetworkProfile.silent.time(for: 0) == nil && NetworkProfile.silent.losesAll)
  }

  @Test func `a profile is known by its numbers`() {
    #expect(NetworkProfile.named("lte")?.name == "LTE" && NetworkProfile.named("LTF") == nil)
    #expect(NetworkProfile.named("LTE")?.isCellular == true)
    #expect(NetworkProfile.named("wi-fi")?.isCellular == false)
    let other = NetworkProfile(bitsPerSecond: 50_000_000, latencyMicroseconds: 115_001)
    #expect(other.name == nil && !other.isCellular)
    #expect(NetworkProfile.isNone("NONE") && !NetworkProfile.isNone("no"))
    #expect(NetworkProfile.all.map(\.network.rate).areAll { $0 > 0 })
    #expect(linkHint("LTF").names("LTE") && !linkHint("LTF").names("Edge"))
    #expect(linkHint("network").names("Very Bad Network") && !linkHint("network").names("Edge"))
    #expect(linkHint("qqqqqqqqqq").names("LTE", "Edge", "none"))
  }

  private func line(_ second: Int, _ pack: String, bytes: Int64, milliseconds: Int) -> String {
    "{\"time\": \"2026-11-22T22:11:0\(second).250000Z\", \"bytes\": \(bytes), "
      + "\"milliseconds\": \(milliseconds), \"tags\": [\"A\"], \"pack\": \"\(pack)\"}\n"
  }

  private func log(_ lines: String...) -> RequestLogReader {
    RequestLogReader(text: SourceText(path: "log", bytes: Array(lines.joined().utf8)))
  }

  @Test func `a log is replayed at the times of its requests`() throws {
    let log = log(
      line(1, "x", bytes: 1_000_000, milliseconds: 3), line(3, "y", bytes: 500_000, milliseconds: 9000),
      line(9, "z", bytes: 250_000, milliseconds: 1000))
    let network = NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 1_000_000)
    let replay = try #require(Replay(log, on: network))
    #expect(replay.network == network)
    #expect(replay.downloads.map(\.logged.pack) == ["x", "y", "z"])
    #expect(replay.downloads.map(\.logged.began) == [0, 2_000_000, 8_000_000])
    #expect(replay.downloads.map(\.modelled) == [2_000_000, 1_500_000, 1_250_000])
    #expect(replay.size == 1_750_000)
    #expect(replay.measured == 11_000_000 && replay.modelled == 9_250_000)
  }

  @Test func `a log of huge numbers is not replayed`() {
    let log = log(line(1, "x", bytes: 9_000_000_000_000_000, milliseconds: 3))
    #expect(log.downloads.count == 1)
    #expect(Replay(log, on: NetworkProfile(bitsPerSecond: 1, latencyMicroseconds: 0)) == nil)
  }

  @Test func `a log that is no file is named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("made/log", "")
    for path in ["none", "made"].map({ folder.path($0) }) {
      let log = try RequestLogReader(path: path)
      #expect(log.diagnostics.map(\.check) == [.logSyntax] && log.diagnostics.map(\.place.path) == [path])
      #expect(log.text == nil && log.downloads.isEmpty && log.path == path)
      let trace = try LoadTrace(path: path)
      #expect(trace.findings.map(\.check) == [.traceSyntax] && trace.findings.map(\.place.path) == [path])
      #expect(trace.findings.map(\.severity) == [.error] && trace.loads.isEmpty)
    }
    try folder.write("game.log", "2.5 menu b\r\nwrong\n2.5 menu a\n1 start c")
    let trace = try LoadTrace(path: folder.path("game.log"))
    #expect(trace.findings.map(\.severity) == [.warning])
    #expect(trace.findings.map { $0.place.position?.line } == [2])
    #expect(trace.loads.map { String(decoding: $0.path, as: UTF8.self) } == ["c", "b", "a"])
    #expect(trace.loads.map(\.time) == [0, 1.5, 1.5])
    #expect(trace.loads.map(\.scene) == ["start", "menu", "menu"])
  }

  @Test func `a trace without times has its lines in order`() {
    let text = "Assets/ OPEN b\nAssets/ OPEN a\n\nAssets/ CLOSE a\nAssets/ ACCESS b\n"
    let trace = LoadTrace(text: SourceText(path: "log", bytes: Array(text.utf8)))
    let paths = trace.loads.map { String(decoding: $0.path, as: UTF8.self) }
    #expect(paths == ["Assets/b", "Assets/a", "Assets/b"])
    #expect(trace.loads.map(\.time) == [0, 0, 0] && trace.loads.map(\.marks) == [0, 0, 0])
    #expect(!trace.hasScenes && trace.findings.isEmpty)
  }

  /// A mark counts for the loads after it: later loads, and loads at the same time on later lines.
  @Test func `marks of one time count by their lines`() {
    let text = """
      5 scene=first
      42  5 openat(AT_FDCWD</>, "x", O_RDONLY) = 5</a>
      5 scene=second
      42  5 openat(AT_FDCWD</>, "x", O_RDONLY) = 5</b>
      42  4 openat(AT_FDCWD</>, "x", O_RDONLY) = 5</c>
      """
    let trace = LoadTrace(text: SourceText(path: "log", bytes: Array(text.utf8)))
    #expect(trace.loads.map(\.scene) == ["start", "first", "second"])
    #expect(trace.loads.map(\.marks) == [0, 1, 2] && trace.loads.map(\.time) == [0, 1, 1])
  }

  @Test func `players are played on each network`() throws {
    let release = try ScenarioNotation.release("a:1")
    let table = try #require(PackTable(release))
    let players = Players(.linear, of: release, lists: nil, runs: 3, seed: 1)
    let network = NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 1_000_000)
    let result = try #require(PlayersResult(players, on: table, network: network))
    func numbers(_ spread: PlayersResult.Spread) -> [Int64] { [spread.median, spread.percentile95] }
    #expect(result.network == network && result.installed.map(numbers) == [0, 0])
    #expect(numbers(result.stalls) == [1, 1] && numbers(result.stalled) == [2_000_000, 2_000_000])
    #expect(numbers(result.transferred) == [1_000_000, 1_000_000])
    let offline = try #require(PlayersResult(players, on: table, network: nil))
    #expect(offline.network == nil && offline.installed == nil && numbers(offline.stalls) == [0, 0])
    #expect(numbers(offline.transferred) == [0, 0])
    let none = Players(.linear, of: release, lists: nil, runs: 0, seed: 1)
    #expect(PlayersResult(none, on: table, network: network) == nil)
  }
}
