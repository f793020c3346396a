import Formats
import System

/// The team's own limits for downloads, packs and growth.
package struct Budgets: Sendable {
  /// The maximum size in bytes of an update's download, for a device that has all packs of the earlier
  /// release.
  package var updateSize: Budget<Int64>?
  /// The maximum growth of all packs together.
  package var growth: Budget<Percentage>?
  /// The maximum sizes of packs in bytes.
  ///
  /// The name of a pack is its tags, joined with "+".
  package var packs: [(name: String, budget: Budget<Int64>)] = []

  package init() {}

  /// Whether a budget is set that compares the packs with an earlier release.
  package var needBaseline: Bool { updateSize != nil || growth != nil }

  /// Sets all budgets that `others` contains.
  ///
  /// These values replace the previous values of the same budgets.
  package mutating func replace(by others: Budgets) {
    updateSize = others.updateSize ?? updateSize
    growth = others.growth ?? growth
    let names = Set(others.packs.map(\.name))
    packs = packs.filter { !names.contains($0.name) } + others.packs
  }
}

/// A limit that the team sets for itself.
package struct Budget<Value: Sendable>: Sendable {
  package let value: Value
  /// The offset of the budget in the manifest, in bytes; nil if a flag sets the budget.
  package let offset: Int?

  package init(_ value: Value, offset: Int? = nil) {
    self.value = value
    self.offset = offset
  }
}

/// A percentage with a precision of 0.001 %.
package struct Percentage: Sendable, Hashable, CustomStringConvertible {
  private let thousandths: Int64

  /// The regular expression for the strings that `init(_:)` accepts.
  ///
  /// The JSON Schema contains it.
  static let pattern = "^[0-9]{1,6}(\\.[0-9]{1,3})? ?%$"

  /// Reads a string such as `5 %` or `2.5%`; nil for any other string.
  package init?(_ text: String) {
    guard text.utf8.last == UInt8(ascii: "%") else { return nil }
    var number = text.dropLast()
    if number.last == " " { number.removeLast() }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
    guard areDigits, (1...2).contains(parts.count), (1...6).contains(parts[0].count),
      let whole = Int64(parts[0])
    else { return nil }
    guard parts.count == 2 else {
      thousandths = whole * 1000
      return
    }
    guard (1...3).contains(parts[1].count), let fraction = Int64(parts[1]) else { return nil }
    thousandths = whole * 1000 + fraction * [100, 10, 1][parts[1].count - 1]
  }

  /// Computes the growth from one size to another; nil if the growth cannot be expressed in percent.
  package init?(growthTo size: Int64, from base: Int64) {
    let growth = (Double(size - base) / Double(base) * 100_000).rounded()
    guard size >= base, base > 0, growth < 1e15 else { return nil }
    thousandths = Int64(growth)
  }

  /// Returns the number of bytes that is this percentage of a size, rounded down.
  package func part(of bytes: Int64) -> Int64 {
    let (high, low) = UInt64(max(bytes, 0)).multipliedFullWidth(by: UInt64(thousandths))
    return high < 100_000 ? Int64(clamping: UInt64(100_000).dividingFullWidth((high, low)).quotient) : .max
  }

  package var description: String {
    let fraction = thousandths.magnitude % 1000
    let digits = String(String(1000 + fraction).dropFirst())
    let trimmed =
      digits.hasSuffix("00") ? digits.dropLast(2) : digits.hasSuffix("0") ? digits.dropLast() : digits[...]
    return "\(grouped(thousandths / 1000))\(fraction == 0 ? "" : ".\(trimmed)") %"
  }
}

extension Budgets {
  static let keys: [ManifestKey<Budgets>] = [
    ManifestKey(
      "updateSize",
      summary: "Maximum download of an update in bytes, for a device that already has every pack",
      shape: .size,
      storingIn: \.updateSize
    ) { reader, value in reader.size(value).map { Budget($0, offset: value.offset) } },
    ManifestKey(
      "packs", summary: "Maximum sizes of packs; each key is the tags of a pack, joined with \"+\"",
      shape: .table(of: .size)
    ) { value, budgets, reader in
      budgets.packs = reader.members(value).compactMap { member in
        if member.key == "$comment" { return nil }
        return reader.size(member.value).map { (member.key, Budget($0, offset: member.keyOffset)) }
      }
    },
    ManifestKey(
      "growth",
      summary:
        "Maximum growth of the size of all packs together, compared with the earlier release",
      shape: .percentage,
      storingIn: \.growth
    ) { reader, value in
      reader.text(value).flatMap { Percentage($0.value) }.map { Budget($0, offset: value.offset) }
    },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))
}
