@testable import Formats
@testable import Inspect
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests patches and releases with one change.
///
/// Each change is found or is harmless, and none causes a crash.
@Suite struct PatchMutationTests {
  private static let all = 1_000

  @Test func `every change of a patch or a list is found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let folder = site.site.folder
    let whole = try site.published(below: "patches/")
    let names = whole.keys.sorted()
    var random = SeededRandom(seed: 1)
    for _ in 0..<sample(20, of: Self.all) {
      let name = names[Int.random(in: names.indices, using: &random)]
      let content = try #require(whole[name])
      let changed = content.mutant(using: &random)
      if changed == content { continue }
      try folder.write("out/\(name)", changed)
      let errors = try site.findings().filter { $0.severity == .error }
      #expect(errors.map(\.check) == [.damagedPatch], "\(name)")
      try folder.write("out/\(name)", content)
    }
    #expect(try site.findings(from: ["old"]) == [])
  }

  /// If the checksums agree with the changed patch, only a check with the earlier release shows that the
  /// patch is wrong.
  @Test func `every change that the index agrees with is found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let before = try site.published()
    let patch = try #require(try site.patches()[["D"]])
    let recipe = patch.entries[0].range
    var random = SeededRandom(seed: 2)
    for number in 0..<sample(20, of: Self.all) {
      var changed = patch.bytes.mutant(using: &random)
      if number % 2 == 0 {
        let text = Data(patch.bytes[recipe]).mutant(using: &random)
        changed = patch.bytes[..<recipe.lowerBound] + text + patch.bytes[recipe.upperBound...]
      }
      if changed == patch.bytes { continue }
      try ForgedPatches(site).replace(["D"], by: changed)
      #expect(try site.findings(from: ["old"]).map(\.check) == [.damagedPatch], "\(number)")
      try site.restorePatches(of: before)
    }
    #expect(try site.findings(from: ["old"]) == [])
  }

  /// The frames are decoded even if the result has the wrong contents.
  @Test func `every change of a frame is found`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let before = try site.published()
    var random = SeededRandom(seed: 3)
    for number in 0..<sample(20, of: Self.all) {
      let tags = number % 2 == 0 ? ["D"] : ["C"]
      let patch = try #require(try site.patches()[tags])
      let entries = patch.entries.dropFirst()
      let name = try #require(entries.randomElement(using: &random)).name
      let frame = try patch.content(name)
      let changed = Data(frame).mutant(using: &random)
      if changed == frame { continue }
      try ForgedPatches(site).change(tags, [name: changed]) { _ in }
      let checks = try site.findings(from: ["old"]).map(\.check)
      // Some bits of a frame have no effect. So compare the contents that the frame produces.
      #expect(
        checks == [.damagedPatch] || (checks.isEmpty && changed.count == frame.count), "\(number) \(tags)")
      try site.restorePatches(of: before)
    }
  }

  /// In the old release of the patches, one byte of the index, the file list or a pack was changed.
  @Test func `a build from a changed release is refused or right`() throws {
    let site = try PatchSite()
    let folder = site.site.folder
    let whole = try site.published("old")
    let names = whole.keys.sorted()
    var random = SeededRandom(seed: 4)
    var refused = 0
    for number in 0..<sample(20, of: Self.all) {
      // Make half of the changes in the index, because it is the smallest file.
      let name = number % 2 == 0 ? "index.json" : names[Int.random(in: names.indices, using: &random)]
      let content = try #require(whole[name])
      let changed = content.mutant(using: &random)
      try folder.write("old/\(name)", changed)
      let result = try site.request(jobs: 1).run(Policy())
      if result.release == nil {
        refused += 1
        #expect(result.findings.contains { $0.severity == .error })
        #expect(try !FileOperations.exists(folder.path("out")), "\(number) \(name)")
      } else {
        #expect(try site.findings() == [], "\(number) \(name)")
        try FileOperations.remove(folder.path("out"))
      }
      try folder.write("old/\(name)", content)
    }
    #expect(refused > 5)
    #expect(try site.build().release?.patches.first?.packs.count == 4)
  }
}

extension Data {
  /// Returns a copy of the data with one random change.
  fileprivate func mutant(using random: inout SeededRandom) -> Data {
    var bytes = Data(self)
    if bytes.isEmpty { return Data([0]) }
    let place = Int.random(in: bytes.indices, using: &random)
    let run = Int.random(in: 1...64, using: &random)
    switch Int.random(in: 0...5, using: &random) {
    case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 2: bytes.removeSubrange(place..<Swift.min(place + run, bytes.count))
    case 3:
      bytes.insert(contentsOf: (0..<run).map { _ in UInt8.random(in: 0...255, using: &random) }, at: place)
    case 4: bytes.insert(contentsOf: bytes[place..<Swift.min(place + run, bytes.count)], at: place)
    default: bytes = bytes.prefix(place)
    }
    return bytes
  }
}
