import Findings
import Formats
import System

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
    guard isXML(front) else { throw Damage(reason: "it is neither binary nor XML") }
    return try XMLPlistReader.read(Array(front))
  }

  /// Whether a text without space in front of it begins as an XML list does.
  static func isXML(_ front: ArraySlice<UInt8>) -> Bool {
    ["<?xml", "<!DOCTYPE", "<plist"].contains { front.starts(with: $0.utf8) }
  }
}

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

/// Reads an XML property list; elements that property lists do not have are errors.
struct XMLPlistReader {
  private let bytes: [UInt8]
  private var position = 0
  private var open: [Frame] = []

  private static let deepestLevel = 256

  /// An open container with its contents so far.
  private enum Frame {
    case array([PlistItem])
    case dictionary([String: PlistItem], key: String?)
  }

  static func read(_ bytes: [UInt8]) throws(PropertyList.Damage) -> PlistItem {
    var reader = XMLPlistReader(bytes: bytes)
    return try reader.readDocument()
  }

  private mutating func readDocument() throws(PropertyList.Damage) -> PlistItem {
    while true {
      let tag = try nextTag()
      if tag.isEmpty || tag.hasPrefix("?") || tag.hasPrefix("!") || tag.hasPrefix("plist") { continue }
      if let root = try readElement(tag) { return root }
    }
  }

  /// Reads one element; returns the root once it is complete.
  private mutating func readElement(_ tag: String) throws(PropertyList.Damage) -> PlistItem? {
    switch tag {
    case "dict", "array":
      if open.count == Self.deepestLevel {
        throw damage("values are nested more than \(Self.deepestLevel) levels deep")
      }
      open.append(tag == "dict" ? .dictionary([:], key: nil) : .array([]))
      return nil
    case "dict/": return try add(.dictionary([:]))
    case "array/": return try add(.array([]))
    case "/dict", "/array":
      switch open.popLast() {
      case .array(let elements) where tag == "/array": return try add(.array(elements))
      case .dictionary(let members, nil) where tag == "/dict": return try add(.dictionary(members))
      default: throw damage("\(quoted("<\(tag)>")) closes nothing")
      }
    case "true/": return try add(.bool(true))
    case "false/": return try add(.bool(false))
    case "string/": return try add(.string(""))
    case "key": return try addKey(try takeText(until: "key"))
    case "string": return try add(.string(try takeText(until: tag)))
    case "integer":
      let text = withoutSpace(try takeText(until: tag))
      guard let value = Int64(text) else { throw damage("\(quoted(text)) is no integer") }
      return try add(.integer(value))
    case "real":
      let text = withoutSpace(try takeText(until: tag))
      guard let value = Double(text) else { throw damage("\(quoted(text)) is no number") }
      return try add(.real(value))
    // Types that no list of packs has are kept as text.
    case "date", "data": return try add(.string(withoutSpace(try takeText(until: tag))))
    default: throw damage("\(quoted("<\(tag)>")) is no element of a property list")
    }
  }

  private mutating func addKey(_ key: String) throws(PropertyList.Damage) -> PlistItem? {
    guard case .dictionary(let members, nil)? = open.popLast() else {
      throw damage("a key stands where none may")
    }
    open.append(.dictionary(members, key: key))
    return nil
  }

  /// Adds a value to the open container; returns it if it is the root.
  private mutating func add(_ item: PlistItem) throws(PropertyList.Damage) -> PlistItem? {
    guard let last = open.indices.last else { return item }
    switch open[last] {
    case .array(var elements):
      // Emptied first, so that the array is not copied for each of its elements.
      open[last] = .array([])
      elements.append(item)
      open[last] = .array(elements)
    case .dictionary(var members, let key?):
      open[last] = .array([])
      members[key] = item
      open[last] = .dictionary(members, key: nil)
    case .dictionary: throw damage("a value has no key")
    }
    return nil
  }

  /// The inside of the next tag; comments are skipped.
  private mutating func nextTag() throws(PropertyList.Damage) -> String {
    guard let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else {
      throw damage("it ends before it is whole")
    }
    if bytes[start...].starts(with: "<!--".utf8) {
      position = start + 4
      while position < bytes.count, !bytes[position...].starts(with: "-->".utf8) { position += 1 }
      return ""
    }
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
      throw damage("a tag is not closed")
    }
    position = end + 1
    let tag = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    return String(tag.filter { tag.hasPrefix("?") || tag.hasPrefix("!") || !$0.isWhitespace })
  }

  private mutating func takeText(until tag: String) throws(PropertyList.Damage) -> String {
    let rest = bytes[position...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "<")) else { throw damage("it ends before it is whole") }
    let text = String(decoding: rest[..<end], as: UTF8.self)
    position = end
    if try nextTag() != "/\(tag)" { throw damage("\(quoted("<\(tag)>")) is not closed") }
    return unescaped(text)
  }

  private func damage(_ reason: String) -> PropertyList.Damage { PropertyList.Damage(reason: reason) }
}

private func withoutSpace(_ text: String) -> String { String(text.filter { !$0.isWhitespace }) }

private func unescaped(_ text: String) -> String {
  guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
  let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
  var parts = text.split(separator: "&", omittingEmptySubsequences: false)[...]
  var result = parts.popFirst().map(String.init) ?? ""
  for part in parts {
    guard let end = part.firstIndex(of: ";") else {
      result += "&" + part
      continue
    }
    let name = String(part[..<end])
    let code = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
    let scalar = name.hasPrefix("#") ? code.flatMap(UnicodeScalar.init).map { String($0) } : entities[name]
    result += (scalar ?? "&\(name);") + part[part.index(after: end)...]
  }
  return result
}
