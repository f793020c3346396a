/// A piece of a script for POSIX shells, or a command line for people to copy.
package typealias ShellText = Written<ShellForm>

/// A shell's language, in which text from outside is always exactly one word.
package enum ShellForm: WrittenForm {
  /// A text as one word: as it is if no shell sees more than text in it, otherwise in single quotes.
  package static func escaped(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
    // No shell can hold a NUL in a word.
    let sayable = text.replacing("\0", with: "\u{fffd}")
    return "'" + sayable.replacing("'", with: "'\\''") + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "-", "_", "+", ":", ",", "@": true
    default: false
    }
  }
}

extension ShellText {
  /// Words of a command line, with blanks between them.
  package static func words(_ words: some Sequence<String>) -> ShellText {
    words.map { word -> ShellText in "\(word)" }.joined(separator: " ")
  }
}
