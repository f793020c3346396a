@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests which files are unpacked from a selection of packs, and why these files could not be written to one
/// folder.
@Suite struct UnpackingTests {
  private func unpack(
    _ site: ScanSite, tags: [String]? = nil, replacesFiles: Bool = false
  ) throws -> Unpacking {
    try Unpacking(
      site.folder.path("out"), tags: tags, to: site.folder.path("new"), replacesFiles: replacesFiles, jobs: 2)
  }

  @Test func `files that clash are named with the tags of both packs`() throws {
    let site = try ScanSite("1", "2", "3", "4", "5")
    try site.build([
      .path("1", "A", to: "x"), .path("2", "B", to: "x"), .path("3", "C", to: "y/z"),
      .path("4", "D", to: "y"), .path("5", "E", to: "deep/y"),
    ])
    let all = try unpack(site)
    #expect(
      Set(all.diagnostics.map(\.facts)) == [
        #"error [path-in-two-packs] "A" "B" "x""#, #"error [path-clash] "D" "C" "y/z""#,
      ], "\(all.diagnostics.map(\.facts))")
    #expect(all.packs.isEmpty && all.written.files == 0)
    #expect(try !FileOperations.exists(site.folder.path("new")))
    #expect(try unpack(site, tags: ["A", "C", "E"]).written.files == 3)
    #expect(
      try site.folder.files(below: "new") == [
        "x": Data("1".utf8), "y/z": Data("3".utf8), "deep/y": Data("5".utf8),
      ])
  }

  /// Two packs can contain the same file at the same path.
  ///
  /// This file is written only once.
  @Test func `the same file in two packs is not a clash`() throws {
    let site = try ScanSite("1", "2", "3")
    try site.write("1", "same")
    try site.write("2", "same")
    try site.build([.path("1", "A", to: "x"), .path("2", "B", to: "x"), .path("3", "B")])
    let unpacking = try unpack(site)
    #expect(unpacking.diagnostics.isEmpty && unpacking.written.files == 2)
    #expect(try site.folder.files(below: "new") == ["x": Data("same".utf8), "3": Data("3".utf8)])
  }

  /// If there is a file at the path of a folder that is needed, this is reported once, even if many files
  /// must be written below that folder.
  @Test func `a file in place of a folder is reported once for each folder`() throws {
    let site = try ScanSite("1", "2", "3", "4")
    try site.build([
      .path("1", "A", to: "a/b/1"), .path("2", "A", to: "a/b/2"), .path("3", "A", to: "a/b/c/3"),
      .path("4", "B", to: "a"),
    ])
    let found = try unpack(site).diagnostics.map(\.facts)
    #expect(found == [#"error [path-clash] "B" "A" "a/b/1""#, #"error [path-clash] "B" "A" "a/b/c/3""#])
  }

  @Test func `what is in the way is left as it is`() throws {
    let site = try ScanSite("a/1", "b", "c/2", "d")
    try site.build([.path("a", "A"), .path("b", "A"), .path("c", "A"), .path("d", "A")])
    try site.folder.write("new/a/1", "mine")
    try site.folder.write("new/b/x", "mine")
    try site.folder.write("new/c", "mine")
    let before = try site.folder.files(below: "new")
    let found = try unpack(site).diagnostics
    #expect(found.map(\.check) == [.existingFile, .existingFile, .existingFile])
    #expect(Set(found.map(\.place.path)) == Set(["a/1", "b", "c/2"].map { site.folder.path("new/\($0)") }))
    // Existing files are replaced. A folder at the path of a file is not replaced, and a file at the path of
    // a folder is not replaced either.
    let forced = try unpack(site, replacesFiles: true).diagnostics
    #expect(Set(forced.map(\.place.path)) == Set(["b", "c/2"].map { site.folder.path("new/\($0)") }))
    #expect(try site.folder.files(below: "new") == before)
  }

  @Test func `a file is no folder to write to`() throws {
    let site = try ScanSite("a")
    try site.build([.path("a", "A")])
    try site.folder.write("new", "mine")
    let found = try unpack(site).diagnostics
    #expect(found.map(\.check) == [.existingFile])
    #expect(found.map(\.place.path) == [site.folder.path("new")])
    #expect(try site.folder.read("new") == Data("mine".utf8))
  }

  @Test func `folders that were made go where nothing was written`() throws {
    let site = try ScanSite("a")
    try site.build([.path("a", "A")])
    let index = try #require(try BuiltFolder(site.folder.path("out")).index)
    try FileOperations.remove(site.folder.path("out/\(index.packs[0].archive.path)"))
    let unpacking = try Unpacking(
      site.folder.path("out"), tags: nil, to: site.folder.path("new/deep/er"), replacesFiles: false, jobs: 1)
    #expect(unpacking.diagnostics.map(\.check) == [.missingPack])
    #expect(try !FileOperations.exists(site.folder.path("new")))
  }

  /// If the numbers in the index contradict each other, the packs are not unpacked, even if this would be
  /// possible.
  @Test func `an index that contradicts itself is not unpacked`() throws {
    let built = try BuiltSite()
    try built.changeIndex("\"fileCount\": 4", to: "\"fileCount\": 5")
    let unpacking = try unpack(built.site, tags: ["C"])
    #expect(unpacking.diagnostics.map(\.check) == [.damagedIndex])
    #expect(try !FileOperations.exists(built.site.folder.path("new")))
    let unknown = try BuiltSite()
    let found = try unpack(unknown.site, tags: ["C", "X", "Y"]).diagnostics
    #expect(
      found.map { "\($0.facts)" }.sorted().map { $0.prefix(26) }
        == [
          #"error [unknown-tag] "X""#, #"error [unknown-tag] "Y""#,
        ].map { $0.prefix(26) })
  }
}
