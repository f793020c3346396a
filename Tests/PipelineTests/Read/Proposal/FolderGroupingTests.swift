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
}
