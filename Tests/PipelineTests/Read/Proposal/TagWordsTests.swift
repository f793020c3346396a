@testable import Pipeline
import Testing

/// Tests the words with which a proposal recognizes folders and files.
@Suite struct TagWordsTests {
  @Test(arguments: [
    ("levels", "Level"), ("boss_fights", "Boss Fight"), ("Stories", "Story"), ("boxes", "Box"),
    ("arches", "Arch"),
    ("bushes", "Bush"), ("classes", "Class"), ("class", "Class"), ("pies", "Pie"), ("skies", "Sky"),
    ("ies", "Ies"),
    ("gas", "Gas"), ("maps", "Map"), ("map", "Map"), ("", ""), ("_", "_"), ("a-b c", "A B C"),
  ])
  func `the word for one thing is the singular`(_ name: String, _ word: String) {
    #expect(TagWords.singular(name) == word)
  }

  @Test func `words are recognized in any case`() {
    #expect(TagWords.isGeneric("Data") && TagWords.isGeneric("") && !TagWords.isGeneric("maps"))
    #expect(TagWords.isShared("Common") && !TagWords.isShared("maps"))
    #expect(TagWords.isHeardOrWatched("Sound_FX") && TagWords.isHeardOrWatched("BGM"))
    #expect(TagWords.isArt("GFX") && TagWords.isMedium("GFX") && TagWords.isMedium("songs"))
    #expect(!TagWords.isMedium("maps") && !TagWords.isMusic("sounds"))
    #expect(["Music", "Sounds", "Maps"].map(TagWords.rankAsFirst) == [2, 1, 0])
    #expect(TagWords.isForAuthors("Tests") && TagWords.isUnused("OBSOLETE") && TagWords.isEssential("UI"))
    #expect(TagWords.holdsAssets("Assets") && !TagWords.holdsAssets("maps"))
    #expect(TagWords.isDocumentation("Docs") && TagWords.isDocumentation("README.md"))
    #expect(TagWords.isDocumentation("Changelog-2") && !TagWords.isDocumentation("docs.md"))
    #expect(["a.b.xcassets", "a.atlas", "a.bundle"].map(TagWords.bundle) == ["a.b", "a", "a"])
    #expect(TagWords.bundle("atlas") == nil)
  }

  @Test func `nouns are recognized by their last word`() {
    #expect(TagWords.isPlayedInOrder("Boss Level") && !TagWords.isPlayedInOrder("Level Boss"))
    #expect(TagWords.isChosen("Level") && TagWords.isChosen("Race Track"))
    #expect(!TagWords.isChosen("Part") && TagWords.isPlayedInOrder("Part"))
    #expect(TagWords.isOptional("Mod") && !TagWords.isOptional("Level"))
    #expect(TagWords.isDepicted("Small_Ship") && !TagWords.isDepicted("Level") && !TagWords.isDepicted(""))
    #expect(TagWords.isBeginning("Default") && !TagWords.isBeginning("default level"))
    #expect(TagWords.isBeginning("my-intro 2") && !TagWords.isBeginning("level") && !TagWords.isBeginning(""))
  }

  @Test func `the suffix of a file shows its medium`() {
    #expect(
      TagWords.isMusicFile("a.OGG") && !TagWords.isMusicFile("ogg") && !TagWords.isMusicFile("a.ogg.txt"))
    #expect(TagWords.isHeardOrWatched(fileName: "a.ogg") && TagWords.isHeardOrWatched(fileName: "a.wav"))
    #expect(!TagWords.isHeardOrWatched(fileName: "a.png") && !TagWords.isMusicFile("a.wav"))
    #expect(TagWords.isProgramCode(fileName: "a/b.py") && !TagWords.isProgramCode(fileName: "a.lua"))
  }

  @Test func `folders of programs and systems are recognized`() {
    #expect(TagWords.isCache(".git") && !TagWords.isCache(".") && TagWords.isCache("Pods"))
    #expect(!TagWords.isCache("pods"))
    #expect(TagWords.isBuildProduct("Build") && TagWords.isBuildProduct("cmake-build-debug"))
    #expect(!TagWords.isBuildProduct("cmake"))
    #expect(TagWords.isOfSystem("usr") && TagWords.isOfSystem("icons") && !TagWords.isOfSystem("maps"))
    #expect(TagWords.accompaniesAssets("icons") && !TagWords.accompaniesAssets("usr"))
    #expect(TagWords.marksProject("src") && TagWords.marksProject("a.xcodeproj"))
    #expect(TagWords.marksProject("a.sln") && !TagWords.marksProject("Src") && !TagWords.marksProject("a"))
  }

  @Test func `names of languages are codes with regions and scripts`() {
    let languages = [
      "de", "pt_BR", "zh-Hans", "zh-Hans-CN", "es-419", "sr@latin", "sr@x-y", "eng", "de-de", "az@Cyrl-AZ",
    ]
    #expect(languages.filter(TagWords.isLanguage) == languages)
    let others = [
      "", "xx", "DE", "as_book", "de_", "de_a", "de_abc", "de_12", "de_1234", "de_hans", "de_hanS", "de_Han5",
      "de_Hansi", "zh-Hans-CN-DE", "de__DE", "de_1a", "_de",
    ]
    #expect(others.filter(TagWords.isLanguage).isEmpty)
    #expect(["german", "brazilian_portuguese", "Deutsch"].allSatisfy(TagWords.isLanguageName))
    #expect(!["brazilian", "german_house", ""].contains(where: TagWords.isLanguageName))
    #expect(
      TagWords.isLanguage("german", inFolder: "Locales") && !TagWords.isLanguage("german", inFolder: "units"))
    #expect(TagWords.isLanguage("de", inFolder: "units") && !TagWords.isLanguage("house", inFolder: "locale"))
  }

  @Test func `one common language makes names languages`() {
    #expect(TagWords.areLanguages(["de", "is"]) && TagWords.areLanguages(["DE-at", "is"]))
    #expect(TagWords.areLanguages(["is", "polish"]))
    #expect(
      !TagWords.areLanguages(["is", "no"]) && !TagWords.areLanguages(["de"]) && !TagWords.areLanguages([]))
    #expect(TagWords.english(among: ["fr", "english", "EN", "de"]) == "Language EN")
    #expect(TagWords.english(among: ["fr"]) == nil)
    #expect(["pt_BR", "es_419", "sr@latin"].allSatisfy(TagWords.hasRegion))
    #expect(!["pt", "pt_br", "pt_"].contains(where: TagWords.hasRegion))
  }

  @Test func `unknown codes of languages have a form`() {
    let forms = ["arz", "be-tarask", "zh-hant", "ptbr", "zhcn", "aa", "qq_12", "qq@ab.cd", "xx-12345678"]
    #expect(forms.filter(TagWords.hasFormOfLanguage) == forms)
    let others = [
      "", "a", "abcd", "xxbr", "a1", "Ab", "ab-", "ab-c", "ab-123456789", "ab-cd-ef-gh", "ab--cd", "ab-c_",
      "abcbr",
      "ab-é",
    ]
    #expect(others.filter(TagWords.hasFormOfLanguage).isEmpty)
  }
}
