@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the property lists of the Apple layouts: which URLs are usable, and which folders stand for files.
@Suite struct ManifestListTests {
  /// A URL prefix, and whether it is usable: "" if it is, otherwise the severity of its finding.
  private static let prefixes: [(prefix: PackURLPrefix, finding: String)] = [
    ("https://example.com/", ""), ("https://example.com/a?", ""), ("https://example.com/a?b=", ""),
    ("https://example.com", "warning"), ("https://example.com/a", "warning"), ("HTTPS://example.com/", ""),
    ("example.com/", "error"), ("/packs/", "error"), ("packs", "error"),
    ("OnDemandResources/", "warning"), ("OnDemandResources/x/", "error"), ("ondemandresources/", "error"),
    ("http://example.com/", "warning"), ("HTTP://example.com/", "warning"),
    ("http://example.com:80/", "warning"),
    ("http://localhost/", ""), ("http://localhost:8080/a/", ""), ("http://mac.local/", ""),
    ("http://mac.local:80/", ""), ("http://local.com/", "warning"), ("http://mac.local.com/", "warning"),
    ("http://127.0.0.1/", ""), ("http://10.1.2.3:8080/", ""), ("http://192.168.1.2/", ""),
    ("http://11.1.2.3/", "warning"), ("http://192.169.1.2/", "warning"), ("http://128.0.0.1/", "warning"),
    ("http://[::1]/", ""), ("http://[2001:db8::1]:80/x/", ""),
  ]

  @Test func `a prefix must begin a URL that devices can download from`() throws {
    let plan = try makePlan([PlannedFile("a", ["A"]), PlannedFile("b", ["B"])])
    for (prefix, expected) in Self.prefixes {
      let findings = PackLocation.prefix(prefix).findings(about: plan)
      let severity = findings.first.map { $0.severity == .error ? "error" : "warning" } ?? ""
      #expect(severity == expected && findings.count < 2, "\(prefix.text)")
      for finding in findings {
        let url = prefix.text + plan.packs[0].identity.name + ".assetpack"
        #expect(finding.check == .doubtfulURLPrefix && finding.place.path == "Manifest.json")
        #expect(finding.message.contains("\"\(url)\"") && finding.message.contains("\"\(prefix.text)\""))
      }
    }
    let example = PackLocation.prefix("x.y/").findings(about: plan, example: "example of a URL")
    #expect(example.count == 1 && example[0].message.contains("\"example of a URL\""))
    #expect(PackLocation.prefix("x.y/").findings(about: try makePlan([])).isEmpty)
    for location in [PackLocation.app, .buildFolder, .anyFolder] {
      #expect(location.findings(about: plan).isEmpty)
    }
  }

