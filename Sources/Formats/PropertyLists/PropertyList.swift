import System

/// Reads property lists in the formats that Apple's tools write.
package enum PropertyList {
  /// The maximum size of a property list in bytes.
  package static let maxSize = 64 << 20

  /// The reason why some bytes are not a valid property list.
  package struct Damage: Error {
    package let reason: String
  }

  /// Returns the value of a binary or XML property list.
  package static func read(_ bytes: [UInt8]) throws(Damage) -> PlistItem {
    if bytes.starts(with: "bplist".utf8) { return try BinaryPlistReader.read(bytes) }
    guard isXML(bytes) else { throw Damage(reason: "it is neither binary nor XML") }
    return try XMLPlistReader.read(XMLText.bytes(of: bytes))
  }

  /// Whether the bytes begin like an XML property list, apart from a byte order mark and white space.
  ///
  /// They can be text in any encoding.
  static func isXML(_ bytes: [UInt8]) -> Bool {
    // In UTF-16, each of these characters is one byte and a zero byte; in every other encoding, it is one
    // byte.
    let front = bytes.prefix(1024).filter { $0 != 0 }.drop {
      $0 <= 0x20 || [0xef, 0xbb, 0xbf, 0xfe, 0xff].contains($0)
    }
    return ["<?xml", "<!DOCTYPE", "<plist"].contains { front.starts(with: $0.utf8) }
  }
}

/// A value in a property list.
package indirect enum PlistItem: Sendable, Hashable {
  case bool(Bool)
  case integer(Int64)
  /// An integer that is too large for `integer`.
  case unsigned(UInt64)
  case real(Double)
  case string(String)
  /// A date, as seconds since the beginning of 2001.
  case date(Double)
  case data([UInt8])
  case array([PlistItem])
  case dictionary([String: PlistItem])

  package static func strings(_ values: [String]) -> PlistItem { .array(values.map(PlistItem.string)) }

  /// Returns the value of a key in a dictionary; nil if there is no such key or the item is not a dictionary.
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

  /// The value of a number, with or without a fraction; nil for any other item.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
