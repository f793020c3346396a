import System

/// The id of a Background Assets pack: letters, digits and hyphens of ASCII.
package enum AssetPackID {
  /// The largest length that is taken; an id is a file's and a folder's name.
  package static let longest = 200
  /// The number of characters that stand for the tags.
  private static let mostTagCharacters = 40

  /// The id of the pack with these sorted tags: the tags, and the beginning of their digest.
  package static func made(of tags: [String]) -> String {
    var text = ""
    for character in tags.joined(separator: "-") {
      if isPlain(character) {
        text.append(character)
      } else if !text.isEmpty && text.last != "-" {
        text.append("-")
      }
    }
    if text.last == "-" { text.removeLast() }
    if text.isEmpty { text = "pack" }
    return "\(text.prefix(mostTagCharacters))-\(MD5.hex(of: tags.joined(separator: ":")).prefix(8))"
  }

  /// The mistake in an id, for the end of a message; nil if App Store Connect takes it.
  package static func mistake(in id: String) -> String? {
    if id.isEmpty { return "is empty" }
    if id.utf8.count > longest { return "is longer than \(longest) characters" }
    if id.hasPrefix("-") || id.hasSuffix("-") {
      return "begins or ends with a hyphen, which App Store Connect refuses"
    }
    if id.allSatisfy({ isPlain($0) || $0 == "-" }) { return nil }
    return "has other characters than letters, digits and hyphens, which App Store Connect refuses"
  }

  /// Whether an id can be the name of a folder, as those of self-hosted packs with dots in them.
  package static func isName(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= longest && id.first != "."
      && id.allSatisfy { isPlain($0) || "-._".contains($0) }
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }
}
