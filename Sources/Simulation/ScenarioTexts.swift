import Findings
import PackKit
import Projects

/// Numbers with a unit as scenarios write them: `1.5 s`, `50 Mbit/s`.
struct UnitText: Sendable {
  /// The units with their values.
  let units: [(name: String, scale: Int64)]
  /// Whether what is left over counts as one more.
  let roundsUp: Bool

  /// Times, in microseconds.
  static let duration = UnitText(
    units: [
      ("us", 1), ("ms", 1000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000),
      ("day", 86_400_000_000), ("days", 86_400_000_000),
    ], roundsUp: true)

  /// Rates, in bits per second.
  static let rate = UnitText(
    units: [("bit/s", 1), ("kbit/s", 1000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000)],
    roundsUp: false)

  /// The form that `number(in:)` reads, for the schema.
  var pattern: String {
    "^[0-9]{1,15}(\\.[0-9]{1,6})? ?(" + units.map(\.name).joined(separator: "|") + ")$"
  }

  /// The value of a text; nil for any other text.
  func number(in text: String) -> Int64? {
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    var unit = text[digits.endIndex...]
    if unit.first == " " { unit.removeFirst() }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard let scale = units.first(where: { $0.name == unit })?.scale, (1...2).contains(parts.count),
      (1...15).contains(parts[0].utf8.count), let whole = Int64(parts[0])
    else { return nil }
    let (product, overflows) = whole.multipliedReportingOverflow(by: scale)
    if overflows { return nil }
    return parts.count == 1 ? product : product.addingChecked(fraction(parts[1], of: scale))
  }

  private func fraction(_ digits: Substring, of scale: Int64) -> Int64? {
    guard (1...6).contains(digits.utf8.count), let number = Int64(digits) else { return nil }
    let whole = digits.utf8.reduce(Int64(1)) { whole, _ in whole * 10 }
    // A day has less than 10^11 microseconds, so the product is below 10^17.
    let product = number * scale
    return product / whole + (roundsUp && product % whole > 0 ? 1 : 0)
  }
}

extension Int64 {
  fileprivate func addingChecked(_ other: Int64?) -> Int64? {
    guard let other else { return nil }
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? nil : sum
  }
}

extension TextForm {
  /// A time such as `1.5 s`.
  static let duration = TextForm.other(
    OtherTextForm(pattern: UnitText.duration.pattern, mistake: durationMistake))
  /// Bits per second such as `50 Mbit/s`.
  static let rate = TextForm.other(OtherTextForm(pattern: UnitText.rate.pattern, mistake: rateMistake))
  /// The name of a link, whose case does not count.
  static let linkName = TextForm.other(OtherTextForm(mistake: linkNameMistake))
}

private func durationMistake(_ text: String) -> (check: Check, message: String)? {
  if UnitText.duration.number(in: text) != nil { return nil }
  return (
    .invalidValue,
    "\(quoted(text)) is no time; expected a text such as \"200 us\", \"65 ms\", \"1.5 s\", \"3 min\", \"2 h\" or "
      + "\"1 day\""
  )
}

private func rateMistake(_ text: String) -> (check: Check, message: String)? {
  if let rate = UnitText.rate.number(in: text), rate > 0 { return nil }
  return (
    .invalidValue,
    "\(quoted(text)) is no rate; expected bits per second, 1 or more, or a text such as \"780 kbit/s\" or "
      + "\"50 Mbit/s\""
  )
}

private func linkNameMistake(_ text: String) -> (check: Check, message: String)? {
  if NetworkLink.isNone(text) || NetworkLink.named(text) != nil { return nil }
  return (.invalidValue, "the link \(quoted(text)) is unknown\(linkHint(text))")
}
