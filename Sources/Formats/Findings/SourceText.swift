import System

/// A text file in memory with an index of its lines.
package struct SourceText: Sendable {
  /// The path as the user would type it.
  package let path: String
  /// The content without a byte order mark.
  package let bytes: [UInt8]
  /// Whether the bytes were made of a file in another form, so that they have no lines of its own.
  private var isConverted = false
  /// Whether it may have comments though its name does not say so.
  let hasComments: Bool
  /// Whether programs look for the file by its name, so that another name is no way out.
  let hasFixedName: Bool
  /// Only findings and hunks ask for lines.
  private let lines: Deferred<LineIndex>
  /// Included files, each with the offset of its first byte.
  private var parts: [(start: Int, text: SourceText)] = []

  /// What ends the lines of a text.
  package enum LineEnds: Sendable {
    case newlines
    /// Newlines, and carriage returns without one, as on a classic Mac.
    case newlinesAndReturns
  }

  /// A text, in which JSON may have comments.
  package init(
    path: String, bytes: [UInt8], lineEnds: LineEnds = .newlines, hasComments: Bool = false,
    hasFixedName: Bool = false
  ) {
    self.hasComments = hasComments
    self.hasFixedName = hasFixedName
    self.path = path
    self.bytes = bytes.starts(with: Self.mark) ? Array(bytes.dropFirst(Self.mark.count)) : bytes
    lines = Deferred { [bytes = self.bytes] in
      LineIndex(bytes, endsAtReturns: lineEnds == .newlinesAndReturns)
    }
  }

  package static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// A text that was made of a file in another form; places name the file alone.
  package init(path: String, convertedTo bytes: [UInt8]) {
    self.init(path: path, bytes: bytes)
    isConverted = true
  }

  /// Includes another file and returns the offset of its first byte.
  ///
  /// One number names a place in any of the files, as in clang's source manager.
  @discardableResult
  package mutating func append(_ text: SourceText) -> Int {
    let last = parts.last ?? (0, self)
    let start = last.start + last.text.bytes.count + 1
    parts.append((start, text))
    return start
  }

  /// The paths of this file and the included ones.
  package var paths: [String] { [path] + parts.map(\.text.path) }

  /// This text or an included one, by its path; nil for any other path.
  package func file(at path: String) -> SourceText? {
    path == self.path ? self : parts.first { $0.text.path == path }?.text
  }

  /// The place of an offset.
  package func place(at offset: Int) -> Place {
    if let part = parts.last(where: { $0.start <= offset }) {
      return part.text.place(at: offset - part.start)
    }
    if isConverted { return Place(path) }
    let (line, column) = lines.value.position(of: offset, in: bytes.span)
    return Place(path, position: Place.Position(line: line, column: column))
  }

  /// The text of a line, counted from 1, without its line end; nil if it exceeds `longest` bytes.
  package func line(_ number: Int, maxBytes longest: Int = .max) -> String? {
    guard let range = lines.value.range(ofLine: number, in: bytes.span), range.count <= longest else {
      return nil
    }
    let line = bytes[range]
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}

/// The lines of a text, counted block by block: one number for each line would take longer than to read JSON.
struct LineIndex: Sendable {
  /// For the first byte of each block, the number of lines that end before it, and the offset of the line that it is in.
  private var blocks: [(lines: Int, start: Int)] = []
  /// Whether a lone carriage return ends a line, as on a classic Mac.
  private let endsAtReturns: Bool

  private static let blockSize = 1 << 12

  init(_ bytes: [UInt8], endsAtReturns: Bool) {
    self.endsAtReturns = endsAtReturns
    blocks.reserveCapacity(bytes.count / Self.blockSize + 1)
    var (lines, start) = (0, 0)
    let bytes = bytes.span
    for first in stride(from: 0, through: bytes.count, by: Self.blockSize) {
      blocks.append((lines, start))
      pass(first..<min(first + Self.blockSize, bytes.count), of: bytes, lines: &lines, start: &start)
    }
  }

  /// Adds the lines that end in a range, behind the last of which the next starts.
  private func pass(_ range: Range<Int>, of bytes: Span<UInt8>, lines: inout Int, start: inout Int) {
    let count =
      endsAtReturns
      ? range.count { isEnd($0, in: bytes) } : bytes.extracting(range).count(of: newline)
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
    pass(number * Self.blockSize..<end, of: bytes, lines: &lines, start: &start)
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
