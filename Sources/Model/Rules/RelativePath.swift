import Formats

/// A path relative to a folder, without empty, `.` and `..` components.
///
/// The path of the folder itself has no components.
package struct RelativePath: Sendable, Hashable {
  /// The components joined with slashes; "." if the path has no components.
  package let text: String

  /// The maximum size of a path in bytes, because the zip format has this limit.
  package static let maxSize = 65_535

  /// The reason why a string is not a valid relative path.
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
    if text.utf8.count > Self.maxSize { throw .isTooLong }
    if text.utf8.first == slash { throw .isAbsolute }
    let form = PathForm(of: text.utf8Span.span)
    if form.hasBackslash { throw .hasBackslash }
    if form.hasControlCharacter { throw .hasControlCharacter }
    // Most paths are already in normal form and are kept without a copy.
    self.text = form.isNormal ? text : try Self.resolved(text)
  }

  /// Creates a path from a string.
  ///
  /// The caller must know that the string has no empty, `.` or `..` components.
  package init(normal text: String) { self.text = text }

  /// Returns the path without empty, `.` and `..` components.
  private static func resolved(_ text: String) throws(Mistake) -> String {
    var components: [Substring.UTF8View] = []
    for part in text.utf8.split(separator: slash) {
      if part.elementsEqual(".".utf8) { continue }
      if !part.elementsEqual("..".utf8) {
        components.append(part)
      } else if components.popLast() == nil {
        throw .escapes
      }
    }
    let text = components.map { String(Substring($0)) }.joined(separator: "/")
    return text.isEmpty ? "." : text
  }

  /// Whether the path is the folder itself.
  package var isRoot: Bool { text == "." }

  /// The names of the folders and of the file.
  package var components: [String] {
    isRoot ? [] : text.utf8.split(separator: slash).map { String(Substring($0)) }
  }
}

/// The result of one pass over the bytes of a path.
package struct PathForm {
  package private(set) var hasBackslash = false
  package private(set) var hasControlCharacter = false
  /// Whether the path has no empty, `.` and `..` components.
  private(set) var isNormal = true
  /// Whether Windows can store a file at the path.
  package private(set) var isStorableOnWindows = true

  package init(of bytes: Span<UInt8>) {
    var (length, dots) = (0, 0)
    var last: UInt8 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case slash:
        endName(bytes, from: index - length, to: index, dots: dots)
        (length, dots) = (0, 0)
      case UInt8(ascii: "."): (length, dots) = (length + 1, dots + 1)
      default:
        length += 1
        if byte == UInt8(ascii: "\\") { hasBackslash = true }
        if WindowsNames.isReserved(byte) { isStorableOnWindows = false }
        // The code points from U+0080 to U+009F are control characters that have two bytes in UTF-8.
        if byte < 0x20 || byte == 0x7f || (last == 0xc2 && byte < 0xa0) { hasControlCharacter = true }
      }
      last = byte
    }
    endName(bytes, from: bytes.count - length, to: bytes.count, dots: dots)
  }

  /// Checks a name that contains a number of dots.
  ///
  /// Windows cannot store some names. The slow check for these names runs only if the name's first letters or
  /// its last character require it.
  private mutating func endName(_ bytes: Span<UInt8>, from start: Int, to end: Int, dots: Int) {
    if end - start == dots && dots <= 2 { isNormal = false }
    if start == end || !isStorableOnWindows { return }
    let last = bytes[end - 1]
    if last == UInt8(ascii: ".") || last == UInt8(ascii: " ")
      || Self.beginsLikeDevice(bytes, from: start, to: end)
    {
      isStorableOnWindows = WindowsNames.canStore((start..<end).map { bytes[$0] }[...])
    }
  }

  private static func beginsLikeDevice(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    if end - start < 3 { return false }
    return switch (bytes[start] & 0xdf, bytes[start + 1] & 0xdf, bytes[start + 2] & 0xdf) {
    case (0x43, 0x4f, 0x4e), (0x43, 0x4f, 0x4d), (0x50, 0x52, 0x4e), (0x41, 0x55, 0x58), (0x4e, 0x55, 0x4c),
      (0x4c, 0x50, 0x54):
      true
    default: false
    }
  }
}

private let slash = UInt8(ascii: "/")

extension RelativePath.Mistake {
  var check: Check {
    if case .escapes = self { return .pathEscapesRoot }
    return .invalidPath
  }

  func message(for text: String, within place: String) -> String {
    switch self {
    case .isEmpty: "a path must not be empty"
    case .isTooLong:
      "\(quoted(text)) has \(counted(text.utf8.count, of: "byte")), but a path can have at most "
        + "\(grouped(RelativePath.maxSize))"
    case .isAbsolute: "\(quoted(text)) is an absolute path; expected a path relative to \(place)"
    case .hasBackslash: "\(quoted(text)) contains a backslash; use forward slashes in paths"
    case .hasControlCharacter:
      "\(quoted(text)) contains a control character"
        + (slashesInsteadOfEscapes(in: text).map { "; write \"/\" instead of a backslash: \(quoted($0))" }
          ?? "")
    case .escapes: "\(quoted(text)) leads out of \(place); use a path below \(place)"
    }
  }
}

/// Whether a scalar is a control character, without the slow lookup of its Unicode category.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
}

/// Returns a Windows path with slashes, such as `Shared/new.png`, if JSON read its backslashes as parts of
/// escapes, such as `\n`; otherwise nil.
private func slashesInsteadOfEscapes(in text: String) -> String? {
  let letters: [UnicodeScalar: String] = [
    "\u{8}": "b", "\u{c}": "f", "\n": "n", "\r": "r", "\t": "t", "\\": "",
  ]
  var path = ""
  for scalar in text.unicodeScalars {
    if let letter = letters[scalar] {
      path += "/" + letter
    } else {
      if isControl(scalar) { return nil }
      path.unicodeScalars.append(scalar)
    }
  }
  return path
}
