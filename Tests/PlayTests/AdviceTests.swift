@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
import Support
import Testing

/// Tests the advice that reduces the player's waits: changes of a scenario, and changes of the tag lists in a
/// manifest.
@Suite(.noHang) struct AdviceTests {
  /// A site with four packs: 1 MB for the tag A, 2 MB for B, 3 MB for C, and 4 MB for D.
  private let site: ScanSite

  init() throws {
    site = try ScanSite()
    for (place, tag) in ["A", "B", "C", "D"].enumerated() {
      try site.folder.writeSparse("Assets/\(tag)", size: Int64(place + 1) * 1_000_000)
    }
  }

  /// Plays a scenario on a network with a latency of 1 s and a rate of 1 MB/s.
  private func play(
    _ steps: String, initial: String = "", prefetch: String = "", expect: String = ""
  ) throws -> (play: ScenarioPlay, manifest: Manifest?) {
    try site.folder.write(
      "Manifest.json",
      """
      {"bundleIdentifier": "com.example.game", "root": "Assets", "appBundle": {"size": 0},
      "resources": [{"glob": "*", "tagTemplates": ["$1"]}],
      "initialInstallTags": [\(initial)], "prefetchTagOrder": [\(prefetch)]}
      """)
    let text = "{\"link\": {\"rate\": \"8 Mbit/s\", \"latency\": \"1 s\"}, \(expect)\"steps\": [\(steps)]}"
    let reader = ScenarioReader(text: SourceText(path: site.folder.path("s.json"), bytes: Array(text.utf8)))
    try #require(reader.scenario != nil, "\(reader.diagnostics.map(\.message))")
    let start = try SimulatedReleaseReader(Preparation.Request(argument: site.folder.path, jobs: 1))
    let play = try #require(try ScenarioPlay(reader, on: start, jobs: 1))
    return (play, start.manifest)
  }

  private func proposals(_ played: (play: ScenarioPlay, manifest: Manifest?)) throws -> [Advice.Change: Int64]
  {
    let advice = try #require(Advice(for: played.play, lists: played.manifest.map { TagLists($0) }))
    #expect(advice.untried == 0 && advice.knowsLists)
    let saved = advice.proposals.map(\.saved)
    #expect(advice.isShort || saved == saved.sorted(by: >))
    return Dictionary(uniqueKeysWithValues: advice.proposals.map { ($0.change, $0.saved) })
  }

  private static let loads = """
    {"install": true}, {"play": "10 s"}, {"begin": ["A"], "as": "a"}, {"await": "a"}, {"end": "a"},
    {"play": "1 s"}, {"begin": ["B"], "as": "b"}, {"await": "b"}, {"end": "b"}
    """

  /// Without any change, the player waits 2 s for A and 3 s for B.
  @Test func `a request that begins before playing waits less`() throws {
    let found = try proposals(try play(Self.loads))
    #expect(found[.beginEarlier(2)] == 2_000_000)
    #expect(found[.beginEarlier(6)] == 1_000_000)
    #expect(found[.beginAllEarlier] == 3_000_000)
    #expect(found[.addToInstall("A")] == 0 || found[.addToInstall("A")] == nil)
  }

  /// The repeat has two rounds.
  ///
  /// With the advice, the request begins earlier in both rounds.
  @Test func `a step that is repeated moves each time`() throws {
    let steps = """
      {"install": true}, {"repeat": 2, "steps": [{"play": "1 s"}, {"begin": ["B"], "as": "b"}, {"await": "b"},
      {"end": "b"}, {"begin": ["C"], "as": "c"}, {"await": "c"}, {"end": "c"}, {"space": "0 B"}, {"space": "9 MB"}]}
      """
    let found = try proposals(try play(steps))
    #expect(found[.beginEarlier(2)] == 2_000_000)
    #expect(found[.beginAllEarlier] != nil)
  }

  @Test func `a request without playing before it cannot begin earlier`() throws {
    let steps = """
      {"install": true}, {"begin": ["A"], "as": "a"}, {"await": "a"}, {"play": "9 s"}, {"end": "a"}
      """
    #expect(try proposals(try play(steps))[.beginEarlier(1)] == nil)
  }

