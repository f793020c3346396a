@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the results of a build's steps: what is refused, kept, reused and removed.
@Suite struct BuildStepTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]

  private let site: ScanSite

  init() throws {
    site = try ScanSite("a/1", "a/2", "b/3")
    site.waitForClockTick()
    _ = try site.manifest(Self.rules)
  }

  private func exists(_ path: String) throws -> Bool { try FileOperations.exists(site.folder.path(path)) }

  private func finding(_ check: Check) -> Diagnostic {
    Diagnostic(check, message: "a finding of the caller", at: Place("x"))
  }

  /// Runs a build, and adds a finding before it is published.
  private func build(adding check: Check) throws -> BuildResult {
    var packed = try site.request().check(Policy()).decide().pack()
    #expect(packed.release?.packs.count == 2)
    packed.add([finding(check)])
    return try packed.publish()
  }

  @Test func `findings of the caller can refuse a build that is packed`() throws {
    var packed = try site.request().check(Policy()).decide().pack()
    #expect(packed.release?.packs.count == 2 && packed.result.release == nil)
    #expect(try exists("out/.packtool/staging/0") && !exists("out/index.json"))
    packed.add([finding(.emptyFile)])
    #expect(packed.release?.packs.count == 2)
    packed.add([finding(.emptyPack)])
    #expect(packed.release == nil)
    let refused = try packed.publish()
    #expect(refused.release == nil && refused.changes.isNothingWritten && refused.kept == [])
    #expect(refused.findings.map(\.check) == [.emptyFile, .emptyPack])
    #expect(refused.decisions == [.write(.noRecord), .write(.noRecord)] && refused.sizeToWrite == 9)
    #expect(try build(adding: .emptyFile).release?.packs.count == 2)
    // A build that is published already can be refused, too. Then nothing is removed.
    let old =
      "packs/\(PackIdentity(tags: ["old"], bundleIdentifier: "com.example.test").name).0123456789abcdef.zip"
    try site.folder.write("out/\(old)", "")
    #expect(try build(adding: .emptyPack).release == nil && exists("out/\(old)"))
    let third = try site.request().run(Policy())
    #expect(third.changes.removed == [old] && !third.isUnchanged && third.changes.isNothingWritten)
    #expect(try site.request().run(Policy()).isUnchanged)
  }

  @Test func `findings before the decisions refuse a build`() throws {
    var checked = try site.request().check(Policy())
    checked.moreFindings = [finding(.emptyPack)]
    let decided = try checked.decide()
    #expect(!decided.isWriting && decided.result.decisions == [])
    let result = try decided.pack().publish()
    #expect(result.release == nil && result.missing == nil && result.sizeToWrite == 0)
    #expect(try result.findings.map(\.check) == [.emptyPack] && !exists("out"))
    #expect(try site.request().check(Policy()).decide().isWriting)
    try site.build(Self.rules)
    #expect(try !site.request().check(Policy()).decide().isWriting)
    var request = site.request()
    request.findings = [finding(.emptyPack)]
    #expect(try request.run(Policy()).findings.map(\.check) == [.emptyPack])
  }

  /// The build is refused before it makes the output folder.
  @Test func `pointers in packs that must be written are found by the decisions`() throws {
    let content = try site.folder.read("Assets/a/2")
    try PointerKind.lfs.replace("Assets/a/2", content, in: site.folder)
    var request = site.request()
    request.input.acceptsPointers = true
    let decided = try request.check(Policy()).decide()
    #expect(!decided.isWriting && decided.result.decisions.areAll(\.isWrite))
    #expect(decided.result.findings.filter { $0.severity == .error }.map(\.check) == [.missingContent])
    #expect(decided.result.missing == [site.folder.path("Assets/a/2")])
    #expect(try decided.pack().publish().release == nil && !exists("out"))
  }

  @Test func `packs that a release has are reused, unless they are here`() throws {
    let first = try site.build(Self.rules, into: "old")
    let paths = first.packs.map(\.archive.path)
    #expect(first.reused == [] && first.kept == [] && first.changes.written == paths)
    try site.write("b/3", "changed")
    _ = try site.manifest(Self.rules)
    var request = site.request(into: "new")
    request.reusedRelease = first.release
    let second = try request.run(Policy())
    let place = try #require(second.plan?.packs.firstIndex { $0.tags == ["A"] })
    #expect(second.decisions[place] == .reuse && second.decisions.filter(\.isWrite) == [.write(.noRecord)])
    #expect(second.reused == [paths[place]] && second.kept == [] && second.changes.written.count == 1)
    #expect(try !exists("new/\(paths[place])") && second.sizeToWrite == 7)
    #expect(try site.published("new").keys.contains { $0.hasPrefix("elsewhere.") })
    let again = try request.run(Policy())
    #expect(again.isUnchanged && again.decisions[place] == .reuse && again.reused == [paths[place]])
    #expect(again.decisions[1 - place].isKeep && again.kept == second.changes.written)
    // In the folder of the release itself, the pack is kept.
    request = site.request(into: "old")
    request.reusedRelease = first.release
    let third = try request.run(Policy())
    #expect(third.decisions[place].isKeep && third.decisions[1 - place] == .write(.changed("b/3")))
    #expect(third.reused == [] && third.kept == [paths[place]])
    // The sizes in the list are those of the release.
    let whole = try site.build(Self.rules, into: "whole")
    func list(_ output: String) throws -> [Data] {
      try site.published(output).filter { $0.key.hasPrefix("contents.") }.map(\.value)
    }
    #expect(try list("old") == list("whole") && whole.packs.count == 2)
  }

  @Test func `packs of other sizes or settings are not reused`() throws {
    let first = try site.build(Self.rules, into: "old")
    func reused(_ settings: TestSettings = .test(.zip)) throws -> Int {
      _ = try site.manifest(Self.rules, container: settings.container)
      var request = site.request(into: "new", settings, usesCache: false)
      request.reusedRelease = first.release
      return try request.run(Policy()).reused.count
    }
    #expect(try reused() == 2 && reused(.test(.tarGzip)) == 0 && reused(.test(.folder)) == 0)
    try site.write("a/4", "")
    #expect(try reused() == 1)
    try FileOperations.removeFile(site.folder.path("Assets/a/4"))
    try site.write("a/1", "A/1")
    #expect(try reused() == 1)
    try site.write("b/3", "longer than before")
    #expect(try reused() == 0)
  }

  /// A pack is kept under the name that the layout gives it.
  @Test func `a pack that was published under another name is written`() throws {
    var layout = LayoutChoice(layout: .backgroundAssets)
    layout.assets.idMap = site.folder.path("ids.json")
    let settings = TestSettings(container: .folder, layout: layout)
    try site.folder.write("ids.json", #"{"A": "first", "B": "second"}"#)
    #expect(
      try site.build(Self.rules, settings).packs.map { lastName(of: $0.archive.path) }.sorted() == [
        "first", "second",
      ])
    site.waitForClockTick()
    #expect(try site.build(Self.rules, settings).decisions.areAll(\.isKeep))
    try site.folder.write("ids.json", #"{"A": "first", "B": "third"}"#)
    let renamed = try site.build(Self.rules, settings)
    #expect(renamed.decisions.filter(\.isWrite) == [.write(.renamed)])
    #expect(try exists("out/packs/third/b/3") && !exists("out/packs/second"))
  }

  @Test func `a build that needs no release from another build is not repeated`() throws {
    var tries = 0
    let old = try PatchSite()
    let good = try BuildRequest.retrying {
      tries += 1
      return try old.request().run(Policy())
    }
    #expect(good.release != nil && tries == 1)
    tries = 0
    var request = try old.request(into: "refused")
    request.findings = [finding(.emptyPack)]
    let refused = try BuildRequest.retrying {
      tries += 1
      return try request.run(Policy())
    }
    #expect(refused.release == nil && tries == 1)
    tries = 0
    let changing = try BuildRequest.retrying {
      tries += 1
      let result = try request.run(Policy())
      try old.site.folder.write("old/index.json", "{\(String(repeating: " ", count: tries))}")
      return result
    }
    #expect(changing.release == nil && tries == 3)
  }

  @Test func `releases that patches start from are named once, and their mistakes each time`() throws {
    let site = try PatchSite()
    func baselines(_ old: String...) throws -> [PatchBaseline] {
      try site.request(into: "new", from: old).check(Policy()).baselines
    }
    let one = try baselines("old", "old")
    #expect(one.count == 1)
    try site.site.write("d/new", "other")
    _ = try site.build(into: "older", from: [])
    let two = try baselines("older", "old", "older")
    let digests = two.map(\.digest.hex)
    #expect(digests.count == 2 && digests == digests.sorted() && digests != [digests[0], digests[0]])
    #expect(try baselines("old", "older").map(\.digest.hex) == digests)
    #expect(try baselines("none", "none").count == 2)
    let itself = try site.request(into: "old", from: ["old"]).run(Policy())
    let errors = itself.findings.filter { $0.severity == .error }
    #expect(errors.map(\.check) == [.unsafeOutput] && itself.release == nil)
    #expect(errors.map(\.place.path) == [site.site.folder.path("old")])
  }

  /// A build that fails while it is published leaves the index of the previous build.
  @Test(arguments: [Layout.xcode, .backgroundAssets])
  func `a failed build restores the index next to the cache`(layout: Layout) throws {
    let settings = TestSettings(container: .folder, layout: LayoutChoice(layout: layout))
    try site.build(Self.rules, settings)
    let index = try site.folder.read("out/.packtool/index.json")
    try site.write("a/1", "other")
    try site.write("b/3", "other")
    let packed = try site.request(settings).check(Policy()).decide().pack()
    for name in ["0", "1"] { try FileOperations.remove(site.folder.path("out/.packtool/staging/\(name)")) }
    #expect(throws: (any Error).self) { try packed.publish() }
    #expect(try site.folder.read("out/.packtool/index.json") == index)
  }

  /// A list of all files next to the build cache describes the build that is published.
  @Test(arguments: [Layout.xcode, .backgroundAssets])
  func `the index next to the cache is that of the last build`(layout: Layout) throws {
    let settings = TestSettings(container: .folder, layout: LayoutChoice(layout: layout))
    let first = try site.build(Self.rules, settings)
    func names() throws -> [String] {
      try FileOperations.names(in: site.folder.path("out/.packtool")).filter { $0.hasSuffix(".json") }
    }
    let before = try names()
    #expect(before.count == 2 && before[1] == "index.json")
    let output = OutputFolder(site.folder.path("out"), layout: layout)
    let release = try #require(first.release)
    #expect(output.hasSidecarIndex(of: release))
    let index = try site.folder.read("out/.packtool/index.json")
    // A build that publishes nothing restores the index.
    try FileOperations.makeFolder(output.stagingPath)
    try output.hideSidecarIndex()
    #expect(try !exists("out/.packtool/index.json") && !output.hasSidecarIndex(of: release))
    output.restoreSidecarIndex()
    #expect(try site.folder.read("out/.packtool/index.json") == index)
    try FileOperations.remove(output.stagingPath)
    // A build writes the index again if it is gone or has changed.
    for damage in [nil, "{}", String(decoding: index, as: UTF8.self).replacing("\"A\"", with: "\"X\"")] {
      try FileOperations.removeFile(site.folder.path("out/.packtool/index.json"))
      if let damage { try site.folder.write("out/.packtool/index.json", damage) }
      #expect(!output.hasSidecarIndex(of: release))
      let again = try site.build(Self.rules, settings)
      #expect(try again.changes.isNothingWritten && site.folder.read("out/.packtool/index.json") == index)
    }
    try site.write("a/1", "other")
    try site.build(Self.rules, settings)
    let after = try names()
    #expect(after.count == 2 && after != before && after[1] == "index.json")
    #expect(!output.hasSidecarIndex(of: release))
  }
}
