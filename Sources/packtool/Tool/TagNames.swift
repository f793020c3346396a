import Formats
import System

/// Short names of packs with many tags.
///
/// A name contains the tag that best distinguishes the pack from the other packs that are shown, and the
/// number of the pack's other tags.
struct TagNames: Sendable {
  /// If a pack has at most this number of tags, its name contains all of them.
  private let few: Int

  private var uses: [String: Int] = [:]
  private var names: [[String]: String] = [:]

  /// Makes names for tag sets.
  ///
  /// The name of a set with up to `few` tags contains all its tags.
  init(_ sets: some Sequence<[String]>, namingAllTagsUpTo few: Int = 3) {
    self.few = few
    var many: Set<[String]> = []
    for tags in sets {
      for tag in tags { uses[tag, default: 0] += 1 }
      if tags.count > few { many.insert(tags) }
    }
    for count in 1...2 {
      let groups = Dictionary(grouping: many) { shortened($0, to: count) }
      for (name, sets) in groups where sets.count == 1 { names[sets[0]] = name }
      many = many.filter { names[$0] == nil }
    }
    // The remaining sets differ only in tags that many sets have. So their names get the beginning of a
    // digest.
    for tags in many { names[tags] = "\(shortened(tags, to: 1)) (\(Self.mark(of: tags)))" }
  }

  /// Returns the first digits of the digest that is at the end of a pack's identifier and name.
  private static func mark(of tags: [String]) -> String {
    let plain = tags.map { $0.hasPrefix("\"") ? String($0.dropFirst().dropLast()) : $0 }
    return String(MD5.hex(of: plain.joined(separator: ":")).prefix(6))
  }

  /// Returns the name of a pack, such as `campaign-dead-water + 14 more`.
  ///
  /// If the pack has only a few tags, the name contains all of them.
  func name(of tags: [String]) -> String {
    if tags.count <= few { return tags.joined(separator: " + ") }
    return names[tags] ?? shortened(tags, to: 2)
  }

  /// Returns a text with the rarest tags, in their order, and the number of the other tags.
  private func shortened(_ tags: [String], to count: Int) -> String {
    let rarest = tags.indices.sorted { (uses[tags[$0]] ?? 0, $0) < (uses[tags[$1]] ?? 0, $1) }.prefix(count)
    return (rarest.sorted().map { tags[$0] } + ["\(grouped(tags.count - count)) more"]).joined(
      separator: " + ")
  }
}

extension TagNames {
  /// Shortens tag sets in a text that have many tags, such as `{"a", "b", "c", "d"}`.
  ///
  /// Each set becomes a name, and the names in the text differ from one another.
  static func shortening(_ text: String) -> String {
    let sets = sets(in: text)
    let names = TagNames(sets.map(\.tags))
    var (short, end) = ("", text.startIndex)
    for (range, tags) in sets where tags.count > names.few {
      short += text[end..<range.lowerBound] + "{\(names.name(of: tags))}"
      end = range.upperBound
    }
    return short + text[end...]
  }

  /// Finds the tag sets in a text.
  ///
  /// Each tag of a set is in quotes.
  private static func sets(in text: String) -> [(range: Range<String.Index>, tags: [String])] {
    var found: [(Range<String.Index>, [String])] = []
    var place = text.utf8.startIndex
    while let start = text.utf8[place...].firstIndex(of: UInt8(ascii: "{")) {
      place = text.utf8.index(after: start)
      var tags: [String] = []
      while let tag = quotedText(in: text, at: place) {
        tags.append(String(text[tag]))
        place = tag.upperBound
        guard text[place...].hasPrefix(", ") else { break }
        place = text.utf8.index(place, offsetBy: 2)
      }
      if tags.isEmpty || !text[place...].hasPrefix("}") { continue }
      place = text.utf8.index(after: place)
      found.append((start..<place, tags))
    }
    return found
  }

  /// Returns the range of a quoted text that begins at a position.
  ///
  /// A backslash escapes the next character.
  private static func quotedText(in text: String, at start: String.Index) -> Range<String.Index>? {
    let bytes = text.utf8
    guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "\"") else { return nil }
    var place = bytes.index(after: start)
    while place < bytes.endIndex, bytes[place] != UInt8(ascii: "\n") {
      let byte = bytes[place]
      bytes.formIndex(after: &place)
      if byte == UInt8(ascii: "\"") { return start..<place }
      if byte == UInt8(ascii: "\\"), place < bytes.endIndex { bytes.formIndex(after: &place) }
    }
    return nil
  }
}