  /// In the 3 s of play, 2 MB of D arrive.
  ///
  /// Then the player waits 2 s for A.
  @Test func `a tag that is fetched ahead comes in the order of the list`() throws {
    let steps = """
      {"install": true}, {"play": "3 s"}, {"begin": ["A"], "as": "a"}, {"await": "a"}
      """
    let played = try play(steps, prefetch: "\"D\", \"A\", \"B\"")
    let found = try proposals(played)
    #expect(played.play.result?.summary.stalled == 2_000_000)
    #expect(found[.swapPrefetch("D", "A")] == 2_000_000)
    #expect(found[.swapPrefetch("A", "B")] == nil)
    #expect(found[.addToInstall("A")] == nil)
  }

  /// It takes 8 s to install the app, B and C.
  ///
  /// If C is the first pack of the prefetch instead, it arrives during the 9 s of play.
  @Test func `a tag of the initial install can come later`() throws {
    let steps = """
      {"install": true}, {"play": "9 s"}, {"begin": ["C"], "as": "c"}, {"await": "c"}
      """
    let played = try play(steps, initial: "\"B\", \"C\"", prefetch: "\"D\"")
    #expect(played.play.result?.summary.installed == 8_000_000)
    let found = try proposals(played)
    #expect(found[.moveToPrefetch("C")] == 4_000_000)
    #expect(found[.moveToPrefetch("B")] == 3_000_000)
    #expect(found[.addToInstall("D")] == nil && found[.addToInstall("A")] == nil)
  }

  /// All these changes save the same time, the 2 s for a pack of 1 MB.
  @Test func `of equal changes the first tried comes first`() throws {
    for tag in ["E", "F", "G"] { try site.folder.writeSparse("Assets/\(tag)", size: 1_000_000) }
    let tags = ["F", "A", "G", "E"]
    let played = try play(
      "{\"install\": true}, {\"play\": \"9 s\"}",
      initial: tags.map { "\"\($0)\"" }.joined(separator: ", "))
    let advice = try #require(Advice(for: played.play, lists: played.manifest.map { TagLists($0) }))
    #expect(advice.proposals.map(\.change) == tags.map { .moveToPrefetch($0) })
    #expect(advice.proposals.map(\.saved) == [2_000_000, 2_000_000, 2_000_000, 2_000_000])
    #expect(advice.tried == 7 && advice.untried == 0 && !advice.isShort)
  }

  /// If a scenario has many steps, only a few of the possible changes are tried.
  @Test func `only so many changes are tried as there is time for`() throws {
    // For a push, the scenario and the limit are smaller.
    let scale = sample(1, of: 20)
    let (play, manifest) = try play(
      "{\"install\": true}, {\"repeat\": \(3_000 * scale), \"steps\": [{\"play\": \"1 ms\"}]}, "
        + (0..<30).map { "{\"begin\": [\"A\"], \"as\": \"r\($0)\"}" }.joined(separator: ", "))
    let lists = manifest.map { TagLists($0) }
    let advice = try #require(
      isWhole ? Advice(for: play, lists: lists) : Advice(for: play, lists: lists, maxSteps: 50_000))
    // The scenario has 60,031 or 3,031 steps, and 4 packs. There are 35 possible changes: 31 changes of requests, and 4
    // tags that can be added to the initial install.
    #expect(advice.tried == 16 && advice.untried == 35 - 16)
  }

  /// The notes list the longest transfers first.
  @Test func `notes of a slow install name the longest transfers first`() throws {
    let (play, _) = try play(
      "{\"install\": true}", initial: "\"B\", \"D\", \"A\", \"C\"",
      expect: "\"expect\": {\"installed\": \"1 s\"}, ")
    let finding = try #require(play.diagnostics.first { $0.check == .slowInstall })
    #expect(finding.notes.map { $0.namedValues.split(separator: "\"")[1] } == ["D", "C", "B"])
    let short = try #require(Advice(for: play, lists: nil))
    #expect(short.isShort && !short.knowsLists && short.proposals.isEmpty)
  }
}