  @Test func `the location of packs decides their URLs`() {
    let folder = Array("/a b/é".utf8)
    func url(_ location: PackLocation) -> String { location.url(ofPackFolder: "p q+~", parentPath: folder) }
    #expect(url(.prefix("https://x/?")) == "https://x/?p%20q+~")
    #expect(url(.app) == "OnDemandResources/p q+~")
    #expect(url(.buildFolder) == "http://127.0.0.1/a%20b/%C3%A9/p%20q+~")
    #expect(url(.anyFolder) == "http://127.0.0.1/a%20b/%C3%A9/p%20q+~")
    #expect(
      [PackLocation.prefix("x"), .app, .buildFolder, .anyFolder].map(\.manifestName) == [
        "AssetPackManifest.plist", "AssetPackManifest.plist", "AssetPackManifestTemplate.plist",
        "AssetPackManifestTemplate.plist",
      ])
    let own = XcodeSettings()
    #expect(own.leaving(.kept).location == .buildFolder && own.leaving(.removed).location == .anyFolder)
    #expect(XcodeSettings(location: .app).leaving(.removed).location == .app)
    #expect(!own.keepsTimes && XcodeSettings(contentHash: .modtime).keepsTimes)
    #expect(!XcodeSettings(contentHash: .modtime, sourceDate: 0).keepsTimes)
  }

  /// Returns the paths of each pack in `OnDemandResources.plist`, by the tags of the pack.
  private func lists(_ rules: [TestRule], _ files: String...) throws -> [[String]: [String]] {
    let site = try ScanSite()
    for file in files { try site.write(file) }
    _ = try site.manifest(rules)
    let plan = try #require(
      try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
    let bytes = Data(plan.onDemandResources.array())
    let list = try #require(
      try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: [String: Any]])
    let contents = try #require(list["NSBundleResourceRequestAssetPacks"] as? [String: [String]])
    let tags = try #require(list["NSBundleResourceRequestTags"] as? [String: [String: [String]]])
    for (tag, packs) in tags {
      let expected = plan.packs.filter { $0.tags.contains(tag) }.map(\.identity.identifier).sorted()
      #expect(packs["NSAssetPacks"] == expected, "\(tag)")
    }
    return Dictionary(
      uniqueKeysWithValues: plan.packs.map { ($0.tags, contents[$0.identity.identifier] ?? []) })
  }

  @Test func `a folder that a rule tags stands for its files`() throws {
    #expect(
      try lists([.path("a", "A"), .path("b/c", "A"), .path("d/e", "A")], "a/1", "a/x/2", "b/c/3", "d/e")
        == [["A"]: ["a", "b/c", "d/e"]])
    // Only the folder that has all tags of the pack stands for a file.
    #expect(
      try lists(
        [.path("a", "A"), .path("a/x", "B"), .path("a/x/y", "C")], "a/1", "a/x/2", "a/x/y/3", "a/x/y/z/4")
        == [["A"]: ["a"], ["A", "B"]: ["a/x"], ["A", "B", "C"]: ["a/x/y"]])
    #expect(
      try lists([.path("a", "A"), .glob("a/x/*", "B")], "a/1", "a/x/2", "a/x/y/3")
        == [["A"]: ["a"], ["A", "B"]: ["a/x/2"]])
    // A glob for all files does not tag a folder.
    #expect(try lists([.glob("a/**", "A")], "a/1", "a/x/2") == [["A"]: ["a/1", "a/x/2"]])
    #expect(try lists([.path("a", "A").except("a/x/2")], "a/1", "a/x/2") == [["A"]: ["a/1"]])
    #expect(
      try lists([.path("a", "A").forTheRest, .path("a/1", "B")], "a/1", "a/2") == [
        ["A"]: ["a/2"], ["B"]: ["a/1"],
      ])
  }

  @Test func `the top of a pack has no name`() throws {
    #expect(try lists([.path(".", "A")], "1", "a/2") == [["A"]: ["1", "a/2"]])
    // The folder has the path that it has in the pack.
    #expect(try lists([.path("a", "A", to: ".")], "a/1", "a/x/2") == [["A"]: ["1", "x/2"]])
    #expect(try lists([.path("a", "A", to: "n/m")], "a/1", "a/x/2") == [["A"]: ["n/m"]])
    #expect(try lists([.path("a/x", "A", to: "n")], "a/x/2") == [["A"]: ["n"]])
  }

  @Test func `a template for whole folders tags each of them`() throws {
    #expect(
      try lists([.glob("*/**", templates: "T $1")], "a/1", "a/x/2", "b/3")
        == [["T a"]: ["a"], ["T b"]: ["b"]])
    #expect(
      try lists(
        [.glob("l/*/**", templates: "T $1", tags: ["All"]), .path("m", "M")], "l/a/1", "l/b/x/2", "m/3")
        == [["All", "T a"]: ["l/a"], ["All", "T b"]: ["l/b"], ["M"]: ["m"]])
    // The tags of the folder and of the template are the tags of the pack.
    #expect(
      try lists([.path("l", "L"), .glob("l/*/**", templates: "T $1")], "l/a/1", "l/a/x/2", "l/3")
        == [["L"]: ["l"], ["L", "T a"]: ["l/a"]])
    #expect(
      try lists([.path("l/a/x", "X"), .glob("l/*/**", templates: "T $1")], "l/a/1", "l/a/x/2", "l/a/x/y/4")
        == [["T a"]: ["l/a"], ["T a", "X"]: ["l/a/x"]])
    // A template for the files of a folder does not tag the folder.
    #expect(try lists([.glob("*/*", templates: "T $1")], "a/1", "a/2") == [["T a"]: ["a/1", "a/2"]])
  }

  @Test func `times have milliseconds, and are read as they are written`() {
    for time: Int64 in [0, 1, 999, 1000, -1, -1000, 1_700_000_000_123] {
      #expect(milliseconds(ofTime: timeText(of: time)) == time)
    }
    #expect(
      timeText(of: -1) == "1969-12-31T23:59:59.999Z" && timeText(of: 1001) == "1970-01-01T00:00:01.001Z")
  }

  /// The times are those of the list that was published, whichever name it had.
  @Test(arguments: ["AssetPackManifest.plist", "AssetPackManifestTemplate.plist"])
  func `a changed pack is one millisecond newer than before, at least`(list: String) throws {
    let site = try XcodeSite("a/1", "b/2")
    let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
    for file in ["a/1", "b/2"] {
      try FileOperations.setModificationTime(
        of: site.folder.path("Assets/\(file)"), nanoseconds: 1_000_000_000)
    }
    let settings = XcodeSite.settings(.xcode, sourceDate: nil)
    try site.build(rules, settings)
    func hashes() throws -> [String] {
      try site.resources().map { ($0["primaryContentHash"] as? [String: String])?["hash"] ?? "" }
    }
    #expect(try hashes() == ["1970-01-01T00:00:01.000Z", "1970-01-01T00:00:01.000Z"])
    if list != "AssetPackManifest.plist" {
      try FileOperations.rename(
        site.folder.path("out/AssetPackManifest.plist"), to: site.folder.path("out/\(list)"))
    }
    try site.write("a/1", "other")
    try FileOperations.setModificationTime(of: site.folder.path("Assets/a/1"), nanoseconds: 500_000_000)
    try site.build(rules, settings)
    #expect(try hashes().sorted() == ["1970-01-01T00:00:01.000Z", "1970-01-01T00:00:01.001Z"])
    try site.write("a/1", "more")
    try FileOperations.setModificationTime(of: site.folder.path("Assets/a/1"), nanoseconds: 3_000_000_000)
    try site.build(rules, settings)
    #expect(try hashes().sorted() == ["1970-01-01T00:00:01.000Z", "1970-01-01T00:00:03.000Z"])
  }
}
