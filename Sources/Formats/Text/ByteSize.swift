/// Reads and writes sizes in the units that people use.
package enum ByteSize {
  static let units: [(name: String, scale: Int64)] = [
    ("B", 1), ("kB", 1000), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
    ("byte", 1), ("bytes", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
  ]

  /// The regular expression for the strings that `bytes(in:)` accepts.
  ///
  /// The JSON Schema contains it.
  package static let pattern = "^[0-9]{1,15}(\\.[0-9]{1,6})? ?(B|bytes?|kB|KB|MB|GB|TB|KiB|MiB|GiB|TiB)$"

  /// Returns the size in bytes that a string such as `64 MB` or `1.5 GiB` states; nil for any other string.
  package static func bytes(in text: String) -> Int64? { Formats.number(in: text, units: units) }

  /// Returns a size whose unit has the wrong case, or too much space before it, in the right spelling:
  /// `10 MB` for `10 mb`; nil for any other text.
  package static func corrected(_ text: String) -> String? {
    let words = text.split { $0 == " " || $0 == "\t" }.joined()
    let digits = words.prefix { ("0"..."9").contains($0) || $0 == "." }
    let unit = words[digits.endIndex...].lowercased()
    guard let name = units.first(where: { $0.name.lowercased() == unit })?.name else { return nil }
    let corrected = "\(digits) \(name)"
    return bytes(in: corrected) == nil ? nil : corrected
  }

  /// Returns a readable size with three digits and a decimal unit.
  ///
  /// Sizes below 1,000 bytes are exact.
  package static func text(_ bytes: Int64) -> String {
    if bytes < 1000 { return counted(bytes, of: "byte") }
    var unit = 0
    var scale: Int64 = 1000
    // From 999,500 bytes on, the rounded size is 1.00 MB.
    while unit < 3, bytes >= scale * 1000 - scale / 2 {
      unit += 1
      scale *= 1000
    }
    let name = ["kB", "MB", "GB", "TB"][unit]
    // Numbers with more than three digits are printed without decimals. Scaling them by 100 would overflow.
    if bytes >= scale * 1000 {
      return "\(grouped(bytes / scale + (bytes % scale + scale / 2) / scale)) \(name)"
    }
    let hundredths = (bytes * 100 + scale / 2) / scale
    if hundredths < 1000 {
      return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) \(name)"
    }
    let tenths = (bytes * 10 + scale / 2) / scale
    if tenths < 1000 { return "\(tenths / 10).\(tenths % 10) \(name)" }
    return "\(grouped((bytes + scale / 2) / scale)) \(name)"
  }

  /// Returns an exact size for messages.
  ///
  /// From a megabyte on, the rounded size with a unit follows in parentheses.
  package static func exact(_ bytes: some BinaryInteger) -> String {
    counted(bytes, of: "byte") + readable(bytes)
  }

  /// Returns the result of `exact` without the word "bytes", for use next to another size.
  package static func number(_ bytes: some BinaryInteger) -> String { grouped(bytes) + readable(bytes) }

  /// Returns a size of a megabyte or more in parentheses.
  ///
  /// Whole binary units are used where possible, because stores define their limits in binary units.
  private static func readable(_ bytes: some BinaryInteger) -> String {
    if bytes < 1_000_000 { return "" }
    let bytes = Int64(clamping: bytes)
    let unit = [(bytes: Int64(1 << 30), name: "GiB"), (1 << 20, "MiB")].first { bytes % $0.bytes == 0 }
    return " (\(unit.map { "\(grouped(bytes / $0.bytes)) \($0.name)" } ?? text(bytes)))"
  }

  /// The largest size that every JSON reader can represent exactly: 2^53 bytes.
  package static let largestExact: Int64 = 1 << 53
}

/// Returns the message about a size that some JSON readers would change.
package func excessMessage(_ size: Int64) -> String {
  "the size \(grouped(size)) exceeds 2^53 (\(grouped(ByteSize.largestExact))) bytes; JSON readers cannot "
    + "read larger numbers exactly"
}

/// How a number with a fraction is rounded to an integer.
package enum Rounding: Sendable {
  case down
  case up
}

/// Returns the number in a string such as `1.5 GiB`, multiplied by the scale of the string's unit; nil for
/// any other string.
package func number(
  in text: String, units: [(name: String, scale: Int64)], rounding: Rounding = .down
) -> Int64? {
  let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
  var unit = text[digits.endIndex...]
  if unit.first == " " { unit.removeFirst() }
  let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
  guard let scale = units.first(where: { $0.name == unit })?.scale, (1...2).contains(parts.count),
    (1...15).contains(parts[0].utf8.count), let whole = Int64(parts[0])
  else { return nil }
  let (product, overflows) = whole.multipliedReportingOverflow(by: scale)
  if overflows { return nil }
  guard parts.count == 2 else { return product }
  guard (1...6).contains(parts[1].utf8.count), let fraction = Int64(parts[1]) else { return nil }
  let power = parts[1].utf8.reduce(Int64(1)) { power, _ in power * 10 }
  // Computing scale / power first would lose digits. No scale exceeds 2^40, so the product does not overflow.
  let rest = fraction * scale
  let (sum, sumOverflows) = product.addingReportingOverflow(
    rest / power + (rounding == .up && rest % power > 0 ? 1 : 0))
  return sumOverflows ? nil : sum
}
