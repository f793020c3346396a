@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests that long lists of rules, which packtool reads in a faster way, have the same results as rules that
/// are read one by one.
@Suite struct ManyRulesTests {
  /// Rules of all kinds: usual rules, and rules with escapes, comments, keys in any order, or mistakes.
  private static let rules = [
    #"{ "path": "Levels/1", "tags": ["Level 1"] }"#, #"{ "tags": ["A", "B"], "path": "x.png" }"#,
    #"{ "glob": "Music/**/*.ogg", "tags": ["Music"] }"#, #"{ "glob": "{a,b}/*", "tags": ["A"] }"#,
    #"{ "glob": "[a-", "tags": ["A"] }"#, #"{ "path": "a//b/./c/", "tags": ["A"] }"#,
    #"{ "path": ".hidden/x", "tags": ["A"] }"#, #"{ "path": "../out", "tags": ["A"] }"#,
    #"{ "path": "/abs", "tags": ["A"] }"#, #"{ "path": "a\\b", "tags": ["A"] }"#,
    #"{ "path": "caf\u00e9", "tags": ["\u00e4"] }"#, "{ \"path\": \"caf\u{e9}\", \"tags\": [\"a\u{308}\"] }",
    #"{ "path": "d", "tags": ["A"], "destination": "D/" }"#,
    #"{ "path": "e", "tags": ["A"], "destination": "" }"#,
    #"{ "path": "f", "tags": [] }"#, #"{ "path": "g", "tags": ["A", "A"] }"#,
    #"{ "path": "h", "tags": [1] }"#,
    #"{ "path": "i", "glob": "i", "tags": ["A"] }"#, #"{ "tags": ["A"] }"#, #"{ "path": "j" }"#,
    #"{ "path": "k", "tags": ["a/b"] }"#, #"{ "path": "l", "tags": [" "] }"#,
    #"{ "path": "", "tags": ["A"] }"#,
    #"{ "path": "m", "path": "n", "tags": ["A"] }"#, #"{ "pat": "o", "tags": ["A"] }"#, "7", "null",
    #"{ "$comment": 1, "path": "p", "tags": ["A"] }"#, #"{ "path": "~a b+(c)", "tags": ["a b+(c)"] }"#,
    #"{ "path": ".", "tags": ["A"] }"#, #"{ "path": "q..r/s", "tags": ["A"] }"#,
    #"{"path":"t","tags":["A"]}"#, #"{ "glob": "l/*/**", "tagTemplates": ["L $1"] }"#,
    #"{ "path": "v", "tags": ["A"], "traits": { "scale": 2 } }"#,
    #"{ "glob": "w/*", "tags": ["A"], "tagTemplates": ["$1"], "destination": "x/", "traits": { "gamut": "P3" } }"#,
  ]

  private func text(_ rules: [String]) -> String {
    "{ \"bundleIdentifier\": \"a.b\", \"resources\": [\n" + rules.joined(separator: ",\n") + "\n] }"
  }

  private func described(_ rule: ResourceRule) -> String {
    let tags = rule.tags.map { "\($0.value) \($0.offset)" }.joined(separator: ", ")
    let destination = rule.destination.map { " to \($0.path.text) \($0.isFolder)" } ?? ""
    return
      "\(rule.pattern.key) \(rule.pattern) \(rule.text.value) \(rule.text.offset) [\(tags)]\(destination) \(rule.templates) "
      + "\(rule.traits)"
  }

  /// A list with 16 or more elements is read in the faster way.
  ///
  /// The rule is at the same offset in both texts.
  @Test(arguments: rules.indices)
  func `a rule is read the same among many`(_ index: Int) throws {
    let rule = Self.rules[index]
    let alone = readManifest(text([rule]))
    let others = (0..<20).map { #"{ "path": "other/\#($0)", "tags": ["O"] }"# }
    let among = readManifest(text([rule] + others))
    #expect(among.diagnostics.rendered == alone.diagnostics.rendered)
    let first = try #require(among.manifest).rules.dropLast(others.count)
    #expect(first.map(described) == alone.manifest?.rules.map(described))
  }

  /// If the faster way accepts a text, the slower way must accept it as well.
  @Test func `texts of any form are read the same among many`() throws {
    var random = SeededRandom(seed: 11)
    let parts = ["*", "**", "/", "a", "b.png", ".", "..", "?", "[a]", "{a,b}", " ", "~", "\u{e9}", "0", "$"]
    var rules = (0..<1500).map { number in
      let length = Int.random(in: 1...6, using: &random)
      var text = (0..<length).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      if number % 50 == 0 { text += String(repeating: "x", count: Int.random(in: 250...260, using: &random)) }
      return switch number % 4 {
      case 0: #"{ "path": "\#(text)", "tags": ["A"] }"#
      case 1: #"{ "glob": "\#(text)", "tags": ["A"] }"#
      case 2: #"{ "path": "p\#(number)", "tags": ["A"], "destination": "\#(text)" }"#
      default: #"{ "path": "p\#(number)", "tags": ["\#(text)"] }"#
      }
    }
    rules += ["**.bin", "a**c", "x/**.ogg", "a/**b/c", "***"].map { #"{ "glob": "\#($0)", "tags": ["A"] }"# }
    let others = (0..<20).map { #"{ "path": "other/\#($0)", "tags": ["O"] }"# }
    for rule in rules {
      let alone = readManifest(text([rule]))
      let among = readManifest(text([rule] + others))
      #expect(among.diagnostics.rendered == alone.diagnostics.rendered, "\(rule)")
    }
  }

  @Test func `rules are repeated in any order`() {
    var random = SeededRandom(seed: 1)
    var rules = (0..<500).map { #"{ "path": "a/\#($0)", "tags": ["T"] }"# }
    #expect(readManifest(text(rules)).diagnostics.isEmpty)
    rules.shuffle(using: &random)
    #expect(readManifest(text(rules)).diagnostics.isEmpty)
    rules.append(#"{ "path": "./a//7", "tags": ["T"] }"#)
    let findings = readManifest(text(rules)).diagnostics
    #expect(findings.map(\.check.id) == ["duplicate-rule"])
    let line = (rules.firstIndex { $0.contains("a/7\"") } ?? 0) + 2
    #expect(findings.first?.notes.first?.place?.position?.line == line)
  }

  /// The object has so many keys that they are not compared one by one.
  ///
  /// Two of the keys are equal, but consist of different bytes.
  @Test func `repeated keys are found in large objects`() {
    let keys = (0..<40).map { "\"key\($0)\": 0" } + [#""caf\u00e9": 0"#, "\"cafe\u{301}\": 0", "\"key7\": 0"]
    let source = SourceText(path: "a", bytes: Array("{\(keys.joined(separator: ",\n"))}".utf8))
    #expect(
      JSONReader.read(source).diagnostics.map { "\($0.place.position?.line ?? 0) \($0.namedValues)" } == [
        "42 \"cafe\u{301}\"", "43 \"key7\"",
      ])
  }
}
