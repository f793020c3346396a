import System

/// Recognizes common mistakes, so that messages can describe them.
extension JSONReader {
  /// Reports an unexpected token.
  ///
  /// If the mistake is a common mistake, the message describes it.
  mutating func unexpected(_ expectation: String) -> SyntaxFailure {
    failure(namedMistake ?? "\(expectation), found \(found())")
  }

  /// The message for a curly quote or a merge conflict marker at the current position; nil if the position
  /// has neither of them.
  var namedMistake: String? {
    let rest = bytes[position...]
    if let quote = ["“", "”", "„", "‟", "‘", "’", "«", "»"].first(where: { rest.starts(with: $0.utf8) }) {
      return "found the curly quote \(quote); in JSON, use the straight quote \""
    }
    let isLineStart = position == 0 || bytes[position - 1] == 0x0a
    let marks = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
    guard isLineStart, marks.contains(where: { rest.starts(with: $0.utf8) }) else { return nil }
    return "the file has an unresolved merge conflict here; resolve it, then try again"
  }

  /// Reports a file in another format, such as a picture.
  mutating func checkFormat() throws(SyntaxFailure) {
    guard let other = OtherFormat(of: text) else { return }
    findings.add(Diagnostic(.jsonSyntax, message: "the file is \(other.words), not JSON", at: other.place))
    throw SyntaxFailure()
  }

  /// Reports bytes that are not UTF-8.
  ///
  /// If the text is UTF-16 or UTF-32, the message mentions that encoding.
  mutating func checkUTF8() throws(SyntaxFailure) {
    if let encoding = otherEncoding {
      // The finding has no line, because a line in another encoding would be quoted as garbage.
      let message = "the file is \(encoding); save it as UTF-8"
      findings.add(Diagnostic(.jsonSyntax, message: message, at: Place(text.path)))
      throw SyntaxFailure()
    }
    guard let offset = firstInvalidUTF8(in: bytes) else { return }
    position = offset
    throw failure(
      "the file is not UTF-8: it contains the byte 0x\(String(bytes[offset], radix: 16))"
        + "\(letter(at: offset)); save the file as UTF-8")
  }

  /// Returns a remark about the letter that a byte stands for in the usual encoding of old Windows programs.
  ///
  /// The remark is empty if the byte or the next byte suggests another mistake.
  private func letter(at offset: Int) -> String {
    let letter = Character(UnicodeScalar(bytes[offset]))
    let isAlone = offset + 1 < bytes.count && bytes[offset + 1] < 0x80
    return isAlone && bytes[offset] >= 0xc0 && letter.isLetter
      ? ", which is \"\(letter)\" in the encodings Windows-1252 and Latin-1" : ""
  }

  private var otherEncoding: String? {
    guard bytes.count > 1 else { return nil }
    let front = Array(bytes.prefix(4))
    if front == [0xff, 0xfe, 0, 0] || front == [0, 0, 0xfe, 0xff] { return "UTF-32" }
    let hasMark = front.starts(with: [0xff, 0xfe]) || front.starts(with: [0xfe, 0xff])
    let isWide = front[0] == 0 && front[1] != 0 || front[0] != 0 && front[1] == 0
    return hasMark || isWide ? "UTF-16" : nil
  }

  /// Reports that a comma is missing after the previous item.
  ///
  /// Throws `SyntaxFailure` if no item begins at the current position, or if a closing bracket is missing instead.
  mutating func reportMissingComma(closing: UInt8, at end: Int) throws(SyntaxFailure) {
    if let lost = unclosed() { throw lost }
    let beginsElement = peek.map { $0 == UInt8(ascii: "{") || isWordByte($0) } ?? false
    guard peek == UInt8(ascii: "\"") || closing == UInt8(ascii: "]") && beginsElement else {
      throw unexpected("expected \",\" or \"\(UnicodeScalar(closing))\"")
    }
    // If both values are on one line, the mistake may be an extra quote instead, so there is no fix.
    let endsLine = bytes[end..<position].contains(0x0a)
    report(
      "missing comma after this value", at: end, fix: endsLine ? TextEdit(end..<end, replacement: ",") : nil)
  }

  mutating func reportTrailingComma(before closing: UInt8, at comma: Int) {
    let item = closing == UInt8(ascii: "]") ? "element" : "member"
    report(
      "JSON does not allow the comma after the last \(item); remove it\(text.commentHint)", at: comma,
      fix: TextEdit(comma..<comma + 1, replacement: ""))
  }
}

extension SourceText {
  /// Whether comments and trailing commas are allowed, because of the file's name, or because the file's
  /// reader allows them.
  package var mayHaveComments: Bool { hasComments || path.hasSuffix(".jsonc") }

  /// The end of a message about comments or trailing commas, which proposes the file name extension `.jsonc`.
  var commentHint: String {
    path.hasSuffix(".json") && !hasFixedName
      ? ", or rename the file to \(quoted(lastName(of: path) + "c"))" : ""
  }
}

private func firstInvalidUTF8(in bytes: [UInt8]) -> Int? {
  do {
    _ = try UTF8Span(validating: bytes.span)
    return nil
  } catch {
    return error.byteOffsets.lowerBound
  }
}
