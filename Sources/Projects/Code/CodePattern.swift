import Findings
import Formats

/// The requests for tags that a regular expression finds in a file, line by line.
struct CodePattern {
  /// The longest line in bytes that is searched.
  private static let longestLine = 1 << 16

  private let expression: Regex<AnyRegexOutput>

  /// - Throws: if the text is no regular expression.
  init(_ text: String) throws {
    expression = try Regex(text)
  }

  /// The tags at the offsets of what was matched: the first group of the expression, or else the whole match.
  func tags(in text: SourceText) -> [Located<String>] {
    var tags: [Located<String>] = []
    var offset = 0
    for bytes in text.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      defer { offset += bytes.count + 1 }
      guard bytes.count <= Self.longestLine, let line = String(validating: bytes, as: UTF8.self) else {
        continue
      }
      for match in line.matches(of: expression) {
        let group = match.output.count > 1 ? match.output[1] : match.output[0]
        guard let tag = group.substring, let range = group.range else { continue }
        tags.append(
          Located(String(tag), at: offset + line.utf8.distance(from: line.startIndex, to: range.lowerBound)))
      }
    }
    return tags
  }
}
