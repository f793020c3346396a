@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Compares the folder for patches after one build with the folder after the next build.
@Suite struct PatchAgainTests {
  private func stamps(_ site: PatchSite) throws -> [String: FileStamp] {
    let folder = site.site.folder.path("out")
    let names = try site.published().keys
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, FileStamp(try FileOperations.status(of: "\(folder)/\($0)", symlinks: .notFollowed)))
      })
  }

  @Test func `the same build again touches nothing`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let before = try stamps(site)
    let again = try site.build()
    #expect(again.isUnchanged && again.release?.patches.first?.packs.count == 4)
    #expect(again.changes.removed.isEmpty && again.changes.patches.isEmpty)
    #expect(try stamps(site) == before)
    // A build that does not use the cache ignores the record of patches, and writes the same files as before.
    let record = "out/.packtool/patches"
    let text = String(decoding: try site.site.folder.read(record), as: UTF8.self)
    let path = try #require(try site.patches()[["A"]]).path
    try site.site.folder.write(
      record, text.replacingOccurrences(of: "\"path\": \"\(path)\"", with: "\"x\": 1"))
    _ = try site.build(usesCache: false)
    #expect(try stamps(site) == before)
  }

  @Test func `one patch that is gone is made again`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let (before, files) = (try stamps(site), try site.published())
    let patch = try #require(try site.patches()[["C"]]).path
    for isDamaged in [false, true] {
      let path = site.site.folder.path("out/\(patch)")
      if isDamaged {
        try site.site.folder.write("out/\(patch)", "x")
      } else {
        try FileOperations.removeFile(path)
      }
      let again = try site.build()
      #expect(again.release != nil && again.changes.patches == [patch] && !again.isUnchanged)
      #expect(try site.published() == files)
      let after = try stamps(site)
      #expect(Set(after.keys.filter { after[$0] != before[$0] }) == [patch])
    }
  }

  @Test func `a list that is gone is written again`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let files = try site.published()
    let list = try #require(try site.index().patches.first?.list.path)
    try FileOperations.removeFile(site.site.folder.path("out/\(list)"))
    #expect(try site.build().release != nil)
    #expect(try site.published() == files)
  }

  @Test func `patches are the same by any number of threads and without a record`() throws {
    let site = try PatchSite()
    _ = try site.build(into: "one", jobs: 1)
    _ = try site.build(into: "four", jobs: 4)
    let files = try site.published("one")
    #expect(files.keys.contains { $0.hasPrefix("patches/") })
    #expect(try site.published("four") == files)
    try FileOperations.remove(site.site.folder.path("four/.packtool"))
    _ = try site.build(into: "four")
    #expect(try site.published("four") == files)
  }

  @Test func `without releases patches go unless they are kept`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let patches = try site.published(below: "patches/")
    _ = try site.build(from: [], keepsOld: true)
    #expect(try site.published(below: "patches/") == patches)
    #expect(try site.index().patches.isEmpty)
    #expect(try site.findings().map(\.check) == patches.map { _ in .notInIndex })
    let last = try site.build(from: [])
    #expect(
      !last.isUnchanged && last.changes.isNothingWritten && last.changes.removed == patches.keys.sorted()
        && last.changes.removedPacks == 0)
    #expect(try !FileOperations.exists(site.site.folder.path("out/patches")))
    #expect(
      try site.published().keys.sorted()
        == site.build(into: "new", from: []).release.map { _ in
          try site.published("new").keys.sorted()
        })
  }

  @Test func `files of others beside patches stay`() throws {
    let site = try PatchSite()
    _ = try site.build()
    try site.site.folder.write("out/patches/README", "mine")
    _ = try site.build(from: [])
    #expect(try site.published(below: "patches/").keys.sorted() == ["patches/README"])
  }

  @Test func `each release has its patches`() throws {
    let site = try PatchSite()
    _ = try site.build(into: "older", from: [])
    try site.site.write("a/changed.bin", Sample.noise(20_000).flipped(at: 1_000))
    let built = try site.build(from: ["old", "older", "old"]).changes.patches
    #expect(built.count == 5 && built == built.sorted())
    let patches = try site.index().patches
    let digests = try ["old", "older"].map { sha256(Array(try site.site.folder.read("\($0)/index.json"))) }
    #expect(patches.map(\.from) == digests.sorted { $0.hex < $1.hex })
    let sets = try BuiltFolder(site.site.folder.path("out")).patches
    #expect(sets.map(\.packs.count).sorted() == [1, 4])
    #expect(try site.findings(from: ["old", "older"]) == [])
    // The patches from one release do not depend on other requested releases.
    _ = try site.build(into: "one", from: ["old"])
    #expect(try Set(site.published("one", below: "patches/").keys).isSubset(of: Set(site.published().keys)))
    // A build removes the patches from a release that is no longer requested.
    _ = try site.build(from: ["older"])
    #expect(try site.index().patches.map(\.from) == [digests[1]])
    #expect(try site.published(below: "patches/").count == 2)
  }

  /// A patch is only worthwhile if it is smaller than the pack's archive, so other settings for archives can
  /// change the patches.
  @Test func `other settings make the patches of a fresh build`() throws {
    let site = try PatchSite()
    try site.site.write("c/text.txt", Sample.text(50_000) + Sample.noise(900, seed: 20))
    for settings in [TestSettings.test(.zip, .store), .test(.zip), .test(.folder), .test(.tarGzip)] {
      _ = try site.build(settings)
      try FileOperations.remove(site.site.folder.path("new"))
      _ = try site.build(into: "new", settings)
      #expect(try site.published() == site.published("new"), "\(settings)")
    }
  }

  @Test func `a release that is the same has an empty list`() throws {
    let site = try PatchSite()
    _ = try site.build(from: [])
    _ = try site.build(into: "new", from: ["out"])
    let set = try #require(try BuiltFolder(site.site.folder.path("new")).patches.first)
    #expect(set.packs.isEmpty)
    #expect(try site.findings(in: "new", from: ["out"]) == [])
    #expect(try site.build(into: "new", from: ["out"]).isUnchanged)
  }
}
