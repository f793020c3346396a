import Formats

/// The properties of an output stream: the width of its lines, and whether it shows colours.
struct Screen: Sendable {
  /// The width of a line in columns; nil if lines can have any width, as in files and pipes.
  let width: Int?
  let isColored: Bool
  var showsAll = false

  var lineWidth: Int { width ?? 120 }

  static let plain = Screen(width: nil, isColored: false)

  /// A colour or weight of text.
  ///
  /// The raw value is its number in an escape sequence.
  enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case green = "1;32"
    case yellow = "1;33"
    case cyan = "1;36"
  }

  func paint(_ text: PlainText, style: Style?) -> PlainText {
    guard let style, isColored && !text.isEmpty else { return text }
    return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
  }

  /// Wraps a text to the width of the screen, with indentation.
  ///
  /// The first word can have a style.
  func wrapped(
    _ text: String, indentation: Int = 0, hangingIndent: Int = 0, firstWord style: Style? = nil
  ) -> PlainText {
    let short = showsAll ? text : TagNames.shortening(text)
    let lines = Self.lines(of: short, width: max(20, lineWidth - indentation - hangingIndent))
    return lines.enumerated().map { number, line -> PlainText in
      let end = number == 0 && style != nil ? line.firstIndex(of: " ") ?? line.endIndex : line.startIndex
      return "\(Self.space(indentation + (number == 0 ? 0 : hangingIndent)))"
        + paint("\(String(line[..<end]))", style: style) + "\(String(line[end...]))\n"
    }.joined()
  }

  static func space(_ columns: Int) -> String { String(repeating: " ", count: columns) }

  /// Wraps a text into lines of at most a number of columns.
  ///
  /// A word that is longer than this gets its own line.
  static func lines(of text: String, width: Int) -> [String] {
    let lines = packtool.wrapped(text, to: width) { $0.screenWidth }
    return lines.isEmpty ? [""] : lines
  }

  static func bar(_ part: Int64, of whole: Int64, width: Int) -> String {
    guard whole > 0, part > 0 else { return "" }
    let eighths = max(1, Int((Double(min(part, whole)) / Double(whole) * Double(width * 8)).rounded()))
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}

extension StringProtocol {
  /// The width of a text in columns, without the escape sequences of colours.
  var screenWidth: Int {
    // Most texts are ASCII, in which each byte needs one column.
    if utf8.allSatisfy({ $0 < 0x80 && $0 != 0x1b }) { return utf8.count }
    // The escape sequences of colours need no columns.
    var (width, isSequence) = (0, false)
    for character in self {
      if character == "\u{1b}" { isSequence = true } else if !isSequence { width += character.screenWidth }
      if isSequence && character == "m" { isSequence = false }
    }
    return width
  }

  func cut(toColumns limit: Int) -> String {
    if screenWidth <= limit { return String(self) }
    var remaining = limit - 1
    let front = prefix { character in
      remaining -= character.screenWidth
      return remaining >= 0
    }
    return limit > 0 ? String(front) + "…" : ""
  }
}

extension Character {
  /// The width of a character in columns.
  ///
  /// It is two for wide East Asian characters and emoji, and otherwise one.
  var screenWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{fe0f}")
    return isEmoji || wideScalars.contains { $0.contains(first.value) } ? 2 : 1
  }
}

/// The blocks of wide characters in Unicode's EastAsianWidth.txt, including a few gaps between them.
private let wideScalars: [ClosedRange<UInt32>] = [
  0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3,
  0xf900...0xfaff, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18cff, 0x1aff0...0x1b2fb,
  0x1f200...0x1f265, 0x20000...0x3fffd,
]
