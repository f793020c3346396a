@testable import Formats
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests which folders of an asset catalog get which tags.
@Suite struct AssetCatalogTests {
  private func text(_ tags: [String]) -> String {
    "{\"properties\": {\"on-demand-resource-tags\": [\(tags.map { "\"\($0)\"" }.joined(separator: ", "))]}}"
  }

  /// Reads a catalog with files, and with tags by folder.
  private func catalog(_ files: [String], tags: [String: [String]] = [:]) throws -> AssetCatalog {
    let folder = try TemporaryFolder()
    for file in files { try folder.write("A.xcassets/\(file)", "x") }
    for (path, tags) in tags {
      try folder.write("A.xcassets/\(path.isEmpty ? "" : path + "/")Contents.json", text(tags))
    }
    return try AssetCatalog(at: folder.path("A.xcassets"))
  }

  private func tagged(_ catalog: AssetCatalog) -> [String] {
    catalog.taggedFolders.map { "\($0.components.joined(separator: "/")) \($0.tags)" }
  }

  private func untagged(_ catalog: AssetCatalog) -> [String] {
    catalog.untaggedFolders.map { $0.joined(separator: "/") }
  }

  @Test func `folders with their own tags are tagged, and the others are not`() throws {
    let catalog = try catalog(
      [
        "a/x.imageset/1.png", "a/y.imageset/2.png", "b/z.imageset/3.png", "c/w.imageset/4.png", "d/.DS_Store",
      ],
      tags: [
        "a/x.imageset": ["X", "Y", "X"], "b": ["B"], "b/z.imageset": ["B"], "c": [], "c/w.imageset": ["B"],
        "e": [],
      ])
    #expect(tagged(catalog) == [#"a/x.imageset ["X", "Y"]"#, #"b ["B"]"#, #"c/w.imageset ["B"]"#])
    // The folder "e" contains only the description, which is a file, too.
    #expect(untagged(catalog) == ["a/y.imageset", "e"])
    #expect(catalog.diagnostics.isEmpty)
    #expect(
      catalog.descriptions.map { $0.joined(separator: "/") }.sorted() == [
        "a/x.imageset/Contents.json", "b/Contents.json", "b/z.imageset/Contents.json", "c/Contents.json",
        "c/w.imageset/Contents.json", "e/Contents.json",
      ])
  }

  @Test func `inner folders get the tags that the outer ones do not have`() throws {
    let catalog = try catalog(
      ["a/b/c/1.png", "a/b/d/2.png"], tags: ["a": ["A"], "a/b/c": ["A", "C"], "a/b/d": ["A"]])
    #expect(tagged(catalog) == [#"a ["A"]"#, #"a/b/c ["A", "C"]"#])
    #expect(untagged(catalog) == [])
  }

  @Test func `the tags of a catalog are those of its folders`() throws {
    let catalog = try catalog(["a/1.png", "b/c/2.png"], tags: ["": ["T"], "a": ["A", "T"], "b/c": ["T"]])
    #expect(tagged(catalog) == [#"a ["T", "A"]"#, #"b ["T"]"#])
    #expect(untagged(catalog) == [])
  }

  @Test func `a catalog without tags is one folder`() throws {
    #expect(try untagged(catalog(["a/1.png", "b/2.png"])) == [""])
    // A file that is directly in the catalog is not packed, so the folders get rules of their own.
    #expect(try untagged(catalog(["a/1.png", "b/c/2.png", "3.png"])) == ["a", "b"])
    #expect(try untagged(catalog(["a/.DS_Store"])) == [])
    #expect(
      try untagged(catalog(["a/b/1.png", "a/c/2.png", "d/3.png"], tags: ["a/b": ["B"]])) == ["a/c", "d"])
    // A folder with tags and its empty neighbour
    #expect(try untagged(catalog(["a/1.png", "b/.DS_Store"], tags: ["a": ["A"]])) == [])
    #expect(try tagged(catalog(["b/1.png"], tags: ["a": ["A"]])) == [#"a ["A"]"#])
  }

  @Test func `symlinks in a catalog are not followed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("A.xcassets/a/1.png", "x")
    try folder.write("Contents.json", text(["A"]))
    try folder.link("A.xcassets/a/Contents.json", to: folder.path("Contents.json"))
    try folder.link("A.xcassets/b", to: "a")
    let catalog = try AssetCatalog(at: folder.path("A.xcassets"))
    #expect(tagged(catalog).isEmpty && catalog.descriptions.isEmpty && catalog.diagnostics.isEmpty)
  }

  @Test func `descriptions that cannot be read are reported`() throws {
    let folder = try TemporaryFolder()
    try folder.write("A.xcassets/a/Contents.json", "{\n no JSON")
    try folder.writeSparse("A.xcassets/b/Contents.json", size: 1 << 30)
    try folder.write("A.xcassets/c/Contents.json", "{\"on-demand-resource-tags\": [\"C\"]}")
    let catalog = try AssetCatalog(at: folder.path("A.xcassets"))
    #expect(tagged(catalog).isEmpty)
    let found = catalog.diagnostics.map { finding in
      let path = finding.place.path.replacingOccurrences(of: folder.path("A.xcassets/"), with: "")
      let position = finding.place.position.map { "\($0.line):\($0.column)" } ?? ""
      return "\(path):\(position) \(finding.severity) \(finding.check.id)"
    }
    #expect(
      found.sorted() == [
        "a/Contents.json:2:2 warning damaged-project", "b/Contents.json: warning damaged-project",
        "c/Contents.json:1:2 warning unknown-trait",
      ])
  }

  private func read(_ text: String) -> (tags: [String], mistake: Diagnostic?, findings: [String]) {
    var reader = CatalogTagReader(SourceText(path: "c", bytes: Array(text.utf8)))
    let (tags, mistake) = reader.read()
    let findings = reader.findings.findings.map { "\($0.place.position?.column ?? 0) \($0.namedValues)" }
    return (tags, mistake, findings)
  }

  @Test func `tags are in the properties or in the information`() {
    let both = read(
      #"{"info": {"on-demand-resource-tags": ["I"], "version": 1}, "#
        + #""properties": {"on-demand-resource-tags": ["P", "Q"]}}"#
    )
    #expect(both.tags == ["P", "Q", "I"] && both.mistake == nil && both.findings.isEmpty)
    #expect(read("{}").tags.isEmpty && read("{}").findings.isEmpty)
    #expect(read(#"{"properties": {"on-demand-resource-tags": []}}"#).findings.isEmpty)
    let broken = read(#"{"properties": {"on-demand-resource-tags": ["A"]}, }"#)
    #expect(broken.tags.isEmpty && broken.mistake != nil)
  }

  @Test func `tags that Xcode ignores are reported`() {
    let key = "on-demand-resource-tags"
    #expect(
      read("{\"\(key)\": [\"A\"]}").findings == [
        #"2 "on-demand-resource-tags" "properties" "on-demand-resource-tags""#
      ])
    #expect(read("{\"\(key)\": []}").findings.isEmpty && read("{\"tags\": [1]}").findings.isEmpty)
    #expect(
      read("{\"On_Demand_X\": 1}").findings == [#"2 "On_Demand_X" "properties" "on-demand-resource-tags""#])
    let typo = read("{\"properties\": {\"on-demand-resource-tag\": [\"A\"], \"other\": [1]}}")
    #expect(typo.tags.isEmpty && typo.findings == [#"17 "on-demand-resource-tag" "on-demand-resource-tags""#])
    // Much longer keys mean something else.
    let longest = "ondemand" + String(repeating: "x", count: 38)
    #expect(read("{\"info\": {\"\(longest)\": 1}}").findings.count == 1)
    #expect(read("{\"info\": {\"\(longest)x\": 1}}").findings.isEmpty)
    let list = read("{\"info\": {\"\(key)\": \"A\"}}")
    #expect(list.tags.isEmpty && list.findings.count == 1)
    let element = read("{\"info\": {\"\(key)\": [\"A\", 1, \"B\"]}}")
    #expect(element.tags == ["A", "B"] && element.findings.count == 1)
  }

  @Test func `catalogs are found below a folder`() throws {
    let folder = try TemporaryFolder()
    for file in [
      "z/A.xcassets/B.xcassets/x", "z/a/C.xcassets/x", "z.xcassets/x", "closed/D.xcassets/x",
      "a/E.xcassets/x", "b/x",
      ".git/F.xcassets/x", "z/G.xcassets",
    ] { try folder.write(file, "x") }
    let found = try AssetCatalog.catalogs(below: folder.path) { $0 == "closed" }
    #expect(
      found.map { $0.joined(separator: "/") } == [
        "a/E.xcassets", "z.xcassets", "z/A.xcassets", "z/a/C.xcassets",
      ])
  }
}
