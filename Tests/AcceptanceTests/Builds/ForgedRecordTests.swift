import Foundation
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests that a build cache that is forged, truncated or from another build never changes the published
/// files.
@Suite struct ForgedRecordTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B"), .glob("*/s*", "Shared")]

  private struct Site {
    let site: ScanSite
    let record: Data
    /// The files that a clean build publishes, before and after one file changes.
    let clean: [[String: Data]]

    static let contents = ["one", "two, and longer"]

    init(_ settings: TestSettings) throws {
      site = try ScanSite("b/shared", "a/small")
      try site.write("a/text", Sample.text(200_000))
      try site.write("a/long", Sample.text(4_300_000))
      var clean: [[String: Data]] = []
      for content in Self.contents.reversed() {
        try site.write("a/change", content)
        try site.build(ForgedRecordTests.rules, into: "clean", settings, usesCache: false)
        clean.append(try site.published("clean"))
      }
      self.clean = clean.reversed()
      site.waitForClockTick()
      try site.build(ForgedRecordTests.rules, settings)
      record = try site.folder.read("out/.packtool/record")
    }

    /// Restores the first build together with this build cache, changes one file or no file, and builds.
    func expectCleanBytes(_ record: Data, changing: Int, _ settings: TestSettings, _ comment: Comment) throws
    {
      try run("rsync", ["-a", "--delete", "out/", "kept"], in: site.folder.path)
      try site.folder.write("out/.packtool/record", record)
      try site.write("a/change", Self.contents[changing])
      if let result = try? site.build(ForgedRecordTests.rules, settings), result.release != nil {
        #expect(try site.published() == clean[changing], comment)
      }
      try run("rsync", ["-a", "--delete", "kept/", "out"], in: site.folder.path)
    }
  }

  private static func sealed(_ bytes: some Collection<UInt8>) -> Data {
    var checksum = Checksum()
    let bytes = Array(bytes)
    checksum.update(bytes.span.bytes)
    return Data(bytes) + (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> ($0 * 8)) }
  }

  @Test(arguments: [TestSettings.test(.zip), .test(.tarZstandard)])
  func `one changed byte with a right checksum publishes what a clean build does`(settings: TestSettings)
    throws
  {
    let site = try Site(settings)
    var random = SeededRandom(seed: 19)
    let body = Array(site.record.dropLast(4))
    for number in 0..<sample(40, of: 100) {
      var forged = body
      let place = Int.random(in: 8..<forged.count, using: &random)
      forged[place] =
        number % 3 == 0 ? UInt8.random(in: 0...255, using: &random) : forged[place] ^ (1 << (number % 8))
      try site.expectCleanBytes(
        Self.sealed(forged), changing: number % 2, settings, "byte \(place) of \(body.count)")
    }
  }

  /// The forged build cache claims that a file is unchanged, although it has changed.
  ///
  /// An attacker who can write the cache could also write the packs. But the result of a build that ignores
  /// the cache is the same as the result of a clean build.
  @Test func `a build without a forged record publishes what a clean build does`() throws {
    let site = try Site(.test(.zip))
    let path = site.site.folder.path("Assets/a/change")
    let old = FileStamp(try FileOperations.status(of: path, symlinks: .notFollowed))
    try site.site.write("a/change", String(Site.contents[0].reversed()))
    let new = FileStamp(try FileOperations.status(of: path, symlinks: .notFollowed))
    var forged = site.record.dropLast(4)
    for (before, after) in [(old.modified, new.modified), (old.changed, new.changed)] where before != after {
      let (before, after) = (Data(bytes(of: before)), Data(bytes(of: after)))
      while let range = forged.range(of: before) { forged.replaceSubrange(range, with: after) }
    }
    try site.site.folder.write("out/.packtool/record", Self.sealed(forged))
    try site.site.build(Self.rules, into: "clean", .test(.zip), usesCache: false)
    try site.site.build(Self.rules, .test(.zip), usesCache: false)
    #expect(try site.site.published() == site.site.published("clean"))
  }

  private func bytes(of value: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  @Test func `a truncated record publishes what a clean build does`() throws {
    let site = try Site(.test(.zip))
    for length in stride(from: 0, to: site.record.count, by: sample(291, of: 97)) {
      try site.expectCleanBytes(
        site.record.prefix(length), changing: length % 2, .test(.zip), "\(length) bytes")
      try site.expectCleanBytes(
        Self.sealed(site.record.prefix(length)), changing: length % 2, .test(.zip), "\(length) sealed bytes")
    }
  }
}
