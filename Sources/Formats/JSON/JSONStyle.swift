/// Formats JSON in packtool's style: line breaks, indentation, and no comma after the last element.
///
/// Strings, numbers, comments and their order stay unchanged. Single blank lines and the kind of line ends
/// also stay unchanged.
package struct JSONStyle {
  /// The maximum width of a line that contains a whole array or object, including the comma after it.
  private static let lineWidth = 120
  /// The maximum size of a text that packtool formats, in bytes.
  package static let maxTextSize = 32 << 20
  /// The maximum size of the result in bytes, because indentation can make a text many times longer.
  package static let maxResultSize = 256 << 20

  /// An open array or object.
  private struct Bracket {
    let isObject: Bool
    /// Whether the array or object spans several lines.
    let isLong: Bool
  }

  /// The characters between the last token of a line and the first token of the next line.
  private struct LineStart: Hashable {
    let mark: String
    /// The number of line ends: 2 if there is a blank line between the tokens, otherwise 1.
    let lineEnds: Int
    let level: Int
  }

  private let bytes: [UInt8]
  /// The line end that the formatted text uses: the first line end between two tokens of the original text.
  private let lineEnd: String
  private let tokens: [JSONToken]
  private var edits: [TextEdit] = []
  private var open: [Bracket] = []
  /// The strings that were generated for line starts.
  ///
  /// Each string is generated only once.
  private var lineStarts: [LineStart: String] = [:]
  /// The current column of the line that is being written.
  private var column = 0
  /// The size of the result so far, in bytes.
  private var size = 0

  /// Returns the edits that format a text, in order; nil if the result would exceed the maximum size.
  ///
  /// The text must have no syntax errors.
  package static func edits(of text: SourceText, maxResultSize limit: Int = maxResultSize) -> [TextEdit]? {
    var style = JSONStyle(text.bytes)
    for index in style.tokens.indices {
      style.place(index)
      if style.size > limit { return nil }
    }
    style.replaceSpace(
      from: style.tokens.last?.range.upperBound ?? 0, to: text.bytes.count, with: style.lineEnd)
    return style.edits
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens = JSONTokens(of: bytes).tokens
    let starts = [0] + tokens.map(\.range.upperBound)
    let ends = tokens.map(\.range.lowerBound) + [bytes.count]
    let end = zip(starts, ends).lazy.compactMap { bytes[$0..<$1].firstIndex(of: 0x0a) }.first ?? 0
    lineEnd = end > 0 && bytes[end - 1] == 0x0d ? "\r\n" : "\n"
  }

  /// Formats the white space before a token.
  private mutating func place(_ index: Int) {
    let token = tokens[index]
    let start = index > 0 ? tokens[index - 1].range.upperBound : 0
    let closed = token.kind == .close ? open.popLast() : nil
    let space: String
    if index == 0 {
      space = ""
    } else if let closed {
      let isEmpty = tokens[index - 1].kind == .open
      space =
        closed.isLong && !isEmpty ? newLine(after: "", lineEnds: 1) : closed.isObject && !isEmpty ? " " : ""
    } else {
      space = self.space(before: index, newLines: bytes[start..<token.range.lowerBound].count { $0 == 0x0a })
    }
    replaceSpace(from: start, to: token.range.lowerBound, with: space)
    if token.kind == .open {
      let isObject = bytes[token.range.lowerBound] == UInt8(ascii: "{")
      open.append(Bracket(isObject: isObject, isLong: column + token.width + 1 > Self.lineWidth))
    }
    column += token.kind == .open ? 1 : token.width
    size += token.range.count
  }

  /// Returns the characters to write between the previous token and a token.
  ///
  /// The token must not close a bracket. `newLines` is the number of newlines between them in the original
  /// text.
  private mutating func space(before index: Int, newLines: Int) -> String {
    let (last, token) = (tokens[index - 1], tokens[index])
    let mark = last.kind == .key ? ":" : needsComma(after: index - 1) ? "," : ""
    if token.isComment && newLines == 0 { return mark + " " }
    let isInObject = open.last?.isObject ?? false
    let isValue = isInObject && !token.isComment && token.kind != .key
    if isValue, last.kind != .lineComment { return mark + " " }
    if open.last?.isLong ?? true {
      let hasBlankLine = newLines > 1 && last.kind != .open && last.kind != .key
      return newLine(after: mark, lineEnds: hasBlankLine ? 2 : 1)
    }
    return mark + (last.kind == .open && !isInObject ? "" : " ")
  }

  /// Whether an element ends with this token and another element follows.
  private func needsComma(after index: Int) -> Bool {
    guard tokens[index].kind == .scalar || tokens[index].kind == .close else { return false }
    guard let next = tokens[(index + 1)...].first(where: { !$0.isComment }) else { return false }
    return next.kind != .close
  }

  private mutating func newLine(after mark: String, lineEnds: Int) -> String {
    // Lines at the same level share one string, because there may be millions of deeply indented lines.
    let key = LineStart(mark: mark, lineEnds: lineEnds, level: open.count)
    if let known = lineStarts[key] { return known }
    let space =
      mark + String(repeating: lineEnd, count: lineEnds) + String(repeating: "  ", count: open.count)
    lineStarts[key] = space
    return space
  }

  private mutating func replaceSpace(from start: Int, to end: Int, with space: String) {
    if !bytes[start..<end].elementsEqual(space.utf8) {
      edits.append(TextEdit(start..<end, replacement: space))
    }
    let line = space.utf8.lastIndex(of: 0x0a).map { space.utf8[$0...].dropFirst() }
    column = line?.count ?? column + space.utf8.count
    size += space.utf8.count
  }
}
