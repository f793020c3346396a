import System

/// Property lists in the formats that Apple's tools write.
package enum PropertyList {
  /// The largest size of a list in bytes.
  package static let maxSize = 64 << 20

  /// Why bytes are no property list.
  package struct Damage: Error {
    package let reason: String
  }

  /// The value of a property list: binary or XML.
  package static func read(_ bytes: [UInt8]) throws(Damage) -> PlistItem {
    if bytes.starts(with: "bplist".utf8) { return try BinaryPlistReader.read(bytes) }
    guard isXML(bytes) else { throw Damage(reason: "it is neither binary nor XML") }
    return try XMLPlistReader.read(XMLText.bytes(of: bytes))
  }

  /// Whether a text in any encoding begins as an XML list does, after a byte order mark and space.
  static func isXML(_ bytes: [UInt8]) -> Bool {
    // Every encoding has the characters of these in one byte each, or in UTF-16 beside a zero.
    let front = bytes.prefix(1024).filter { $0 != 0 }.drop {
      $0 <= 0x20 || [0xef, 0xbb, 0xbf, 0xfe, 0xff].contains($0)
    }
    return ["<?xml", "<!DOCTYPE", "<plist"].contains { front.starts(with: $0.utf8) }
  }
}

/// A value of a property list.
package indirect enum PlistItem: Sendable, Hashable {
  case bool(Bool)
  case integer(Int64)
  /// An integer above those of `integer`.
  case unsigned(UInt64)
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
    case .unsigned(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
