@testable import Formats
import Support
import Testing

/// Compares the line starts of long texts with the line starts that a simple loop finds.
///
/// The texts consist of many blocks.
@Suite struct LineIndexTests {
  /// Texts with short and long lines, and with line ends at the boundaries of blocks.
  private static let texts: [[UInt8]] = {
    var random = SeededRandom(seed: 3)
    func text(_ count: Int, _ ends: ClosedRange<Int>) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        bytes += Array(repeating: UInt8(ascii: "x"), count: Int.random(in: ends, using: &random))
        bytes += ["\n", "\r\n", "\r", "\n\r"].randomElement(using: &random)!.utf8
      }
      return bytes
    }
    let edges = [4094, 4095, 4096, 4097, 8191, 8192].flatMap { count in
      ["", "\n", "\r", "\r\n"].map { Array(repeating: UInt8(ascii: "y"), count: count) + $0.utf8 }
    }
    return [
      [], Array("\n".utf8), Array("\r".utf8), text(sample(4_000, of: 20_000), 0...20),
      text(sample(30_000, of: 60_000), 0...9000),
    ] + edges
      + edges.map { $0 + Array("z\rz\nz".utf8) }
  }()

  /// Returns the offsets at which the lines start.
  private func starts(_ bytes: [UInt8], endsAtReturns: Bool) -> [Int] {
    [0]
      + bytes.indices.filter { index in
        let isLone = index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
        return bytes[index] == UInt8(ascii: "\n")
          || endsAtReturns && bytes[index] == UInt8(ascii: "\r") && isLone
      }.map { $0 + 1 }
  }

  @Test(arguments: texts, [false, true])
  func `places and lines are those of the text`(_ bytes: [UInt8], _ endsAtReturns: Bool) {
    let index = LineIndex(bytes, endsAtReturns: endsAtReturns)
    let starts = starts(bytes, endsAtReturns: endsAtReturns)
    for (number, start) in starts.enumerated() {
      let next = number + 1 < starts.count ? starts[number + 1] : bytes.count + 1
      #expect(index.range(ofLine: number + 1, in: bytes.span) == start..<next - 1)
      for offset in Set([start, (start + next) / 2, next - 1]) {
        let (line, column) = index.position(of: offset, in: bytes.span)
        #expect(line == number + 1 && column == offset - start + 1)
      }
    }
    #expect(index.range(ofLine: 0, in: bytes.span) == nil)
    #expect(index.range(ofLine: starts.count + 1, in: bytes.span) == nil)
    let end = index.position(of: bytes.count + 5, in: bytes.span)
    #expect(end.line == starts.count && end.column == bytes.count + 5 - starts[starts.count - 1] + 1)
  }
}
