@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests how much of each limit a release uses.
@Suite struct LimitUseTests {
  private static let files: [SyntheticPlan.File] = [
    .init("first", 1000, "First"), .init("both", 20, "First", "Next"), .init("next", 300, "Next"),
    .init("more", 40_000, "Other"), .init("even", 40_000, "Same"), .init("last", 7, "Last", "Other"),
  ]

  private func plan(_ profile: String, _ files: [SyntheticPlan.File] = files) throws -> PackPlan {
    try SyntheticPlan(
      files, "\"limits\": \"\(profile)\"", "\"initialInstallTags\": [\"First\"]",
      "\"prefetchTagOrder\": [\"Next\"]"
    ).plan
  }

  private func uses(
    of plan: PackPlan, slices: [ReleaseSlice] = [], app: Int64? = nil
  ) -> [LimitKind: LimitUse] {
    let all = LimitUse.all(
      of: Release(of: plan), slices: slices, limits: plan.manifest.limits, appBundleSize: app)
    #expect(all.map(\.kind) == LimitKind.allCases.filter { kind in all.contains { $0.kind == kind } })
    return Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })
  }

  @Test func `each limit counts what it is a limit of`() throws {
    let uses = uses(of: try plan("app-store"), app: 5)
    let sizes: [LimitKind: Int64] = [
      .packSize: 40_000, .packCount: 6, .initialInstallSize: 1020, .prefetchSize: 1320, .totalSize: 81_327,
      .appBundleSize: 5, .tagSize: 40_007, .inUseSize: 40_007, .cellularSize: 1025,
    ]
    #expect(uses.mapValues(\.used) == sizes)
    #expect(uses[.tagSize]?.tags == ["Other"] && uses[.totalSize]?.tags == [])
    let advice = uses.filter { !$0.value.isStoreLimit }.keys
    #expect(Set(advice) == [.tagSize, .inUseSize, .cellularSize])
    for (kind, use) in uses {
      #expect(use.isCount == (kind == .packCount) && use.device == nil)
      #expect(
        use.allowed == LimitProfile.appStore.limits[kind]?.doubtful && use.headroom == use.allowed - use.used)
      #expect(use.share == Double(use.used) / Double(use.allowed))
      #expect(use.kind.check.isStoreLimit == use.isStoreLimit)
    }
  }

  @Test func `without an app its limits have no use`() throws {
    let uses = uses(of: try plan("app-store"))
    #expect(uses[.appBundleSize] == nil && uses[.cellularSize] == nil && uses.count == 7)
    #expect(
      self.uses(of: try plan("background-assets")).keys.sorted { $0.rawValue < $1.rawValue } == [
        .packCount, .totalSize,
      ])
  }

  @Test func `a limit of each device is that of the one that uses most`() throws {
    let all = DeviceClass.all
    func slice(_ size: Int64, _ device: Int) throws -> ReleaseSlice {
      let plan = try plan("app-store", [.init("a", size, "First"), .init("n", 1, "Next")])
      return ReleaseSlice(release: Release(of: plan), devices: [all[device], all[0]]) { _, _ in [] }
    }
    let slices = try [slice(10, 3), slice(30, 5), slice(30, 6), slice(20, 1)]
    let uses = uses(of: try plan("app-store"), slices: slices, app: 5)
    for kind in [LimitKind.packSize, .initialInstallSize, .prefetchSize, .tagSize, .cellularSize] {
      #expect(uses[kind]?.device?.name == all[5].name, "\(kind)")
    }
    #expect(uses[.packSize]?.used == 30 && uses[.prefetchSize]?.used == 31)
    #expect(uses[.totalSize]?.used == 81_327 && uses[.totalSize]?.device == nil)
    #expect(uses[.packCount]?.used == 6 && uses[.appBundleSize]?.used == 5)
  }

  /// For Background Assets, the store counts archives if their sizes are known.
  @Test(arguments: [("background-assets", 33), ("app-store", 81_327)] as [(String, Int64)])
  func `archives count where the store counts them`(profile: String, size: Int64) throws {
    let plan = try plan(profile)
    let packs = plan.packs.enumerated().map { number, pack in
      let file = WrittenFile(size: number < 3 ? 10 : 1, digest: .zero)
      return PublishedPack(digest: .zero, archive: PublishedFile(path: "p\(number)", file: file))
    }
    let release = Release(of: plan, packs: packs)
    let uses = LimitUse.all(of: release, limits: plan.manifest.limits, appBundleSize: nil)
    #expect(uses.first { $0.kind == .totalSize }?.used == size)
  }
}

