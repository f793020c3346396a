@testable import Formats
@testable import Model
@testable import Pipeline
import Testing

/// What the subfolders of a folder are taken for.
@Suite struct FolderGroupingTests {
  private func grouping(_ folders: [String]) -> FolderGrouping? {
    let tree = FolderTree(of: folders.map { UntaggedFile(path: "\($0)/file", size: 1000) })
    return FolderGrouping(tree.folders[0], in: tree, noun: "Level")
  }

  /// Languages are told by most of the subfolders: "it" and "no" are words, too.
  @Test func `most subfolders are languages or none is`() {
    #expect(grouping(["de", "en"])?.firstLanguage == "Language en")
    #expect(grouping(["de", "en", "other"])?.others.map(\.name) == ["other"])
    #expect(grouping(["de", "en", "one", "two"])?.firstLanguage == nil)
    #expect(grouping(["de", "en", "fr", "one", "two"])?.firstLanguage == "Language en")
  }

  /// Up to a tenth of the subfolders get a tag of the same form instead of a rule for each language.
  @Test func `a few other folders share the rule of the languages`() {
    let languages = ["de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl"]
    #expect(grouping(languages + ["other"])?.rules.count == 1)
    #expect(grouping(languages.dropLast() + ["other"])?.rules.count == 8)
  }
}
