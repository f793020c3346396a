@testable import Formats
@testable import Model
@testable import Pipeline
import Testing

/// Tests how a proposal interprets the subfolders of a folder.
@Suite struct FolderGroupingTests {
  private func grouping(_ folders: [String]) -> FolderGrouping? {
    let tree = FolderTree(of: folders.map { UntaggedFile(path: "\($0)/file", size: 1000) })
    return FolderGrouping(
      tree.folders[0], in: tree, noun: "Level", sizes: ProposalSizes(whole: tree.folders[0].size))
  }

  /// Subfolders are treated as languages only if most of their names are language codes, because "it" and
  /// "no" are also normal words.
  @Test func `most subfolders are languages or none is`() {
    #expect(grouping(["de", "en"])?.firstLanguage == "Language en")
    #expect(grouping(["de", "en", "other"])?.others.map(\.name) == ["other"])
    #expect(grouping(["de", "en", "one", "two"])?.firstLanguage == nil)
    #expect(grouping(["de", "en", "fr", "one", "two"])?.firstLanguage == "Language en")
  }

  /// If at most 10 percent of the subfolders are not languages, one rule is proposed for all subfolders.
  @Test func `a few other folders share the rule of the languages`() {
    let languages = ["de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl"]
    #expect(grouping(languages + ["other"])?.rules.count == 1)
    #expect(grouping(languages.dropLast() + ["other"])?.rules.count == 8)
  }

  /// Returns the group of folders in the root, with a file of 1,000 bytes in each folder.
  private func facts(_ folders: [String], noun: String, file: (Int) -> String = { _ in "file" }) -> String? {
    let tree = FolderTree(
      of: folders.enumerated().map { UntaggedFile(path: "\($1)/\(file($0))", size: 1000) })
    let grouping = FolderGrouping(
      tree.folders[0], in: tree, noun: noun, sizes: ProposalSizes(whole: tree.folders[0].size))
    guard let grouping else { return nil }
    let rules = grouping.rules.map { each in
      "\(each.rule.text.value) = \(each.rule.templates.map(\.text.value).joined())"
        + each.rule.excepts.map { " without \($0.value.text)" }.joined()
    }
    return
      (rules
      + [
        grouping.sequence.isEmpty ? "" : "in order \(grouping.sequence.joined(separator: ", "))",
        grouping.firstTags.isEmpty ? "" : "first \(grouping.firstTags.joined(separator: ", "))",
        grouping.anyTag.map { "any \($0)" } ?? "",
        grouping.others.isEmpty ? "" : "others \(grouping.others.map(\.name).joined(separator: ", "))",
      ].filter { !$0.isEmpty }).joined(separator: "; ")
  }

  @Test func `folders with numbers are in the order of the numbers`() {
    #expect(facts(["1", "2"], noun: "Level") == "*/** = Level $1; in order Level 1, Level 2")
    #expect(facts(["10", "9", "1"], noun: "Level") == "*/** = Level $1; in order Level 1, Level 9, Level 10")
    // Two numbers that are far apart do not make an order.
    #expect(facts(["1", "3"], noun: "Level") != nil && facts(["1", "4"], noun: "Level") == nil)
    #expect(facts(["1", "2"], noun: "Hat") == nil)
    #expect(
      facts(["1", "2", "Own"], noun: "Level")
        == "[0-9]*/** = Level $1$2; in order Level 1, Level 2; others Own")
    // The name says more than the folder.
    #expect(facts(["act1", "act2"], noun: "Story") == "act*/** = Act $1; in order Act 1, Act 2")
    #expect(
      facts(["act1", "act2", "own"], noun: "Hat") == "act*/** = Act $1; in order Act 1, Act 2; others own")
    // Most folders must have numbers.
    #expect(facts(["1", "2", "a", "b"], noun: "Level") == "*/** = Level $1; any Level 1")
    #expect(facts(["l{1", "l{2"], noun: "Level") == nil)
  }

  @Test func `numbers can be at the beginning of names`() {
    #expect(
      facts(["02_b", "01_a"], noun: "Chapter") == "*/** = Chapter $1; in order Chapter 01_a, Chapter 02_b")
    #expect(
      facts(["10-b", "9.a", "x"], noun: "Chapter")
        == "[0-9]*/** = Chapter $1$2; in order Chapter 9.a, Chapter 10-b; others x")
    #expect(facts(["01a", "02b"], noun: "Chapter") == nil && facts(["01_a", "02_b"], noun: "Hat") == nil)
    #expect(facts(["01_a", "02_b", "x", "y"], noun: "Chapter") == "*/** = Chapter $1; any Chapter 01_a")
  }

  @Test func `folders of one kind are alike`() {
    #expect(facts(["a", "b", "c"], noun: "Track") == "*/** = Track $1; any Track a")
    #expect(facts(["a", "b"], noun: "Track") == nil)
    #expect(facts(["a", "b", "c"], noun: "Theme") == "*/** = Theme $1")
    #expect(facts(["b2", "a10", "c"], noun: "Track") == "*/** = Track $1; any Track b2")
    #expect(facts(["b", "intro", "c"], noun: "Track") == "*/** = Track $1; first Track intro; any Track b")
    // Some folders are not members.
    #expect(facts(["a", "b", "shared"], noun: "Track") == nil)
    #expect(facts(["a", "b", "shared"], noun: "Mod") == "*/** = Mod $1 without shared/**; others shared")
    #expect(facts(["a", "b", "c", "d", "shared"], noun: "Track") == nil)
    #expect(
      facts(["a", "b", "c", "d", "e", "docs", "tests"], noun: "Track")
        == "*/** = Track $1 without docs/** without tests/**; any Track a; others docs, tests")
    #expect(
      facts(["images", "sounds", "a"], noun: "Track") == nil
        && facts(["images", "b", "a"], noun: "Track") != nil)
    #expect(facts(["images", "ui", "a"], noun: "Track") == nil)
  }

  @Test func `other folders are alike if they have an entry in common`() {
    let names = (0..<10).map { "\(["a", "b"][$0 % 2])x\("cdefghijkl".dropFirst($0).prefix(1))" }
    func common(_ count: Int) -> String? { facts(names, noun: "Part") { $0 < count ? "file" : "f.\($0)" } }
    #expect(common(10)?.hasPrefix("*/** = Part $1") == true && common(7)?.hasPrefix("*/** = Part $1") == true)
    #expect(common(6) == nil)
    #expect(facts(["a", "b", "c"], noun: "Part") != nil && facts(["a", "b", "images"], noun: "Part") == nil)
    // Large folders of one format are a collection.
    #expect(facts(Array(names.prefix(5)), noun: "Part") { "f\($0).dat" }?.hasPrefix("*/** = Part $1") == true)
    #expect(facts(Array(names.prefix(4)), noun: "Part") { "f\($0).dat" } == nil)
    #expect(facts(Array(names.prefix(5)), noun: "Part") { "f.d\($0)" } == nil)
    // A file can say what the folders are, and documentation says nothing.
    #expect(
      facts(["a", "b", "c"], noun: "Part") { _ in "tileset.txt" }?.hasPrefix("*/** = Tileset $1") == true)
    #expect(facts(["a", "b", "c"], noun: "Part") { _ in "readme.txt" } == nil)
  }
}
