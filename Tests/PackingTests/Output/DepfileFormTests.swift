@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests the escaped paths in a depfile.
///
/// The acceptance tests check with make and ninja that these programs read them correctly.
@Suite struct DepfileFormTests {
  @Test(arguments: [
    ("a", "a"), ("a b", "a\\ b"), ("a\\ b", "a\\\\\\ b"), ("a#b", "a\\#b"), ("a:b", "a\\:b"),
    ("a$b", "a$$b"), ("a\\b", "a\\b"), ("£", "£"), ("Â", "Â"), ("a\u{a0}", "a\u{a0}"), (".", "."),
    ("..", ".."), ("./.a", "./.a"), ("[a]", "[a]"), ("[a", "[a"), ("a~", "a~"), ("-a", "-a"),
    (String(repeating: "a", count: 4095), String(repeating: "a", count: 4095)),
  ])
  func `a path is escaped for make and ninja`(path: String, escaped: String) throws {
    let name = try DepfileName(Array(path.utf8)) { _ in false }
    #expect(String(decoding: name.bytes, as: UTF8.self) == escaped)
  }

  @Test(arguments: [
    "a\u{80}", "a\u{9f}b", "a\u{7f}", "a\u{1f}", "\n", "a*", "a?", "a;", "a|", "a<", "a>", "a^", "a`", "a%",
    "a=", "a&", "a\"", "a'", "a)", "a\\", "a:", "a ", ".a", "~a", "-la", "a\\#b", "a\\:b", "a\\$b",
    "[a]\\b", "[a-c]", "[!a]", "[^a]", "[[a]", "[é]", "[a][b]", String(repeating: "a", count: 4096),
  ])
  func `a path without a form is refused`(path: String) {
    #expect(throws: DepfileName.Fault.self) { try DepfileName(Array(path.utf8)) { _ in false } }
  }

  /// The name is not valid UTF-8: it ends with the first byte of a control character.
  @Test func `bytes that are not text are kept`() throws {
    #expect(try DepfileName([97, 0xc2]) { _ in false }.bytes == [97, 0xc2])
    #expect(try DepfileName([0xc2, 0x2f, 0xc2, 0xa0]) { _ in false }.bytes == [0xc2, 0x2f, 0xc2, 0xa0])
  }

  @Test func `a wildcard is refused if it finds a file`() {
    func isRefused(_ path: String, if others: Set<String>) -> Bool {
      (try? DepfileName(Array(path.utf8)) { others.contains(String(decoding: $0, as: UTF8.self)) }) == nil
    }
    #expect(isRefused("x/[ab]/c", if: ["x/b/c"]) && isRefused("x/[ab]/c", if: ["x/a/c"]))
    #expect(!isRefused("x/[ab]/c", if: ["x/[ab]/c", "x/c/c", "x/b"]))
    #expect(isRefused("1/[a]/[b]", if: ["1/[a]/b"]) || isRefused("1/[a]/[b]", if: []))
  }

  @Test func `a folder may get another ending`() throws {
    for path in [".git", "a)", "a\\", "a:", "a "] {
      let name = try DepfileName(Array(path.utf8), kind: .folder) { _ in false }
      #expect(name.bytes.suffix(2).elementsEqual("/.".utf8), "\(path)")
    }
    #expect(try DepfileName(Array("a".utf8), kind: .folder) { _ in false }.bytes == Array("a".utf8))
  }
}

/// Tests the text of a whole depfile.
@Suite struct DepfileTextTests {
  private func text(_ depfile: Depfile) -> String {
    String(decoding: depfile.bytes().array(), as: UTF8.self)
  }

  private func rules(_ target: String, _ names: [String]) -> String {
    "\(target):" + names.map { " \\\n  \($0)" }.joined() + "\n" + names.map { "\n\($0):\n" }.joined()
  }

  private func plan(_ site: ScanSite) throws -> PackPlan {
    _ = try site.manifest([.path("a", "A")])
    return try #require(Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
  }

