import System

/// Puts a name in quotes for a message.
///
/// The name is escaped to stay on one line, and is shortened if it is long.
package func quoted(_ name: some StringProtocol) -> String { "\"\(escaped(name, upTo: maxQuoteLength))\"" }

/// Puts a name that can contain any bytes in quotes.
///
/// Bytes that are not UTF-8 are shown in hex.
package func quoted(bytes: some Collection<UInt8>) -> String {
  "\"\(escaped(bytes: bytes, upTo: maxQuoteLength))\""
}

private let maxQuoteLength = 300

/// Returns a number and a noun, such as `1 file` or `1,000 packs`.
///
/// The noun is in the plural unless the number is 1.
package func counted(_ count: some BinaryInteger, of noun: String, plural: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// Returns a number with commas between groups of three digits.
package func grouped(_ number: some BinaryInteger) -> String {
  let digits = String(number.magnitude)
  var text = ""
  for (index, digit) in digits.enumerated() {
    if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + text
}

/// Joins names in quotes to a list for a sentence: `"a", "b" and "c"`.
package func listed(_ names: [String], atMost limit: Int = .max) -> String {
  if names.count > limit {
    let shown = names.prefix(limit - 1).map { quoted($0) }.joined(separator: ", ")
    return "\(shown) and \(grouped(names.count - limit + 1)) more"
  }
  let names = names.map { quoted($0) }
  guard names.count > 1, let last = names.last else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}

/// Returns the end of a message, which suggests another name; empty if the name is nil.
package func suggestion(_ name: String?) -> String { name.map { "; did you mean \(quoted($0))?" } ?? "" }

/// Returns a tag set as messages show it: `{"Level 1", "Level 2"}`.
package func setNotation(_ tags: [String]) -> String {
  "{" + tags.map { quoted($0) }.joined(separator: ", ") + "}"
}

extension StringProtocol {
  /// Whether this string comes before another string in UTF-8 byte order.
  ///
  /// All output is sorted in this order.
  package func precedesInBytes(_ other: some StringProtocol) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether both strings have the same UTF-8 bytes.
  ///
  /// In contrast, `==` ignores differences in Unicode form.
  package func isSameInBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

// Versions of these functions for whole strings. They need only 10 % of the time of the general versions,
// which matters because packtool compares paths millions of times.
extension String {
  /// Whether this string comes before another string in UTF-8 byte order.
  package func precedesInBytes(_ other: String) -> Bool { ByteOrder.compare(self, other) < 0 }

  /// Whether both strings have the same UTF-8 bytes.
  package func isSameInBytes(as other: String) -> Bool { ByteOrder.compare(self, other) == 0 }
}

extension Substring {
  /// Whether both texts have the same bytes.
  package func isSameInBytes(as other: Substring) -> Bool { ByteOrder.compare(self, other) == 0 }
}

/// Returns texts as a list of choices, such as `a`, `a or b`, or `a, b or c`.
package func listedWithOr(_ texts: [String]) -> String {
  texts.dropLast(2).map { $0 + ", " }.joined() + texts.suffix(2).joined(separator: " or ")
}
