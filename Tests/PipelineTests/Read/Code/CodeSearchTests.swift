@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests which tags of a plan the code of an app requests, names and does not mention.
@Suite struct CodeSearchTests {
  /// A plan with the tags `Boss`, `Level 1` and `Menu`, next to code.
  private func site(_ code: [String: String]) throws -> ScanSite {
    let site = try ScanSite("a", "b", "c")
    _ = try site.manifest([.path("a", "Level 1"), .path("b", "Boss"), .path("c", "Menu")])
    for (name, text) in code { try site.folder.write("code/\(name)", text) }
    return site
  }

  private func search(
    _ site: ScanSite, in folders: [String] = ["code"], pattern: String? = nil
  ) throws -> CodeSearch {
    let plan = try #require(try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
    return try CodeSearch(
      for: plan, in: folders.map { site.folder.path($0) }, pattern: pattern.map { try RegularExpression($0) })
  }

  /// Returns the findings and their notes with their places.
  private func facts(_ search: CodeSearch, in site: ScanSite) -> [String] {
    func place(_ place: Place) -> String {
      let path = place.path.replacingOccurrences(of: "\(site.folder.path)/", with: "")
      return path + (place.position.map { ":\($0.line):\($0.column)" } ?? "")
    }
    return search.diagnostics.flatMap { finding in
      ["\(place(finding.place)) \(finding.facts)".replacingOccurrences(of: "\(site.folder.path)/", with: "")]
        + finding.notes.map { "note \($0.namedValues) at \($0.place.map(place) ?? "")" }
    }
  }

  private static let all = "NSBundleResourceRequest(tags: [\"Level 1\", \"Boss\", \"Menu\"])"

