extension StringProtocol {
  /// The width in columns of a text without control characters.
  var screenWidth: Int {
    // Most texts are ASCII, with one column for each byte.
    if utf8.allSatisfy({ $0 < 0x80 && $0 != 0x1b }) { return utf8.count }
    // Colours take no columns.
    var (width, isSequence) = (0, false)
    for character in self {
      if character == "\u{1b}" { isSequence = true } else if !isSequence { width += character.screenWidth }
      if isSequence && character == "m" { isSequence = false }
    }
    return width
  }

  /// The text, or its beginning and an ellipsis where it is wider than some columns.
  func cut(toColumns most: Int) -> String {
    if screenWidth <= most { return String(self) }
    var room = most - 1
    let front = prefix { character in
      room -= character.screenWidth
      return room >= 0
    }
    return most > 0 ? String(front) + "…" : ""
  }
}

extension Character {
  /// The width in columns: two for wide East Asian characters and emoji, else one.
  var screenWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{fe0f}")
    return isEmoji || wideScalars.contains { $0.contains(first.value) } ? 2 : 1
  }
}

/// The blocks of wide characters in Unicode's EastAsianWidth.txt, ignoring a few gaps.
private let wideScalars: [ClosedRange<UInt32>] = [
  0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3,
  0xf900...0xfaff, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18cff, 0x1aff0...0x1b2fb,
  0x1f200...0x1f265, 0x20000...0x3fffd,
]
