import Foundation
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests that an incremental build writes the same bytes as a clean build.
@Suite struct IncrementalTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B"), .glob("*/s*", "Shared")]

  /// The changes to the files, in order.
  private static let steps: [@Sendable (ScanSite) throws -> Void] = [
    { _ in },
    { try $0.write("a/small 3", "changed") },
    { try $0.write("a/new", Sample.text(5000)) },
    { try FileOperations.remove($0.folder.path("Assets/a/small 0")) },
    { try $0.write("a/text", Sample.text(1_100_001)) },
    { try $0.write("a/noise", Sample.text(1_100_001)) },
    { try $0.write("a/0 before all", Sample.noise(1_050_000, seed: 7)) },
    { try FileOperations.rename($0.folder.path("Assets/a/text"), to: $0.folder.path("Assets/b/text")) },
    { try $0.write("a/text", "now small") },
    { try FileOperations.remove($0.folder.path("out/packs")) },
    { try $0.folder.write("out/.packtool/record", "damaged") },
    { try run("touch", [$0.folder.path("Assets/b/one")]) },
  ]

  @Test(arguments: sample(1, of: [Container.zip, .folder]))
  func `after any change the bytes are those of a clean build`(container: Container) throws {
    let site = try ScanSite("b/one", "b/shared")
    for number in 0..<5 { try site.write("a/small \(number)") }
    try site.write("a/text", Sample.text(4_300_000))
    try site.write("a/noise", Sample.noise(4_300_000))
    for (number, step) in Self.steps.enumerated() {
      try step(site)
      site.waitForClockTick()
      let outcome = try site.build(Self.rules, .test(container))
      #expect(outcome.release != nil)
      try site.build(Self.rules, into: "clean", .test(container), usesCache: false)
      #expect(try site.published() == site.published("clean"), "step \(number)")
    }
  }

  @Test func `entries of an older archive are copied, and whole`() throws {
    let site = try ScanSite("a/small")
    try site.write("a/text", Sample.text(2_400_000))
    try site.write("a/half", Sample.text(2_200_000) + Sample.noise(2_200_000))
    site.waitForClockTick()
    try site.build([.path("a", "A")])
    try site.write("a/small", "changed")
    let pack = try #require(try site.build([.path("a", "A")]).packs.first)
    for program in Container.zip.readers {
      let contents = try site.contents(of: pack, by: program)
      #expect(contents["a/text"] == Sample.text(2_400_000))
      #expect(contents["a/half"] == Sample.text(2_200_000) + Sample.noise(2_200_000))
      #expect(contents["a/small"] == Data("changed".utf8))
    }
  }

  @Test func `another Unicode form of a destination is another place`() throws {
    let site = try ScanSite("a/1")
    site.waitForClockTick()
    for destination in ["\u{e9}/x", "e\u{301}/x", "\u{e9}/x"] {
      try site.build([.path("a/1", "A", to: destination)])
      try site.build([.path("a/1", "A", to: destination)], into: "clean", usesCache: false)
      #expect(try site.published() == site.published("clean"))
    }
  }

  @Test func `other settings make every pack anew`() throws {
    let site = try ScanSite("a/1", "b/2", "b/shared")
    site.waitForClockTick()
    for settings in [
      TestSettings.test(.zip), .test(.zip, .store), TestSettings(container: .zip, modified: 1_100_000_000),
      .test(.tarGzip), .test(.tarGzip, .best),
    ] {
      let outcome = try site.build(Self.rules, settings)
      #expect(outcome.isKept.areAll { !$0 })
      try site.build(Self.rules, into: "clean", settings, usesCache: false)
      #expect(try site.published() == site.published("clean"))
    }
  }
}
