@testable import Formats
@testable import Model
@testable import Pipeline
import Testing

/// Tests the proposed rules for folders of different contents.
@Suite struct RuleProposalTests {
  /// Returns the rules for files with sizes in bytes, and the files that stay in the app.
  private func rules(_ files: [(path: String, size: Int64)]) -> [String] {
    let files = files.map { UntaggedFile(path: $0.path, size: $0.size) }
    let proposal = RuleProposal(FolderTree(of: files), of: files, noun: "Part")
    return proposal.rules.map { each in
      let tags = each.rule.tags.map(\.value) + each.rule.templates.map(\.text.value)
      return "\(each.rule.text.value) = \(tags.joined(separator: ", "))"
        + each.rule.excepts.map { " without \($0.value.text)" }.joined()
    } + proposal.kept.map { "kept \($0.path) \($0.fileCount) \($0.size)" }
  }

  /// A folder that makes the whole large enough for tags of at least 2,000,000 bytes.
  private let other: (path: String, size: Int64) = ("zeta/zeta 1.z", 20_000_000)

  @Test func `files without folders are one tag or a few`() {
    #expect(rules([("a.bin", 1_000_000), ("b.txt", 1_000_000)]) == [". = Assets"])
    #expect(rules([("a.bin", 28_500_000), ("b.bin", 28_500_000)]) == [". = Assets"])
    #expect(rules([("a.bin", 28_500_000), ("b.bin", 28_500_001)]) == ["*.bin = Part $1"])
    #expect(rules([]) == [])
  }

