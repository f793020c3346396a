/// Property lists in the formats that Apple's tools write.
package enum PropertyList {
  /// The largest size of a list in bytes.
  package static let longest = 64 << 20

  /// Why bytes are no property list.
  package struct Damage: Error {
    package let reason: String
  }

  /// The value of a property list: binary or XML.
  package static func read(_ bytes: [UInt8]) throws(Damage) -> PlistItem {
    if bytes.starts(with: "bplist".utf8) { return try BinaryPlistReader.read(bytes) }
    let front = bytes.drop { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
    guard ["<?xml", "<!DOCTYPE", "<plist"].contains(where: { front.starts(with: $0.utf8) }) else {
      throw Damage(reason: "it is neither binary nor XML")
    }
    return try XMLPlistReader.read(Array(front))
  }
}
