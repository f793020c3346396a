@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests tags that templates generate from paths.
@Suite struct ScanTemplateTests {
  @Test func `one rule tags many folders`() throws {
    let site = try ScanSite("Levels/1/map", "Levels/1/Art/sky", "Levels/2/map", "Levels/readme", "Music/a")
    let scan = try site.scan(.glob("Levels/*/**", templates: "Level $1"), .path("Music", "Music"))
    #expect(
      scan.files == [
        "Levels/1/Art/sky [Level 1]", "Levels/1/map [Level 1]", "Levels/2/map [Level 2]", "Music/a [Music]",
      ])
    #expect(scan.findings == [])
    #expect(scan.untagged.files == 1)
  }

  @Test func `fourteen languages are one rule`() throws {
    let languages = ["da", "de", "el", "en", "es", "fi", "fr", "it", "ja", "nl", "no", "pl", "pt", "sv"]
    let site = try ScanSite()
    for language in languages { try site.write("Voices/hero_hello_\(language).ogg") }
    let scan = try site.scan(.glob("Voices/*_*.ogg", templates: "Language $2", tags: ["Voices"]))
    #expect(
      scan.files == languages.map { "Voices/hero_hello_\($0).ogg [Language \($0), Voices]" })
  }

  @Test func `made tags join those of other rules, sorted, each once`() throws {
    let site = try ScanSite("a/x", "b/x")
    let scan = try site.scan(
      .glob("*/x", templates: "Tag $1", "Zed", "Zed"), .path("a", "Tag a", "Other"),
      .glob("**", templates: "Tag b"))
    #expect(scan.files == ["a/x [Other, Tag a, Tag b, Zed]", "b/x [Tag b, Zed]"])
    #expect(scan.tree?.generatedTags["Tag b"]?.rules == [0, 2])
  }

  @Test(arguments: [
    ("**", "$1", "a/x", #" "a/x" "/""#),
    ("**/x", "$1", "x", ""),
    ("*", "$1", " ", #" " ""#),
  ])
  func `what is no tag is an error of the template`(
    glob: String, template: String, file: String, named: String
  ) throws {
    let site = try ScanSite(file, "Other/y")
    let scan = try site.scan(.glob(glob, templates: template), .path("Other", "Other"))
    #expect(
      scan.findings.contains(
        #"Manifest.json: error [invalid-tag] "\#(template)" "\#(file)"\#(named)"#
      ))
    #expect(scan.findings.allSatisfy { !$0.contains("no-match") })
    #expect(scan.files.allSatisfy { !$0.hasPrefix("\(file) ") })
  }

  @Test func `a made tag of more than 1,024 bytes is none`() throws {
    let name = String(repeating: "n", count: 200)
    let site = try ScanSite(name)
    let scan = try site.scan(.glob("*", templates: "$1$1$1$1$1$1"))
    #expect(scan.findings.count == 1)
    #expect(scan.findings.first?.hasSuffix("1,200 bytes 1,024") == true)
    #expect(scan.files == [])
  }

  /// If several threads create the same set, the set is counted only once.
  ///
  /// So the limit does not depend on the number of threads.
  @Test func `tags of all sets have an end`() throws {
    let site = try ScanSite("a/1", "a/2", "b/1", "c/d/1")
    // The three sets are {1 b, 2 b}, {1 a, 2 a}, and the union of the second set with {Own}.
    let manifest = try site.manifest([.glob("[ab]/*", templates: "1 $1", "2 $1"), .path("a", "Own")])
    for (most, jobs) in [(7, 1), (7, 4), (6, 1), (6, 4)] {
      let scanner = try AssetScanner(manifest, leavingOut: nil, maxTags: most)
      _ = try scanner.scan(jobs: jobs)
      #expect(scanner.tagSets.isFull == (most == 6))
    }
  }

  /// The order of threads is random, but the identifier of a pack must always consist of the same bytes.
  @Test func `of two Unicode forms the bytes are the same whatever thread is first`() throws {
    let site = try ScanSite()
    for number in 0..<40 {
      try site.write("\(number)/e\u{301}/x")
      try site.write("\(number)/\u{e9}/x")
    }
    for _ in 0..<5 {
      let scan = try site.scan(.glob("*/*/x", templates: "$2"), jobs: 8)
      #expect(Set(scan.files.map { Array($0.utf8.suffix(5)) }) == [Array(" [e\u{301}]".utf8.suffix(5))])
    }
    let typed = try site.scan(.glob("*/*/x", templates: "$2"), .path("0", "\u{e9}"))
    #expect(Set(typed.files.map { Array($0.utf8.suffix(4)) }) == [Array("[\u{e9}]".utf8)])
  }
}
