@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests earlier releases that packtool cannot use for patches, and releases in which only unnecessary files
/// are missing.
@Suite struct PatchBaselineTests {
  /// A kind of damage of an earlier release.
  enum Harm: CaseIterable {
    case missing, emptyIndex, changedIndex, missingList, changedList, missingPack, changedPack, truncatedPack,
      folderForPack, manifest
  }

  /// Damages the release.
  ///
  /// Returns the name of the release for the request, and the path of the damaged file.
  private func harm(_ site: PatchSite, _ harm: Harm) throws -> (old: String, place: String) {
    let folder = site.site.folder
    let index = try site.index("old")
    let pack = "old/\(try #require(index.packs.first { $0.tags == ["A"] }).archive.path)"
    let list = "old/\(index.contents.path)"
    switch harm {
    case .missing: return ("nowhere", "nowhere/index.json")
    case .emptyIndex: try folder.write("old/index.json", "")
    case .changedIndex:
      let text = String(decoding: try folder.read("old/index.json"), as: UTF8.self)
      try folder.write("old/index.json", text.replacingOccurrences(of: "\"archive\"", with: "\"archives\""))
    case .missingList: try FileOperations.removeFile(folder.path(list))
    case .changedList: try folder.write(list, folder.read(list).flipped(at: 200))
    case .missingPack: try FileOperations.remove(folder.path(pack))
    case .changedPack: try folder.write(pack, folder.read(pack).flipped(at: 3_000))
    case .folderForPack:
      try FileOperations.remove(folder.path(pack))
      try FileOperations.makeFolder(folder.path(pack))
    case .truncatedPack: try folder.write(pack, folder.read(pack).dropLast(1))
    case .manifest: return ("Manifest.json", "Manifest.json")
    }
    let place =
      switch harm {
      case .emptyIndex, .changedIndex: "old/index.json"
      case .missingList, .changedList: list
      default: pack
      }
    return ("old", place)
  }

  /// Releases that cannot be read have no digest, so they stay in the order of the command line.
  @Test func `releases are in the order of their digests`() throws {
    let site = try ScanSite("a/1", "b/2")
    try site.build([.path("a", "A")], into: "one")
    try site.build([.path("b", "B")], into: "two")
    _ = try site.manifest([.path("a", "A")])
    func baselines(_ folders: String...) throws -> [PatchBaseline] {
      var request = site.request()
      request.patchFrom = folders.map { site.folder.path($0) }
      return try request.check(Policy()).baselines
    }
    let found = try baselines("one", "two").map(\.digest)
    #expect(found.count == 2 && found[0].hex < found[1].hex)
    #expect(try baselines("two", "one", "two").map(\.digest) == found)
    let unreadable = try baselines("two", "none 2", "none 1", "none 3")
    let places = unreadable.flatMap(\.diagnostics).map(\.place.path)
    #expect(places == ["none 2", "none 1", "none 3"].map { site.folder.path("\($0)/index.json") })
  }

  /// Folders with many files of the same name were renamed.
  ///
  /// packtool finds the old file with the same content for each file. packtool compares only a few of the
  /// files with the same name.
  @Test(arguments: [10, 64, 65, 1_000]) func `namesakes are found among many`(count: Int) throws {
    let site = try ScanSite()
    func size(_ number: Int) -> Int { 1 + number % 7 }
    for number in 0..<count {
      try site.write(
        "old/v1_\(number)_x/tex.png", Data(String(repeating: "\(number) ", count: size(number)).utf8))
    }
    try site.build([.path("old", "A")])
    let baseline = try PatchBaseline(site.folder.path("out"))
    for number in 0..<count {
      let path = Array("new/v2_\(number)_x/tex.png".utf8)
      let found = baseline.source(for: path[...], size: Int64(size(number)), preferringPacks: [true])
      let text = String(repeating: "\(number) ", count: size(number))
      #expect(found == SHA256.digest(of: Array(text.utf8)), "\(number)")
    }
  }

  /// packtool compares only a limited number of files with one file, even if many files have the same name.
  ///
  /// So twice as many files need only twice the work.
  @Test func `few namesakes are looked at`() throws {
    /// The largest number of compared candidates for one file, and the largest number of accepted candidates.
    struct Work {
      var asked = 0
      var taken = 0
    }
    func work(among count: Int) -> Work {
      var contents = PublishedContents()
      for number in 0..<count {
        let path = Array("v1_\(number)_x/tex.png".utf8)
        contents.append(path: path[...], size: Int64(number % 7 + 1), digest: .zero, packIndex: 0)
      }
      contents.group(into: 1)
      let namesakes = SameNameFiles(Array(0..<count), in: contents)
      var most = Work()
      for number in stride(from: 0, to: count, by: 97) {
        let path = Array("v2_\(number)_x/tex.png".utf8)
        for isIncluded in [true, false] {
          var ownAsked = 0
          let found = namesakes.candidates(for: path[...], size: Int64(number % 7 + 1), in: contents) { _ in
            ownAsked += 1
            return isIncluded
          }
          most = Work(asked: max(most.asked, ownAsked), taken: max(most.taken, found.count))
        }
      }
      return most
    }
    // In each of three orders and two directions, the search ends after 64 rejected or 8 accepted candidates.
    for count in [1_000, 2_000, 4_000] {
      let most = work(among: count)
      #expect(most.asked <= 3 * 2 * 64 && most.taken <= 3 * 2 * 8, "\(count): \(most)")
      #expect(most.asked > 64 && most.taken > 8, "\(count): \(most)")
    }
  }

