import System

/// A property list in the OpenStep format, which Xcode uses for projects, with the offset of each value.
///
/// All values are in one array, and each value comes before the values that it contains. A project has
/// hundreds of thousands of values, and a hostile project could nest them to any depth.
package struct PlistTree: Sendable {
  /// The index of a value.
  package typealias Node = Int32

  /// The kind of a value.
  enum Kind: UInt8, Sendable {
    /// A string without quotes.
    case string
    /// A string in quotes, with escapes.
    case quoted
    case data
    case array
    /// A dictionary, in which keys and values alternate.
    case dictionary
  }

  /// A value with its range in the text.
  struct Record: Sendable {
    let kind: Kind
    let start: Int32
    var end: Int32
    /// The index of the first value after all values that this value contains.
    var next: Node
  }

  package let text: SourceText
  var records: [Record] = []

  /// The value that contains all other values.
  package var root: Node { 0 }

  /// Returns the offset of a value.
  package func offset(of node: Node) -> Int { Int(records[Int(node)].start) }

  package func isDictionary(_ node: Node) -> Bool { records[Int(node)].kind == .dictionary }

  package func isArray(_ node: Node) -> Bool { records[Int(node)].kind == .array }

  /// Returns the text of a string; nil for any other value.
  package func string(_ node: Node) -> String? {
    let record = records[Int(node)]
    switch record.kind {
    case .string: return String(decoding: text.bytes[bytes(of: record)], as: UTF8.self)
    case .quoted: return unquoted(text.bytes[bytes(of: record)])
    default: return nil
    }
  }

  /// Returns the elements of an array, or an empty list for any other value.
  package func elements(_ node: Node) -> [Node] { records[Int(node)].kind == .array ? parts(of: node) : [] }

  /// Returns the keys and values of a dictionary in order, or an empty list for any other value.
  package func members(_ node: Node?) -> [(key: Node, value: Node)] {
    guard let node, isDictionary(node) else { return [] }
    let parts = parts(of: node)
    return stride(from: 0, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) }
  }

  /// Returns the value of a key in a dictionary.
  ///
  /// If the key is repeated, the first value is used.
  package func value(_ node: Node, key: String) -> Node? {
    guard isDictionary(node) else { return nil }
    var part = node + 1
    while part < records[Int(node)].next {
      let value = records[Int(part)].next
      if isKey(part, key: key) { return value }
      part = records[Int(value)].next
    }
    return nil
  }

  /// Returns the string value of a key in a dictionary; nil if the key is missing or its value is not a
  /// string.
  package func string(_ node: Node, key: String) -> String? { value(node, key: key).flatMap { string($0) } }

  /// Returns the strings in a key's value, which can be an array or a single string; empty for any other
  /// value.
  package func strings(_ node: Node, key: String) -> [Located<String>] {
    value(node, key: key).map { strings(of: $0) } ?? []
  }

  /// Returns the strings of an array, or a single string; empty for any other value.
  package func strings(of value: Node) -> [Located<String>] {
    let nodes = isArray(value) ? elements(value) : [value]
    return nodes.compactMap { node in string(node).map { Located($0, at: offset(of: node)) } }
  }

  private func isKey(_ node: Node, key: String) -> Bool {
    let record = records[Int(node)]
    if record.kind == .string { return text.bytes[bytes(of: record)].elementsEqual(key.utf8) }
    return record.kind == .quoted && string(node) == key
  }

  private func parts(of node: Node) -> [Node] {
    var parts: [Node] = []
    var part = node + 1
    while part < records[Int(node)].next {
      parts.append(part)
      part = records[Int(part)].next
    }
    return parts
  }

  private func bytes(of record: Record) -> Range<Int> { Int(record.start)..<Int(record.end) }
}

/// Returns the text of a string without its quotes and with its escapes replaced.
private func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
  let inner = bytes.dropFirst().dropLast()
  guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
  var units: [UInt16] = []
  var rest = inner
  while !rest.isEmpty {
    let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
    units += String(decoding: plain, as: UTF8.self).utf16
    rest = rest.dropFirst(plain.count)
    if !rest.isEmpty { units += readEscape(&rest) }
  }
  return String(decoding: units, as: UTF16.self)
}

/// Returns the UTF-16 code units of an escape: `\n`, `\U00e9`, three octal digits, or the escaped character
/// itself.
///
/// `\U` stands for one code unit, so a character outside the basic plane has two such escapes.
private func readEscape(_ bytes: inout ArraySlice<UInt8>) -> [UInt16] {
  bytes = bytes.dropFirst()
  guard let byte = bytes.popFirst() else { return [UInt16(UInt8(ascii: "\\"))] }
  switch byte {
  case UInt8(ascii: "a"): return [7]
  case UInt8(ascii: "b"): return [8]
  case UInt8(ascii: "f"): return [12]
  case UInt8(ascii: "n"): return [10]
  case UInt8(ascii: "r"): return [13]
  case UInt8(ascii: "t"): return [9]
  case UInt8(ascii: "v"): return [11]
  case UInt8(ascii: "U"), UInt8(ascii: "u"): return [readHexDigits(&bytes)]
  case UInt8(ascii: "0")...UInt8(ascii: "7"):
    var digits = [byte] + bytes.prefix(2)
    digits = Array(digits.prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) })
    bytes = bytes.dropFirst(digits.count - 1)
    return [UInt16(String(decoding: digits, as: UTF8.self), radix: 8) ?? 0]
  case 0x80...:
    // The escaped character has several bytes. This is its first byte, and its other bytes follow.
    let tail = bytes.prefix { $0 & 0xc0 == 0x80 }
    bytes = bytes.dropFirst(tail.count)
    return Array(String(decoding: [byte] + tail, as: UTF8.self).utf16)
  default: return [UInt16(byte)]
  }
}

private func readHexDigits(_ bytes: inout ArraySlice<UInt8>) -> UInt16 {
  let digits = bytes.prefix(4).prefix { UnicodeScalar($0).properties.isASCIIHexDigit }
  bytes = bytes.dropFirst(digits.count)
  return UInt16(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xfffd
}