/// Tests which tags create many packs.
///
/// The results are compared with a simple count.
@Suite struct TagSetGrowthTests {
  private struct Case {
    let tagSets: [[String]]

    init(seed: UInt64) {
      var random = SeededRandom(seed: seed)
      let tags = (0..<Int.random(in: 1...6, using: &random)).map { "t\($0)" }
      let sets = (0..<Int.random(in: 1...14, using: &random)).map { _ in
        tags.filter { _ in Int.random(in: 0...2, using: &random) == 0 }
      }
      tagSets = Set(sets.filter { !$0.isEmpty }).sorted { $0.lexicographicallyPrecedes($1) }
    }

    var tags: [String] { Set(tagSets.joined()).sorted() }

    func count(without tag: String) -> Int {
      Set(tagSets.map { $0.filter { $0 != tag } }.filter { !$0.isEmpty }).count
    }

    func count(_ first: String, asWellAs second: String) -> Int {
      Set(tagSets.map { Set($0.map { $0 == second ? first : $0 }) }).count
    }
  }

  @Test func `notes name the tags with which fewest packs are left`() throws {
    var merges = 0
    for seed in 0..<300 as Range<UInt64> {
      let example = Case(seed: seed)
      if example.tagSets.isEmpty { continue }
      let tags = example.tags
      let texts = TagSetGrowth(of: example.tagSets).notes.map(\.namedValues)
      let frequent = tags.map { tag in (tag, example.tagSets.count { $0.contains(tag) }) }
        .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
      if frequent[0].1 == 1 {
        #expect(texts == [], "seed \(seed)")
        continue
      }
      let listed = frequent.prefix(3).map { "\"\($0.0)\" \($0.1)" }.joined(separator: " ")
      try #require(texts.count >= 2, "seed \(seed)")
      #expect(texts[0] == listed)
      let dropped = try #require(
        tags.min { (example.count(without: $0), $0) < (example.count(without: $1), $1) })
      let left = example.count(without: dropped)
      #expect(texts[1] == "\"\(dropped)\" \(left)", "seed \(seed)")
      let order = frequent.map(\.0)
      var best = example.tagSets.count
      var text: String?
      for (index, first) in order.enumerated() {
        for second in order[(index + 1)...] where example.count(first, asWellAs: second) < best {
          best = example.count(first, asWellAs: second)
          text = "\"\(first)\" \"\(second)\" \(best)"
        }
      }
      #expect(texts.dropFirst(2).first == text, "seed \(seed)")
      if text != nil { merges += 1 }
    }
    #expect(merges > 100)
  }
}

/// Tests the size of the app.
///
/// The size is in the manifest, or it is the size of the bundle whose path is in the manifest.
@Suite struct AppBundleSizeTests {
  private func size(_ appBundle: String, in folder: TemporaryFolder) throws -> (
    size: Int64?, found: [Diagnostic]
  ) {
    try folder.writeManifest([], members: #""appBundle": \#(appBundle)"#)
    let manifest = try #require(try ManifestReader(argument: folder.path).manifest)
    let (size, found) = try manifest.appBundleSize()
    return (size, found)
  }

  @Test func `all files of a bundle count, and nothing else`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Build/App.app/App", String(repeating: "x", count: 1000))
    try folder.write("Build/App.app/.DS_Store", "12345")
    try folder.write("Build/App.app/Frameworks/F/F", String(repeating: "x", count: 20))
    try folder.link("Build/App.app/link", to: "App")
    try folder.write("Build/App.ipa", "1234567")
    #expect(try size("{\"path\": \"Build/App.app\"}", in: folder).size == 1025)
    #expect(try size("{\"path\": \"Build/App.ipa\"}", in: folder).size == 7)
    #expect(try size("{\"path\": \"Build/App.app/Frameworks\"}", in: folder).size == 20)
    #expect(try size("{\"size\": 77}", in: folder).size == 77)
    let missing = try size("{\"path\": \"App.app\"}", in: folder)
    #expect(missing.size == nil && missing.found.map(\.check) == [.invalidPath])
    #expect(missing.found.first?.place.position != nil)
    #expect(try size("{\"path\": \"Build/App.app\"}", in: folder).found == [])
  }
}

