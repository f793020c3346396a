import Findings

/// A path below some folder, without empty, `.` and `..` components; the folder itself has none.
package struct RelativePath: Sendable, Hashable {
  package let components: [String]

  /// Bytes of a path: what a zip archive can hold.
  package static let longest = 65_535

  /// Why a text is no such path.
  package enum Mistake: Error {
    case isEmpty
    case isTooLong
    case isAbsolute
    case hasBackslash
    case hasControlCharacter
    case escapes
  }

  package init(_ text: String) throws(Mistake) {
    if text.isEmpty { throw .isEmpty }
    if text.utf8.count > Self.longest { throw .isTooLong }
    if text.utf8.first == UInt8(ascii: "/") { throw .isAbsolute }
    if text.utf8.contains(UInt8(ascii: "\\")) { throw .hasBackslash }
    if text.unicodeScalars.contains(where: isControl) { throw .hasControlCharacter }
    var components: [String] = []
    // By scalars: a slash and a combining mark behind it are one Character, which is no "/".
    for part in text.unicodeScalars.split(separator: "/") {
      let component = String(part)
      if component == "." { continue }
      if component != ".." {
        components.append(component)
      } else if components.popLast() == nil {
        throw .escapes
      }
    }
    self.components = components
  }

  /// The components with slashes between them; "." where there is none.
  package var text: String { components.isEmpty ? "." : components.joined(separator: "/") }
}

extension RelativePath.Mistake {
  var check: Check {
    if case .escapes = self { return .pathEscapesRoot }
    return .invalidPath
  }

  /// What is wrong, behind the text in quotes.
  func message(for text: String, within place: String) -> String {
    switch self {
    case .isEmpty: "a path may not be empty"
    case .isTooLong:
      "\(quoted(text)) has \(counted(text.utf8.count, "byte")); a path has at most \(grouped(RelativePath.longest))"
    case .isAbsolute: "\(quoted(text)) is absolute; expected a path relative to \(place)"
    case .hasBackslash: "\(quoted(text)) has a backslash; paths have forward slashes"
    case .hasControlCharacter: "\(quoted(text)) has a control character"
    case .escapes: "\(quoted(text)) leads out of \(place)"
    }
  }
}

/// Whether a scalar is of Unicode's category of control characters, whose table takes long to ask.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
}
