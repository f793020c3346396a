@testable import Formats
@testable import Model
@testable import Pipeline
import Testing

/// Tests which files of a folder belong to languages.
@Suite struct LanguageFileTests {
  private func folders(_ names: [String], others: Int64 = 0) -> LanguageFolders {
    let files = names.map { UntaggedFile(path: $0, size: 1_000_000) }
    return LanguageFolders(of: files, besides: others, sizes: ProposalSizes(whole: 20_000_000))
  }

  private func rules(_ names: [String]) -> [String] {
    folders(names).rules.map { each in
      let tags = each.rule.tags.map(\.value) + each.rule.templates.map(\.text.value)
      return "\(each.rule.text.value) = \(tags.joined(separator: ", "))"
        + each.rule.excepts.map { " without \($0.value.text)" }.joined()
    }
  }

  @Test func `languages are names, the ends of names, or suffixes`() {
    #expect(rules(["po/de.po", "po/en.po"]) == ["po/*.po = Language $1"])
    #expect(rules(["po/de.po", "po/en.po", "po/fr.txt"]) == ["po/*{.po,.txt} = Language $1"])
    #expect(rules(["x/a_de.qm", "x/a_en.qm"]) == ["x/a_*.qm = Language $1"])
    #expect(rules(["x/a_de.qm", "x/a_en.qm", "x/b_de.qm"]) == ["x/{a,b}_*.qm = Language $1"])
    #expect(rules(["x/q.de", "x/q.en", "x/q.fr"]) == ["x/q.* = Language $1"])
    #expect(rules(["de.po", "en.po"]) == ["*.po = Language $1"])
    #expect(folders(["po/de.po", "po/en.po"]).firstLanguage == "Language en")
    #expect(folders(["po/de.po", "po/fr.po"]).firstLanguage == nil)
  }

  /// A glob separates names with commas, and names with signs of globs have another meaning in one.
  @Test func `names that a glob cannot list are no languages`() {
    #expect(rules(["x/a,b_de.qm", "x/a,b_en.qm"]).isEmpty && rules(["x/a*_de.qm", "x/a*_en.qm"]).isEmpty)
    #expect(rules(["x{/de.po", "x{/en.po"]).isEmpty)
    #expect(rules(["x/.de", "x/.en", "x/.fr"]).isEmpty)
  }

  @Test func `other names next to languages are left out`() {
    // Names with the form of a code are probably languages that packtool does not know.
    #expect(
      rules(["po/de.po", "po/en.po", "po/fr.po", "po/all.po", "po/xy.po"]) == ["po/*.po = Language $1"])
    #expect(
      rules(["po/de.po", "po/en.po", "po/fr.po", "po/readme.po"]) == [
        "po/*.po = Language $1 without po/readme.po"
      ])
    // Two languages are enough only if all files have one.
    #expect(rules(["po/de.po", "po/en.po", "po/readme.po"]).isEmpty)
    #expect(rules(["po/is.po", "po/no.po"]).isEmpty)
    let many = ["de", "en", "fr", "it", "es", "ja", "cs", "nl", "pl"].map { "po/\($0).po" }
    #expect(rules(many + (1...8).map { "po/other\($0).po" }).count == 1)
    #expect(rules(many + (1...9).map { "po/other\($0).po" }).isEmpty)
    let names = (1...9).map { "part\($0)" }
    func files(_ count: Int) -> [String] {
      names.prefix(count).flatMap { ["x/\($0)_de.qm", "x/\($0)_en.qm"] }
    }
    #expect(rules(files(8)).count == 1 && rules(files(9)).isEmpty)
  }

  @Test func `small folders get no rules unless all languages together are large`() {
    func languages(size: Int64, others: Int64 = 0) -> LanguageFolders {
      let files = ["po/de.po", "po/en.po"].map { UntaggedFile(path: $0, size: size) }
      return LanguageFolders(of: files, besides: others, sizes: ProposalSizes(whole: 20_000_000))
    }
    #expect(languages(size: 1_000_000).rules.count == 1 && languages(size: 999_999).rules.isEmpty)
    #expect(
      languages(size: 999_999).smallFolders == ["po": 2] && languages(size: 1_000_000).smallFolders.isEmpty)
    #expect(
      languages(size: 999_999, others: 2).rules.count == 1
        && languages(size: 999_999, others: 1).rules.isEmpty)
    #expect(languages(size: 50_000, others: 2_000_000).rules.count == 1)
    #expect(languages(size: 49_999, others: 2_000_000).rules.isEmpty)
    #expect(
      languages(size: 1, others: 2_000_000).minimum == 100_000 && languages(size: 1).minimum == 2_000_000)
    #expect(languages(size: 1_000_000).paths == ["po"])
    #expect(languages(size: 1_000_000).contain(UntaggedFile(path: "po/x", size: 1)))
    #expect(!languages(size: 1_000_000).contain(UntaggedFile(path: "po/x/y", size: 1)))
  }
}