/// Tests budgets for packs.
///
/// The key of a budget consists of the tags of the pack.
@Suite struct PackBudgetTests {
  private func findings(_ budgets: String) throws -> [Diagnostic] {
    let plan = try SyntheticPlan(
      [.init("a", 10, "A"), .init("b", 20, "B", "A"), .init("c", 30, "C", "B", "A")],
      "\"budgets\": {\"packs\": {\(budgets)}}")
    return plan.findings().filter { [.packBudget, .unknownPack].contains($0.check) }
  }

  @Test func `a pack has at most its budget`() throws {
    #expect(try findings("\"A\": 10, \"A+B\": 20, \"A+B+C\": 30") == [])
    let found = try findings("\"A\": 9, \"A+B\": 20, \"A+B+C\": 29")
    #expect(found.map(\.check) == [.packBudget, .packBudget])
    #expect(found.map(\.place.position?.line) == [8, 8] && found.allSatisfy { !$0.notes.isEmpty })
    #expect(found.map { $0.message.contains("{\"A\"}") } == [true, false])
  }

  @Test(
    arguments: [
      ("B+A", "A+B"), ("C+A+B", "A+B+C"), ("B+C+A", "A+B+C"), ("A+b", "A+B"), ("unlike anything", nil),
    ] as [(String, String?)])
  func `a finding names the pack that has the same tags in another order`(name: String, meant: String?) throws
  {
    let found = try findings("\"\(name)\": 1")
    #expect(found.map(\.check) == [.unknownPack])
    #expect(found[0].namedValues.hasSuffix("\"\(meant ?? name)\""))
  }

  /// A tag can contain a plus sign, so several packs can have the same tags in another order.
  @Test func `of several packs with the same tags the first name counts`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 10, "A", "C+B"), .init("b", 20, "A+B", "C"), .init("c", 20, "B+A", "C")],
      #""budgets": {"packs": {"C+B+A": 1}}"#)
    #expect(plan.findings().filter { $0.check == .unknownPack }.map(\.namedValues) == [#""C+B+A" "A+B+C""#])
  }
}

/// Tests the number of submissions.
///
/// The store accepts up to 10 packs in one submission.
@Suite struct SubmissionTests {
  @Test(arguments: [(0, nil), (1, 1), (10, 1), (11, 2), (20, 2), (21, 3)] as [(Int, Int?)])
  func `ten packs make a submission`(count: Int, submissions: Int?) throws {
    // A plan needs at least one file, but an index can be without packs.
    let files = (0..<max(count, 1)).map { SyntheticPlan.File("\($0)", 1, "Tag \($0)") }
    var plan = try SyntheticPlan(files, "\"limits\": \"background-assets\"").plan
    if count == 0 { plan = PackPlan(grouping: AssetTree(tagSets: TagSets(of: [])), of: plan.manifest) }
    let input = PackCheck.Input(of: plan)
    let found = PackCheck.all.flatMap { $0.find(input) }.filter { $0.check == .submissionCount }
    #expect(found.count == (submissions == nil ? 0 : 1))
    if let submissions {
      #expect(found[0].message.names(counted(count, of: "pack"), counted(submissions, of: "submission")))
    }
  }
}
