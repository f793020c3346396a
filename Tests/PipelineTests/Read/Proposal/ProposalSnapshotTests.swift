@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Compares the proposed rules for many folder trees with a snapshot file.
///
/// The diff of this file shows the effects of a change. After an intentional change, run `UPDATE_SNAPSHOTS=1
/// swift test` and read the diff.
@Suite struct ProposalSnapshotTests {
  private static let names = [
    "ui", "Fonts", "shared", "Common", "Levels", "Music", "sprites.atlas", "Images.xcassets", "de.lproj",
    "en.lproj", "Base.lproj", "fr", "en", "pt_BR", "data", "Level 1", "Level 2", "level-03", "boss_fights",
    "Stories",
    "misc", "a{b", "AppIcon.appiconset", "world10", "world9", "hats", "knight", "archer", "mage",
  ]
  private static let files = [
    "map.json", "a.png", "text_en.txt", "text_de.txt", "voice.fr.ogg", "voice.en.ogg", "x",
  ]

  /// Returns the files of a tree.
  ///
  /// Trees of different seeds have some paths in common.
  private static func files(seed: UInt64) -> [UntaggedFile] {
    var dice = Dice(seed: seed &* 31 &+ 5)
    let pool = (0..<7).map { _ in dice.pick(names) }
    let top = dice.chance(30) ? dice.pick(pool) + "/" : ""
    var paths: [String: Int64] = [:]
    for _ in 0..<(3 + dice.below(30)) {
      let folders = (0..<dice.below(4)).map { _ in dice.pick(pool) + "/" }.joined()
      let size = dice.pick([100, 70_000, 1 << 20, 1_100_000, 30_000_000, 65_000_000]) + dice.below(3)
      paths[top + folders + dice.pick(files)] = Int64(size)
    }
    return paths.sorted { $0.key < $1.key }.map { UntaggedFile(path: $0.key, size: $0.value) }
  }

  private static func text(_ each: ProposedRule) -> String {
    let tags = each.rule.tags.map(\.value) + each.rule.templates.map(\.text.value)
    let excepts = each.rule.excepts.map { " without \($0.value.text)" }.joined()
    return "rule \(each.rule.pattern.key) \(each.rule.text.value)\(excepts) = \(tags): "
      + values(in: each.reason)
  }

  private static func lines(_ files: [UntaggedFile]) -> [String] {
    let tree = FolderTree(of: files)
    let proposal = RuleProposal(
      tree, of: files, noun: "Part")
    return ["root \(tree.rootPath), \(files.count) files"] + proposal.rules.map(text)
      + proposal.kept.map { "kept \($0.path) \($0.fileCount) \($0.size)" }
      + [proposal.mainTag.map { "main \($0)" } ?? "no main tag"]
      + ["initial \(proposal.initialInstallTags), prefetch \(proposal.prefetchTagOrder)"]
  }

  @Test func `rules for many trees of folders`() throws {
    var lines: [String] = []
    for seed in 0..<80 as Range<UInt64> {
      lines += ["", "tree \(seed)"] + Self.lines(Self.files(seed: seed))
    }
    try expectSnapshot(lines.joined(separator: "\n") + "\n", at: "Tests/Fixtures/Reports/proposals.txt")
  }

  @Test func `rules for many games`() throws {
    var lines: [String] = []
    for seed in 0..<160 as Range<UInt64> {
      let files = GameTree(seed: seed).files
      // As in a manifest, the rules are for the files below the root.
      let root = FolderTree(of: files).rootPath
      let front = root.isEmpty ? "" : "\(root)/"
      let below = files.filter { $0.path.hasPrefix(front) }.map {
        UntaggedFile(path: String($0.path.dropFirst(front.count)), size: $0.size)
      }
      lines += ["", "game \(seed) in \(root)"] + Self.lines(below)
    }
    try expectSnapshot(
      lines.joined(separator: "\n") + "\n", at: "Tests/Fixtures/Reports/proposals-of-games.txt")
  }

  /// One folder of each kind, in a tree that is large enough for separate packs.
  @Test func `each sort of folder has its rule`() {
    let large: Int64 = 40_000_000
    let found = Self.lines(
      [
        ("ui/a.png", large), ("Fonts/a.ttf", 64_000_000), ("shared/x", large), ("Music/theme", large),
        ("Icons.atlas/x", large), ("Own/AppIcon.appiconset/x", large), ("small/x", 1000),
        ("Levels/1/map", large), ("Levels/2/map", large), ("Levels/10/map", large), ("none{/x", large),
      ].map { UntaggedFile(path: $0.0, size: $0.1) })
    #expect(
      found == [
        "root , 11 files", "rule path Icons.atlas = [\"Icons\"]: ",
        "rule glob Levels/*/** = [\"Level $1\"]: 3", "rule path Music = [\"Music\"]: ",
        "rule path none{ = [\"None{\"]: ", "rule path shared = [\"Shared\"]: ", "rule path ui = [\"Ui\"]: ",
        "kept Fonts/a.ttf 1 64000000", "kept Own 1 40000000", "kept small 1 1000", "main None{",
        "initial [\"Level 1\", \"None{\"], prefetch [\"Shared\", \"Ui\", \"Level 2\", \"Level 10\"]",
      ])
  }
}
