import System

/// A text file in memory, with an index of its lines.
package struct SourceText: Sendable {
  /// The path as the user would type it.
  package let path: String
  /// The content without a byte order mark.
  package let bytes: [UInt8]
  /// Whether the bytes were converted from another format.
  ///
  /// If so, their lines differ from the lines of the file.
  private var isConverted = false
  /// Whether the text may contain comments, even if the file name does not end in `.jsonc`.
  let hasComments: Bool
  /// Whether programs expect the file to have this name.
  ///
  /// If so, packtool must not advise the user to rename the file.
  let hasFixedName: Bool
  /// The index is computed when it is first used, because only findings and diffs need lines.
  private let lines: Deferred<LineIndex>
  /// The included files, each with the offset of its first byte in the combined text.
  private var parts: [(start: Int, text: SourceText)] = []

  /// The characters that end the lines of a text.
  package enum LineEnds: Sendable {
    case newlines
    /// Newlines, and carriage returns without a newline, as on classic Mac OS.
    case newlinesAndReturns
  }

  /// Creates a text.
  ///
  /// `hasComments` is true if JSON in the text may contain comments.
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

  /// Creates a text that was converted from a file in another format.
  ///
  /// Findings about it contain the path of the file but no line.
  package init(path: String, convertedTo bytes: [UInt8]) {
    self.init(path: path, bytes: bytes)
    isConverted = true
  }

  /// Includes another file and returns the offset of its first byte.
  ///
  /// As a result, a single offset identifies a position in any of the files, as in clang's source manager.
  @discardableResult
  package mutating func append(_ text: SourceText) -> Int {
    let last = parts.last ?? (0, self)
    let start = last.start + last.text.bytes.count + 1
    parts.append((start, text))
    return start
  }

  /// The paths of this file and of the included files.
  package var paths: [String] { [path] + parts.map(\.text.path) }

  /// Returns this text or an included text by its path; nil for any other path.
  package func file(at path: String) -> SourceText? {
    path == self.path ? self : parts.first { $0.text.path == path }?.text
  }

  /// Returns the place of an offset.
  package func place(at offset: Int) -> Place {
    if let part = parts.last(where: { $0.start <= offset }) {
      return part.text.place(at: offset - part.start)
    }
    if isConverted { return Place(path) }
    let (line, column) = lines.value.position(of: offset, in: bytes.span)
    return Place(path, position: Place.Position(line: line, column: column))
  }

  /// Returns a line without its line end; nil if it is longer than `maxBytes` bytes.
  ///
  /// Lines are counted from 1.
  package func line(_ number: Int, maxBytes longest: Int = .max) -> String? {
    guard let range = lines.value.range(ofLine: number, in: bytes.span), range.count <= longest else {
      return nil
    }
    let line = bytes[range]
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}

/// An index of the lines of a text, with one entry for each block of `blockSize` bytes.
///
/// With one entry for each line, making the index would take longer than reading JSON.
struct LineIndex: Sendable {
  /// One entry for each block.
  ///
  /// An entry contains the number of lines that end before the block, and the offset of the beginning of the
  /// line that contains the block's first byte.
  private var blocks: [(lines: Int, start: Int)] = []
  /// Whether a carriage return without a newline ends a line, as on classic Mac OS.
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

  /// Adds the lines that end in a range, and sets `start` to the offset after the last line end in the range.
  private func pass(_ range: Range<Int>, of bytes: Span<UInt8>, lines: inout Int, start: inout Int) {
    let count =
      endsAtReturns
      ? range.count { isEnd($0, in: bytes) } : bytes.extracting(range).count(of: newline)
    if count == 0 { return }
    lines += count
    start = range.upperBound
    while !isEnd(start - 1, in: bytes) { start -= 1 }
  }

  /// Returns the line and the column of an offset, both counted from 1.
  func position(of offset: Int, in bytes: Span<UInt8>) -> (line: Int, column: Int) {
    let end = max(0, min(offset, bytes.count))
    let number = end / Self.blockSize
    var (lines, start) = (blocks[number].lines, blocks[number].start)
    pass(number * Self.blockSize..<end, of: bytes, lines: &lines, start: &start)
    return (lines + 1, offset - start + 1)
  }

  /// Returns the offsets of a line without its newline; nil if the line does not exist.
  ///
  /// Lines are counted from 1.
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
