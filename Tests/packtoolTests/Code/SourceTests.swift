import Foundation
import Support
import Testing
@testable import packtool

/// Tests `validate --sources`, which checks the tags in an app's code.
@Suite struct SourceTests {
  private func site(_ name: String, _ code: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "Level 1"), .path("b", "Boss")], root: "Assets")
    try folder.write("Assets/a", "a")
    try folder.write("Assets/b", "b")
    try folder.write("Code/\(name)", code)
    return folder
  }

  private func validate(_ folder: TemporaryFolder, _ flags: String...) -> ToolResult {
    runTool(words: ["validate", folder.path, "--sources", folder.path("Code")] + flags)
  }

  /// Requests for "Levl 1" in every programming language, with the line and column of this string.
  @Test(arguments: [
    ("a.swift", "let r = NSBundleResourceRequest(tags: [\"Levl 1\"])", "1:40"),
    (
      "a.swift",
      "let r = NSBundleResourceRequest.init(\n  tags: Set([\"Boss\",\n  \"Levl 1\"]), bundle: Bundle(path: \"zz\")!)",
      "3:3"
    ),
    (
      "a.swift", "let names: Set<String> = [\"Levl 1\"]\nlet r = NSBundleResourceRequest(tags: names)", "1:27"
    ),
    (
      "a.swift", "enum T { static let one = \"Levl 1\" }\nlet r = NSBundleResourceRequest(tags: [T.one])",
      "1:27"
    ),
    (
      "a.swift",
      "let r = NSBundleResourceRequest(tags: [\"\"\"\n  Levl 1\"\"\"])".replacingOccurrences(
        of: "\n  ", with: ""), "1:40"
    ),
    ("a.m", "r = [[NSBundleResourceRequest alloc] initWithTags:[NSSet setWithObject:@\"Levl 1\"]];", "1:73"),
    (
      "a.mm",
      "NSSet *s = [NSSet setWithObjects:@\"Levl 1\", nil];\nr = [[NSBundleResourceRequest alloc] initWithTags:s bundle:[B at:@\"zz\"]];",
      "1:35"
    ),
    ("a.cs", "var r = new NSBundleResourceRequest (NSBundle.MainBundle, \"Boss\", \"Levl 1\");", "1:67"),
    ("a.kt", "val r = NSBundleResourceRequest(tags = setOf(\"Levl 1\"), bundle = NSBundle(\"zz\"))", "1:46"),
    ("a.lua", "local r = NSBundleResourceRequest('Levl 1') -- NSBundleResourceRequest('zz')", "1:35"),
    ("a.gd", "# NSBundleResourceRequest(\"zz\")\nvar r = NSBundleResourceRequest([\"Levl 1\"])", "2:34"),
    ("a.json", "{\"NSBundleResourceRequest\": [\"Levl 1\"], \"other\": [\"zz\"]}", "1:30"),
  ])
  func `slips are found`(name: String, code: String, place: String) throws {
    let folder = try site(name, code)
    let run = validate(folder)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("unknown-tag-in-code", at: "Code/\(name):\(place)", naming: "Levl 1", "Level 1"),
      "\(run.errors)")
    #expect(run.errors.count(of: "unknown-tag-in-code") == 1, "\(run.errors)")
  }

  /// Calls of OnDemand, with the line and column of the wrong tag.
  ///
  /// Some of these calls set how long packs are kept.
  @Test(arguments: [
    ("a.swift", "import OnDemand\nlet r = store.request(for: [\"Levl 1\"])", "2:29"),
    ("a.swift", "import OnDemand\nlet r = store.request(for: CollectionOfOne(\"Levl 1\"))", "2:44"),
    ("a.swift", "let r: NSBundleResourceRequest = .init(tags: [\"Levl 1\"])", "1:47"),
    ("a.swift", "func f() -> NSBundleResourceRequest { return .init(tags: [\"Levl 1\"]) }", "1:59"),
    ("a.swift", "let r = NSBundleResourceRequest(tags: Set(CollectionOfOne(\"Levl 1\")))", "1:59"),
    (
      "a.swift", "import OnDemand\nlet tags = [\"Boss\", \"Levl 1\"]\nlet r = packs.request(for: tags)",
      "2:21"
    ),
    ("a.swift", "import OnDemand\nlet s = await store.state(of: \"Levl 1\")", "2:31"),
    ("a.swift", "import OnDemand\nlet s = await store.downloadSize(of: [\"Boss\", \"Levl 1\"])", "2:47"),
    ("a.swift", "let store: PackStore\nawait store.remove([\"Levl 1\"])", "2:21"),
    ("a.swift", "await store.setPreservationPriority(0.9, for: [\"Levl 1\"])", "1:48"),
    ("a.swift", "Bundle.main.setPreservationPriority(max(0, worth), forTags: [\"Levl 1\"])", "1:62"),
    (
      "a.swift", "let tags: Set = [\"Levl 1\"]\nBundle.main.setPreservationPriority(0.5, forTags: tags)",
      "1:18"
    ),
    (
      "a.m", "[[NSBundle mainBundle] setPreservationPriority:0.5 forTags:[NSSet setWithObject:@\"Levl 1\"]];",
      "1:82"
    ),
    (
      "a.mm",
      "NSSet *s = [NSSet setWithObjects:@\"Levl 1\", nil];\n[b setPreservationPriority:[self worth:1] forTags:s];",
      "1:35"
    ),
  ])
  func `slips in other calls are found`(name: String, code: String, place: String) throws {
    let folder = try site(name, code)
    let run = validate(folder)
    #expect(run.status == .inputHasErrors)
    let line = run.errors.split(separator: "\n").first { $0.reports("unknown-tag-in-code") } ?? ""
    #expect(line.hasPrefix("\(folder.path("Code/\(name)")):\(place): error: "), "\(run.errors)")
    #expect(line.names("\"Levl 1\"", "\"Level 1\""), "\(line)")
    #expect(run.errors.components(separatedBy: "[unknown-tag-in-code]").count == 2, "\(run.errors)")
  }

  /// A request of OnDemand counts as a use of its tags.
  ///
  /// Code that only contains a tag as a string does not count as a use.
  @Test func `only requests use tags`() throws {
    let used = validate(
      try site("a.swift", "import OnDemand\nlet r = store.request(for: [\"Level 1\"]); f(r.tags)"))
    #expect(
      !used.errors.reports("unused-tag", naming: "Level 1")
        && used.errors.reports("unused-tag", naming: "Boss"))
    let named = validate(
      try site(
        "a.swift", "import OnDemand\nawait store.setPreservationPriority(1, for: [\"Level 1\", \"Boss\"])"))
    #expect(named.errors.components(separatedBy: "[unused-tag]").count == 3, "\(named.errors)")
    let made = validate(try site("a.swift", "import OnDemand\nstore.request(for: tags(of: \"Boss\"))"))
    #expect(!made.errors.reports("unused-tag", naming: "Boss"), "\(made.errors)")
  }

  /// Methods of other libraries that have the same names as OnDemand's methods.
  @Test(arguments: [
    "let r = session.request(for: endpoint)\nlet s = session.request(for: \"users\")",
    "let s = machine.state(of: \"door\"); names.remove([\"a\"]); names.remove(at: [\"b\"].count)",
    "import OnDemand\nnames.remove(\"a\"); list.remove(at: 3)", "request(for: [\"x\"])",
    "let r = client.request(for: [\"users\"])", "let n = files.downloadSize(of: [\"a\", \"b\"])",
    "import OnDemand\nlet r = URLSession.shared.request(for: [\"users\"])",
    "import OnDemand\nlet web = URLSession.shared\nlet r = web.request(for: [\"users\"])",
    "struct Note { init(tags: [String]) {} }\nlet n: Note = .init(tags: [\"x\"])",
    "NSBundleResourceRequest(tags: [\"Ice\" + \"land\"])",
    "let tags = [\"Ice\" + \"land\"]\nNSBundleResourceRequest(tags: Set(tags))",
    "NSBundleResourceRequest(tags: [\"x\".uppercased(), name(\"y\"), names[\"z\"], a == \"b\" ? tag : tag])",
    "let title = NSLocalizedString(\"title\", comment: \"a title\")\nNSBundleResourceRequest(tags: [title])",
    "func setPreservationPriority(_ a: Double, forTags b: Set<String> = [\"x\"]) {}",
  ])
  func `other methods are left alone`(code: String) throws {
    let run = validate(try site("a.swift", code))
    #expect(run.status == .done && !run.errors.reports("unknown-tag-in-code"), "\(run.errors)")
  }

  @Test func `files that are not searched are named`() throws {
    let folder = try site("a.swift", "NSBundleResourceRequest(tags: [\"Level 1\", \"Boss\"])")
    for name in ["b.ts", "c/d.ts", "e.cpp", "f.txt"] { try folder.write("Code/\(name)", "") }
    let run = validate(folder)
    #expect(run.status == .done && !run.errors.reports("unused-tag"))
    let line = run.errors.split(separator: "\n").first { $0.reports("unread-source") } ?? ""
    #expect(line.contains(" note: ") && line.contains("2 \".ts\", 1 \".cpp\";"), "\(run.errors)")
    #expect(!validate(folder, "--sources-pattern", "x").errors.reports("unread-source"))
  }

  @Test(arguments: ["README.txt", "a.ts"]) func `a folder without code is one finding`(name: String) throws {
    let run = validate(try site(name, ""))
    #expect(run.errors.reports("unread-source"), "\(run.errors)")
    #expect(run.errors.reports("unread-source", naming: "1", ".ts") == (name == "a.ts"))
    #expect(!run.errors.reports("unused-tag"))
  }

  /// Code that only looks like a request.
  @Test(arguments: [
    (
      "a.swift",
      "// NSBundleResourceRequest(tags: [\"x\"])\n/* /* */ NSBundleResourceRequest(tags: [\"y\"]) */"
    ),
    ("a.swift", "let s = \"NSBundleResourceRequest(tags: [\\\"x\\\"])\""),
    (
      "a.swift",
      "func f(r: NSBundleResourceRequest) { print(\"x\") }\nvar r: NSBundleResourceRequest? = nil; g(\"y\")"
    ),
    ("a.m", "- (void)f:(NSBundleResourceRequest *)r { NSLog(@\"x\"); }\nchar c = '\"'; NSLog(@\"y\");"),
    ("a.m", "[[NSBundleResourceRequest alloc] init]; [self log:@\"x\"];"),
    ("a.txt", "NSBundleResourceRequest(tags: [\"x\"])"),
    (".hidden/a.swift", "NSBundleResourceRequest(tags: [\"x\"])"),
    ("a.swift", "NSBundleResourceRequest(tags: [\"Level \\(number)\"])"),
    ("a.swift", "NSBundleResourceRequest(tags: [\""),
    ("a.m", "[[NSBundleResourceRequest alloc] initWithTags:"),
    ("a.swift", "NSBundleResourceRequest"), ("a.json", "{\"NSBundleResourceRequest\":"),
    ("a.swift", "x == NSBundleResourceRequest(tags: ["), ("a.lua", "--[[ NSBundleResourceRequest('x')"),
  ])
  func `what is no request`(name: String, code: String) throws {
    let run = validate(try site(name, code))
    #expect(run.status == .done && !run.errors.reports("unknown-tag-in-code"), "\(run.errors)")
  }

  @Test func `tags that nobody asks for`() throws {
    let folder = try site("a.swift", "NSBundleResourceRequest(tags: [\"Level 1\"]); let other = \"Boss\"")
    let run = validate(folder)
    #expect(run.status == .done)
    #expect(
      run.errors.reports("unused-tag", at: "Manifest.json:6:29", naming: folder.path("Code"), "Boss"),
      "\(run.errors)")
    #expect(!run.errors.reports("unused-tag", naming: "Level 1"))
  }

  /// If there are no files for a rule, this is one mistake.
  ///
  /// Requests of the rule's tags are not reported in addition.
  @Test func `tags of rules without files are known`() throws {
    let folder = try site("a.swift", "NSBundleResourceRequest(tags: [\"Level 1\", \"Boss\"])")
    try FileManager.default.removeItem(atPath: folder.path("Assets/b"))
    let run = validate(folder)
    #expect(
      run.errors.reports("no-match") && !run.errors.reports("unknown-tag-in-code"), "\(run.errors)")
  }

  /// If code makes tags at run time, a tag counts as possibly used if any string in the code contains it.
  @Test func `computed tags are given the benefit of the doubt`() throws {
    let folder = try site(
      "a.swift", "func load(_ tag: String) { NSBundleResourceRequest(tags: [tag]) }\nload(\"Boss\")")
    let run = validate(folder)
    #expect(!run.errors.reports("unused-tag", naming: "Boss"))
    #expect(run.errors.reports("unused-tag", naming: "Level 1"))
    #expect(
      run.errors.contains(/detail: .*Code\/a.swift:1:28:/), "\(run.errors)")
  }

  @Test(arguments: [
    ("a.swift", "NSBundleResourceRequest(tags: [\"Level \\(number)\"])"),
    ("a.swift", "NSBundleResourceRequest(tags: [\"\\(kind) 1\"])"),
    ("a.cs", "new NSBundleResourceRequest($\"Level {number}\")"),
    ("a.kt", "NSBundleResourceRequest(\"Level ${number}\")"),
  ])
  func `strings that code completes may be tags`(_ name: String, _ code: String) throws {
    let run = validate(try site(name, code))
    #expect(!run.errors.reports("unused-tag", naming: "Level 1"), "\(run.errors)")
    #expect(run.errors.reports("unused-tag", naming: "Boss"), "\(run.errors)")
  }

  @Test func `patterns say what a request is`() throws {
    let folder = try site("a.rs", "load(\"Bos\"); load(\"Level 1\")\n  öä load(\"Boss\")")
    let run = validate(folder, "--sources-pattern", "load\\(\"([^\"]*)\"\\)")
    #expect(
      run.errors.reports("unknown-tag-in-code", at: "a.rs:1:7", naming: "Bos", "Boss"))
    #expect(!run.errors.reports("unused-tag"), "\(run.errors)")
    let whole = validate(folder, "--sources-pattern", "Level 1")
    #expect(whole.errors.reports("unused-tag", naming: "Boss") && whole.status == .done)
    #expect(validate(folder, "--sources-pattern", "(").errors.contains("Unmatched ("))
    #expect(
      runTool("validate", folder.path, "--sources-pattern", "x").errors.refuses(naming: "--sources-pattern"))
  }

  /// The time for a line may grow at most with the square of its length, and the used memory must not exceed
  /// the size of the file.
  @Test(arguments: ["(a+)+!", "(a*)*(a*)*b", "(a|aa)+$"]) func `patterns do not backtrack`(_ pattern: String)
    throws
  {
    let folder = try site("a.rs", String(repeating: "a", count: 2000) + "?")
    #expect(validate(folder, "--sources-pattern", pattern).status == .done)
  }

  @Test(arguments: [
    ("((a{1,50}){1,50}){1,50}", "1,000"),
    ("load\\(\"(.*?)\"", #""*?""#), ("\\d+", #""--sources-pattern""#),
    ("a{5,2}", #""--sources-pattern" "a{5,2}""#),
  ])
  func `foreign patterns are refused`(_ pattern: String, _ facts: String) throws {
    let run = validate(try site("a.rs", "a"), "--sources-pattern", pattern)
    #expect(run.status == .usage && run.errors.hasFacts(facts), "\(run.errors)")
  }

  @Test func `odd files are reported`() throws {
    let folder = try site("a.swift", "NSBundleResourceRequest(tags: [\"Level 1\", \"Boss\"])")
    try folder.writeSparse("Code/large.swift", size: 1 << 40)
    try folder.write("Code/binary.swift", Data([0, 1, 2]))
    try folder.write(
      "Code/bytes.swift", Data("NSBundleResourceRequest(tags: [\"".utf8) + [0xff, 0xfe] + Data("\"])".utf8))
    try folder.link("Code/loop", to: ".")
    #expect(try run("mkfifo", [folder.path("Code/fifo.swift")]).status == 0)
    let found = validate(folder)
    #expect(found.errors.reports("unread-source", naming: "4,194,304 bytes"))
    #expect(found.errors.components(separatedBy: "[unknown-tag-in-code]").count == 2, "\(found.errors)")
    #expect(runTool("validate", folder.path, "--sources", folder.path("nowhere")).status == .inputHasErrors)
  }

  /// Code that was generated by a program is read quickly, even if it is deeply nested.
  @Test(
    .noHang,
    arguments: [
      "(", "[", "NSBundleResourceRequest(", "\"\"\"", "/*", "x = NSBundleResourceRequest(tags: x)\n",
    ])
  func `deep code ends`(part: String) throws {
    let count = part.hasPrefix("NS") ? 2_000 : part.hasPrefix("x") ? 600 : sample(100_000, of: 400_000)
    let folder = try site("a.swift", String(repeating: part, count: count))
    #expect(validate(folder).status == .done)
  }

  /// A call that could belong to OnDemand or to another library possibly requests a tag.
  ///
  /// So it is not reported that the tag is never requested.
  @Test(arguments: [
    "let r = store.request(for: [\"Level 1\"])", "let r = make(.init(tags: [\"Level 1\"]))",
    "let r = store.request(for: CollectionOfOne(\"Level 1\"))",
    "NSBundleResourceRequest(tags: [name(of: \"Level 1\")])",
  ])
  func `a call that may be a request uses its tags`(code: String) throws {
    let run = validate(try site("a.swift", code))
    #expect(run.status == .done && !run.errors.reports("unused-tag", naming: "Level 1"), "\(run.errors)")
    #expect(run.errors.reports("unused-tag", naming: "Boss"), "\(run.errors)")
  }

  @Test(arguments: [
    "NSString *t = [@\"Ice\" stringByAppendingString:@\"land\"];\nr = [[NSBundleResourceRequest alloc] initWithTags:[NSSet setWithObject:t]];",
    "r = [[NSBundleResourceRequest alloc] initWithTags:[NSSet setWithObjects:@\"Ice\" @\"land\", [self tagFor:@\"x\"], nil]];",
  ])
  func `texts that are joined are no tags in Objective-C`(code: String) throws {
    let run = validate(try site("a.m", code))
    #expect(run.status == .done && !run.errors.reports("unknown-tag-in-code"), "\(run.errors)")
  }
}