  @Test func `requests and names are compared with the tags`() throws {
    let site = try site([
      "a.swift":
        "NSBundleResourceRequest(tags: [\"Level 1\", \"Level 2\"])\n"
        + " b.setPreservationPriority(1, for: [\"Bosss\", \"Boss\"])",
      "b/c.kt": "// nothing\nval x = NSBundleResourceRequest(\"Nothing like it\")", "b/d.m": "int a;",
      ".git/x.swift": "NSBundleResourceRequest(tags: [\"no\"])",
      "node_modules/x.swift": "NSBundleResourceRequest(tags: [\"no\"])",
      "b/DerivedData/x.swift": "NSBundleResourceRequest(tags: [\"no\"])", "x.py": "", "b/y.py": "",
      "z.rs": "", "w.c": "",
      "notes.txt": "",
    ])
    let found = try search(site)
    let facts = facts(found, in: site)
    #expect(
      facts.prefix(4) == [
        #"code/a.swift:1:43 error [unknown-tag-in-code] "Level 2" "Level 1""#,
        #"code/a.swift:2:37 error [unknown-tag-in-code] "Bosss" "Boss""#,
        #"code/b/c.kt:2:33 error [unknown-tag-in-code] "Nothing like it""#,
        #"code note [unread-source] 2 ".py" 1 ".c" 1 ".rs" "--sources-pattern""#,
      ])
    #expect(facts.dropFirst(4).map { $0.contains("[unused-tag] \"code\" \"Boss\"") } == [true, false])
    #expect(facts.last?.hasSuffix("[unused-tag] \"code\" \"Menu\"") == true)
    #expect(found.texts.map { lastName(of: $0.path) } == ["a.swift", "c.kt"])
  }

  @Test func `code that requests all tags has no findings`() throws {
    let site = try site(["a.swift": Self.all])
    let found = try search(site)
    #expect(facts(found, in: site).isEmpty && found.texts.isEmpty)
  }

  @Test func `folders without code are reported`() throws {
    let site = try site(["x.py": "", "y/z.txt": ""])
    let others = try facts(search(site), in: site)
    #expect(
      others.count == 1 && others[0].hasPrefix("code warning [unread-source] ")
        && others[0].contains(#"1 ".py""#))
    let empty = try facts(search(site, in: ["code/y", "Assets"]), in: site)
    #expect(empty.count == 1 && empty[0].hasPrefix("code/y warning [unread-source] "))
    #expect(empty[0].contains(#""code/y""#) && empty[0].contains(#""Assets""#))
    // A path that is not a folder is an error, and the only one if there is no code.
    let missing = try facts(search(site, in: ["none"]), in: site)
    #expect(missing == [#"none error [unread-source] "none""#])
    #expect(
      try facts(search(site, in: ["code/x.py"]), in: site) == [
        #"code/x.py error [unread-source] "code/x.py""#
      ])
    try site.folder.write("more/a.swift", Self.all)
    #expect(
      try facts(search(site, in: ["none", "more"]), in: site) == [#"none error [unread-source] "none""#])
    #expect(try facts(search(site, in: ["code", "more"]), in: site).count == 1)
  }

  @Test func `large files and files that are not text are not searched`() throws {
    let site = try site(["c.swift": Self.all])
    // Sparse files are not text, but their sizes count first.
    let limit = Int64(CodeSearch.maxFileSize)
    for (name, size) in [("a.swift", limit), ("b.swift", limit + 1)] {
      try site.folder.writeSparse("code/\(name)", size: size)
    }
    let found = try search(site)
    #expect(
      facts(found, in: site) == [#"code/b.swift warning [unread-source] "code/b.swift" 4,194,304 bytes"#])
    // With a pattern, other files are read, too, and large ones are not worth a finding.
    #expect(try facts(search(site, pattern: "Level 1|Boss|Menu"), in: site).isEmpty)
    for (place, isText) in [(8191, false), (8192, true)] {
      var bytes = Data((Self.all + String(repeating: " ", count: 9000)).utf8)
      bytes[place] = 0
      let site = try self.site([:])
      try site.folder.write("code/a.swift", bytes)
      #expect(try facts(search(site), in: site).count == (isText ? 0 : 3), "\(place)")
    }
  }

  @Test func `tags that code makes are not certainly unused`() throws {
    let site = try site([
      "a.swift": "r(\"Menu\")\nNSBundleResourceRequest(tags: [a])", "b.json": "[\"Boss\"]",
    ])
    #expect(
      try unused(site) == [
        #"warning [unused-tag] "code" "Boss" at code/a.swift:2:1"#,
        #"warning [unused-tag] "code" "Level 1" at code/a.swift:2:1"#,
      ])
    // Templates make tags that begin or end like them.
    let front = try self.site(["a.swift": "NSBundleResourceRequest(tags: [\"Lev\\(x)\"])"])
    #expect(try unused(front).map { $0.contains("Level 1") } == [false, false])
    let back = try self.site(["a.swift": "NSBundleResourceRequest(tags: [\"\\(x)ss\"])"])
    #expect(try unused(back).map { $0.contains("Boss") } == [false, false])
    let whole = try self.site([
      "a.swift": "NSBundleResourceRequest(tags: [\"Lev\\(x)\"])\nf(\"\\(x)u\", \"Bos\\(x)\")"
    ])
    #expect(try unused(whole).isEmpty)
    // Strings alone are not requests.
    let plain = try self.site(["a.swift": "f(\"Menu\", \"Lev\\(x)\", \"\\(x)ss\")"])
    #expect(try unused(plain).count == 3)
  }

  /// Returns the findings about unused tags, each with the place of its note.
  private func unused(_ site: ScanSite) throws -> [String] {
    try search(site).diagnostics.filter { $0.check == .unusedTag }.map { finding in
      let place = finding.notes.first?.place
      let path = place?.path.replacingOccurrences(of: "\(site.folder.path)/", with: "") ?? ""
      let position = place?.position.map { ":\($0.line):\($0.column)" } ?? ""
      return finding.facts.replacingOccurrences(of: "\(site.folder.path)/", with: "")
        + " at \(path)\(position)"
    }
  }

  /// The tags of a rule without files are known, too.
  @Test func `tags of rules without files are no mistakes`() throws {
    let site = try site(["a.swift": Self.all])
    try FileManager.default.removeItem(atPath: site.folder.path("Assets/b"))
    #expect(try !search(site).diagnostics.contains { $0.check == .unknownTagInCode })
  }
}
