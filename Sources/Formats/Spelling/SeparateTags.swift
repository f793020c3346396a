/// Returns the known tags that a string contains with separators between them; nil for any other string.
///
/// For `Castle, Forest`, this is `["Castle", "Forest"]`, provided that both tags are known.
package func separateTags(in text: String, among known: Set<String>) -> [String]? {
  for separator in [",", ";", "|"] as [Character] {
    let parts = text.split(separator: separator).map { part in
      String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
    if parts.count > 1, parts.allSatisfy(known.contains), Set(parts).count == parts.count { return parts }
  }
  return nil
}

/// Lists strings as elements of a JSON list, such as `"Castle", "Forest"`.
package func listedStrings(_ texts: [String]) -> String { texts.map { quoted($0) }.joined(separator: ", ") }
