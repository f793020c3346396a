import System

/// The bytes of a file that a `Range` header requests (RFC 9110, section 14).
package enum ByteRange: Sendable, Hashable {
  /// The whole file.
  ///
  /// This is the result if there is no range, if there are several ranges, or if the range is invalid. An
  /// invalid range is ignored.
  case whole
  /// A part of the file.
  ///
  /// It has at least one byte.
  case part(Range<Int64>)
  /// A range that contains no byte of the file.
  case unsatisfiable

  /// Reads the `Range` headers of a request for a file of a given size.
  package init(_ headers: [String], of size: Int64) {
    guard headers.count == 1, let bounds = Self.bounds(in: headers[0]) else {
      self = .whole
      return
    }
    switch bounds {
    case (nil, nil): self = .whole
    case (nil, let count?):
      self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
    case (let first?, let last):
      if let last, last < first {
        self = .whole
      } else if first >= size {
        self = .unsatisfiable
      } else {
        // This avoids an overflow if the offset of the last byte is Int64.max. A file is never larger than
        // that.
        self = .part(first..<min(last.map { $0 == .max ? .max : $0 + 1 } ?? size, size))
      }
    }
  }

  /// Returns the two numbers of a header with one range; nil for any other header.
  private static func bounds(in header: String) -> (Int64?, Int64?)? {
    let parts = header.utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, String(Substring(parts[0])).lowercased() == "bytes" else { return nil }
    let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    var range = parts[1].drop { blanks.contains($0) }
    while let last = range.last, blanks.contains(last) { range.removeLast() }
    let numbers = range.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.joined().allSatisfy(\.isDigit) else { return nil }
    // A number that cannot be represented is larger than the size of any file.
    let bounds = numbers.map { $0.isEmpty ? nil : Int64(String(Substring($0))) ?? .max }
    return (bounds[0], bounds[1])
  }
}
