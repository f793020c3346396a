@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests that several shards and a merge have the same result as one build.
@Suite struct ShardTests {
  private static let rules: [TestRule] = [
    .path("a", "A"), .path("b", "B"), .path("c", "C", to: "moved"), .glob("{a,b}/s*", "Shared"),
    .glob("b/1*", "One"),
  ]

  private func site() throws -> ScanSite {
    let site = try ScanSite("a/1", "a/2", "a/shared", "b/1", "b/sub/3", "b/s1", "c/4", "c/1", "untagged/5")
    try site.write("a/text", Sample.text(1_300_000))
    try site.write("c/noise", Sample.noise(300_000))
    site.waitForClockTick()
    return site
  }

  @discardableResult
  private func part(
    _ number: Int, of count: Int, _ site: ScanSite, _ settings: TestSettings, into output: String? = nil
  ) throws -> BuildResult {
    _ = try site.manifest(Self.rules, container: settings.container)
    var request = site.request(into: output ?? "part \(number)", settings)
    request.shard = Shard(number, of: count).map { .part($0) }
    return try request.run(Policy())
  }

  private func merge(_ parts: [String], _ site: ScanSite, into output: String = "merged") throws
    -> MergeResult
  {
    try MergeRequest(
      shardFolders: parts.map { site.folder.path($0) }, output: site.folder.path(output), jobs: 2
    ).run()
  }

  static let settings: [TestSettings] = SameContentTests.settings.map { settings in
    var settings = settings
    // The manifest for a build folder contains the path of that folder.
    if settings.layout.layout == .xcode { settings.layout.urlPrefix = "https://example.com/" }
    return settings
  }

  @Test(arguments: sample(3, of: settings), sample(2, of: [1, 2, 3, 9]))
  func `merged parts are the bytes of one build`(settings: TestSettings, count: Int) throws {
    let site = try site()
    try site.build(Self.rules, into: "one", settings)
    for number in 1...count { #expect(try part(number, of: count, site, settings).release != nil) }
    let result = try merge((1...count).reversed().map { "part \($0)" }, site)
    #expect(result.findings.isEmpty)
    #expect(try site.published("merged") == site.published("one"))
    // The next build treats a merged folder like the output of a local build.
    let again = try site.build(Self.rules, into: "merged", settings)
    #expect(again.isUnchanged && again.decisions.areAll { $0 == .keep(.digests) })
    #expect(try site.build(Self.rules, into: "merged", settings).decisions.areAll { $0 == .keep(.times) })
  }

  /// packtool writes and reads a shard file line by line, in batches of several hundred files.
  @Test func `a part may have any number of files`() throws {
    let site = try site()
    for number in 0..<1200 { try site.write("a/more/\(number)", "\(number)") }
    site.waitForClockTick()
    try site.build(Self.rules, into: "one", .test(.zip))
    for number in 1...2 { #expect(try part(number, of: 2, site, .test(.zip)).release != nil) }
    #expect(try merge(["part 1", "part 2"], site).findings.isEmpty)
    #expect(try site.published("merged") == site.published("one"))
  }

  /// Later changes of a shard do not affect published packs.
  ///
  /// The merge does not change the shard.
  @Test(arguments: [Container.zip, .folder]) func `merged packs are files of their own`(container: Container)
    throws
  {
    let site = try site()
    for number in 1...2 { try part(number, of: 2, site, .test(container)) }
    let files = try (1...2).flatMap { number in
      try site.folder.files(below: "part \(number)/packs").keys.map {
        site.folder.path("part \(number)/packs/\($0)")
      }
    }
    try #require(!files.isEmpty)
    let manager = FileManager.default
    for file in files { try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file) }
    #expect(try merge(["part 1", "part 2"], site).release != nil)
    let before = try site.published("merged")
    for file in files {
      let attributes = try manager.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600 && attributes[.referenceCount] as? Int == 1)
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
      try handle.write(contentsOf: Data("overwritten".utf8))
    }
    #expect(try site.published("merged") == before)
  }

