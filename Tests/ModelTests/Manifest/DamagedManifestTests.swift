@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests manifests that were truncated or changed at random.
///
/// No such manifest causes a crash, and each finding has a place in the text.
@Suite struct DamagedManifestTests {
  private static let whole = Array(GoodManifest.everyKey.text.utf8)

  @Test func `a manifest that ends early is never taken for a whole one`() {
    #expect(readManifest(Self.whole).diagnostics.isEmpty)
    for count in 0..<Self.whole.count {
      let reader = readManifest(Array(Self.whole.prefix(count)))
      #expect(reader.manifest == nil && reader.diagnostics.hasErrors, "\(count) bytes")
      expectPlaces(of: reader, in: Array(Self.whole.prefix(count)))
    }
  }

  @Test func `a manifest with changed bytes is read or refused`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<sample(800, of: 3000) {
      var bytes = Self.whole
      for _ in 0...Int.random(in: 0..<4, using: &random) { damage(&bytes, with: &random) }
      let reader = readManifest(bytes)
      #expect(reader.manifest != nil || reader.diagnostics.hasErrors)
      expectPlaces(of: reader, in: bytes)
    }
  }

  @Test func `bytes by chance are refused`() {
    var random = SeededRandom(seed: 8)
    let signs = Array("{}[]\",:'\\/*#u0123dD8e+-. \n\ttrue\u{e9}".utf8)
    for _ in 0..<sample(800, of: 3000) {
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in signs.randomElement(using: &random)!
      }
      let reader = readManifest(bytes)
      #expect(reader.diagnostics.hasErrors)
      expectPlaces(of: reader, in: bytes)
    }
  }

  private func damage(_ bytes: inout [UInt8], with random: inout SeededRandom) {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
    }
  }

  private func expectPlaces(of reader: ManifestReader, in bytes: [UInt8]) {
    let content = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    let lengths = content.split(separator: 0x0a, omittingEmptySubsequences: false).map(\.count)
    for finding in reader.diagnostics {
      guard let position = finding.place.position, lengths.indices.contains(position.line - 1) else {
        Issue.record("no such line: \(finding)")
        continue
      }
      #expect((1...lengths[position.line - 1] + 1).contains(position.column), "\(finding)")
    }
  }
}
