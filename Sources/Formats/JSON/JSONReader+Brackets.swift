import System

/// Recognizes arrays and objects that are not closed.
extension JSONReader {
  /// Reports that a closing bracket is missing before the current position.
  ///
  /// Returns nil if the mistake can be another one.
  mutating func unclosed() -> SyntaxFailure? {
    guard open.count > 1, let next = peek else { return nil }
    let isList = bytes[open[open.count - 1]] == UInt8(ascii: "[")
    switch UnicodeScalar(next) {
    case "\"" where isList && isKey(at: position): return unclosedList(beforeKeyAt: position)
    case ":" where isList:
      let key = nodes[nodes.count - 1].offset
      return bytes.endOfString(at: key) == endBeforeSpace(at: position) ? unclosedList(beforeKeyAt: key) : nil
    case "{" where !isList, "]" where !isList, "}" where isList:
      // After an opening bracket, the next bracket is probably the mistake.
      if next == UInt8(ascii: "{"), endBeforeSpace(at: position) == open[open.count - 1] + 1 { return nil }
      return matches(open.dropLast()) ? unclosed(before: position, fix: .likely) : nil
    default: return nil
    }
  }

  /// Whether packtool knows how to fix a bracket that is not closed.
  private enum Fix {
    case likely
    case unknown
  }

  private mutating func unclosedList(beforeKeyAt key: Int) -> SyntaxFailure? {
    guard bytes[open[open.count - 2]] == UInt8(ascii: "{") else { return nil }
    let isFirst = bytes[endBeforeSpace(at: key) - 1] == UInt8(ascii: "[")
    if !isFirst, matches(open.dropLast()) { return unclosed(before: key, fix: .likely) }
    if matches(open[...], and: UInt8(ascii: "{")) {
      let name = quoted(Self.string(at: key, of: text).text)
      report(
        "the key \(name) is in a list, but keys must be in an object; add \"{\" before the key", at: key,
        fix: TextEdit(key..<key, replacement: "{ "))
      return SyntaxFailure()
    }
    // The brackets do not match in either way. A comma before the key would never be right.
    return key == position ? unclosed(before: key, fix: .unknown) : nil
  }

  /// Reports that the innermost array or object is not closed before a key or bracket.
  private mutating func unclosed(before next: Int, fix: Fix) -> SyntaxFailure {
    let start = open[open.count - 1]
    let isList = bytes[start] == UInt8(ascii: "[")
    let before = endBeforeSpace(at: next)
    let hasComma = bytes[before - 1] == UInt8(ascii: ",")
    let end = hasComma ? before - 1 : before
    let isItem = [UInt8(ascii: "\""), UInt8(ascii: "{")].contains(bytes[next])
    let closing = (isList ? "]" : "}") + (isItem && !hasComma ? "," : "")
    let name = bytes[next] == UInt8(ascii: "\"") ? quoted(Self.string(at: next, of: text).text) : nil
    let following = name ?? quoted(String(UnicodeScalar(bytes[next])))
    let goal = hasComma ? "this comma" + (name.map { " and \($0)" } ?? "") : following
    let place = text.place(at: start)
    let begin = place.position.map { " that begins at \($0.line):\($0.column)" } ?? ""
    let edit = TextEdit(end..<end, replacement: gap(from: start, to: end) + closing)
    findings.add(
      Diagnostic(
        .jsonSyntax,
        message:
          "the \(isList ? "list" : "object")\(begin) is not closed; add \(quoted(closing)) before \(goal)",
        at: text.place(at: end),
        notes: [.init("the \"\(UnicodeScalar(bytes[start]))\" that must be closed is here", at: place)],
        fix: fix == .likely ? edit : nil))
    return SyntaxFailure()
  }

  /// Returns the white space before the closing bracket of an array or object in the usual style.
  private func gap(from start: Int, to end: Int) -> String {
    let isObject = bytes[start] == UInt8(ascii: "{")
    guard let newline = bytes[start..<end].firstIndex(of: 0x0a) else {
      return isObject && bytes[start + 1] == 0x20 && bytes[end - 1] != 0x20 ? " " : ""
    }
    let lineStart = (bytes[..<start].lastIndex(of: 0x0a) ?? -1) + 1
    let indent = bytes[lineStart..<start].prefix { $0 == 0x20 || $0 == 0x09 }
    return (bytes[newline - 1] == 0x0d ? "\r\n" : "\n") + String(decoding: indent, as: UTF8.self)
  }

  /// Returns the offset after the last byte before an offset that is not white space.
  private func endBeforeSpace(at offset: Int) -> Int {
    let last = bytes[..<offset].lastIndex { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return last.map { $0 + 1 } ?? 0
  }

  /// Whether a string with a colon after it is at an offset.
  private func isKey(at offset: Int) -> Bool {
    guard let end = bytes.endOfString(at: offset) else { return false }
    return bytes[end...].first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: ":")
  }

  /// Whether the brackets after the current position close exactly the given open brackets.
  private func matches(_ brackets: ArraySlice<Int>, and last: UInt8? = nil) -> Bool {
    var open = brackets.map { bytes[$0] } + (last.map { [$0] } ?? [])
    var index = position
    while index < bytes.count {
      switch UnicodeScalar(bytes[index]) {
      case "\"":
        guard let end = bytes.endOfString(at: index) else { return false }
        index = end
        continue
      case "{", "[": open.append(bytes[index])
      // A closing bracket has the code of its opening bracket plus 2.
      case "}", "]": if open.popLast() != bytes[index] - 2 { return false }
      case "/" where bytes[index...].starts(with: "//".utf8):
        index = bytes[index...].firstIndex(of: 0x0a) ?? bytes.count
      default: break
      }
      index += 1
    }
    return open.isEmpty
  }
}
