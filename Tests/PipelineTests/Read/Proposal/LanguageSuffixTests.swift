@testable import Formats
@testable import Model
@testable import Pipeline
import Testing

/// Tests rules for files whose names end in a language, among other files.
@Suite struct LanguageSuffixTests {
  /// Other files of the folders, so that these are not folders of languages.
  private static let pictures = ["c/a", "c/b", "x"].flatMap { folder in
    (1...9).map { "\(folder)/picture \($0).png" }
  }

  private func suffixes(_ names: [String], minimum: Int64 = 0, besides others: [String] = pictures)
    -> LanguageSuffixes
  {
    let files = (names + others).map { UntaggedFile(path: $0, size: 100_000) }
    let folders = LanguageFolders(of: files, besides: 0, sizes: ProposalSizes(whole: 20_000_000))
    return LanguageSuffixes(of: files, outside: folders, minimum: minimum)
  }

  private func rules(_ names: [String], minimum: Int64 = 0) -> [String] {
    suffixes(names, minimum: minimum).rules.map { each in
      let tags = each.rule.tags.map(\.value) + each.rule.templates.map(\.text.value)
      return "\(each.rule.text.value) = \(tags.joined(separator: ", "))"
        + each.rule.excepts.map { " without \($0.value.text)" }.joined()
    }
  }

  private let descriptions = ["c/a/frog", "c/b/cat"].flatMap { ["\($0)_desc_en.ogg", "\($0)_desc_fr.ogg"] }

  @Test func `one rule is for all folders, or for the names in one folder`() {
    #expect(rules(descriptions) == ["c/**/*_desc_*.ogg = Language $3"])
    #expect(suffixes(descriptions).firstLanguage == "Language en")
    let here = ["x/frog", "x/cat"].flatMap { ["\($0)_desc_de.ogg", "\($0)_desc_fr.ogg"] }
    #expect(rules(here) == ["x/{cat_desc,frog_desc}_*.ogg = Language $1"])
    #expect(suffixes(here).firstLanguage == nil)
    #expect(rules(["x/a_en.ogg", "x/a_fr.ogg", "x/b-c_en.ogg", "x/b-c_fr.ogg"]).count == 2)
    let top = ["frog_de.ogg", "frog_fr.ogg", "a.png", "b.png", "c.png"]
    #expect(rules(top) == ["frog_*.ogg = Language $1"])
  }

  @Test func `names that only look like languages have no rules`() {
    #expect(rules(["x/hero_is.png", "x/hero_no.png"]).isEmpty && rules(["x/frog_fr.ogg"]).isEmpty)
    #expect(rules(["x/a_fr.ogg", "x/b_en.ogg"]).isEmpty)
    // Most names must exist in several languages.
    #expect(rules(["x/a_fr.ogg", "x/a_en.ogg", "x/b_de.ogg"]) != [])
    #expect(rules(["x/a_fr.ogg", "x/a_en.ogg", "x/b_de.ogg", "x/c_de.ogg"]).isEmpty)
    #expect(rules(descriptions, minimum: 400_000).count == 1 && rules(descriptions, minimum: 400_001).isEmpty)
  }

  @Test func `a language of the same names can have another suffix`() {
    #expect(
      rules(descriptions + ["c/a/frog_desc_de.wav"]) == ["c/**/*_desc_*{.ogg,.wav} = Language $3"])
    #expect(rules(descriptions + ["c/a/dog_desc_de.wav"]) == ["c/**/*_desc_*.ogg = Language $3"])
  }

  @Test func `a language can have a region`() {
    #expect(rules(["x/a_pt_BR.ogg", "x/a_en.ogg"]).count == 1)
    #expect(suffixes(["x/no_fr.ogg", "x/no_en.ogg"]).rules.count == 1)
  }

  @Test func `a few other files are left out by name`() {
    func strays(_ count: Int) -> [String] { (0..<count).map { "c/a/x_desc_part\($0).ogg" } }
    #expect(
      rules(descriptions + strays(4)) == [
        "c/**/*_desc_*.ogg = Language $3" + strays(4).map { " without \($0)" }.joined()
      ])
    // With more other files, each language gets a rule.
    #expect(
      rules(descriptions + strays(5)) == [
        "c/**/*_desc_en.ogg = Language en", "c/**/*_desc_fr.ogg = Language fr",
      ])
    let languages = ["cs", "de", "en", "es", "fr", "it", "ja", "nl", "pl"]
    func files(_ count: Int) -> [String] {
      ["c/a/frog", "c/b/cat"].flatMap { name in languages.prefix(count).map { "\(name)_desc_\($0).ogg" } }
    }
    #expect(
      rules(files(8) + strays(5))
        == languages.prefix(8).map { "c/**/*_desc_\($0).ogg = Language \($0)" })
    #expect(rules(files(9) + strays(5)).isEmpty && rules(files(9)).count == 1)
  }

  @Test func `longer forms come first`() {
    let short = ["c/a/hero", "c/b/wolf"].flatMap { ["\($0)_en.ogg", "\($0)_fr.ogg"] }
    #expect(
      rules(short + descriptions) == ["c/**/*_desc_*.ogg = Language $3", "c/**/*_*.ogg = Language $3"])
  }
}
