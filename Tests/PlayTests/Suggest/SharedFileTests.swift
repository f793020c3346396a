@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
import Support
import Testing

/// Tests runs in which a scene loads a file that another scene has loaded before.
@Suite struct SharedFileTests {
  private let site: ScanSite
  private let plan: PackPlan
  private let loaded: LoadedScenes

  /// Makes the runs.
  ///
  /// Every run begins with the menu.
  ///
  /// Half of the runs load `c/1` in the menu. The other half load it in the level, ten seconds later. In
  /// addition, the level loads the menu's file again.
  init() throws {
    site = try ScanSite()
    for (path, size) in [("a/1", 20), ("b/1", 10), ("c/1", 3)] {
      try site.folder.writeSparse("Assets/\(path)", size: Int64(size) * 1_000_000)
    }
    try site.folder.write(
      "Manifest.json",
      #"""
      {
        "bundleIdentifier": "com.example.game",
        "root": "Assets",
        "tags": ["a", "b", "c"],
        "resources": [{ "glob": "*/**", "tagTemplates": ["$1"] }]
      }
      """#)
    plan = try #require(try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
    for run in 0..<12 {
      let (first, later) = run % 2 == 0 ? ("1 menu c/1\n", "") : ("", "11 level c/1\n")
      try site.folder.write("\(run).log", "0 menu a/1\n\(first)10 level b/1\n\(later)12 level a/1\n")
    }
    let logs = (0..<12).map { [folder = site.folder] in folder.path("\($0).log") }
    loaded = try LoadedScenes(tracesAt: logs, in: plan, sceneMarks: [], jobs: 1)
  }

  private var request: TagProposal.Request {
    TagProposal.Request(links: [
      NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 100_000)
    ])
  }

  @Test func `what the first scene loads is of that alone`() {
    let classes = FileClasses(loaded, plan: plan)
    #expect(classes.base == 0)
    #expect(classes.classOfFile.map { classes.classes[Int($0)].atoms } == [[0], [1], [0]])
  }

  @Test func `a file comes over the link once`() throws {
    let bound = try #require(TagPlayback(request, of: plan).bound(loaded.runs))
    #expect(bound.transferred.median == 33_000_000 && bound.transferred.percentile95 == 33_000_000)
    // Half of the runs wait for one latency and 23 MB before the menu. The other runs need 33 MB, but the
    // player plays during ten seconds of the download.
    #expect(bound.wait.median == 23_100_000 && bound.mean == 23_100_000)
  }

  @Test func `a list of tags becomes that of the proposal`() throws {
    let proposal = try #require(TagProposal(loaded, plan: plan, request: request))
    let text = try #require(proposal.manifest(for: plan))
    let value = try #require(JSONReader.read(SourceText(path: "", bytes: text.bytes)).value)
    let tags = value.member("tags")?.elements?.compactMap(\.string)
    #expect(tags == proposal.tagging.usedTags && tags != ["a", "b", "c"])
  }
}

/// Tests how releases are read and compared before a scenario is played.
@Suite struct ComparedReleaseTests {
  private func reader(_ site: ScanSite, _ rules: [TestRule]) throws -> SimulatedReleaseReader {
    _ = try site.manifest(rules)
    return try SimulatedReleaseReader(Preparation.Request(argument: site.folder.path, jobs: 1))
  }

  /// Two packs can have the same contents only if they have the same identifier, paths and sizes.
  ///
  /// So only the files of such packs are read.
  @Test func `files are read where packs can be equal`() throws {
    func read(_ first: (path: String, tag: String), _ second: (path: String, tag: String), size: Int) throws
      -> (bytes: Int64, isSame: Bool)
    {
      let sites = [try ScanSite(), try ScanSite()]
      let readers = try zip(sites, [(first, 4), (second, size)]).map { site, made in
        try site.write(made.0.path, String(repeating: "x", count: made.1))
        return try reader(site, [.path(made.0.path, made.0.tag)])
      }
      defer { withExtendedLifetime(sites) {} }
      let compared = try ComparedReleases(readers, jobs: 1)
      #expect(compared.diagnostics == [] && compared.releases.count == 2)
      let contents = compared.releases.map { $0.packs[0].content }
      return (compared.readCounter.count.read, contents[0] == contents[1])
    }
    #expect(try read(("a", "A"), ("a", "A"), size: 4) == (8, true))
    #expect(try read(("a", "A"), ("a", "B"), size: 4) == (0, false))
    #expect(try read(("a", "A"), ("b", "A"), size: 4) == (0, false))
    #expect(try read(("a", "A"), ("a", "A"), size: 5) == (0, false))
  }

  @Test func `sizes are called uncompressed if a manifest specifies the packs`() throws {
    let site = try ScanSite("a")
    let whole = try reader(site, [.path("a", "A")])
    #expect(whole.release != nil && whole.note.map(\.check) == [.uncompressedSizes])
    let broken = try reader(site, [.path("none", "A")])
    #expect(broken.release == nil && broken.manifest != nil && broken.note == [])
    let folder = try BuiltSite()
    let built = try SimulatedReleaseReader(BuiltFolder(folder.path))
    #expect(built.release != nil && built.note == [])
  }

  @Test func `a built folder with an error has no release`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let list = try #require(try site.index().patches.first?.1)
    #expect(try SimulatedReleaseReader(BuiltFolder(site.site.folder.path("out"))).release != nil)
    try site.site.folder.write("out/\(list.path)", "{}")
    let damaged = try SimulatedReleaseReader(BuiltFolder(site.site.folder.path("out")))
    #expect(damaged.release == nil && damaged.diagnostics.map(\.check) == [.damagedPatch])
  }
}