  @Test func `all inputs are dependencies, and each has an empty rule`() throws {
    let site = try ScanSite("a/1 x", "a/b/2")
    try site.build([.path("a", "A")], into: "old")
    let plan = try plan(site)
    let baseline = try PatchBaseline(site.folder.path("old"))
    let output = OutputFolder(site.folder.path("out dir"))
    func depfile(_ baselines: [PatchBaseline], _ inputs: [String]) -> Depfile {
      Depfile(of: plan, in: output, baselines: baselines, otherInputs: inputs)
    }
    let path = site.folder.path
    let folders = plan.tree.folders.map { String(decoding: $0, as: UTF8.self) }.map {
      $0.isEmpty ? "\(path)/Assets" : "\(path)/Assets/\($0)"
    }
    #expect(folders.sorted() == ["\(path)/Assets", "\(path)/Assets/a", "\(path)/Assets/a/b"])
    let own = ["\(path)/Manifest.json"] + folders + ["\(path)/Assets/a/1\\ x", "\(path)/Assets/a/b/2"]
    let target = "\(path)/out\\ dir/index.json"
    #expect(text(depfile([], [])) == rules(target, own))
    let old = [baseline.indexPath] + baseline.packPaths
    #expect(
      old.count > 1
        && text(depfile([baseline], ["/key", "#2"])) == rules(target, old + ["/key", "\\#2"] + own))
    #expect(depfile([], []).findings.isEmpty)
    let shard = OutputFolder(site.folder.path("out"), files: LayoutFiles(.packtool, scope: .shard))
    let ofShard = Depfile(of: plan, in: shard, baselines: [], otherInputs: [])
    #expect(text(ofShard).hasPrefix("\(path)/out/shard.json: \\\n"))
  }

  /// A folder whose name cannot be written is reported once, instead of all files in it.
  @Test func `names that a depfile cannot contain are left out`() throws {
    let site = try ScanSite("a/x=y/1", "a/x=y/2", "a/z")
    let plan = try plan(site)
    let output = OutputFolder(site.folder.path("out"))
    let depfile = Depfile(of: plan, in: output, baselines: [], otherInputs: ["~a", "b)", "b)", ".c"])
    let findings = depfile.findings
    let path = site.folder.path
    #expect(findings.map(\.place.path) == ["~a", "b)", ".c", "\(path)/Assets/a/x=y"])
    #expect(
      findings.map(\.namedValues) == [
        "\"~a\" \"~\"", "\"b)\" \")\"", "\".c\"", "\"\(path)/Assets/a/x=y\" \"=\"",
      ])
    #expect(
      text(depfile)
        == rules(
          "\(path)/out/index.json",
          ["\(path)/Manifest.json", "\(path)/Assets", "\(path)/Assets/a", "\(path)/Assets/a/z"]))
    let unnamed = Depfile(of: plan, in: OutputFolder("a=b"), baselines: [], otherInputs: [])
    #expect(unnamed.findings.first?.place.path == "a=b")
    #expect(text(unnamed) == "")
  }

  /// The first fault of a name is its place.
  @Test func `a fault shows which bytes are wrong`() {
    func fault(_ path: [UInt8], exists: Bool = false) -> String {
      do throws(DepfileName.Fault) {
        return String(decoding: try DepfileName(path) { _ in exists }.bytes, as: UTF8.self)
      } catch {
        return "\(error)"
      }
    }
    func fault(_ path: String, exists: Bool = false) -> String { fault(Array(path.utf8), exists: exists) }
    #expect(fault("ab=c;") == "contains(Range(2..<3))" && fault("\u{1f}") == "contains(Range(0..<1))")
    #expect(fault("a\u{85}b") == "contains(Range(1..<3))" && fault("\u{80}") == "contains(Range(0..<2))")
    #expect(fault("x\\\\:y") == "contains(Range(2..<3))" && fault("\\#") == "contains(Range(0..<1))")
    #expect(fault("~") == "begins(\"~\")" && fault("-l") == "begins(\"-l\")" && fault("a)") == "ends(\")\")")
    #expect(fault(".PHONY") == "isTarget" && fault(".a/b") == ".a/b" && fault("a.b") == "a.b")
    #expect(fault("\\\\ x") == "\\\\\\\\\\ x" && fault("  ") == "ends(\" \")" && fault("a\\\\b") == "a\\\\b")
    #expect(fault("[ab]", exists: true) == "isWildcard" && fault("[", exists: true) == "[")
    #expect(fault("[]]", exists: true) == "isWildcard" && fault("a]", exists: true) == "a]")
    #expect(fault("") == "" && fault([0xc2]) == "\u{fffd}" && fault([0xc2, 0xa0]) == "\u{a0}")
  }
}
