@testable import Formats
@testable import Inspect
@testable import Model
@testable import Packing
@testable import Pipeline
import Support
import Testing

/// Tests the largest inputs that packtool accepts, and its messages about larger inputs.
@Suite struct InputLimitTests {
  /// Returns the findings of the reader about a manifest with one rule.
  private func findings(_ key: String, _ text: String, tags: String = "\"A\"") -> [String] {
    readManifest(
      "{\"bundleIdentifier\": \"a\", \"resources\": [{\"\(key)\": \"\(text)\", \"tags\": [\(tags)]}]}"
    ).diagnostics.map(\.checkAndValues)
  }

  private func text(_ count: Int) -> String { String(repeating: "a", count: count) }

  @Test func `a tag has an end`() {
    #expect(findings("path", "x", tags: "\"\(text(1024))\"") == [])
    #expect(
      findings("path", "x", tags: "\"\(text(1025))\"").map {
        $0.hasPrefix("[invalid-tag]") && $0.hasSuffix(" 1,025 bytes 1,024")
      }
        == [true])
  }

  /// To open a folder, the kernel needs one step for each level.
  ///
  /// It is easy to create deep folders, so an attacker can make many of them.
  @Test(
    .enabled(if: isInstalled("python3")), arguments: sample(1, of: [("**/*", "error"), ("x", "warning")]))
  func `folders nest to a level`(glob: String, severity: String) throws {
    let folder = try TemporaryFolder()
    defer { _ = try? run("rm", ["-rf", folder.path]) }
    try folder.write("Assets/x", "x")
    try folder.writeManifest([.glob("\(glob)", "A")], root: "Assets")
    let script = """
      import os
      os.chdir("Assets")
      for level in range(4098):
        open("f", "w").close()
        os.mkdir("d")
        os.chdir("d")
      """
    try folder.python(script)
    let found = try allFindings(in: folder.path, jobs: 2).filter { $0.check == .unreadableFile }
    #expect(found.count == 1 && found[0].severity.rawValue == severity)
    #expect(found[0].namedValues.hasSuffix("4,096"))
    let damage = try PackListing(folder.path("Assets")).damage
    #expect(damage.count == 1 && values(in: damage[0]).hasSuffix("4,096"))
  }

  @Test(arguments: ["path", "glob"]) func `a path has an end`(key: String) {
    // The path contains slashes, because a single name also has a maximum length.
    func path(_ bytes: Int) -> String { String((1...bytes).map { $0 % 100 == 0 && $0 < bytes ? "/" : "x" }) }
    #expect(findings(key, path(65_535)) == [])
    #expect(
      findings(key, path(65_536)).map {
        $0.hasPrefix("[invalid-path]") && $0.hasSuffix(" 65,536 bytes 65,535")
      }
        == [true])
  }

  @Test func `a rule has a thousand tags`() {
    let tags = { (count: Int) in (0..<count).map { "\"\($0)\"" }.joined(separator: ",") }
    #expect(findings("path", "x", tags: tags(1000)) == [])
    #expect(
      findings("path", "x", tags: tags(1001)) == [
        #"[invalid-value] "tags" 1,000 1,001"#
      ])
  }

  @Test(arguments: [("resources", 1_000_000), ("exclude", 10_000), ("accept", 1000)])
  func `a list has an end`(key: String, most: Int) {
    let elements = "0" + String(repeating: ",0", count: most)
    let rules = key == "resources" ? "" : ", \"resources\": [{\"path\": \"x\", \"tags\": [\"A\"]}]"
    let findings = readManifest("{\"bundleIdentifier\": \"a\", \"\(key)\": [\(elements)]\(rules)}")
      .diagnostics
    #expect(
      findings.map(\.namedValues) == ["\"\(key)\" \(grouped(most)) \(grouped(most + 1))"])
  }

  @Test(arguments: [(100, 0), (101, 1)]) func `tags that templates make have an end`(
    templates: Int, errors: Int
  )
    throws
  {
    let site = try ScanSite()
    for number in 0..<1000 { try site.write("\(number).ogg") }
    var rule = TestRule(glob: "*.ogg", tags: nil)
    rule.tagTemplates = (0..<templates).map { "\($0) $1" }
    _ = try site.manifest([rule])
    let scan = try AssetScan(of: site.manifest([rule]), leavingOut: nil, jobs: 2)
    let facts = "[invalid-value] 100,000"
    #expect(scan.diagnostics.map(\.checkAndValues) == Array(repeating: facts, count: errors))
    #expect((scan.tree == nil) == (errors > 0))
  }

  @Test(arguments: [(400, 0), (401, 1)]) func `a file has a thousand tags of all rules`(
    more: Int, errors: Int
  ) throws {
    let site = try ScanSite("a/1", "a/2")
    _ = try site.manifest([
      TestRule(path: "a", tags: (0..<600).map { "t\($0)" }),
      TestRule(path: "a/2", tags: (600..<600 + more).map { "t\($0)" }),
    ])
    let found = try allFindings(in: site.folder.path, jobs: 1)
      .filter { $0.severity == .error }
    #expect(found.map(\.namedValues) == Array(repeating: #""a/2" 1,000"#, count: errors))
    #expect(found.allSatisfy { $0.check == .tooManyTags && $0.place.path == site.folder.path("Assets/a/2") })
  }
}
