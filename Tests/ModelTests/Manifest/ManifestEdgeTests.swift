@testable import Formats
@testable import Model
@testable import System
import Support
import Testing

/// Tests the limits of manifests, and what a manifest becomes when packtool writes it.
@Suite struct ManifestEdgeTests {
  private func manifest(_ rules: String, _ members: String = "") throws -> Manifest {
    let more = members.isEmpty ? "" : ", " + members
    let text = #"{"bundleIdentifier": "a.b", "resources": [\#(rules)]\#(more)}"#
    return try #require(readManifest(text).manifest)
  }

  /// Returns a formatted manifest without white space outside of the names.
  private func formatted(_ rules: String, _ members: String = "", root: String = ".") throws -> String {
    let bytes = try manifest(rules, members).formatted(root: root).array()
    return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
  }

  @Test(arguments: [
    ([], "", ""), (["A"], #""initialInstallTags":["A"],"#, ""),
    (["ghost", "A", "A", "C"], #""initialInstallTags":["A","C"],"#, ""), (["ghost"], "", ""),
  ]) func `the initial install is written without unknown tags`(
    tags: [String], list: String, severity: String
  ) throws {
    let rules = #"{"path": "a", "tags": ["A", "C"]}"#
    let names = tags.map { "\"\($0)\"" }.joined(separator: ", ")
    let text = try formatted(rules, #""initialInstallTags": [\#(names)]"#)
    let front = #"{"bundleIdentifier":"a.b","resources":[{"path":"a","tags":["A","C"]}],"#
    #expect(text == String((front + list).dropLast()) + "}")
  }

  /// An unknown tag is replaced, so that the priorities of the others stay.
  @Test(arguments: [
    (["A"], ["ghost", "B"], ["A", "B"], ["tag-in-both-lists"]),
    (["A", "C"], ["ghost", "B"], ["A", "B"], ["tag-in-both-lists"]), (["A"], ["A", "B"], ["A", "B"], []),
    ([], ["A", "ghost", "B"], ["A", "A", "B"], ["repeated-tag"]),
    (["A"], ["A", "ghost", "B"], ["A", "A", "B"], ["repeated-tag"]), ([], ["ghost", "B"], ["B"], []),
    (["C"], ["ghost", "ghost"], [], []), (["A"], ["B"], ["B"], []),
    ([], ["B", "B"], ["B", "B"], ["repeated-tag"]),
  ]) func `the prefetch order keeps its length`(
    initial: [String], prefetch: [String], order: [String], checks: [String]
  ) throws {
    let list = { (tags: [String]) in "[\(tags.map { "\"\($0)\"" }.joined(separator: ","))]" }
    let text = try formatted(
      #"{"path": "a", "tags": ["A", "B", "C"]}"#,
      #""initialInstallTags": \#(list(initial)), "prefetchTagOrder": \#(list(prefetch))"#)
    let members = [
      initial.isEmpty ? nil : "\"initialInstallTags\":\(list(initial))",
      order.isEmpty ? nil : "\"prefetchTagOrder\":\(list(order))",
      checks.isEmpty ? nil : "\"severity\":{\(checks.map { "\"\($0)\":\"ignore\"" }.joined(separator: ","))}",
    ].compactMap { $0.map { "," + $0 } }
    let front = #"{"bundleIdentifier":"a.b","resources":[{"path":"a","tags":["A","B","C"]}]"#
    #expect(text == front + members.joined() + "}")
  }

  @Test(arguments: [
    ("X", "X"), ("X/", "X/"), (".", "."), ("./", "."), ("X/..", "."), ("X//Y/", "X/Y/"),
  ]) func `a destination keeps its slash`(destination: String, written: String) throws {
    let rule = #"{"path": "a", "tags": ["A"], "destination": "\#(destination)"}"#
    let json = try manifest(rule).rules[0].json.line.array()
    let value = try #require(JSONReader.read(SourceText(path: "", bytes: json)).value)
    #expect(value.member("destination")?.string == written)
  }

  @Test func `all settings are written`() throws {
    let rules =
      #"{"glob":"*/x","tagTemplates":["$1"],"except":["b/*"],"otherwise":true}"#
    let members = [
      #""exclude":["*.psd"]"#, #""limits":"wwdc15""#,
      #""layout":{"name":"hosted","platforms":["iOS"],"bundleVersion":"27","idMap":"i","ledger":"l","#
        + #""urlPrefix":"https://x/","selfHosted":true,"deviceClass":"phone3xP38GBAPPLE9"}"#,
      #""onUpdate":true"#, #""languages":{"A":"en"}"#,
      #""accept":[{"check":"similar-tag","path":"a","reason":"r"}]"#,
    ].joined(separator: ",")
    let source = members.replacing("phone3xP38GBAPPLE9", with: "iPhone17,1")
    let text = try formatted(rules, source, root: "Assets")
    #expect(text == #"{"bundleIdentifier":"a.b","root":"Assets","resources":[\#(rules)],\#(members)}"#)
  }

  /// Uses are counted by rules, also if rules with one tag are not side by side.
  @Test func `uses of tags are counted`() throws {
    let rules = [
      ["A"], ["A", "B"], ["B"], ["B"], ["A"], ["C", "A"], ["D"], ["é", "C"],
    ].enumerated().map { number, tags in
      #"{"path": "p\#(number)", "tags": [\#(tags.map { "\"\($0)\"" }.joined(separator: ", "))]}"#
    }
    let text = #"{"bundleIdentifier": "a.b", "resources": [\#(rules.joined(separator: ", "))]}"#
    let found = try #require(readManifest(text).manifest)
    #expect(found.tagUses == ["A": 4, "B": 3, "C": 2, "D": 1, "é": 1])
    let offset = { (word: String) in Array(text.utf8).firstRange(of: Array("\"\(word)\"".utf8))?.lowerBound }
    #expect(found.firstOffsets == ["A", "B", "C", "D", "é"].reduce(into: [:]) { $0[$1] = offset($1) })
    #expect(found.hasOtherThanASCIITags && !found.hasTemplates)
    let ascii = try manifest(#"{"glob": "*", "tagTemplates": ["~$1"], "tags": ["\u007e"]}"#)
    #expect(!ascii.hasOtherThanASCIITags && ascii.hasTemplates && ascii.tagUses == ["~": 1])
  }

  @Test func `places are copied from the original`() throws {
    let original = try manifest(
      #"{"path": "a", "tags": ["A", "B", "A"]}, {"path": "b", "tags": ["C"]}"#,
      #""root": "x", "exclude": ["e", "f"], "initialInstallTags": ["A"], "prefetchTagOrder": ["B"], "#
        + #""languages": {"A": "en"}"#)
    var copy = try manifest(
      #"{"path": "a2", "tags": ["Z", "A"]}, {"path": "b2", "tags": ["A"]}, {"path": "c2", "tags": ["C"]}"#,
      #""root": "y", "exclude": ["e", "f", "g"], "initialInstallTags": ["C", "A"], "#
        + #""prefetchTagOrder": ["A", "B"], "languages": {"A": "fr", "B": "en"}"#)
    let third = copy.rules[2]
    copy.copyPlaces(from: original)
    #expect(copy.text.bytes == original.text.bytes && copy.rulesOffset == original.rulesOffset)
    #expect(copy.root.value == "y" && copy.root.offset == original.root.offset)
    #expect(copy.rules.map(\.text.value) == ["a2", "b2", "c2"])
    #expect(copy.rules[0].text.offset == original.rules[0].text.offset)
    #expect(copy.rules[0].tags.map(\.value) == ["Z", "A"])
    #expect(copy.rules[0].tags.map(\.offset) == [0, original.rules[0].tags[0].offset])
    #expect(copy.rules[1].text.offset == original.rules[1].text.offset)
    #expect(copy.rules[1].tags.map(\.offset) == [0])
    #expect(copy.rules[2].text.offset == third.text.offset)
    #expect(copy.initialInstallTags.map(\.offset) == [0, original.initialInstallTags[0].offset])
    #expect(copy.prefetchTagOrder.map(\.offset) == [0, original.prefetchTagOrder[0].offset])
    #expect(copy.excludeOffsets == original.excludeOffsets + [0])
    #expect(copy.languages["A"]?.value == "fr" && copy.languages["B"]?.value == "en")
    #expect(copy.languages["A"]?.offset == original.languages["A"]?.offset)
    #expect(copy.languages["B"]?.offset == 0)
    #expect(copy.firstOffsets["A"] == original.firstOffsets["A"] && copy.firstOffsets["Z"] == 0)
  }

  @Test func `files that are used otherwise are not packed`() throws {
    let others = { (members: String) in try manifest(#"{"path": "a", "tags": ["A"]}"#, members).otherPaths }
    #expect(try others("") == ["Manifest.json"])
    #expect(try others(#""$schema": "s.json""#) == ["Manifest.json", "s.json"])
    #expect(try others(#""$schema": "https://x/s.json""#) == ["Manifest.json"])
    #expect(
      try others(#""appBundle": {"path": "G.app"}, "layout": {"idMap": "../i", "ledger": "l"}"#)
        == ["Manifest.json", "G.app", "../i", "l"])
    #expect(try others(#""appBundle": {"size": 1}"#) == ["Manifest.json"])
  }

  @Test func `a pack has the language of its tags`() throws {
    var found = try manifest(
      #"{"path": "a", "tags": ["A", "B", "C", "D"]}"#, #""languages": {"A": "EN", "B": "fr", "C": "en"}"#)
    #expect(found.languages(of: ["D", "A", "C", "B"]).map(\.value) == ["EN", "fr"])
    #expect(found.writtenLanguage(of: ["A", "B"]) == nil)
    found.layoutRules.writesLanguages = true
    #expect(found.writtenLanguage(of: ["A", "B"]) == "en" && found.writtenLanguage(of: ["B", "A"]) == "fr")
    #expect(found.writtenLanguage(of: ["D"]) == nil)
    found.languages = [:]
    #expect(found.writtenLanguage(of: ["A"]) == nil)
  }

  @Test func `a file has a path relative to a new manifest`() throws {
    let folder = try TemporaryFolder()
    let path = try Manifest.path(of: folder.path("a/b/x.txt"), relativeToManifest: folder.path("c/m.json"))
    #expect(path == "../a/b/x.txt")
    #expect(try FileOperations.exists(folder.path("a/b")) && FileOperations.exists(folder.path("c")))
    #expect(try !FileOperations.exists(folder.path("a/b/x.txt")))
    #expect(
      try Manifest.path(of: folder.path("c/x"), relativeToManifest: folder.path("c/m.json")) == "x")
    // A file is where the folder should be.
    try folder.write("f", "")
    let error = #expect(throws: SystemError.self) {
      try Manifest.path(of: folder.path("f/x"), relativeToManifest: folder.path("c/m.json"))
    }
    #expect(error?.isMissing == false)
    #expect(throws: SystemError.self) {
      try Manifest.path(of: folder.path("c/x"), relativeToManifest: folder.path("f/m.json"))
    }
  }

  @Test func `devices are chosen by variants and profile`() throws {
    let names = { (members: String, hasVariants: Bool) in
      try manifest(#"{"path": "a", "tags": ["A"]}"#, members).deviceClasses(hasVariants: hasVariants)
    }
    #expect(try names("", false) == [])
    #expect(try names("", true) == DeviceClass.all.filter { $0.idiom != .tv })
    #expect(try names(#""limits": "app-store-tvos""#, true) == DeviceClass.all)
    #expect(try names(#""limits": "app-store-tvos""#, false) == [])
    #expect(try names(#""devices": "all""#, false) == DeviceClass.all)
    #expect(try names(#""devices": []"#, true) == [])
    #expect(try names(#""devices": ["iPhone17,1", "iPhone16,1"]"#, false).map(\.graphicsName) == ["APPLE9"])
  }

  @Test(arguments: [0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 4_095])
  func `a set of offsets has exactly its members`(offset: Int) {
    var set = OffsetSet()
    #expect(!(0..<300).contains(where: set.contains))
    set.insert(offset)
    #expect((0..<5_000).filter(set.contains) == [offset])
    for other in [3, 130, offset] { set.insert(other) }
    #expect((0..<5_000).filter(set.contains) == Set([3, 130, offset]).sorted())
  }

  @Test func `budgets are replaced one by one`() {
    var budgets = Budgets()
    #expect(!budgets.needBaseline)
    var first = Budgets()
    first.updateSize = Budget(1, offset: 7)
    first.packs = [("A", Budget(2)), ("B", Budget(3))]
    budgets.replace(by: first)
    #expect(budgets.updateSize?.value == 1 && budgets.growth == nil && budgets.needBaseline)
    var second = Budgets()
    second.growth = Percentage("5 %").map { Budget($0) }
    second.packs = [("A", Budget(20)), ("C", Budget(4))]
    #expect(second.needBaseline)
    budgets.replace(by: second)
    #expect(budgets.updateSize?.value == 1 && budgets.updateSize?.offset == 7)
    #expect(budgets.growth?.value == Percentage("5 %"))
    #expect(budgets.packs.map(\.name) == ["B", "A", "C"] && budgets.packs.map(\.budget.value) == [3, 20, 4])
    first.updateSize = Budget(9)
    budgets.replace(by: first)
    #expect(budgets.updateSize?.value == 9)
  }

  @Test func `percentages have their limits`() throws {
    #expect(Percentage(growthTo: 5, from: -1) == nil && Percentage(growthTo: 0, from: 0) == nil)
    #expect(Percentage(growthTo: 2, from: 1).map { "\($0)" } == "100 %")
    #expect(Percentage(growthTo: 10_000_000_001, from: 1) == nil)
    #expect(Percentage(growthTo: 10_000_000_000, from: 1).map { "\($0)" } == "999,999,999,900 %")
    #expect(try #require(Percentage("400 %")).part(of: 1 << 62) == .max)
    #expect(try #require(Percentage("100 %")).part(of: -5) == 0)
  }

  @Test(arguments: [(0, 1), (1, 2), (2, 3)]) func `braces spend the budget of a manifest`(
    patterns: Int, globs: Int
  ) throws {
    var budget = ExpansionBudget(patterns: 2 * patterns, bytes: 100)
    // A single pattern costs nothing.
    for _ in 0..<5 { #expect(try budget.mistake(in: "{a}") == nil) }
    for number in 1...globs + 1 {
      #expect((try budget.mistake(in: "{a,b}") == nil) == (number < globs), "\(number)")
    }
    #expect(try budget.mistake(in: "{a}")?.check == .invalidPath)
    #expect(!budget.allowsCorrection(of: "{a}") && budget.allowsCorrection(of: "a"))
  }

  @Test func `braces spend bytes as well`() throws {
    var budget = ExpansionBudget(patterns: 100, bytes: 6)
    #expect(try budget.mistake(in: "{ab,c}") == nil)
    #expect(try budget.mistake(in: "{a,bc}") == nil && budget.allowsCorrection(of: "{"))
    #expect(try budget.mistake(in: "{a,}")?.check == .invalidPath)
    var other = ExpansionBudget(patterns: Glob.maxBranches, bytes: 100)
    let many = String(repeating: "{a,b}", count: 11)
    #expect(throws: Glob.Mistake.self) { try other.mistake(in: many) }
    #expect(try other.mistake(in: "{a}") == nil)
    #expect(throws: Glob.Mistake.self) { try other.mistake(in: many) }
    #expect(try other.mistake(in: "{a}")?.check == .invalidPath)
  }

  /// packtool looks for the keys that 1,000 unknown keys resemble.
  @Test(arguments: [(999, 0), (1_000, 1)]) func `a key after many unknown keys is not guessed`(
    count: Int, missing: Int
  ) {
    let unknown = (0..<count).map { "\"\($0)\": 1, " }.joined()
    let found = readManifest(
      #"{\#(unknown)"bundleIdentifer": "a.b", "resources": [{"path": "a", "tags": ["A"]}]}"#
    ).diagnostics
    #expect(found.count { $0.check == .missingKey } == missing)
  }

  @Test(arguments: [
    ("\"devices\"", "\"iPhone17,1\"", 1_000),
    ("\"accept\"", #"{"check": "similar-tag", "reason": "r"}"#, 1_000),
  ]) func `lists have a maximum number of elements`(key: String, element: String, count: Int) {
    let findings = { (count: Int) in
      let list = Array(repeating: element, count: count).joined(separator: ",")
      return readManifest(
        #"{"bundleIdentifier": "a.b", "resources": [{"path": "a", "tags": ["A"]}], \#(key): [\#(list)]}"#
      ).diagnostics.filter { $0.check == .invalidValue }
    }
    #expect(findings(count).isEmpty)
    #expect(findings(count + 1).map(\.namedValues).count == 1)
    #expect(findings(count + 1).first?.names("\(key)".filter { $0 != "\"" }) == true)
  }

  @Test(arguments: [(1_000, 0), (1_001, 1)]) func `a rule has a maximum number of tags and exceptions`(
    count: Int, findings: Int
  ) {
    let list = (0..<count).map { "\"t\($0)\"" }.joined(separator: ",")
    for rule in [
      #"{"path": "a", "tags": [\#(list)]}"#, #"{"path": "a", "tags": ["A"], "except": [\#(list)]}"#,
    ] {
      let found = readManifest(#"{"bundleIdentifier": "a.b", "resources": [\#(rule)]}"#).diagnostics
      #expect(found.map(\.check) == Array(repeating: .invalidValue, count: findings))
    }
  }

  /// Long lists are read as rows.
  @Test(arguments: [(15, 0), (16, 1)]) func `a list of 16 rules is read as rows`(count: Int, rows: Int) throws
  {
    let rules = (0..<count).map { #"{"path": "\#($0)", "tags": ["A"]}"# }.joined(separator: ",")
    let manifest = #"{"bundleIdentifier": "a", "resources": [\#(rules)]}"#
    let text = SourceText(path: "a", bytes: Array(manifest.utf8))
    var checker = ShapeChecker(text: text)
    checker.check(try #require(JSONReader.read(text).value), shape: Manifest.shape, key: "")
    #expect(checker.rows.count == rows && checker.findings.isEmpty)
  }

  @Test func `the reference says which keys are required`() {
    let entries = Dictionary(uniqueKeysWithValues: Manifest.keyEntries.map { ($0.path, $0) })
    let need = { (path: String) in entries[path].map { $0.need ?? "optional" } }
    #expect(need("bundleIdentifier") == "required" && need("resources") == "required")
    #expect(need("root") == "optional" && need("resources[].except") == "optional" && need("x") == nil)
    #expect(need("resources[].path")?.contains("`glob`") == true)
    #expect(need("resources[].glob")?.contains("`path`") == true)
    #expect(need("resources[].tags")?.contains("`tagTemplates`") == true)
    #expect(need("appBundle.size")?.contains("`path`") == true && need("limits.packSize") == "optional")
    #expect(entries["root"]?.defaultValue == "\".\"" && entries["tags"]?.defaultValue == nil)
    #expect(entries["resources[].traits.scale"]?.type == "a whole number from 1 to 3")
    #expect(entries["untagged"]?.type == #"`"allow"`, `"warn"` or `"error"`"#)
    #expect(
      entries["exclude"]?.type == "an array of strings" && entries["merge"]?.type.contains(", or ") == true)
    #expect(entries.values.allSatisfy { !$0.summary.isEmpty && !$0.type.isEmpty })
  }

  private static let shapes: [(shape: Shape, schema: String)] = [
    (.fraction, #"{"type": "number", "minimum": 0, "maximum": 1}"#), (.boolean, #"{"type": "boolean"}"#),
    (.number(in: 1...3), #"{"type": "integer", "minimum": 1, "maximum": 3}"#),
    (.onlyTrue, #"{"const": true}"#),
    (.wholeNumber, #"{"type": "integer", "minimum": 0}"#),
    (.positiveNumber, #"{"type": "integer", "minimum": 1}"#),
    (.null, #"{"type": "null"}"#), (.anything, "true"), (.choice(["a", "b"]), #"{"enum": ["a", "b"]}"#),
    (.text(.anything), #"{"type": "string"}"#),
    (.text(.other(pattern: "x") { _ in nil }), #"{"type": "string", "pattern": "x"}"#),
    (.list(of: .boolean, atLeast: 0), #"{"type": "array", "items": {"type": "boolean"}}"#),
    (
      .list(of: .null, atLeast: 1, atMost: 5),
      #"{"type": "array", "items": {"type": "null"}, "minItems": 1, "maxItems": 5}"#
    ),
    (.either(.null, or: .boolean), #"{"anyOf": [{"type": "null"}, {"type": "boolean"}]}"#),
    (.variants(name: "step") { [] }, ##"{"$ref": "#/$defs/step"}"##),
    (
      .table(of: .null),
      #"{"type": "object", "properties": {"$comment": true}, "additionalProperties": {"type": "null"}}"#
    ),
    (
      .map(keys: ["a"], listedBy: "x", of: .null),
      #"{"type": "object", "properties": {"a": {"type": "null"}, "$comment": true}, "additionalProperties": false}"#
    ),
    (
      .object(
        ObjectShape(keys: [KeyShape("a", shape: .null, isRequired: true), KeyShape("b", shape: .null)])),
      #"{"type": "object", "properties": {"a": {"description": ".", "type": "null"}, "#
        + #""b": {"description": ".", "type": "null"}, "$comment": true}, "additionalProperties": false, "required": ["a"]}"#
    ),
    (
      .object(ObjectShape(keys: [KeyShape("a", shape: .anything)], oneOf: ["a", "b"])),
      #"{"type": "object", "properties": {"a": true, "$comment": true}, "additionalProperties": false, "#
        + #""oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#
    ),
  ]

  @Test(arguments: shapes.indices) func `a shape has a schema`(index: Int) {
    let (shape, schema) = Self.shapes[index]
    #expect(String(decoding: shape.schema.line.array(), as: UTF8.self) == schema)
  }

  @Test func `a schema file has its title first`() {
    let shape = Shape.object(ObjectShape(keys: []))
    let text = shape.schemaFile(title: "T", description: "D.", extraMembers: [("$defs", .bool(true))])
    #expect(
      text.filter { !$0.isWhitespace }
        == #"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"T","description":"D.","#
        + #""type":"object","properties":{"$comment":true},"additionalProperties":false,"$defs":true}"#)
    #expect(Shape.anything.schemaFile(title: "", description: "") == "")
  }

  @Test func `a string is corrected only if that is certain`() {
    let path = StringFormat.path(within: "the root")
    #expect(path.corrected(#"a\b"#) == "a/b" && path.corrected("a") == nil)
    #expect(path.corrected(#"a\.+b"#) == nil && path.corrected(#"..\a"#) == nil)
    #expect(StringFormat.folderPath.corrected(#"..\a"#) == "../a")
    #expect(StringFormat.tag.corrected("a/") == "a" && StringFormat.tag.corrected("a") == nil)
    #expect(StringFormat.tag.corrected("a/b/") == nil && StringFormat.tag.corrected("/") == nil)
    #expect(StringFormat.glob.corrected("**.x") == "**/*.x" && StringFormat.glob.corrected("*.x") == nil)
    #expect(StringFormat.glob.corrected("[") == nil && StringFormat.anything.corrected("a/") == nil)
  }

  @Test(arguments: [(1_024, true), (1_025, false)]) func `a tag has up to 1,024 bytes`(
    count: Int, isRight: Bool
  ) {
    let tag = String(repeating: "t", count: count)
    #expect((StringFormat.tag.mistake(in: tag) == nil) == isRight)
    #expect((StringFormat.tagTemplate.mistake(in: tag) == nil) == isRight)
    #expect(StringFormat.tagTemplate.mistake(in: "$")?.check == .invalidValue)
  }
}

/// Tests which file is read as a manifest, and the order of the reader's findings.
@Suite struct ManifestFileTests {
  private static let good = #"{"bundleIdentifier": "a.b", "resources": [{"path": "a", "tags": ["A"]}]}"#

  @Test func `a folder stands for its manifest`() throws {
    let folder = try TemporaryFolder()
    let path = { (argument: String) in try ManifestReader.manifestPath(for: folder.path(argument)) }
    try folder.write("m/x", "")
    #expect(try path("m") == folder.path("m/Manifest.json"))
    #expect(try path("m/") == folder.path("m/Manifest.json"))
    #expect(try path("m/x") == folder.path("m/x") && path("none") == folder.path("none"))
    try folder.write("m/Manifest.jsonc", Self.good)
    #expect(try path("m") == folder.path("m/Manifest.jsonc"))
    #expect(try ManifestReader(argument: folder.path("m")).diagnostics.isEmpty)
    try folder.write("m/Manifest.json", Self.good)
    #expect(try path("m") == folder.path("m/Manifest.json"))
    let both = try ManifestReader(argument: folder.path("m"))
    #expect(both.diagnostics.map(\.check) == [.twoManifests] && both.manifest == nil)
    for name in ["m/Manifest.json", "m/Manifest.jsonc"] {
      #expect(try ManifestReader(argument: folder.path(name)).diagnostics.isEmpty)
    }
  }

  @Test func `a missing manifest is reported with help`() throws {
    let folder = try TemporaryFolder()
    let absolute = try ManifestReader(argument: folder.path("m.json"))
    #expect(absolute.diagnostics.map(\.check) == [.missingManifest])
    #expect(absolute.diagnostics[0].place.path == folder.path("m.json") && absolute.text == nil)
    let relative = try ManifestReader(argument: "packtool-no-such-file.json")
    #expect(relative.diagnostics.map(\.check) == [.missingManifest])
    // For a relative path, one more line says where packtool looked.
    #expect(relative.diagnostics[0].notes.count == absolute.diagnostics[0].notes.count + 1)
    let here = try String(decoding: FileOperations.realPath(of: "."), as: UTF8.self)
    #expect(relative.diagnostics[0].notes.contains { $0.message.contains(here) })
    #expect(!absolute.diagnostics[0].notes.contains { $0.message.contains(here) })
    let guessed = try ManifestReader(argument: folder.path("m.json")) { "guess \"\($0)\"" }
    #expect(guessed.diagnostics[0].notes.isEmpty)
    #expect(guessed.diagnostics[0].message.contains("guess \"\(folder.path("m.json"))\""))
    let input = try ManifestReader(argument: "-") { _ in "guess" }
    #expect(input.diagnostics.map(\.check) == [.missingManifest])
    #expect(input.diagnostics[0].message.contains("guess") == false)
    let web = try ManifestReader(argument: "https://x.y/m.json") { _ in "guess" }
    #expect(web.diagnostics.map(\.check) == [.missingManifest])
    #expect(web.diagnostics[0].message.contains("guess") == false)
  }

  /// A user may type the path of a file as the file manager shows it.
  @Test func `an absolute path below the root is corrected`() throws {
    let folder = try TemporaryFolder()
    let findings = { (path: String, root: String) in
      try folder.write(
        "Manifest.json",
        #"{"bundleIdentifier": "a.b", "root": "\#(root)", "resources": [{"path": "\#(path)", "tags": ["A"]}]}"#
      )
      return try ManifestReader(argument: folder.path).diagnostics
    }
    try folder.write("Assets/x", "")
    for (root, path, below) in [
      (".", "Assets/x", "Assets/x"), ("Assets", "Assets/x", "x"), (".", "a/b/", "a/b"),
      ("Assets", "Other", nil),
      (".", "", nil), ("Assets", "Assets2/x", nil), (".", "a/../..", nil),
    ] as [(String, String, String?)] {
      let found = try findings(folder.path(path), root)
      #expect(found.map(\.check) == [.invalidPath])
      #expect(found.first?.fix?.replacement == below.map { "\"\($0)\"" }, "\(path)")
    }
  }

  @Test func `settings of a layout are read before the rest`() throws {
    let folder = try TemporaryFolder()
    let read = { try LayoutSettings.read(fromManifestAt: folder.path) }
    #expect(try read() == nil)
    try folder.write("Manifest.json", Self.good)
    #expect(try read() == nil)
    try folder.write("Manifest.json", String(Self.good.dropLast()) + #", "layout": {"name": "hosted"}}"#)
    let found = try #require(try read())
    #expect(found.settings.name == .hosted && found.folder == folder.path)
    try folder.write("Manifest.json", #"{"layout": {"name": "hosted"}"#)
    #expect(try read() == nil)
  }

  /// A symlink out of a checkout is left to the reader of the whole manifest.
  @Test func `a refused symlink has no settings`() throws {
    let folder = try TemporaryFolder()
    try folder.write("repo/.git/HEAD", "ref: refs/heads/main\n")
    try folder.write("other.json", String(Self.good.dropLast()) + #", "layout": {"name": "hosted"}}"#)
    try folder.link("repo/Manifest.json", to: "../other.json")
    let reader = try ManifestReader(argument: folder.path("repo"))
    if reader.diagnostics.map(\.check) == [.linkEscapesCheckout] {
      #expect(try LayoutSettings.read(fromManifestAt: folder.path("repo")) == nil)
      #expect(reader.manifest == nil && reader.text == nil)
    }
  }

  /// Rules are compared with their templates, although templates with mistakes are left out later.
  @Test func `two rules with other templates are not the same`() throws {
    let message = { (first: String, second: String) in
      let rules = [first, second].map { #"{"glob": "a/*", "tagTemplates": ["\#($0)"]}"# }
        .joined(separator: ",")
      let found = readManifest(#"{"bundleIdentifier": "a.b", "resources": [\#(rules)]}"#)
      #expect(found.diagnostics.map(\.check) == [.duplicateRule, .invalidValue, .invalidValue])
      return found.diagnostics.first?.message
    }
    let (same, different) = (message("$2", "$2"), message("$2", "x$2"))
    #expect(same != nil && same != different)
  }

  @Test func `checks follow one another`() {
    let text = """
      {"bundleIdentifier": "a.b", "x": 1, "resources": [
      {"path": "a", "tags": ["A", "A"]}, {"path": "a", "tags": ["A"]}, {"glob": "b", "tagTemplates": ["$1"]},
      {"path": "c", "tags": ["\u{e9}", "e\u{301}", "B"]}], "tags": ["A", "A", "\u{e9}"],
      "initialInstallTags": ["A", "A"], "prefetchTagOrder": ["A"], "severity": {"json-syntax": "ignore"},
      "layout": {"selfHosted": true}}
      """
    #expect(
      readManifest(text).diagnostics.map(\.check) == [
        .unknownKey, .repeatedTag, .duplicateRule, .repeatedTag, .invalidValue, .repeatedTag, .tagInBothLists,
        .repeatedTag,
        .unknownTag, .tagInTwoForms, .invalidValue, .invalidValue,
      ])
  }

  /// If a rule cannot be read, it could give any tags, and an unknown tag is not reported.
  @Test(arguments: [
    (#"{"path": "a", "tags": ["A"]}"#, 1, []), (#"{"path": "/a", "tags": ["Z"]}"#, 0, []),
    (#"{"path": "/a", "tags": ["A"]}"#, 1, []),
    (#"{"path": "a"}"#, 0, []), (#"{"path": "a", "tags": [1]}"#, 0, []),
    (#"{"path": "a", "tags": "A"}"#, 0, []),
    (#"{"glob": "*", "tagTemplates": ["$1"]}"#, 0, ["Z"]), (#"{"glob": "*", "tagTemplates": ["$0"]}"#, 0, []),
    (#"{"glob": "*", "tagTemplates": "$1"}"#, 0, []),
    (#"{"glob": "/*", "tags": ["A"], "tagTemplates": ["$1"]}"#, 0, []),
    (#"{"glob": "*", "tags": ["A"], "tagTemplates": ["$1", "$1x"]}"#, 0, ["Z"]),
  ]) func `tags of rules with mistakes are known`(rule: String, unknown: Int, generated: [String]) throws {
    let reader = readManifest(
      #"{"bundleIdentifier": "a.b", "x": 1, "resources": [\#(rule)], "prefetchTagOrder": ["Z"]}"#)
    #expect(reader.diagnostics.count { $0.check == .unknownTag } == unknown)
    #expect(try #require(reader.manifest).tagsToGenerate.map(\.value) == generated)
    #expect(reader.diagnostics.contains { $0.check == .unknownKey })
  }

  @Test func `a manifest without rules has its tags in the lists`() throws {
    let text = #"{"bundleIdentifier": "a.b", "tags": ["A", "B"], "initialInstallTags": ["B", "C"]}"#
    let source = SourceText(path: "m", bytes: Array(text.utf8))
    let settings = ManifestReader(text: source, scope: .settings)
    #expect(settings.diagnostics.isEmpty)
    let found = try #require(settings.manifest)
    #expect(found.scope == .settings && found.tagsToGenerate.map(\.value) == ["B", "C"])
    let tags = try #require(found.tags) + found.initialInstallTags
    #expect(found.firstOffsets == ["A": tags[0].offset, "B": tags[1].offset, "C": tags[3].offset])
    #expect(ManifestReader(text: source).diagnostics.first?.check == .missingKey)
  }
}
