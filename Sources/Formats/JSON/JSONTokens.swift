/// A token of a JSON text.
///
/// Formatting does not change its bytes.
struct JSONToken {
  /// The kind of a token.
  ///
  /// Commas and colons are not tokens; they are part of the space between tokens.
  enum Kind: UInt8 {
    case open
    case close
    case key
    /// A string, a number, or a literal.
    case scalar
    case lineComment
    case blockComment
  }

  fileprivate(set) var kind: Kind
  private let start: UInt32
  private let end: UInt32
  /// The number of columns that the token needs on one line; a bracket includes its contents.
  ///
  /// It is `tooWide` if the contents need several lines.
  fileprivate var columns: UInt16

  fileprivate static let tooWide = 1000

  fileprivate init(_ kind: Kind, range: Range<Int>, width: Int) {
    self.kind = kind
    start = UInt32(range.lowerBound)
    end = UInt32(range.upperBound)
    columns = UInt16(min(width, Self.tooWide))
  }

  var width: Int { Int(columns) }

  var range: Range<Int> { Int(start)..<Int(end) }
  var isComment: Bool { kind == .lineComment || kind == .blockComment }
}

/// Divides a JSON text into tokens.
///
/// The text must have no syntax errors.
struct JSONTokens {
  private(set) var tokens: [JSONToken] = []
  private let bytes: [UInt8]
  private var position = 0
  private var open: [Bracket] = []
  /// The last token that is not a comment.
  private var last = 0

  /// An open array or object, and its contents so far.
  private struct Bracket {
    let token: Int
    let isObject: Bool
    /// Whether the array or object must span several lines, even if it is short.
    var spansLines = false
    var width = 0
    var count = 0
  }

  init(of bytes: [UInt8]) {
    self.bytes = bytes
    while position < bytes.count { next() }
  }

  private mutating func next() {
    let start = position
    switch bytes[start] {
    case 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ","): position += 1
    case UInt8(ascii: ":"):
      position += 1
      tokens[last].kind = .key
      if !open.isEmpty { open[open.count - 1].count -= 1 }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      position += 1
      let isObject = bytes[start] == UInt8(ascii: "{")
      // The outermost object, which is the manifest itself, always spans several lines.
      open.append(Bracket(token: tokens.count, isObject: isObject, spansLines: open.isEmpty))
      append(.open, from: start, width: 1)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      position += 1
      append(.close, from: start, width: 1)
      close()
    case UInt8(ascii: "/"): passComment()
    case UInt8(ascii: "\""):
      position = bytes.endOfString(at: start) ?? bytes.count
      appendScalar(from: start)
    default:
      while position < bytes.count, isWordByte(bytes[position]) { position += 1 }
      // A text without syntax errors has no other bytes at this position, so one byte is skipped.
      position = max(position, start + 1)
      appendScalar(from: start)
    }
  }

  private mutating func append(_ kind: JSONToken.Kind, from start: Int, width: Int) {
    last = tokens.count
    tokens.append(JSONToken(kind, range: start..<position, width: width))
  }

  /// Adds a string or word.
  ///
  /// The token becomes a key later if a colon follows it.
  private mutating func appendScalar(from start: Int) {
    let columns = bytes[start..<position].count { $0 & 0xc0 != 0x80 }
    append(.scalar, from: start, width: columns)
    hold(width: columns)
  }

  private mutating func passComment() {
    let start = position
    let isLine = bytes[(start + 1)...].first == UInt8(ascii: "/")
    position += 2
    if isLine {
      while position < bytes.count, bytes[position] != 0x0a { position += 1 }
    } else {
      while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
      position = min(position + 2, bytes.count)
    }
    let text = bytes[start..<position]
    let end = isLine ? (text.lastIndex { ![0x20, 0x09, 0x0d].contains($0) } ?? start) + 1 : position
    tokens.append(
      JSONToken(isLine ? .lineComment : .blockComment, range: start..<end, width: position - start))
    if !open.isEmpty { open[open.count - 1].spansLines = true }
  }

  /// Adds a key or value to the innermost bracket.
  private mutating func hold(width: Int) {
    guard !open.isEmpty else { return }
    open[open.count - 1].width += width
    open[open.count - 1].count += 1
  }

  /// Closes the innermost bracket, whose width is then known.
  private mutating func close() {
    guard let bracket = open.popLast() else { return }
    // On one line, elements are separated by ", ", and keys are followed by ": ". An object has a space
    // inside each brace.
    let keys = bracket.isObject ? bracket.count : 0
    let space = 2 * max(0, bracket.count - 1) + 2 * keys + (keys > 0 ? 2 : 0)
    let isEmpty = tokens.count == bracket.token + 2
    let spansLines = bracket.spansLines && !isEmpty
    let width = spansLines ? JSONToken.tooWide : min(bracket.width + space + 2, JSONToken.tooWide)
    tokens[bracket.token].columns = UInt16(width)
    hold(width: width)
    // In a list of objects, each object is on a separate line.
    if let outer = open.last, !isEmpty, spansLines || !outer.isObject {
      open[open.count - 1].spansLines = true
    }
  }
}

extension [UInt8] {
  /// Returns the offset after the JSON string that begins at an offset; nil if no string begins there or the
  /// string has no end.
  func endOfString(at start: Int) -> Int? {
    guard indices.contains(start), self[start] == UInt8(ascii: "\"") else { return nil }
    var position = start + 1
    while position < count {
      switch self[position] {
      case UInt8(ascii: "\""): return position + 1
      case UInt8(ascii: "\\"): position += 2
      case 0x0a: return nil
      default: position += 1
      }
    }
    return nil
  }
}
