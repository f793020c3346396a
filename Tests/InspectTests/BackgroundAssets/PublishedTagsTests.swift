@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests valid and invalid contents of `tags.json`.
@Suite struct PublishedTagsTests {
  private static func digest(_ character: Character) -> String {
    "\"sha256:\(String(repeating: character, count: 64))\""
  }

  private static func pack(_ tags: String, size: Int = 5, digest: String = digest("a")) -> String {
    "{\"tags\": [\(tags)], \"size\": \(size), \"digest\": \(digest)}"
  }

  private static func read(
    version: Int = 1, tags: String, packs: String, more: String = "", host: AssetPackHost = .apple
  ) -> PublishedTags {
    let text = "{\"formatVersion\": \(version),\n\"tags\": {\(tags)},\n\"packs\": {\(packs)}\(more)}"
    return PublishedTags(SourceText(path: "tags.json", bytes: Array(text.utf8)), host: host)
  }

  private static func findings(_ tags: PublishedTags) -> [String] {
    tags.diagnostics.map { "\($0.place.position?.line ?? 0): \($0.facts)" }
  }

  @Test func `packs and tags are read in the order of their ids`() {
    let read = Self.read(
      tags: #""B": ["b", "a"], "A": ["b"]"#,
      packs:
        "\"b\": \(Self.pack(#""B", "A""#, size: 7)), \"a\": \(Self.pack(#""B""#, digest: Self.digest("b")))",
      more: #", "ownLimits": {"tagSize": 9}"#)
    #expect(Self.findings(read) == [])
    #expect(read.packs.map(\.id) == ["a", "b"])
    #expect(read.packs.map(\.tags) == [["B"], ["A", "B"]])
    #expect(read.packs.map(\.size) == [5, 7])
    #expect(
      read.packs.map { $0.digest?.prefixed }
        == ["b", "a"].map { "sha256:\(String(repeating: $0, count: 64))" })
    #expect(read.tags.map(\.tag) == ["B", "A"] && read.tags.map(\.ids) == [["b", "a"], ["b"]])
    #expect(read.ownLimits.count == 1)
  }

  @Test func `a mistake has the place and the names of what is wrong`() {
    let good = #""A": ["a"]"#
    for (found, expected) in [
      (
        Self.read(version: 2, tags: good, packs: "\"a\": \(Self.pack(#""A""#))"),
        ["1: error [damaged-index] 1"]
      ),
      (
        Self.read(tags: good, packs: "\"a\": \(Self.pack(#""A""#, digest: "\"x\""))"),
        [#"3: error [damaged-index] "a""#]
      ),
      (
        Self.read(
          tags: #""A": ["a"], "B": ["b"]"#,
          packs: "\"a\": \(Self.pack(#""A""#)), \"b\": \(Self.pack(#""A", "B""#))"),
        [#"2: error [damaged-index] "A""#]
      ),
      (
        Self.read(tags: good, packs: "\"a\": \(Self.pack(#""A", "C", "B""#))"),
        [#"1: error [damaged-index] "B""#, #"1: error [damaged-index] "C""#]
      ),
      (
        Self.read(
          tags: #""A": ["b", "a"]"#, packs: "\"b\": \(Self.pack(#""A""#)), \"a\": \(Self.pack(#""A""#))"),
        [#"3: error [damaged-index] "a" "b""#]
      ),
      (
        Self.read(tags: #""A": ["../a"]"#, packs: "\"../a\": \(Self.pack(#""A""#))"),
        [#"3: error [damaged-index] "../a""#, #"2: error [damaged-index] "A""#]
      ),
      (Self.read(tags: #""A": ["a.b"]"#, packs: "\"a.b\": \(Self.pack(#""A""#))", host: .ownServer), []),
    ] { #expect(Set(Self.findings(found)) == Set(expected) && Self.findings(found).count == expected.count) }
    let dotted = Self.read(tags: #""A": ["a.b"]"#, packs: "\"a.b\": \(Self.pack(#""A""#))")
    #expect(dotted.diagnostics.map(\.check) == [.invalidPackID])
    #expect(dotted.packs.map(\.id) == ["a.b"])
  }

  @Test func `what has another form is damaged and not read`() {
    for text in ["[]", "{}", "{", #"{"formatVersion": 1, "tags": {"A": []}, "packs": {}}"#] {
      let read = PublishedTags(SourceText(path: "tags.json", bytes: Array(text.utf8)), host: .apple)
      #expect(!read.diagnostics.isEmpty && read.diagnostics.areAll { $0.check == .damagedIndex }, "\(text)")
      #expect(read.packs.isEmpty && read.tags.isEmpty)
    }
  }
}
