import Foundation
import Support

/// A string literal of the sources, or several literals that are joined with "+".
///
/// `parts` are the texts between the interpolations.
struct SourceSentence: Hashable {
  /// The path of the file below Sources.
  let file: String
  let parts: [String]

  /// The sentence on one line, in the form that lists use.
  ///
  /// Each interpolation is shown as "…".
  var line: String { "\(file): \(parts.joined(separator: "…"))" }

  /// Whether the literal looks like a part of a finding.
  ///
  /// Such a literal has lower-case letters, and three words in a row outside of quotation marks.
  var isOfFindings: Bool {
    let text = parts.joined(separator: "…")
    if text.contains("\n") || text.first?.isUppercase == true { return false }
    return text.replacing(/"[^"]*"/, with: "\"").contains(/\b[a-z]+('[a-z]+)? +[a-z]+('[a-z]+)? +[a-z]+\b/)
  }
}

extension SourceSentence {
  /// The sentences of all files below Sources, in the order of the paths.
  static let all = Result {
    let folder = "\(packageFolder)/Sources"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    return try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      SourceLiterals.sentences(
        of: file, in: Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))))
    }
  }
}

/// Finds the string literals of a Swift file.
struct SourceLiterals {
  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the literals of a file.
  ///
  /// Literals that are joined with "+" count as one.
  static func sentences(of file: String, in bytes: [UInt8]) -> [SourceSentence] {
    var scanner = SourceLiterals(bytes)
    var found: [[String]] = []
    var end: Int?
    while let start = scanner.findLiteral() {
      let parts = scanner.takeLiteral()
      if let end, bytes[end..<start].filter({ !isSpace($0) }) == Array("+".utf8) {
        let joint = found[found.count - 1].removeLast() + parts[0]
        found[found.count - 1] += [joint] + parts.dropFirst()
      } else {
        found.append(parts)
      }
      end = scanner.position
    }
    return found.map { SourceSentence(file: file, parts: $0) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 10 || byte == 9 || byte == 13 }

  private func starts(_ text: StaticString, at place: Int) -> Bool {
    bytes[min(place, bytes.count)...].starts(with: text.description.utf8)
  }

  /// Finds the next literal, and skips comments and regular expressions.
  private mutating func findLiteral() -> Int? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "/") where starts("//", at: position): skip(past: "\n")
      case UInt8(ascii: "/") where starts("/*", at: position): skip(past: "*/")
      case UInt8(ascii: "/") where beginsExpression: skipExpression()
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        if bytes[position...].first(where: { $0 != UInt8(ascii: "#") }) == UInt8(ascii: "\"") {
          return position
        }
        position += 1
      default: position += 1
      }
    }
    return nil
  }

  private mutating func skip(past end: StaticString) {
    while position < bytes.count, !starts(end, at: position) { position += 1 }
    position += end.utf8CodeUnitCount
  }

  /// Whether a slash begins a regular expression, because it follows a bracket, comma, colon or equals sign.
  private var beginsExpression: Bool {
    let before = bytes[..<position].last { !Self.isSpace($0) }
    let next = position + 1 < bytes.count ? bytes[position + 1] : 32
    return before.map { "(,:=[".utf8.contains($0) } == true && !Self.isSpace(next)
  }

  private mutating func skipExpression() {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "/"), bytes[position] != 10 {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
  }

  /// Reads the literal that begins here, and returns the texts between its interpolations.
  private mutating func takeLiteral() -> [String] {
    let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
    position += hashes
    let isLong = starts("\"\"\"", at: position)
    position += isLong ? 3 : 1
    let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let close = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1) + marks
    let escape = [UInt8(ascii: "\\")] + marks
    var parts: [[UInt8]] = [[]]
    while position < bytes.count, !bytes[position...].starts(with: close) {
      guard bytes[position...].starts(with: escape) else {
        parts[parts.count - 1].append(bytes[position])
        position += 1
        continue
      }
      position += escape.count
      switch bytes[position] {
      case UInt8(ascii: "("):
        skipInterpolation()
        parts.append([])
      case UInt8(ascii: "u"):
        let digits = bytes[(position + 2)...].prefix { $0 != UInt8(ascii: "}") }
        let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
        parts[parts.count - 1] += scalar.map { Array(String($0).utf8) } ?? []
        position += digits.count + 3
      case let letter:
        let meant: [UInt8: UInt8] = [110: 10, 116: 9, 114: 13, 48: 0]
        parts[parts.count - 1].append(meant[letter] ?? letter)
        position += 1
      }
    }
    position += close.count
    // A literal of several lines has one line more than its text.
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func skipInterpolation() {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        if bytes[position...].first(where: { $0 != UInt8(ascii: "#") }) == UInt8(ascii: "\"") {
          _ = takeLiteral()
          continue
        }
      default: break
      }
      position += 1
      if depth == 0 { return }
    }
  }
}
