@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Support
import Support
import Foundation
import Support
import Testing

/// Compares the output folder after one build with the folder after the next build.
@Suite struct PublishTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]

  private func makeSite() throws -> ScanSite { try ScanSite("a/1", "a/c/2", "b/3") }

  /// Returns the inodes and times of all files and folders.
  ///
  /// The inode of a file changes if packtool writes the file again.
  private func stamps(_ site: ScanSite) throws -> [String: FileStamp] {
    let folder = site.folder.path("out")
    var stamps: [String: FileStamp] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      // The build cache and this folder may change: readers use neither the cache nor the time of a folder in
      // which files were created and removed.
      if name.hasPrefix(".packtool") || name == "packs" { continue }
      stamps[name] = FileStamp(try FileOperations.status(of: "\(folder)/\(name)", symlinks: .notFollowed))
    }
    return stamps
  }

  @Test(arguments: Container.allCases, [true, false])
  func `a second build touches nothing`(container: Container, usesCache: Bool) throws {
    let site = try makeSite()
    site.waitForClockTick()
    try site.build(Self.rules, .test(container))
    let before = try stamps(site)
    #expect(before.count >= 4)
    let again = try site.build(Self.rules, .test(container), usesCache: usesCache)
    #expect(try stamps(site) == before)
    #expect(again.isKept.areAll { $0 == usesCache })
  }

  @Test(arguments: Container.allCases)
  func `without its record a build touches nothing either`(container: Container) throws {
    let site = try makeSite()
    let first = try site.build(Self.rules, .test(container))
    let before = try stamps(site)
    try FileOperations.remove(site.folder.path("out/.packtool"))
    let second = try site.build(Self.rules, .test(container))
    #expect(try stamps(site) == before)
    #expect(second.packs.map(\.archive.path) == first.packs.map(\.archive.path))
  }

  @Test(arguments: Container.allCases)
  func `a changed pack takes the old one's place, the other is not touched`(container: Container) throws {
    let site = try makeSite()
    site.waitForClockTick()
    let first = try #require(try site.build(Self.rules, .test(container)).packs as [PublishedPack]?)
    let before = try stamps(site)
    try site.write("a/1", "other content")
    let changed = try site.build(Self.rules, .test(container))
    let second = try #require(changed.packs as [PublishedPack]?)
    #expect(try site.packNames() == second.map { String($0.archive.path.dropFirst(6)) }.sorted())
    let (a, b) = try #require(changed.release?.packs.first?.tags) == ["A"] ? (0, 1) : (1, 0)
    #expect(second[a].archive.path != first[a].archive.path)
    #expect(second[b].archive.path == first[b].archive.path)
    #expect(changed.isKept[b] && !changed.isKept[a])
    #expect(try stamps(site)[first[b].archive.path] == before[first[b].archive.path])
    let contents = try site.folder.files(below: "out").keys.filter { $0.hasPrefix("contents.") }
    #expect(contents.count == 1)
  }

  @Test(arguments: Container.allCases)
  func `old packs stay where they are to be kept`(container: Container) throws {
    let site = try makeSite()
    try site.build(Self.rules, .test(container))
    let before = Set(try site.packNames())
    try site.write("a/1", "other content")
    try site.build(Self.rules, .test(container), keepsOld: true)
    let both = Set(try site.packNames())
    #expect(both.isSuperset(of: before) && both.count == 3)
    let contents = try site.folder.files(below: "out").keys.filter { $0.hasPrefix("contents.") }
    #expect(contents.count == 2)
    try site.build(Self.rules, .test(container))
    #expect(try site.packNames().count == 2)
  }

  @Test func `packs of another container go, too`() throws {
    let site = try makeSite()
    for container in Container.allCases + [.zip] {
      try site.build(Self.rules, .test(container))
      let names = try site.packNames()
      #expect(names.count == 2)
      #expect(names.areAll { $0.hasSuffix(container.suffix) })
    }
  }

  @Test func `a pack whose tags nobody has any more goes`() throws {
    let site = try makeSite()
    try site.build(Self.rules)
    try site.build([.path("a", "A")])
    #expect(try site.packNames().count == 1)
  }

  @Test func `files that packtool did not write stay`() throws {
    let site = try makeSite()
    try site.build(Self.rules)
    let foreign = [
      "out/packs/notes.txt", "out/packs/other.app.X-0123.0123456789abcdef.zip",
      "out/packs/com.example.test.zip",
      "out/packs/com.example.test.A-1.0123456789ABCDEF.zip", "out/packs/folder/file", "out/contents.json",
      "out/contents.0123456789abcdeg.json", "out/readme.md",
    ]
    for name in foreign { try site.folder.write(name, "mine") }
    try site.write("a/1", "other content")
    try site.build(Self.rules)
    for name in foreign { #expect(try site.folder.read(name) == Data("mine".utf8), "\(name)") }
  }

  @Test(arguments: Container.allCases)
  func `a damaged pack is made again under its name`(container: Container) throws {
    let site = try makeSite()
    let built = (try site.build(Self.rules, .test(container)))
    let whole = try site.published()
    for pack in built.packs {
      let path = site.folder.path("out/\(pack.archive.path)")
      if container == .folder {
        let inside = try #require(try site.folder.files(below: "out/\(pack.archive.path)").keys.first)
        try FileManager.default.removeItem(atPath: "\(path)/\(inside)")
      } else {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: 5)
        try handle.write(contentsOf: Data([99, 99, 99]))
        try handle.close()
      }
    }
    #expect(try site.published() != whole)
    try site.build(Self.rules, .test(container), usesCache: false)
    #expect(try site.published() == whole)
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("out/.packtool/staging")))
  }

  @Test func `other content in a folder pack is put right, other times too`() throws {
    let site = try makeSite()
    let built = (try site.build(Self.rules, .test(.folder)))
    let whole = try site.published()
    let path = try #require(built.packs.first?.archive.path)
    let file = try #require(try site.folder.files(below: "out/\(path)").keys.first)
    try site.folder.write("out/\(path)/\(file)", "damaged")
    try site.folder.write("out/\(path)/more", "more")
    try site.build(Self.rules, .test(.folder), usesCache: false)
    #expect(try site.published() == whole)
    let later = TestSettings(container: .folder, modified: 1_500_000_000)
    try site.build(Self.rules, later)
    let status = try FileOperations.status(
      of: site.folder.path("out/\(path)/\(file)"), symlinks: .notFollowed)
    #expect(status.modified == 1_500_000_000 * 1_000_000_000)
  }

  @Test func `what a killed build left behind is cleared`() throws {
    let site = try makeSite()
    try site.folder.write("out/.packtool/staging/0", "half a pack")
    try site.folder.write("out/.packtool/staging/index.json", "{")
    try run(
      "python3", ["-c", "import os; os.makedirs(b'staging/1/\\xff')"], in: site.folder.path("out/.packtool"))
    let name = PackIdentity(tags: ["A"], bundleIdentifier: "com.example.test").name
    try site.folder.write("out/packs/\(name).0123456789abcdef.zip", "never named by an index")
    try site.build(Self.rules)
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("out/.packtool/staging")))
    #expect(try site.packNames().count == 2)
  }

  @Test func `many packs are written by few and by many threads`() throws {
    let site = try ScanSite()
    let rules = (0..<40).map { TestRule.path("\($0)", "T\($0)") }
    for number in 0..<40 { try site.write("\(number)/file") }
    let few = try #require(try site.build(rules, into: "few", jobs: 1).packs as [PublishedPack]?)
    let many = try #require(try site.build(rules, into: "many", jobs: 16).packs as [PublishedPack]?)
    #expect(few.count == 40)
    #expect(many.map(\.archive.path) == few.map(\.archive.path))
    #expect(try site.published("many") == site.published("few"))
  }

  @Test(arguments: [1, 4])
  func `progress adds up to the bytes of all files`(jobs: Int) throws {
    let site = try makeSite()
    try site.write("b/large", Sample.noise(2_200_000))
    _ = try site.manifest(Self.rules)
    let total = Monitor<Int64>(0)
    let result = try site.request(jobs: jobs).run(progress: { count, _ in total.change { $0 += count } })
    #expect(total.change { $0 } == result.release?.total.size)
  }

  /// packtool reads 32 samples of 8 KiB to choose the compression of a large file.
  ///
  /// With several threads, two threads may read the same samples.
  @Test(
    arguments: [(Container.zip, 32 << 13), (.tarGzip, 0), (.tarZstandard, 0)] as [(Container, Int64)])
  func `all bytes that are read are counted`(container: Container, samples: Int64) throws {
    let site = try ScanSite()
    try site.write("a/large", Sample.noise(4_300_000))
    try site.write("a/small", Sample.text(7_000))
    let size: Int64 = 4_307_000
    site.waitForClockTick()
    let first = try site.build([.path("a", "A")], .test(container), jobs: 1)
    #expect(first.prepared.readCounter.count.read == size + samples)
    #expect(first.prepared.readCounter.count.hashed == size)
    let second = try site.build([.path("a", "A")], .test(container), jobs: 1)
    #expect(second.prepared.readCounter.count.read == 0)
    #expect(second.prepared.readCounter.count.hashed == 0)
    try run("touch", [site.folder.path("Assets/a/large")])
    site.waitForClockTick()
    let third = try site.build([.path("a", "A")], .test(container), jobs: 1)
    #expect(third.isUnchanged)
    #expect(third.prepared.readCounter.count.read == 4_300_000)
    #expect(third.prepared.readCounter.count.hashed == 4_300_000)
  }
}
