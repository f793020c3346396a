import Findings

/// What the stream shows that a text goes to: its width, and whether it has colours.
struct Screen: Sendable {
  /// Columns of a line; nil where lines may be of any width, as in files and pipes.
  let width: Int?
  let isColored: Bool

  /// A file or a pipe.
  static let plain = Screen(width: nil, isColored: false)

  /// A colour or weight; the raw value is its number in an escape sequence.
  enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case green = "1;32"
    case yellow = "1;33"
    case cyan = "1;36"
  }

  /// A text in a style, where there are colours.
  func paint(_ text: PlainText, _ style: Style?) -> PlainText {
    guard let style, isColored && !text.isEmpty else { return text }
    return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
  }

  /// A text in lines that are no wider than the screen, each indented; words are not broken.
  func wrapped(_ text: String, indentation: Int = 0, hanging: Int = 0) -> PlainText {
    let room = width.map { max(20, $0 - indentation - hanging) }
    let lines = room.map { Self.lines(of: text, width: $0) } ?? [text]
    return lines.enumerated().map { number, line -> PlainText in
      "\(Self.space(indentation + (number == 0 ? 0 : hanging)))\(line)\n"
    }.joined()
  }

  /// Blanks of some columns.
  static func space(_ columns: Int) -> String { String(repeating: " ", count: columns) }

  /// The words of a text in lines of at most some columns; a longer word has a line of its own.
  static func lines(of text: String, width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.screenWidth + 1 + word.screenWidth <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// A bar for a part of a whole, in eighths of a column.
  static func bar(_ part: Int64, of whole: Int64, width: Int) -> String {
    guard whole > 0, part > 0 else { return "" }
    let eighths = max(1, Int((Double(min(part, whole)) / Double(whole) * Double(width * 8)).rounded()))
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}
