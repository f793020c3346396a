import System

/// Names of Swift for texts of any characters.
enum SwiftNames {
  private static let longest = 60

  /// A name for each text, all different; texts that make one name get a part of their digest behind it.
  static func of(_ texts: [String]) -> [String] {
    let plain = texts.map(name)
    let counts = Dictionary(plain.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(texts, plain).map { text, name in
      counts[name] == 1 ? name : "\(name)_\(MD5.hex(of: text).prefix(8))"
    }
  }

  private static func name(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard let first = words.first else { return "tag" }
    var name = first.allSatisfy { !$0.isLowercase } ? first.lowercased() : lowered(first)
    for word in words.dropFirst() { name += word.prefix(1).uppercased() + word.dropFirst() }
    if name.first?.isNumber == true { name = "tag\(name)" }
    name = String(name.prefix(longest))
    return keywords.contains(name) ? "\(name)Tag" : name
  }

  /// A word with a small first letter.
  private static func lowered(_ word: Substring) -> String { word.prefix(1).lowercased() + word.dropFirst() }

  /// Words that Swift takes for something else, and the members of the enum.
  private static let keywords: Set<String> = [
    "actor", "allCases", "any", "as", "associatedtype", "async", "await", "borrowing", "break", "case",
    "catch",
    "class", "consuming", "continue", "default", "defer", "deinit", "do", "dynamicType", "else",
    "ensureLocalAvailability",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "hash", "hashValue",
    "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "nonisolated", "open", "operator",
    "package",
    "packIDs", "precedencegroup", "private", "protocol", "public", "rawValue", "repeat", "rethrows", "return",
    "self",
    "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "type",
    "typealias",
    "var", "where", "while",
  ]
}
