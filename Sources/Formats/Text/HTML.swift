package import System

/// A piece of an HTML page.
package typealias HTML = Written<HTMLForm>

/// HTML, or SVG inside of HTML.
package enum HTMLForm: WrittenForm {
  /// The maximum size in bytes of one escaped string.
  private static let maxTextSize = 2000

  /// Escapes a string for a page.
  ///
  /// packtool escapes all text from outside with this function.
  ///
  /// The result is on one line, without markup, control characters or hidden characters, and has at most
  /// 2,000 bytes. If a text is longer, its middle is left out.
  package static func escaped(_ text: String) -> String { escaped(text, upTo: maxTextSize) }

  fileprivate static func escaped(_ text: String, upTo limit: Int) -> String {
    if text.utf8.count <= limit, text.utf8.allSatisfy(isPlain) { return text }
    let front = text.unicodeScalars.prefix(limit + 1)
    let pieces = front.map(escaped)
    // Each piece has at least one byte, so the text cannot fit if it has more pieces than the limit has
    // bytes.
    if pieces.count <= limit, pieces.lazy.map(\.utf8.count).reduce(0, +) <= limit { return pieces.joined() }
    let half = (limit - 3) / 2
    let end = fitting(text.unicodeScalars.suffix(half).reversed().lazy.map(escaped), remaining: half)
      .reversed()
    return fitting(pieces, remaining: half).joined() + "…" + end.joined()
  }

  /// Returns the first pieces that together fit into a number of bytes.
  private static func fitting(_ pieces: some Sequence<String>, remaining: Int) -> [String] {
    var remaining = remaining
    return pieces.prefix { piece in
      remaining -= piece.utf8.count
      return remaining >= 0
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7f && !"<>&\"'".utf8.contains(byte)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "<": "&lt;"
    case ">": "&gt;"
    case "&": "&amp;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case _ where scalar.isControlOrInvisible: scalar.escape
    // HTML cannot represent these characters, not even as numeric references.
    case _ where scalar.value & 0xfffe == 0xfffe: scalar.escape
    default: String(scalar)
    }
  }

  /// Formats a number with at most one decimal, for coordinates.
  package static func text(of number: Double) -> String {
    guard number.isFinite, abs(number) < 1e12 else { return "0" }
    let tenths = Int((number * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}

/// A format for text that has its own length limit.
private enum ShortForm: WrittenForm {
  static func escaped(_ text: String) -> String { text }
}

extension Written.Interpolation where Form == HTMLForm {
  /// Appends a string, escaped.
  ///
  /// If the string is longer than the limit, only its beginning and its end are kept.
  package mutating func appendInterpolation(_ text: String, upTo limit: Int) {
    let short: Written<ShortForm> = "\(HTMLForm.escaped(text, upTo: limit))"
    appendInterpolation(HTML(short) { $0 })
  }
}

extension Written {
  /// The text as bytes for a file.
  package var bytes: ByteBuffer {
    var buffer = ByteBuffer()
    buffer.append(text)
    return buffer
  }
}
