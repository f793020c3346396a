@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests manifests with which an attacker could try to break a reader.
///
/// Each manifest is read in a short time, and the result is a value or findings.
@Suite(.noHang) struct HostileManifestTests {
  /// A debug build needs about a hundred nanoseconds for each byte, so its texts have only 10 % of the size.
  private static let million = sample(10_000, of: _isDebugAssertConfiguration() ? 100_000 : 1_000_000)

  @Test(arguments: [("[", 1), (#"{"a":"#, 5), (#"[{"a":"#, 3)])
  func `100,000 brackets are too deep`(_ unit: String, _ bytesEach: Int) {
    let findings = readManifest(String(repeating: unit, count: Self.million)).diagnostics
    let column = 256 * bytesEach + 1
    #expect(
      findings.rendered == [
        "1:\(column): error [json-syntax] 256"
      ])
  }

  @Test func `100,000 pairs of brackets are too deep`() {
    let text = String(repeating: "[", count: Self.million) + String(repeating: "]", count: Self.million)
    #expect(
      readManifest(text).diagnostics.rendered == [
        "1:257: error [json-syntax] 256"
      ])
  }

  @Test func `256 levels are read, 257 are not`() {
    let manifest = { (levels: Int) in
      let nested = String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
      return readManifest(
        #"{ "bundleIdentifier": "a", "resources": [{ "path": "x", "tags": ["A"] }], "$comment": \#(nested) }"#
      )
    }
    #expect(manifest(256).diagnostics.isEmpty)
    #expect(
      manifest(257).diagnostics.rendered == [
        "1:342: error [json-syntax] 256"
      ])
  }