  @Test(arguments: sample(3, of: settings))
  func `a part that is built again where it was keeps its packs`(settings: TestSettings) throws {
    let site = try site()
    for number in 1...2 { try part(number, of: 2, site, settings) }
    #expect(try merge(["part 1", "part 2"], site).release != nil)
    try site.write("b/sub/3", "changed")
    site.waitForClockTick()
    let written = try (1...2).flatMap { try part($0, of: 2, site, settings).decisions.filter { !$0.isKeep } }
    #expect(written.count == 1, "\(written)")
    #expect(try merge(["part 1", "part 2"], site).changes.written.count == 1)
    try site.build(Self.rules, into: "one", settings)
    #expect(try site.published("merged") == site.published("one"))
  }

  @Test func `the packs of a part are in the order of the plan`() throws {
    let site = try site()
    _ = try site.manifest(Self.rules)
    let plan = try #require(Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
    for count in 1...3 {
      let parts = (1...count).compactMap { Shard($0, of: count)?.packs(of: plan) }
      #expect(parts.allSatisfy { $0 == $0.sorted() })
      #expect(parts.flatMap(\.self).sorted() == Array(plan.packs.indices))
    }
  }

  @Test func `a part keeps that the app brings a manifest of its own`() throws {
    let site = try site()
    _ = try site.manifest(Self.rules, container: .folder)
    let plan = try #require(
      Preparation(Preparation.Request(argument: site.folder.path, jobs: 1)).plan)
    var xcode = XcodeSettings(location: .app)
    xcode.hasOwnManifest = true
    let settings = PackSettings(container: .folder, entryTime: 0, layout: .xcode, xcode: xcode)
    let shard = try #require(Shard(1, of: 1))
    var text = ShardFormat(shard: .part(shard), whole: plan, settings: settings).head.array()
    text += Array("]}".utf8)
    try site.folder.write("part/shard.json", Data(text))
    let read = try ShardContents(in: site.folder.path("part"))
    #expect(read.settings.xcode == xcode)
    #expect(read.settings.key(for: plan.manifest) == settings.key(for: plan.manifest))
  }

  @Test func `the largest packs go first, each to the smallest part`() throws {
    let plan = try makePlan([
      PlannedFile("a", ["A"], size: 100), PlannedFile("b", ["B"], size: 90),
      PlannedFile("c", ["C"], size: 50),
      PlannedFile("d", ["D"], size: 50), PlannedFile("e", ["E"], size: 10),
    ])
    let parts = (1...2).map { number in
      Shard(number, of: 2)!.packs(of: plan).map { plan.packs[$0].tags[0] }.sorted()
    }
    let equal = ["C", "D"].sorted { id(of: $0, plan) < id(of: $1, plan) }
    // The first shard gets the packs of 100 and 50 bytes. The second shard gets the packs of 90, 50 and 10
    // bytes.
    #expect(Set(parts[0]) == ["A", equal[1]])
    #expect(Set(parts[1]) == ["B", equal[0], "E"])
  }

  private func id(of tag: String, _ plan: PackPlan) -> String {
    plan.packs.first { $0.tags == [tag] }?.identity.identifier ?? ""
  }

  @Test(arguments: [(0, 3), (4, 3), (-1, 3), (1, 0), (1, 10_001)])
  func `there is no such part`(number: Int, count: Int) { #expect(Shard(number, of: count) == nil) }

  @Test func `parts that do not belong together are refused by name`() throws {
    let site = try site()
    for number in 1...3 { try part(number, of: 3, site, .test(.zip)) }
    try part(2, of: 3, site, .test(.zip, .best), into: "other level")
    try part(2, of: 4, site, .test(.zip), into: "other count")
    try site.write("b/sub/3", "another size")
    try part(2, of: 3, site, .test(.zip), into: "other files")
    func facts(_ parts: String...) throws -> String {
      let result = try merge(parts, site)
      #expect(result.release == nil && !FileManager.default.fileExists(atPath: site.folder.path("merged")))
      let message = try #require(result.findings.first?.message)
      return values(in: message.replacingOccurrences(of: site.folder.path + "/", with: ""))
    }
    #expect(try facts("part 1", "part 3") == "2 3")
    #expect(try facts("part 2") == "1 3 3 3")
    #expect(try facts("part 1", "part 1", "part 3") == #""part 1""#)
    #expect(
      try facts("part 1", "other level", "part 3")
        == #""part 1" "other level" "default" "best""#
    )
    #expect(
      try facts("part 1", "other count", "part 3")
        == #""part 1" 3 "other count" 4"#)
    #expect(
      try facts("part 1", "other files", "part 3")
        == #""part 1" "other files""#
    )
    #expect(
      try facts("part 1", "nothing")
        == #""nothing/shard.json" "packtool build --shard""#)
  }

  /// These values of a release are not part of the plan's digest, but the shards must agree about them.
  @Test(arguments: ["prefetchTagOrder", "initialInstallTags", "compression", "entryTime"])
  func `parts that describe different releases are refused`(key: String) throws {
    let site = try site()
    for number in 1...2 { try part(number, of: 2, site, .test(.zip)) }
    let data = try site.folder.read("part 2/shard.json")
    var shard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    for group in ["build", "release"] {
      var members = try #require(shard[group] as? [String: Any])
      switch members[key] {
      case is [Any]: members[key] = ["A"]
      case is String: members[key] = "best"
      case is Int: members[key] = 1_500_000_000
      default: continue
      }
      shard[group] = members
    }
    let forged = try JSONSerialization.data(withJSONObject: shard, options: .sortedKeys)
    #expect(forged.count > 100)
    try site.folder.write("part 2/shard.json", forged)
    let result = try merge(["part 1", "part 2"], site)
    let message = try #require(result.findings.first?.message)
    let named = values(in: message.replacingOccurrences(of: site.folder.path + "/", with: ""))
    #expect(result.release == nil && named.hasPrefix(#""part 1" "part 2""#), "\(message)")
  }

  @Test func `a part and a whole build do not share a folder`() throws {
    let site = try site()
    try site.build(Self.rules, into: "one")
    let findings = try part(1, of: 2, site, .test(.zip), into: "one").findings
    #expect(findings.filter { $0.severity == .error }.map(\.check.id) == ["foreign-output"])
    try part(1, of: 2, site, .test(.zip))
    #expect(throws: SiteFailure.self) { try site.build(Self.rules, into: "part 1") }
  }

  @Test(arguments: [TestSettings.test(.zip), .test(.folder)])
  func `a changed archive is never merged`(settings: TestSettings) throws {
    let site = try site()
    for number in 1...2 { try part(number, of: 2, site, settings) }
    let script =
      "f=$(find 'part 1/packs' -type f -size +1k | sort | head -1); printf X | dd of=\"$f\" bs=1 seek=99 conv=notrunc"
    _ = try run("bash", ["-c", script], in: site.folder.path)
    let result = try merge(["part 1", "part 2"], site)
    #expect(result.release == nil)
    #expect(result.findings.first?.severity == .error)
    #expect(try !FileOperations.exists(site.folder.path("merged")))
  }

  @Test func `damaged and forged parts never publish other bytes`() throws {
    let site = try site()
    try site.build(Self.rules, into: "one")
    let whole = try site.published("one")
    for number in 1...2 { try part(number, of: 2, site, .test(.zip)) }
    let text = try site.folder.read("part 1/shard.json")
    var random = SeededRandom(seed: 7)
    var merged = 0
    for number in 0..<300 {
      var forged = text
      let place = Int.random(in: 0..<forged.count, using: &random)
      switch number % 3 {
      case 0: forged[place] = UInt8.random(in: 0x20...0x7e, using: &random)
      case 1: forged.removeSubrange(place..<min(place + 9, forged.count))
      default: forged = forged.prefix(place)
      }
      try site.folder.write("part 1/shard.json", forged)
      let result = try merge(["part 1", "part 2"], site)
      if result.release == nil { continue }
      merged += 1
      // If the merge accepts a changed shard file, it must still publish the same bytes as with the original
      // file.
      #expect(
        try site.published("merged") == whole,
        "\(number): \(String(decoding: text[max(0, place - 60)..<min(text.count, place + 20)], as: UTF8.self))"
      )
    }
    try site.folder.write("part 1/shard.json", text)
    #expect(try merge(["part 1", "part 2"], site).release != nil)
    #expect(merged < 100)
  }
}
