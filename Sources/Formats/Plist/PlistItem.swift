/// A value of a property list.
package indirect enum PlistItem: Sendable, Hashable {
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  /// Seconds since the beginning of 2001.
  case date(Double)
  case data([UInt8])
  case array([PlistItem])
  case dictionary([String: PlistItem])

  package static func strings(_ values: [String]) -> PlistItem { .array(values.map(PlistItem.string)) }

  /// The value of a dictionary's key; nil without such a key or for any other item.
  package subscript(key: String) -> PlistItem? {
    guard case .dictionary(let members) = self else { return nil }
    return members[key]
  }

  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var elements: [PlistItem]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  package var members: [String: PlistItem]? {
    guard case .dictionary(let members) = self else { return nil }
    return members
  }

  /// The elements of an array of strings; nil for any other item.
  package var strings: [String]? {
    guard let elements else { return nil }
    let strings = elements.compactMap(\.string)
    return strings.count == elements.count ? strings : nil
  }

  /// A number with or without a fraction.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
