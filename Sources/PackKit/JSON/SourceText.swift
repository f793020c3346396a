/// A text file in memory that knows its lines.
package struct SourceText: Sendable {
  /// The path as the user would type it.
  package let path: String
  /// The content without a byte order mark.
  package let bytes: [UInt8]
  /// Where each line begins.
  private let lineStarts: [Int]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
    var starts = [0]
    for (index, byte) in self.bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(index + 1)
    }
    lineStarts = starts
  }

  /// The place of a byte.
  package func place(at offset: Int) -> Place {
    let line = max(1, lineStarts.indices.lowest { lineStarts[$0] > offset })
    return Place(path, Place.Position(line: line, column: offset - lineStarts[line - 1] + 1))
  }

  /// The text of a line, counted from 1, without its end; nil for one longer than some bytes.
  package func line(_ number: Int, upTo longest: Int = .max) -> String? {
    guard lineStarts.indices.contains(number - 1) else { return nil }
    let end = number < lineStarts.count ? lineStarts[number] - 1 : bytes.count
    let line = bytes[lineStarts[number - 1]..<end]
    if line.count > longest { return nil }
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}
