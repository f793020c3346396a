import Foundation
import Support
import Testing
@testable import packtool

/// Tests the errors and the other findings of builds for Background Assets.
@Suite struct AssetCheckTests {
  private static let twice =
    "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"b/1\", \"tags\": [\"B\"], \"destination\": \"a/1\"}"

  /// Devices put the files of all packs into one folder.
  @Test(arguments: ["a/1", "A/1"]) func `a path in two packs is an error`(place: String) throws {
    let site = try AssetSite(
      "a/1", "b/1", rules: Self.twice.replacingOccurrences(of: "a/1", with: place))
    let run = site.build()
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("path-in-two-packs"))
    #expect(site.names("") == [])
    // In other layouts, this is only a warning.
    let other = runTool("build", site.folder.path, "-o", site.folder.path("other"))
    #expect(other.status == .done)
    #expect(
      runTool("validate", site.folder.path, "--limits", "background-assets").errors.reports(
        "path-in-two-packs"))
    #expect(site.build("--limits", "app-store").status == .inputHasErrors)
  }

  @Test func `a file where another pack has a folder is an error`() throws {
    let site = try AssetSite(
      "a", "b/1",
      rules:
        "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"b/1\", \"tags\": [\"B\"], \"destination\": \"a/1\"}"
    )
    let run = site.build()
    #expect(
      run.status == .inputHasErrors
        && run.errors.reports("path-in-two-packs", naming: "A", "a"))
  }

  @Test func `a prefix keeps paths apart`() throws {
    let site = try AssetSite("a/1", "b/1", rules: Self.twice, keys: "\"packPrefix\": true")
    let run = site.build("--strict")
    #expect(run.status == .done, "\(run.errors)")
    let (one, other) = (try site.id(of: "A"), try site.id(of: "B"))
    #expect(try site.folder.files(below: "out/packs/\(one)").keys.sorted() == ["\(one)/a/1"])
    #expect(try site.folder.files(below: "out/packs/\(other)").keys.sorted() == ["\(other)/a/1"])
    #expect(site.verify().status == .done)
  }

  @Test func `an empty pack is an error`() throws {
    let site = try AssetSite(
      "a/1", rules: "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"b\", \"tags\": [\"B\"]}")
    try site.folder.write("Assets/b/empty", "")
    let run = site.build()
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("empty-pack", naming: "B"))
  }

  @Test func `settings that the layout cannot express are reported`() throws {
    let site = try AssetSite()
    let run = site.build()
    #expect(
      run.errors.reports("lost-in-background-assets"))
    #expect(
      run.errors.reports("submission-count", naming: "3", "1", "10", "2026"))
  }

  /// According to some developers, the store rejects 100 packs or more.
  ///
  /// According to the documentation, it rejects more than 200 packs.
  @Test(arguments: [
    (89, ""), (90, "[pack-count] 90 10 100"),
    (99, "[pack-count] 99 1"),
    (100, "[pack-count] 100"),
    (200, "[pack-count] 200"),
    (201, "[pack-count] 201 1 200 2026"),
  ])
  func `counts of packs`(count: Int, facts: String) throws {
    let folder = try TemporaryFolder()
    let rules = (0..<count).map { "{\"path\": \"\($0)\", \"tags\": [\"Tag \($0 * 7919)\"]}" }.joined(
      separator: ",")
    try folder.writeManifest(rules: rules, app: "a", root: "Assets")
    for number in 0..<count { try folder.write("Assets/\(number)", "x") }
    let run = runTool("validate", folder.path, "--limits", "background-assets")
    #expect(run.status == .done)
    #expect(
      facts.isEmpty ? !run.errors.reports("pack-count") : run.errors.hasFacts(facts), "\(run.errors)")
    let submission = runTool("validate", folder.path, "--limits", "background-assets", "--submission")
    #expect(submission.status == (count > 200 ? .inputHasErrors : .done))
    #expect(run.errors.reports("submission-count", naming: "\((count + 9) / 10)", "10"))
  }

  // Tests of the file for --id-map.

  @Test func `ids are kept when tags are renamed`() throws {
    let site = try AssetSite(
      "a", "b", rules: "{\"path\": \"a\", \"tags\": [\"Old\", \"B\"]}, {\"path\": \"b\", \"tags\": [\"B\"]}")
    let map = site.folder.path("ids.json")
    #expect(site.build("--id-map", map).status == .done)
    var ids = try #require(site.json("ids.json") as? [String: String])
    let removed = ids.removeValue(forKey: "B+Old")
    let id = try #require(removed)
    #expect(ids.count == 1)
    ids["B+New"] = id
    try site.folder.write("ids.json", JSONSerialization.data(withJSONObject: ids))
    try site.write(
      rules:
        "{\"path\": \"a\", \"tags\": [\"New\", \"B\"]}, {\"path\": \"b\", \"tags\": [\"B\"]}, {\"path\": \"c\", \"tags\": [\"Old\", \"B\"]}",
      keys: "\"container\": \"zip\"")
    try site.folder.write("Assets/c", "a new pack with the tags of an old one")
    #expect(site.build("--id-map", map).status == .done)
    #expect(try site.id(of: "New", "B") == id)
    // The id was assigned before, so the other pack gets a different id.
    #expect(try site.id(of: "Old", "B") == "\(id)-2")
    #expect(try #require(site.json("ids.json") as? [String: String]).count == 3)
    #expect(site.verify().status == .done)
  }

  /// Unused ids stay in the lockfile.
  ///
  /// They are not assigned to other packs.
  @Test func `ids are never given twice`() throws {
    let site = try AssetSite("a", rules: "{\"path\": \"a\", \"tags\": [\"A\"]}")
    let made = "A-7fc56270"
    try site.folder.write("ids.json", "{\"Gone\": \"\(made)\", \"Other\": \"\(made.lowercased())-2\"}")
    #expect(site.build("--id-map", site.folder.path("ids.json")).status == .done)
    #expect(try site.id(of: "A") == "\(made)-3")
    let ids = try #require(site.json("ids.json") as? [String: String])
    #expect(ids == ["Gone": made, "Other": "\(made.lowercased())-2", "A": "\(made)-3"])
  }

  @Test(arguments: [
    ("{\"A\": \"same\", \"B\": \"Same\"}", "[identifier-collision]"),
    ("{\"A\": \"with.dot\"}", "[invalid-pack-id]"),
    ("{\"A\": \"-a\"}", "[invalid-pack-id]"), ("{\"A\": \"a-\"}", "[invalid-pack-id]"),
    ("{\"A\": \"\"}", "[invalid-id-map]"), ("{\"A\": \"../../x\"}", "[invalid-id-map]"),
    ("{\"A\": 1}", "[invalid-id-map]"), ("[]", "[invalid-id-map]"), ("{", "[json-syntax]"),
  ])
  func `maps that are wrong`(map: String, facts: String) throws {
    let site = try AssetSite("a", rules: "{\"path\": \"a\", \"tags\": [\"A\"]}")
    try site.folder.write("ids.json", map)
    let run = site.build("--id-map", site.folder.path("ids.json"))
    #expect(run.status == .inputHasErrors && run.errors.hasFacts(facts), "\(run.errors)")
    #expect(String(decoding: try site.folder.read("ids.json"), as: UTF8.self) == map)
    #expect(site.names("") == [])
  }

  @Test(arguments: [("日本", "pack-4dbed2e6"), ("_intro", "intro-"), ("a b!", "a-b-")])
  func `made i ds begin and end without hyphen`(tag: String, id: String) throws {
    let site = try AssetSite("a", rules: "{\"path\": \"a\", \"tags\": [\"\(tag)\"]}")
    site.build()
    #expect(try site.id(of: tag).hasPrefix(id) && !site.id(of: tag).contains("--"))
  }

  @Test func `a lowered ID is built and verified`() throws {
    let site = try AssetSite("a", rules: "{\"path\": \"a\", \"tags\": [\"A\"]}")
    try site.folder.write("ids.json", "{\"A\": \"com.example.a\"}")
    let lowered = ["--severity", "invalid-pack-id=ignore"]
    let run = site.build("--id-map", site.folder.path("ids.json"), lowered[0], lowered[1])
    #expect(run.status == .done, "\(run.errors)")
    #expect(site.names("packs") == ["com.example.a"])
    #expect(site.verify().errors.reports("invalid-pack-id"))
    let verified = runTool(words: ["verify", site.folder.path("out")] + lowered)
    #expect(verified.status == .done, "\(verified.errors)")
  }

  /// If a tag contains "+", it can be the same string as the name of another tag set.
  @Test func `two tag sets with one name are a collision`() throws {
    let site = try AssetSite(
      "a", "b", rules: "{\"path\": \"a\", \"tags\": [\"x+y\"]}, {\"path\": \"b\", \"tags\": [\"x\", \"y\"]}")
    #expect(site.build().errors.reports("identifier-collision"))
  }
}