  @Test func `a string of 100 MB is a value`() {
    let count = 100 * Self.million
    let text = #"{ "bundleIdentifier": "a", "resources": [{ "path": "x", "tags": ["A"] }], "$schema": ""#
    let bytes = Array(text.utf8) + Array(repeating: UInt8(ascii: "t"), count: count) + Array(#"" }"#.utf8)
    let reader = readManifest(bytes)
    #expect(reader.diagnostics.isEmpty)
    #expect(reader.manifest != nil)
  }

  @Test func `a wrong string of 10 MB is cut in the message`() {
    let count = 10 * Self.million
    let bytes =
      Array(#"{ "bundleIdentifier": "/"#.utf8) + Array(repeating: UInt8(ascii: "a"), count: count)
      + Array(#"", "resources": [] }"#.utf8)
    let findings = readManifest(bytes).diagnostics
    #expect(findings.map(\.check.id) == ["invalid-value", "invalid-value"])
    #expect(findings.areAll { $0.message.utf8.count < 500 })
    #expect(findings.last?.place.position?.column == count + 41)
  }

  @Test func `a string without an end is reported where it begins`() {
    let bytes = Array(#"{ "root": ""#.utf8) + Array(repeating: UInt8(ascii: "a"), count: 10 * Self.million)
    #expect(
      readManifest(bytes).diagnostics.rendered == [
        "1:11: error [json-syntax]"
      ])
  }

  @Test func `a million escapes are a value`() throws {
    let text = String(repeating: #"\ud83d\ude00"#, count: Self.million)
    let source = SourceText(path: "a", bytes: Array("\"\(text)\"".utf8))
    let (value, findings) = JSONReader.read(source)
    #expect(findings.isEmpty)
    guard case .string(let string) = try #require(value).content else { throw CancellationError() }
    #expect(string.unicodeScalars.count == Self.million)
  }

  @Test func `a million elements are a value`() {
    let elements = "0" + String(repeating: ",0", count: Self.million - 1)
    let reader = readManifest(GoodManifest("", member: #""$comment": [\#(elements)]"#).text)
    #expect(reader.diagnostics.isEmpty)
    #expect(reader.manifest != nil)
  }

  @Test func `1,000 of 10,000 wrong elements are reported`() {
    let count = sample(2_000, of: 10_000)
    let elements = "0" + String(repeating: ",0", count: count - 1)
    let findings = readManifest(GoodManifest("", member: #""exclude": [\#(elements)]"#).text).diagnostics
    #expect(findings.count == 1001)
    #expect(findings.areAll { $0.check == .wrongType })
    #expect(findings.last?.count == count - 1_000)
  }

  @Test func `a key that occurs 100,000 times is reported 1,000 times and counted`() {
    let count = sample(2_000, of: 100_000)
    let members = String(repeating: #", "$comment": 0"#, count: count)
    let findings = readManifest(
      #"{ "bundleIdentifier": "a", "resources": [{ "path": "x", "tags": ["A"] }]\#(members) }"#
    ).diagnostics
    #expect(findings.count == 1001)
    #expect(findings.reduce(0) { $0 + $1.count } == count - 1)
    let reported = findings.dropLast()
    #expect(reported.areAll { $0.check == .duplicateKey && $0.notes[0].place?.position?.column == 75 })
  }

  @Test func `a rule that occurs 10,000 times is reported 1,000 times and counted`() {
    let count = sample(2_000, of: 10_000)
    let rules = Array(repeating: #"{ "path": "x", "tags": ["A"] }"#, count: count).joined(separator: ",\n")
    let findings = readManifest(#"{ "bundleIdentifier": "a", "resources": [\#(rules)] }"#).diagnostics
    #expect(findings.reduce(0) { $0 + $1.count } == count - 1)
    let reported = findings.dropLast()
    #expect(reported.areAll { $0.check == .duplicateRule && $0.notes[0].place?.position?.line == 1 })
    #expect(reported.last?.place.position == .init(line: 1001, column: 11))
  }

  @Test func `only the first 100 of many unknown tags are guessed`() {
    let tags = { (front: String) in (1000..<1500).map { "\"\(front)\($0)\"" }.joined(separator: ",") }
    let findings = readManifest(
      #"{ "bundleIdentifier": "a", "resources": [{ "path": "x", "tags": [\#(tags("Level "))] }], "#
        + #""initialInstallTags": [\#(tags("Lewel "))] }"#
    ).diagnostics
    #expect(findings.count == 500)
    #expect(findings.count { $0.message.filter { $0 == "\"" }.count == 4 } == 100)
  }

  @Test func `a number of a million digits is too large`() {
    let digits = String(repeating: "9", count: Self.million)
    let member = #""appBundle": { "size": \#(digits) }"#
    let findings = readManifest(GoodManifest("", member: member).text).diagnostics
    #expect(findings.map(\.check.id) == ["invalid-value"])
    #expect(findings.areAll { $0.message.utf8.count < 500 })
  }

  @Test func `a million comments are reported`() {
    let findings = readManifest(String(repeating: "#\n", count: Self.million)).diagnostics
    #expect(findings.count == 1001)
    #expect(findings.reduce(0) { $0 + $1.count } == Self.million + 1)
  }

  @Test func `few braces around much text are refused, not expanded`() {
    let glob = String(repeating: "{a,b}", count: 10) + String(repeating: "?", count: 64_000)
    let findings = readManifest(
      #"{ "bundleIdentifier": "a", "resources": [{ "glob": "\#(glob)", "tags": ["A"] }] }"#
    ).diagnostics
    #expect(findings.map(\.check.id) == ["invalid-path"])
    #expect(findings[0].names("1,048,576 bytes", "1 MiB"))
  }

  @Test func `braces of a whole manifest stand for 100,000 patterns`() throws {
    var budget = ExpansionBudget()
    let glob = String(repeating: "{a,b}", count: 10)
    let mistakes = try (0..<110).compactMap { _ in try budget.mistake(in: glob) }
    #expect(mistakes.count == 13 && mistakes.areAll { $0.check == .invalidPath })
    #expect(mistakes[0].message.names("100,000") && mistakes[0].message.names("16,777,216 bytes"))
    // After the budget is used up, no more braces are expanded. Otherwise, the finding for this glob would be
    // that the glob itself has too many braces.
    let next = try budget.mistake(in: String(repeating: "{a,b}", count: 20))
    #expect(next?.message.names("100,000") == true)
    #expect(try budget.mistake(in: "*.png") == nil)
    #expect(throws: Glob.Mistake.self) { try budget.mistake(in: "[") }
  }

  /// A correction would expand the braces again, and it would not make the patterns fewer.
  @Test(arguments: [(97, true), (98, false)]) func `a glob after 100,000 patterns is not corrected`(
    globs: Int, hasFix: Bool
  ) {
    let glob = String(repeating: "{a,b}", count: 10)
    let rules = (0..<globs).map { #"{ "glob": "\#($0)\#(glob)", "tags": ["A"] }, "# }.joined()
    let findings = readManifest(
      #"{ "bundleIdentifier": "a", "resources": [\#(rules){ "glob": "{a,b}**.bin", "tags": ["A"] }] }"#
    ).diagnostics
    #expect(findings.last?.check == .invalidPath && (findings.last?.fix != nil) == hasFix)
  }

  /// Failed expansions are counted like others.
  ///
  /// They fail because of too many patterns, too much text, or an invalid path.
  @Test(
    arguments: sample(
      1,
      of: [
        (11, "", 98), (9, String(repeating: "?", count: 9000), 17), (10, "/../..", 97),
      ])) func `globs with mistakes take their part of the room`(
      _ braces: Int, _ end: String, _ count: Int
    ) throws
  {
    var budget = ExpansionBudget()
    let glob = String(repeating: "{a,b}", count: braces) + end
    for _ in 0..<count { #expect(throws: Glob.Mistake.self) { try budget.mistake(in: glob) } }
    #expect(try budget.mistake(in: glob)?.message.names("100,000") == true)
  }

  @Test func `many braces are refused, not expanded`() {
    for glob in [
      String(repeating: "{a,b}", count: 10_000), String(repeating: "{a}", count: 10_000),
      "{" + String(repeating: "a,", count: 10_000) + "}",
      String(repeating: "{", count: 10_000) + "a,b" + String(repeating: "}", count: 10_000),
    ] {
      let findings = readManifest(
        #"{ "bundleIdentifier": "a", "resources": [{ "glob": "\#(glob)", "tags": ["A"] }] }"#
      ).diagnostics
      #expect(findings.map(\.check.id) == ["invalid-path"])
    }
  }
}
