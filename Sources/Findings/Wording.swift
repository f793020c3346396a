import System

/// A name in quotes for a message, so that it stays on its line, and cut where it is long.
package func quoted(_ name: some StringProtocol) -> String { "\"\(escaped(name, upTo: longestQuote))\"" }

/// A name of any bytes in quotes; those that are not UTF-8 in hex.
package func quoted(bytes: some Collection<UInt8>) -> String {
  "\"\(escaped(bytes: bytes, upTo: longestQuote))\""
}

/// Characters of a name that a message shows.
private let longestQuote = 300

/// A number with its noun, in the plural where it is not one: `1 file`, `1,000 packs`.
package func counted(_ count: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// A number with a comma between each three digits.
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
package func listed(_ names: [String], atMost most: Int = .max) -> String {
  if names.count > most {
    let shown = names.prefix(most - 1).map { quoted($0) }.joined(separator: ", ")
    return "\(shown) and \(grouped(names.count - most + 1)) more"
  }
  let names = names.map { quoted($0) }
  guard names.count > 1, let last = names.last else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}

/// What a message adds where a name was probably meant to be another; nothing where there is none.
package func suggestion(_ name: String?) -> String {
  name.map { "; did you mean \(quoted($0))?" } ?? ""
}

/// A tag set as messages show it: `{"Level 1", "Level 2"}`.
package func setNotation(_ tags: [String]) -> String {
  "{" + tags.map { quoted($0) }.joined(separator: ", ") + "}"
}

extension StringProtocol {
  /// Whether this comes before another text in the byte order of their UTF-8, the order of all that packtool writes.
  package func precedesInBytes(_ other: some StringProtocol) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether both are the same bytes: `==` takes two Unicode forms of one text for the same.
  package func isSameInBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

// For whole texts the same in a tenth of the time: paths are compared by the million.
extension String {
  /// Whether this comes before another text in the byte order of their UTF-8.
  package func precedesInBytes(_ other: String) -> Bool { ByteOrder.compare(self, other) < 0 }

  /// Whether both are the same bytes.
  package func isSameInBytes(as other: String) -> Bool { ByteOrder.compare(self, other) == 0 }
}
