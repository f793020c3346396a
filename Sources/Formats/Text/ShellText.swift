/// A piece of a script for POSIX shells, or a command line that people can copy.
package typealias ShellText = Written<ShellForm>

/// The shell's language.
///
/// Escaped text from outside is always exactly one word.
package enum ShellForm: WrittenForm {
  /// Returns a string as one shell word.
  ///
  /// The word is in single quotes if one of the characters has a special meaning in a shell.
  package static func escaped(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
    // A word in a shell cannot contain a NUL.
    let withoutNUL = text.replacing("\0", with: "\u{fffd}")
    return "'" + withoutNUL.replacing("'", with: "'\\''") + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "-", "_", "+", ":", ",", "@": true
    default: false
    }
  }
}

extension ShellText {
  /// Returns a command line: the words, escaped and separated by spaces.
  package static func words(_ words: some Sequence<String>) -> ShellText {
    words.map { word -> ShellText in "\(word)" }.joined(separator: " ")
  }
}
