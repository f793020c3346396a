@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
import Support
import Testing

/// Tests the facts that `suggest` learns from the runs of a game with a menu and a level.
@Suite struct LoadedFileTests {
  private let site: ScanSite
  private let plan: PackPlan
  private let loaded: LoadedScenes
  private static let runs = 12

  /// Makes the runs.
  ///
  /// Every run loads the menu and, ten seconds later, the level.
  ///
  /// In addition, the first run loads a file that no other run loads. Two files are never loaded.
  init() throws {
    site = try ScanSite()
    for (path, size) in [("a/1", 20), ("b/1", 10), ("c/1", 3), ("c/2", 4), ("d/1", 6)] {
      try site.folder.writeSparse("Assets/\(path)", size: Int64(size) * 1_000_000)
    }
    try site.folder.write(
      "Manifest.json",
      #"""
      {
        "$schema": "https://example.com/schema.json",
        "bundleIdentifier": "com.example.game",
        "root": "Assets",
        "resources": [{ "glob": "*/**", "tagTemplates": ["$1"] }]
      }
      """#)
    plan = try #require(try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
    for run in 0..<Self.runs {
      let more = run == 0 ? "11 level d/1\n" : ""
      try site.folder.write("\(run).log", "0 menu a/1\n10 level b/1\n\(more)10.5 level b/1\n")
    }
    let logs = (0..<Self.runs).map { [folder = site.folder] in folder.path("\($0).log") }
    loaded = try LoadedScenes(tracesAt: logs, in: plan, sceneMarks: [], jobs: 1)
  }

  private var request: TagProposal.Request {
    var request = TagProposal.Request(links: [
      NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 100_000),
      NetworkProfile(bitsPerSecond: 800_000, latencyMicroseconds: 300_000),
    ])
    request.connections = 2
    request.updateCount = 5
    return request
  }

  @Test func `runs are visits of scenes with the files that are new to each`() throws {
    #expect(loaded.scenes == ["menu", "level"])
    #expect(loaded.runs.count == Self.runs)
    let paths = loaded.runs[0].visits.map { $0.files.map { plan.tree.files[Int($0)].path } }
    #expect(paths == [["a/1"], ["b/1", "d/1"]])
    #expect(loaded.runs[1].visits.map(\.scene) == [0, 1])
    #expect(loaded.runs[1].visits.map(\.start) == [0, 10_000_000])
  }

  /// Without names in the log, a scene begins after a pause.
  ///
  /// Its name is that of the first of its files that few other scenes load.
  @Test func `scenes without names are named after their rarest file`() throws {
    let site = try ScanSite()
    let common = (0..<9).map { "a/common\($0)" }
    let (menu, level) = ((0..<12).map { "b/menu\($0)" }, (0..<12).map { "c/level\($0)" })
    for path in common + menu + level { try site.write(path, "x") }
    _ = try site.manifest([.path("a", "A"), .path("b", "B"), .path("c", "C")])
    let plan = try #require(try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
    let logs = try (0..<4).map { run in
      let loads = (common + menu).map { (1, $0) } + (common + level).map { (100, $0) }
      let lines = loads.map { "\($0).5 game(42): RO \(site.folder.path("Assets/\($1)"))\n" }
      try site.folder.write("\(run).log", lines.joined())
      return site.folder.path("\(run).log")
    }
    let loaded = try LoadedScenes(tracesAt: logs, in: plan, sceneMarks: [], jobs: 1)
    #expect(loaded.scenes == ["menu0", "level0"])
  }

  @Test func `a pause of more than two seconds begins a scene`() throws {
    let loads: [(time: Double, path: String)] = [(1, "a/1"), (3, "b/1"), (3, "b/1"), (5.5, "c/1")]
    try site.folder.write(
      "pause.log",
      loads.map { "\($0.time) game(42): RO \(site.folder.path("Assets/\($0.path)"))\n" }.joined())
    let paused = try LoadedScenes(
      tracesAt: [site.folder.path("pause.log")], in: plan, sceneMarks: [], jobs: 1)
    #expect(paused.findings == [] && paused.runs.map(\.name) == [site.folder.path("pause.log")])
    let visits = try #require(paused.runs.first).visits
    #expect(visits.map(\.start) == [0, 4_500_000] && visits.map(\.scene) == [0, 1])
    #expect(visits.map(\.files) == [[0, 1], [2]])
    #expect(paused.scenes == ["1", "1 2"])
    // A single run cannot be split.
    #expect(paused.split(seed: 1) == nil)
  }

  @Test func `a log of other files is no run`() throws {
    try site.folder.write("other.log", "1 menu x/1\n2 menu y/1\n")
    let logs = ["other.log", "0.log", "1.log"].map { site.folder.path($0) }
    let other = try LoadedScenes(tracesAt: logs, in: plan, sceneMarks: [], jobs: 1)
    #expect(other.findings.map(\.check) == [.traceElsewhere])
    #expect(other.findings.map(\.place.path) == [logs[0]])
    #expect(other.runs.map(\.name) == [logs[1], logs[2]])
    // At least one run is held out.
    let parts = try #require(other.split(seed: 4))
    #expect(parts.trainingRuns.runs.count == 1 && parts.heldOut.runs.count == 1)
  }

  @Test func `files are of the scenes that load them, or of their folders`() throws {
    let classes = FileClasses(loaded, plan: plan)
    #expect(classes.base == 0 && classes.neverLoaded == FileCount(files: 2, size: 7_000_000))
    let all = (UInt128(1) << UInt128(Self.runs)) - 1
    let items = classes.classOfFile.map { classes.classes[Int($0)].item }
    // The classes are sorted by their paths: a/1, then b/1, then c/1 with c/2, then d/1.
    #expect(items.map(\.firstSceneRuns) == [all, 0, 0, 0, 0])
    #expect(items.map(\.runs) == [all, all, 0, 0, 1])
    #expect(items.map(\.size) == [20, 10, 7, 7, 6].map { Int64($0) * 1_000_000 })
    #expect(items.map(\.updates) == [0, 0, 0, 0, 0])
    // There is one folder that exactly one run needs. So all classes that no run needs have the same
    // probability.
    let chance = (1 + 0.5) / Double(Self.runs)
    #expect(items.map(\.unseenRunProbability) == [0, 0, chance, chance, 0])
    #expect(classes.names == ["menu", "level", "c", "d"])
  }

  @Test func `files that updates change are classes of their own`() throws {
    let classes = FileClasses(loaded, plan: plan, changes: ["c/2": 0b101, "a/1": 0b10])
    let own = classes.classOfFile.map { classes.classes[Int($0)] }
    #expect(own.map(\.isChanging) == [true, false, false, true, false])
    #expect(own.map(\.item.updates) == [0b10, 0, 0, 0b101, 0])
    #expect(own.map(\.item.size) == [20, 10, 3, 4, 6].map { Int64($0) * 1_000_000 })
  }

  private func tagging(_ groups: [[Int]], changes: [String: UInt64] = [:]) -> Tagging {
    Tagging("new", classes: FileClasses(loaded, plan: plan, changes: changes), groups: groups, of: plan)
  }

  private func tags(_ tagging: Tagging) -> [[String]] {
    tagging.sets.indices.map { tagging.names(ofSet: $0) }
  }

  /// The folder `c` has a pack for the file that changes and a pack for the file that does not.
  @Test func `of two packs with the same tags the changing one gets another tag`() throws {
    let changes: [String: UInt64] = ["c/2": 0b101, "a/1": 0b10]
    var made = tagging([[0], [1], [2], [3], [4]], changes: changes)
    #expect(tags(made) == [["menu"], ["level"], ["c"], ["Changing", "c"], ["d"]])
    #expect(made.packOfFile == [0, 1, 2, 3, 4] && made.baseScene == 0 && made.name == "new")
    #expect(made.sizes == [20, 10, 3, 4, 6].map { Int64($0) * 1_000_000 })
    #expect(made.tags == ["menu", "level", "c", "Changing", "d"])
    #expect(made.tagSizes == [20, 10, 7, 4, 6].map { Int64($0) * 1_000_000 })
    #expect(made.usedTags == ["Changing", "c", "d", "level", "menu"])
    #expect(made.tags(ofScene: 0) == ["menu"] && made.tags(ofScene: 1) == ["level"])
    // A file that no tag of the scene brings is requested with the smallest tag of its pack.
    let asked = loaded.runs.prefix(2).map { made.tagsAsked(in: $0.visits[1], tagSizes: made.tagSizes) }
    #expect(asked == [["d", "level"], ["level"]])
    made.initialInstall = ["menu"]
    made.prefetch = ["c"]
    let release = made.release(bundleIdentifier: "a.b")
    #expect(release.packs.map(\.tags) == [["menu"], ["level"], ["c"], ["Changing", "c"], ["d"]])
    #expect(release.packs.map(\.size) == made.sizes)
    #expect(release.initialInstall == [0] && release.prefetch == [2, 3])
  }

  @Test func `one pack of what changes and what does not has no other tag`() {
    let made = tagging([[0], [1], [2, 3], [4]], changes: ["c/2": 1, "a/1": 1])
    #expect(tags(made) == [["menu"], ["level"], ["c"], ["d"]] && made.packOfFile == [0, 1, 2, 2, 3])
    #expect(made.sizes == [20, 10, 7, 6].map { Int64($0) * 1_000_000 })
  }

  /// Without changes, the classes are the files of `a`, `b`, `c` and `d`.
  @Test func `names that occur in one pack only become one`() {
    let made = tagging([[0], [1, 3], [2]])
    #expect(tags(made) == [["menu"], ["level"], ["c"]] && made.packOfFile == [0, 1, 2, 2, 1])
    let all = tagging([[1, 2], [0, 3]])
    #expect(tags(all) == [["level"], ["menu"]] && all.packOfFile == [1, 0, 0, 0, 1])
    #expect(all.tags(ofScene: 0) == ["menu"] && all.tags(ofScene: 1) == ["level"])
  }

  /// A part of the later downloads happens during play and costs nothing.
  ///
  /// But at least 10 % of each wait is counted.
  @Test func `waiting has the price of the links`() throws {
    let price = PackGrouping.CostModel(loaded, plan: plan, request: request)
    let bytes = (Double(Self.runs) * 30e6 + 6e6) / Double(Self.runs)
    let seconds = 10.0
    let (fast, slow) = (1e-6, 1e-5)
    let hidden = [fast, slow].map { 1 - seconds / (bytes * $0) }
    func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-12 * max(1, abs(other)) }
    #expect(isNear(price.first.request, (0.05 + 0.15) / 2))
    #expect(isNear(price.first.byte, (fast + slow) / 2))
    #expect(isNear(price.later.request, (hidden[0] * 0.05 + hidden[1] * 0.15) / 2))
    #expect(isNear(price.later.byte, (hidden[0] * fast + hidden[1] * slow) / 2))
    #expect(price.runCount == Self.runs && price.updateCount == 5)
    #expect(isNear(price.update, price.first.byte * 0.1))
    var quick = request
    quick.links = [NetworkProfile(bitsPerSecond: 800_000_000, latencyMicroseconds: 0)]
    let played = PackGrouping.CostModel(loaded, plan: plan, request: quick)
    #expect(isNear(played.later.byte, played.first.byte * 0.1) && played.first.request == 0)
  }

  @Test func `a quarter of the runs is held out`() throws {
    let (learned, heldOut) = try #require(loaded.split(seed: 1))
    #expect([learned.runs.count, heldOut.runs.count] == [9, 3])
    let names = learned.runs.map(\.name) + heldOut.runs.map(\.name)
    #expect(Set(names) == Set(loaded.runs.map(\.name)) && names.count == Self.runs)
    let again = try #require(loaded.split(seed: 1))
    #expect(again.heldOut.runs.map(\.name) == heldOut.runs.map(\.name))
    let others = (2...9).compactMap { loaded.split(seed: $0)?.heldOut.runs.map(\.name) }
    #expect(others.contains { $0 != heldOut.runs.map(\.name) })
  }

  /// All files that a scene loads must be downloaded before the scene begins: during play, or while the
  /// player waits.
  @Test func `the least wait is that of the link`() throws {
    var alone = request
    alone.links = [NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 100_000)]
    let bound = try #require(TagPlayback(alone, of: plan).bound(loaded.runs))
    // 20 MB and one latency come before the menu. 10 MB more are downloaded during the ten seconds of play.
    #expect(bound.wait.median == 20_100_000 && bound.transferred.median == 30_000_000)
    // The first run must download 6 MB more than the other runs.
    #expect(bound.wait.percentile95 == 26_100_000 && bound.transferred.percentile95 == 36_000_000)
    #expect(bound.mean == (11 * 20_100_000 + 26_100_000) / 12 && bound.packs == nil)
  }

  @Test func `a manifest that moves names the same files`() throws {
    let proposal = try #require(TagProposal(loaded, plan: plan, request: request))
    let value = { (text: EditedText) in JSONReader.read(SourceText(path: "", bytes: text.bytes)).value }
    let moved = try #require(proposal.manifest(for: plan, prefixedBy: ["..", "game"]).flatMap(value))
    #expect(moved.member("root")?.string == "../game/Assets")
    #expect(moved.member("$schema")?.string == "https://example.com/schema.json")
    let same = try #require(proposal.manifest(for: plan).flatMap(value))
    #expect(same.member("root")?.string == "Assets")
    #expect(same.member("initialInstallTags")?.elements?.compactMap(\.string) == ["menu"])
    #expect(proposal.packItems.reduce(Int64(0)) { $0 + $1.size } == 43_000_000)
  }
}
