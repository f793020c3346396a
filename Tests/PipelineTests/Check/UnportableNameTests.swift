import Formats
import Model
import Pipeline
import Support
import Testing

/// Tests that `unportable-name` is one warning for all names that Windows cannot store.
@Suite struct UnportableNameTests {
  private func findings(_ site: ScanSite, _ rules: TestRule...) throws -> [Diagnostic] {
    _ = try site.manifest(rules)
    let prepared = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 2))
    return try (prepared.diagnostics + prepared.planFindings(jobs: 2)).filter {
      $0.check.id == "unportable-name"
    }
  }

  @Test(arguments: [
    "a:b", "a<b", "a>b", "a\"b", "a|b", "a?b", "a*b", "CON", "con.txt", "Prn", "aux.a.b", "NUL", "com1",
    "COM9.bin", "lpt1", "COM¹",
    "CONIN$", "conout$.txt", "nul .txt", "x.", "x ", "...", "x. .",
  ])
  func `names that windows cannot store`(name: String) throws {
    for path in ["a/\(name)", "a/\(name)/x", "a/x/\(name)/y/z"] {
      let found = try findings(ScanSite(path), .path("a", "A"))
      #expect(found.count == 1 && found.first?.severity == .warning, "\(path)")
      #expect(found.first?.place.path.hasSuffix("Assets/\(path)") == true, "\(found.rendered)")
      #expect(found.first?.names("1") == true, "\(found.rendered)")
    }
  }

  @Test(arguments: [
    "CONSOLE", "con-1", "com", "com0", "com10", "lpt", "nullable.txt", "auxiliary", "xCON", ".con", "x. y",
    " x", "é", "a;b", "a'b",
    "a%b", "a#b", "a+b", "a=b", "{a}", "prn_1", "CONIN", "COMé",
  ])
  func `names that windows stores`(name: String) throws {
    #expect(try findings(ScanSite("a/\(name)", "a/\(name)s/x"), .path("a", "A")).isEmpty)
  }

  @Test func `all are one finding with their count`() throws {
    let site = try ScanSite("a/x")
    for number in 0..<40 { try site.write("a/d:\(number % 4)/\(number)?") }
    try site.write("free/n:untagged")
    let found = try findings(site, .path("a", "A"))
    // The finding counts 4 folders and 40 files.
    #expect(found.count == 1 && found.first?.names("44") == true, "\(found.rendered)")
    #expect(found.first?.names("42") == true, "\(found.rendered)")
  }

  /// The check is about the path that a file has in its pack.
  ///
  /// Tags are checked as well, because the names of packs contain them.
  @Test func `destinations and tags count`() throws {
    let site = try ScanSite("a/x", "b:/y")
    let moved = try findings(site, .path("a", "A", to: "c?/x"), .path("b:", "B", to: "b"))
    #expect(moved.count == 1 && moved.first?.names("1", "\"c?\"") == true, "\(moved.rendered)")
    let tagged = try findings(site, .path("a", "Level: 1", "A"), .path("b:", "B", to: "b"))
    #expect(tagged.count == 1 && tagged.first?.names("Level: 1") == true, "\(tagged.rendered)")
    #expect(tagged.first?.place.path.hasSuffix("Manifest.json") == true, "\(tagged.rendered)")
  }
}