  @Test func `a release of another app is refused`() throws {
    let site = try PatchSite()
    let index = String(decoding: try site.site.folder.read("old/index.json"), as: UTF8.self)
    try site.site.folder.write(
      "old/index.json", index.replacingOccurrences(of: "Identifier\": \"com.", with: "Identifier\": \"org."))
    let result = try site.request(from: ["old"]).run(Policy())
    #expect(result.release == nil)
    #expect(result.findings.filter { $0.severity == .error }.map(\.check.id) == ["foreign-baseline"])
  }

  @Test func `a damaged release is named and nothing is written`() throws {
    let site = try PatchSite()
    let folder = site.site.folder
    let whole = try site.published("old")
    _ = try site.build(into: "built", from: [])
    try site.site.write("a/changed.bin", Sample.noise(20_000).flipped(at: 900))
    let before = try folder.files(below: "built")
    for harm in Harm.allCases {
      let (old, place) = try self.harm(site, harm)
      let result = try site.request(from: [old]).run(Policy())
      let errors = result.findings.filter { $0.severity == .error }
      #expect(
        result.release == nil && errors.first?.place.path == folder.path(place), "\(harm) \(errors.rendered)")
      #expect(try !FileOperations.exists(folder.path("out")), "\(harm)")
      #expect(try site.request(into: "built", from: [old]).run(Policy()).release == nil, "\(harm)")
      #expect(try folder.files(below: "built") == before, "\(harm)")
      if harm == .folderForPack { try FileOperations.remove(folder.path(place)) }
      for (path, content) in whole { try folder.write("old/\(path)", content) }
    }
  }

  /// During the build, the earlier release is replaced with another release, either once or before each
  /// attempt.
  @Test(arguments: [1, 9]) func `a release that changes meanwhile is read again`(times: Int) throws {
    let site = try PatchSite()
    let folder = site.site.folder
    let releases = try (0..<2).map { number in
      try site.site.write("a/changed.bin", Sample.noise(20_000).flipped(at: 100 + number))
      _ = try site.build(into: "old \(number)", from: [])
      return folder.path("old \(number)")
    }
    try site.site.write("a/changed.bin", Sample.noise(20_000).flipped(at: 700))
    let request = try site.request()
    let tries = Monitor(0)
    let result = try BuildRequest.retrying {
      try request.run(beforePacking: {
        let number = tries.change { tries in
          tries += 1
          return tries
        }
        if number > times { return }
        try FileManager.default.removeItem(atPath: folder.path("old"))
        try FileManager.default.copyItem(atPath: releases[number % 2], toPath: folder.path("old"))
      })
    }
    if times == 1 {
      #expect(result.release?.patches.map(\.from) == [try site.index("old").digest])
      #expect(tries.change { $0 } == 2)
      #expect(try site.findings(from: ["old"]) == [])
    } else {
      #expect(
        result.release == nil && tries.change { $0 } == 3,
        "\(tries.change { $0 }) \(result.findings.rendered)")
      #expect(result.findings.contains { $0.check == .fileChanged && $0.severity == .error })
    }
  }

  /// One byte of a pack was changed.
  ///
  /// The pack is an archive, or a folder with files.
  @Test(arguments: [Container.tarGzip, .tarZstandard, .folder])
  func `a damaged pack is found in every container`(container: Container) throws {
    let site = try PatchSite(container)
    let folder = site.site.folder
    var path = "old/\(try #require(try site.index("old").packs.first { $0.tags == ["A"] }).archive.path)"
    if container == .folder { path += "/a/changed.bin" }
    let whole = try folder.read(path)
    try folder.write(path, whole.flipped(at: whole.count / 2))
    let result = try site.request().run(Policy())
    #expect(result.release == nil && result.findings.map(\.check).contains(.damagedPack))
    #expect(try !FileOperations.exists(folder.path("out")))
    try folder.write(path, whole)
    #expect(try site.build().release?.patches.first?.packs.isEmpty == false)
    #expect(try site.findings(from: ["old"]) == [])
  }

  @Test func `patches of an earlier release itself are not needed`() throws {
    let site = try PatchSite()
    _ = try site.build()
    try FileOperations.remove(site.site.folder.path("out/patches"))
    try site.site.write("a/changed.bin", Sample.noise(20_000).flipped(at: 900))
    #expect(try site.build(into: "new", from: ["out"]).release?.patches.first?.packs.count == 1)
    #expect(try site.findings(in: "new", from: ["out"]) == [])
  }

  /// With these arguments, the build would use its own output folder as the earlier release.
  @Test(arguments: ["out", "out/index.json", "old/../out", "link"])
  func `the output folder is no earlier release`(name: String) throws {
    let site = try PatchSite()
    _ = try site.build(from: [])
    try site.site.folder.link("link", to: "out")
    try site.site.write("a/changed.bin", Sample.noise(20_000).flipped(at: 900))
    let before = try site.published()
    let result = try site.request(from: [name]).run(Policy())
    #expect(result.release == nil && result.findings.map(\.check).contains(.unsafeOutput))
    #expect(try site.published() == before)
  }

  @Test func `where mistakes of a release are accepted it is left out`() throws {
    let site = try PatchSite()
    try site.site.folder.write("old/index.json", "")
    let policy = Policy(severities: ["damaged-index": .ignore])
    let result = try site.request().run(policy)
    #expect(result.release?.patches.isEmpty == true)
    #expect(try site.findings() == [])
  }

  @Test func `releases behind their index are the same`() throws {
    let site = try PatchSite()
    _ = try site.build(from: ["old", "old/index.json"])
    #expect(try site.index().patches.count == 1)
  }
}
