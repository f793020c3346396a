import Formats

extension Glob {
  /// Returns the glob with the meaning of a regular expression; nil if a string does not look like a regular
  /// expression, or if no glob has its meaning.
  ///
  /// For `Castle/.*\.(ogg|json)`, this is `Castle/**/*.{ogg,json}`.
  package static func translated(fromExpression text: String) -> String? {
    guard isLikeExpression(text) else { return nil }
    var translation = ExpressionTranslation(text)
    guard let glob = translation.glob, (try? Glob(glob)) != nil else { return nil }
    return glob
  }

  /// Whether a string has parts that regular expressions have, and paths and globs usually do not.
  package static func isLikeExpression(_ text: String) -> Bool {
    // In a Windows path, a backslash can be before a letter such as "d".
    let parts = ["/.*", ".*\\.", ".+", "\\.(", "\\.[", "\\d+", "\\d*", "\\d{", "\\w+", "\\w*", "|", "(?"]
    return parts.contains { text.contains($0) } || text.hasPrefix(".*") || text.hasPrefix("^")
      || text.hasSuffix("$")
  }
}

/// Translates a regular expression into a glob.
private struct ExpressionTranslation {
  private let text: [Character]
  private var position = 0
  private var result = ""
  /// The number of open groups.
  private var depth = 0

  init(_ text: String) {
    let start = text.hasPrefix("^") ? text.dropFirst() : text[...]
    self.text = Array(start.hasSuffix("$") && !start.hasSuffix("\\$") ? start.dropLast() : start)
  }

  /// The glob; nil if a part of the regular expression has no counterpart.
  var glob: String? {
    mutating get {
      while position < text.count {
        guard let part = nextPart() else { return nil }
        result += part
      }
      return depth == 0 ? result : nil
    }
  }

  private mutating func nextPart() -> String? {
    let character = text[position]
    position += 1
    switch character {
    case "(":
      depth += 1
      if text[position...].starts(with: "?:") { position += 2 }
      return "{"
    case ")":
      depth -= 1
      return depth >= 0 ? "}" : nil
    case "|": return depth > 0 ? "," : nil
    case ".":
      // In a path, a point is almost always the point before a file name's extension.
      return takeRepeat() ? stars : "."
    case "[": return characterClass()
    case "\\": return escaped()
    // A quantifier of anything else has no counterpart.
    case "*", "+", "?", "{", "}", "^", "$": return nil
    default: return String(character)
    }
  }

  /// The glob for any characters, which can include slashes.
  private var stars: String {
    let isAtStart = result.isEmpty || result.hasSuffix("/")
    if position == text.count { return isAtStart ? "**" : "*" }
    return isAtStart ? (text[position] == "/" ? "**" : "**/*") : "*"
  }

  private mutating func escaped() -> String? {
    guard position < text.count else { return nil }
    let character = text[position]
    position += 1
    switch character {
    case "d": return takeRepeat() ? "*" : "[0-9]"
    case "w": return takeRepeat() ? "*" : "?"
    case _ where character.isLetter || character.isNumber || "*?[]{}".contains(character): return nil
    default: return String(character)
    }
  }

  private mutating func characterClass() -> String? {
    guard let end = text[position...].firstIndex(of: "]"), end > position else { return nil }
    let content = String(text[position..<end])
    position = end + 1
    if takeRepeat() { return "*" }
    return content.contains("\\") || content.hasPrefix("^") ? nil : "[\(content)]"
  }

  /// Skips `*` or `+`, and also a `?` after it.
  private mutating func takeRepeat() -> Bool {
    guard position < text.count, "*+".contains(text[position]) else { return false }
    position += 1
    if position < text.count, text[position] == "?" { position += 1 }
    return true
  }
}
