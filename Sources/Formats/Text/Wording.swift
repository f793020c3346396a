import System

/// A name in quotes for a message, escaped so that it stays on one line, and cut if it is long.
package func quoted(_ name: some StringProtocol) -> String { "\"\(escaped(name, upTo: maxQuoteLength))\"" }

/// A name of any bytes in quotes; those that are not UTF-8 in hex.
package func quoted(bytes: some Collection<UInt8>) -> String {
  "\"\(escaped(bytes: bytes, upTo: maxQuoteLength))\""
}

private let maxQuoteLength = 300

/// A number with its noun, in the plural unless it is 1: `1 file`, `1,000 packs`.
package func counted(_ count: some BinaryInteger, of noun: String, plural: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// A number with commas between groups of three digits.
package func grouped(_ number: some BinaryInteger) -> String {
  let digits = String(number.magnitude)
  var text = ""
  for (index, digit) in digits.enumerated() {
    if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + text
}

/// Names in quotes as a sentence lists them: `"a", "b" and "c"`.
package func listed(_ names: [String], atMost limit: Int = .max) -> String {
  if names.count > limit {
    let shown = names.prefix(limit - 1).map { quoted($0) }.joined(separator: ", ")
    return "\(shown) and \(grouped(names.count - limit + 1)) more"
  }
  let names = names.map { quoted($0) }
  guard names.count > 1, let last = names.last else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}

/// The part of a message that suggests another name; empty for nil.
package func suggestion(_ name: String?) -> String { name.map { "; did you mean \(quoted($0))?" } ?? "" }

/// A tag set as messages show it: `{"Level 1", "Level 2"}`.
package func setNotation(_ tags: [String]) -> String {
  "{" + tags.map { quoted($0) }.joined(separator: ", ") + "}"
}

extension StringProtocol {
  /// Whether this precedes another text in byte order of UTF-8, which is the order of all output.
  package func precedesInBytes(_ other: some StringProtocol) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether both have the same bytes, while `==` ignores differences in Unicode form.
  package func isSameInBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

// The same for whole texts in a tenth of the time, since paths are compared by the million.
extension String {
  /// Whether this precedes another text in byte order of UTF-8.
  package func precedesInBytes(_ other: String) -> Bool { ByteOrder.compare(self, other) < 0 }

  /// Whether both have the same bytes.
  package func isSameInBytes(as other: String) -> Bool { ByteOrder.compare(self, other) == 0 }
}

extension Substring {
  /// Whether both have the same bytes.
  package func isSameInBytes(as other: Substring) -> Bool { ByteOrder.compare(self, other) == 0 }
}
