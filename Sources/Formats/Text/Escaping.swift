import System

/// Makes untrusted text safe to show.
///
/// The result is on one line, has no control characters or hidden characters, and has a maximum length. If
/// the result is put in quotes, it cannot end the quotes.
package func escaped(_ text: some StringProtocol, upTo longest: Int = 1024) -> String {
  var shown = ""
  for (length, scalar) in text.unicodeScalars.enumerated() {
    if length == longest { return shown + "…" }
    switch scalar {
    // Most characters are handled here, without the slow lookup of their properties.
    case " ", "a"..."z", "A"..."Z", "0"..."9": shown.unicodeScalars.append(scalar)
    case "\"", "\\": shown += "\\\(scalar)"
    // This case escapes white space that looks like a plain space or is invisible.
    case _ where scalar != " " && scalar.properties.isWhitespace, "\u{200b}": shown += scalar.escape
    case _ where scalar.isControlOrInvisible: shown += scalar.escape
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}

/// Makes a name that can contain any bytes safe to show.
///
/// Bytes that are not UTF-8 are shown in hex.
package func escaped(bytes: some Collection<UInt8>, upTo longest: Int = 1024) -> String {
  if let name = String(validating: bytes, as: UTF8.self) { return escaped(name, upTo: longest) }
  let text = bytes.prefix(longest).map { byte in
    byte >= 0x20 && byte < 0x7f && byte != 0x22 && byte != 0x5c
      ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
  return text.joined() + (bytes.count > longest ? "…" : "")
}

/// Makes a line of text safe to show.
///
/// Harmless characters, including tabs, are kept.
package func harmless(_ line: some StringProtocol) -> String {
  if line.unicodeScalars.allSatisfy({ $0 == "\t" || !$0.isControlOrInvisible }) { return String(line) }
  return line.unicodeScalars.map { scalar in
    scalar == "\t" || !scalar.isControlOrInvisible ? String(scalar) : scalar.escape
  }.joined()
}

extension Unicode.Scalar {
  /// Whether the character controls a terminal, changes the direction of text, ends a line, or is invisible.
  package var isControlOrInvisible: Bool {
    if isASCII { return value < 0x20 || value == 0x7f }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return properties.isBidiControl || self == "\u{feff}"
    }
  }

  /// The escape sequence of the character: a short sequence for well-known characters, otherwise the code
  /// point.
  package var escape: String {
    switch self {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: "\\u{\(String(value, radix: 16))}"
    }
  }
}

/// Escapes text for XML and HTML, between tags and in attributes with double quotes.
package func xmlEscaped(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "\n": "&#10;"
    case "\t": "&#9;"
    // XML 1.0 cannot represent these characters, not even escaped.
    case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff: "\u{fffd}"
    default: String(scalar)
    }
  }.joined()
}
