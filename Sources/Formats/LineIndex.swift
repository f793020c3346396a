import System

/// The lines of a text, counted block by block: one number for each line would take longer than to read JSON.
struct LineIndex: Sendable {
  /// What is known at the first byte of a block.
  private struct Block {
    /// The number of lines that end before it.
    let lines: Int
    /// The offset of the line that it is in.
    let start: Int
  }

  private var blocks: [Block] = []
  /// Whether a lone carriage return ends a line, as on a classic Mac.
  private let endsAtReturns: Bool

  private static let blockSize = 1 << 12

  init(_ bytes: [UInt8], endsAtReturns: Bool) {
    self.endsAtReturns = endsAtReturns
    blocks.reserveCapacity(bytes.count / Self.blockSize + 1)
    var (lines, start) = (0, 0)
    let bytes = bytes.span
    for first in stride(from: 0, through: bytes.count, by: Self.blockSize) {
      blocks.append(Block(lines: lines, start: start))
      pass(first..<min(first + Self.blockSize, bytes.count), of: bytes, &lines, &start)
    }
  }

  /// Adds the lines that end in a range, behind the last of which the next starts.
  private func pass(_ range: Range<Int>, of bytes: Span<UInt8>, _ lines: inout Int, _ start: inout Int) {
    let count =
      endsAtReturns
      ? range.count { isEnd($0, in: bytes) } : ByteSearch.count(of: newline, in: bytes.extracting(range))
    if count == 0 { return }
    lines += count
    start = range.upperBound
    while !isEnd(start - 1, in: bytes) { start -= 1 }
  }

  /// The line of an offset and its place there, both counted from 1.
  func position(of offset: Int, in bytes: Span<UInt8>) -> (line: Int, column: Int) {
    let end = max(0, min(offset, bytes.count))
    let number = end / Self.blockSize
    var (lines, start) = (blocks[number].lines, blocks[number].start)
    pass(number * Self.blockSize..<end, of: bytes, &lines, &start)
    return (lines + 1, offset - start + 1)
  }

  /// The offsets of a line, counted from 1, without its line feed; nil if there is none.
  func range(ofLine line: Int, in bytes: Span<UInt8>) -> Range<Int>? {
    guard line > 0 else { return nil }
    let number = blocks.indices.partitioningIndex { blocks[$0].lines >= line } - 1
    var (found, start) = (blocks[number].lines + 1, blocks[number].start)
    var index = number * Self.blockSize
    while index < bytes.count, found <= line {
      if isEnd(index, in: bytes) {
        if found == line { return start..<index }
        found += 1
        start = index + 1
      }
      index += 1
    }
    return found == line ? start..<bytes.count : nil
  }

  private func isEnd(_ index: Int, in bytes: Span<UInt8>) -> Bool {
    if bytes[index] == newline { return true }
    guard endsAtReturns, bytes[index] == UInt8(ascii: "\r") else { return false }
    return index + 1 == bytes.count || bytes[index + 1] != newline
  }
}

private let newline = UInt8(ascii: "\n")
