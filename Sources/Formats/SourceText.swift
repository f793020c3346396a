package import Findings
import System

/// A text file in memory with an index of its lines.
package struct SourceText: Sendable {
  /// The path as the user would type it.
  package let path: String
  /// The content without a byte order mark.
  package let bytes: [UInt8]
  /// Whether the bytes were made of a file in another form, so that they have no lines of its own.
  private let isConverted: Bool
  /// Whether it may have comments though its name does not say so.
  let hasComments: Bool
  /// Only findings and hunks ask for lines.
  private let lines: Deferred<LineIndex>
  /// Included files, each with the offset of its first byte.
  private var parts: [(start: Int, text: SourceText)] = []

  /// A text; optionally a lone carriage return ends a line, as on a classic Mac, or JSON may have comments.
  package init(
    path: String, bytes: [UInt8], endsLinesAtReturns: Bool = false, hasComments: Bool = false
  ) {
    self.hasComments = hasComments
    self.path = path
    isConverted = false
    self.bytes = bytes.starts(with: Self.mark) ? Array(bytes.dropFirst(Self.mark.count)) : bytes
    lines = Deferred { [bytes = self.bytes] in LineIndex(bytes, endsAtReturns: endsLinesAtReturns) }
  }

  /// The byte order mark.
  static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// A text that was made of a file in another form; places name the file alone.
  init(path: String, convertedTo bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    isConverted = true
    hasComments = false
    lines = Deferred { LineIndex(bytes, endsAtReturns: false) }
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
    return Place(path, Place.Position(line: line, column: column))
  }

  /// The text of a line, counted from 1, without its line end; nil if it exceeds `longest` bytes.
  package func line(_ number: Int, upTo longest: Int = .max) -> String? {
    guard let range = lines.value.range(ofLine: number, in: bytes.span), range.count <= longest else {
      return nil
    }
    let line = bytes[range]
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}

/// A value with its offset in the text.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let offset: Int

  // Inlined, since there is one for each tag of a manifest.
  @inlinable
  package init(_ value: Value, at offset: Int) {
    self.value = value
    self.offset = offset
  }
}
