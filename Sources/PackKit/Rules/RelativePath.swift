import Findings

/// A path below a folder, without empty, `.` and `..` components; the folder itself has no components.
package struct RelativePath: Sendable, Hashable {
  package let components: [String]

  /// The largest size of a path in bytes, which is the limit of zip.
  package static let longest = 65_535

  /// Why a text is not such a path.
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
    // Split by scalars, since a slash followed by a combining mark is one Character, which differs from "/".
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

  /// The components joined by slashes; "." if there are none.
  package var text: String { components.isEmpty ? "." : components.joined(separator: "/") }
}

extension RelativePath.Mistake {
  var check: Check {
    if case .escapes = self { return .pathEscapesRoot }
    return .invalidPath
  }

  /// The message, beginning with the quoted text.
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

/// Whether a scalar is a control character, without the slow look-up of its Unicode category.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
}
