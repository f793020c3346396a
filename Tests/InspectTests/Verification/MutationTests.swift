@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests built folders in which one byte or file was changed.
///
/// `verify` finds each change, and no change makes `verify` crash.
///
/// `Tests/Faults/mutate` does the same with the built packtool, ten thousand times. In addition, it makes the
/// index agree with the changed file.
@Suite struct MutationTests {
  @Test(arguments: Container.allCases, [1, 2]) func `every change is found`(container: Container, seed: Int)
    throws
  {
    let built = try BuiltSite(container)
    let folder = built.site.folder
    let whole = try built.site.published().filter { !$0.value.isEmpty }
    let names = whole.keys.sorted()
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<sample(6, of: 60) {
      let name = names[Int.random(in: names.indices, using: &random)]
      let content = whole[name] ?? Data()
      let changed = change(content, upTo: end(of: name, content), using: &random)
      if changed == content { continue }
      try folder.write("out/\(name)", changed)
      #expect(try built.findings(jobs: 1).hasErrors, "\(name)")
      try folder.write("out/\(name)", content)
    }
    #expect(try built.findings().isEmpty)
  }

  /// Returns the end of the range in which bytes are changed.
  ///
  /// In the index, the information about files that are in no pack is not changed, because it cannot be
  /// compared with anything else in the folder.
  private func end(of name: String, _ content: Data) -> Int {
    name == "index.json" ? content.range(of: Data("\"untagged\"".utf8))?.lowerBound ?? 0 : content.count
  }

  private func change(_ content: Data, upTo end: Int, using random: inout SeededRandom) -> Data {
    var bytes = content
    let place = Int.random(in: 0..<end, using: &random)
    let run = Int.random(in: 1...64, using: &random)
    switch Int.random(in: 0...5, using: &random) {
    case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 2: bytes.removeSubrange(place..<min(place + run, end))
    case 3:
      bytes.insert(contentsOf: (0..<run).map { _ in UInt8.random(in: 0...255, using: &random) }, at: place)
    case 4: bytes.insert(contentsOf: bytes[place..<min(place + run, end)], at: place)
    default: bytes = bytes.prefix(place)
    }
    return bytes
  }
}