  @Test func `music in the root has a rule if it is large`() {
    func music(_ count: Int, size: Int64) -> [String] {
      rules((0..<count).map { ("song \($0)x.ogg", size) } + [other, ("a.txt", 10)])
    }
    #expect(music(4, size: 500_000) == ["zeta = Zeta", "*.ogg = Music"])
    #expect(music(4, size: 499_999) == ["zeta = Zeta"] && music(5, size: 499_999) == ["zeta = Zeta"])
    #expect(
      rules([("a.ogg", 3_000_000), ("b.mp3", 3_000_000), other]) == ["zeta = Zeta", "*{.mp3,.ogg} = Music"])
  }

  @Test func `a large tag loses its largest folders`() {
    #expect(
      rules([("stuff/a/1.a", 40_000_000), ("stuff/b/2.b", 30_000_000), ("stuff/c/3.c", 10_000_000), other])
        == [
          "stuff/a = A", "stuff = Stuff without stuff/a/**", "zeta = Zeta",
        ])
    #expect(
      rules([("stuff/a/1.a", 28_500_000), ("stuff/b/2.b", 28_500_000), other]) == [
        "stuff = Stuff", "zeta = Zeta",
      ])
    #expect(
      rules([("stuff/a/1.a", 57_000_001), ("stuff/b/2.b", 57_000_001), other]) == [
        "stuff/*/** = Stuff $1", "zeta = Zeta",
      ])
    // Files that are larger than a tag stay in the app.
    #expect(
      rules([("stuff/big.a", 57_000_001), ("stuff/x.b", 5_000_000), other]) == [
        "stuff = Stuff without stuff/big.a", "zeta = Zeta", "kept stuff/big.a 1 57000001",
      ])
  }

  @Test func `folders of several media are divided if they are large`() {
    #expect(
      rules([("pack/images/1.a", 16_000_000), ("pack/sounds/2.b", 16_000_000), other]) == [
        "pack/images = Images", "pack/sounds = Sounds", "zeta = Zeta",
      ])
    #expect(
      rules([("pack/images/1.a", 16_000_000), ("pack/sounds/2.b", 15_999_999), other]) == [
        "pack = Pack", "zeta = Zeta",
      ])
  }

  @Test func `bundles, icons and generic folders`() {
    #expect(rules([("hero.atlas/1", 5_000_000), other]) == ["hero.atlas = Hero", "zeta = Zeta"])
    #expect(
      rules([("own/A.appiconset/1", 5_000_000), other]) == ["zeta = Zeta", "kept own 1 5000000"])
    #expect(rules([("data/stuff/1", 5_000_000), other]) == ["data/stuff = Stuff", "zeta = Zeta"])
    #expect(
      rules([("stuff/a/1", 5_000_000), ("more/a/2.b", 5_000_000), ("a/3.c", 5_000_000), other]).count == 4)
  }

  /// Returns the tags of the initial install and of the prefetch.
  private func lists(_ files: [(path: String, size: Int64)]) -> String {
    let files = files.map { UntaggedFile(path: $0.path, size: $0.size) }
    let proposal = RuleProposal(FolderTree(of: files), of: files, noun: "Part")
    return "\(proposal.initialInstallTags.joined(separator: ", ")); "
      + proposal.prefetchTagOrder.joined(separator: ", ")
  }

  @Test func `the first part of a sequence comes first, and two more are fetched ahead`() {
    let levels = (1...5).map { (path: "levels/\($0)/\($0).a\($0)", size: Int64(2_000_000)) }
    #expect(rules(levels + [other]) == ["levels/*/** = Level $1", "zeta = Zeta"])
    #expect(lists(levels + [other]) == "Level 1, Zeta; Level 2, Level 3")
    // Such a word in a name decides which theme or track comes first; otherwise, any track does.
    func tracks(_ names: [String]) -> String {
      lists(names.map { (path: "tracks/\($0)/x.\($0)", size: Int64(2_000_000)) } + [other])
    }
    #expect(
      tracks(["b", "intro", "d"]) == "Track intro, Zeta; " && tracks(["b", "a", "d"]) == "Track a, Zeta; ")
    let maps = ["b", "a", "c"].map { (path: "maps/\($0).map", size: Int64(2_000_000)) }
    #expect(rules(maps + [other]) == ["maps/*.map = Map $1", "zeta = Zeta"])
    #expect(lists(maps + [other]) == "Map a, Zeta; ")
    #expect(lists(levels + maps + [other]) == "Level 1, Zeta; Level 2, Level 3")
    let worlds = (1...4).map { (path: "stuff/world\($0).dat", size: Int64(2_000_000)) }
    #expect(lists(worlds + [other]) == "World 1, Zeta; World 2, World 3")
  }

  @Test func `groups are taken out of a folder`() {
    let levels = (1...3).map { (path: "stuff/levels/\($0)/\($0).a\($0)", size: Int64(2_000_000)) }
    #expect(
      rules(levels + [("stuff/x.b", 20_000_000), other]) == [
        "stuff/levels/*/** = Level $1", "stuff = Stuff without stuff/levels/**", "zeta = Zeta",
      ])
    // Groups of less than 10 % of their folder are a part of it.
    #expect(rules(levels + [("stuff/x.b", 54_000_000), other]).contains("stuff/levels/*/** = Level $1"))
    #expect(!rules(levels + [("stuff/x.b", 54_000_001), other]).contains("stuff/levels/*/** = Level $1"))
    #expect(
      rules([("stuff/music/a.ogg", 5_000_000), ("stuff/x.b", 20_000_000), other]) == [
        "stuff/music = Music", "stuff = Stuff without stuff/music/**", "zeta = Zeta",
      ])
    // The rest stays in the app if it is small.
    #expect(
      rules(levels + [("stuff/x.b", 1_999_999), other]) == [
        "stuff/levels/*/** = Level $1", "zeta = Zeta", "kept stuff 1 1999999",
      ])
  }

  @Test func `files next to the folders of a group`() {
    let levels = (1...3).map { (path: "levels/\($0)/\($0).a\($0)", size: Int64(2_000_000)) }
    #expect(
      rules(levels + [("levels/list.txt", 10), other]) == [
        "levels/*/** = Level $1", "zeta = Zeta", "kept levels/* 1 10",
      ])
    #expect(
      rules(levels + [("levels/list.txt", 2_000_000), other]) == [
        "levels/*/** = Level $1", "levels/* = Levels", "zeta = Zeta",
      ])
    #expect(
      rules(levels + (1...3).map { (path: "levels/map\($0).m", size: Int64(1_000_000)) } + [other]) == [
        "levels/*/** = Level $1", "levels/*.m = Level $1", "zeta = Zeta",
      ])
  }

  @Test func `two rules of one name have different tags`() {
    #expect(
      rules([
        ("pack/images/1.a", 20_000_000), ("pack/sounds/2.b", 20_000_000), ("images/3.q", 20_000_000), other,
      ])
        == ["images = Images", "pack/images = Pack Images", "pack/sounds = Sounds", "zeta = Zeta"])
  }
}
