import System

/// A value of a JSON text with its offset.
package struct JSONValue: Sendable {
  let tree: JSONTree
  let node: Int

  /// The content of a value, without its offset.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    /// A number with the characters of the text, because a conversion could overflow or lose digits.
    case number(String)
    case string(String)
    case array(JSONElements)
    case object(JSONMembers)
    /// A syntax error that was reported and skipped.
    case unreadable
  }

  package var content: Content {
    switch tree.kind(node) {
    case .null: .null
    case .bool: .bool(tree.text.bytes[offset] == UInt8(ascii: "t"))
    case .number: .number(tree.string(node))
    case .string, .plainString: .string(tree.string(node))
    case .array: .array(JSONElements(parent: self))
    case .object: .object(JSONMembers(parent: self))
    case .unreadable: .unreadable
    }
  }

  package var offset: Int { tree.offset(node) }

  /// The name of the value's type, as messages show it.
  package var typeName: String {
    switch tree.kind(node) {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string, .plainString: "a string"
    case .array: "an array"
    case .object: "an object"
    case .unreadable: "an unreadable value"
    }
  }

  /// The value as a non-negative 64-bit integer.
  ///
  /// Numbers such as `1e6` and `64.0` are also accepted.
  package var wholeNumber: Int64? {
    guard case .number(let text) = content else { return nil }
    return naturalNumber(text)
  }
}

extension JSONValue {
  /// Whether the value is an object that has all of these keys.
  package func hasMembers(_ keys: [String]) -> Bool { keys.allSatisfy { member($0) != nil } }
}

/// Returns the value of a JSON number as a non-negative 64-bit integer; nil for any other number.
package func naturalNumber(_ text: String) -> Int64? {
  if let value = Int64(text) { return value >= 0 ? value : nil }
  // From 2^53 on, a double cannot represent every integer.
  guard let value = Double(text), (0..<9_007_199_254_740_992).contains(value) else { return nil }
  return Int64(exactly: value)
}

/// The elements of an array, which are read from the text one by one.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  let parent: JSONValue
  private var node: Int
  private let end: Int

  init(parent: JSONValue) {
    self.parent = parent
    node = parent.node + 1
    end = parent.tree.end(parent.node)
  }

  package mutating func next() -> JSONValue? {
    if node == end { return nil }
    defer { node = parent.tree.end(node) }
    return JSONValue(tree: parent.tree, node: node)
  }

  package var count: Int { reduce(0) { count, _ in count + 1 } }
}

/// The members of an object, which are read from the text one by one.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  private let tree: JSONTree
  private var node: Int
  private let end: Int

  /// Creates the sequence of an object's members, which is empty if the value is not an object.
  package init(parent: JSONValue) {
    tree = parent.tree
    end = tree.end(parent.node)
    node = tree.kind(parent.node) == .object ? parent.node + 1 : end
  }

  package mutating func next() -> JSONMember? {
    if node == end { return nil }
    let key = node
    node = tree.end(key + 1)
    return JSONMember(node: key, value: JSONValue(tree: tree, node: key + 1))
  }
}

/// One key of a JSON object with its value.
package struct JSONMember: Sendable {
  fileprivate let node: Int
  package let value: JSONValue

  package var key: String { value.tree.string(node) }
  /// The offset of the key.
  package var keyOffset: Int { value.tree.offset(node) }

  /// Whether the key is equal to a string, compared without creating another string.
  package func isNamed(_ name: String) -> Bool { value.tree.isString(node, equalTo: name) }
}

extension JSONValue {
  /// Returns the value of an object's key; nil if the value has no such key or is not an object.
  ///
  /// If the key is repeated, the first value is used.
  package func member(_ key: String) -> JSONValue? {
    JSONMembers(parent: self).first { $0.isNamed(key) }?.value
  }

  /// The Boolean value; nil if the value is not a Boolean.
  package var bool: Bool? {
    guard case .bool(let value) = content else { return nil }
    return value
  }

  package var string: String? { tree.kind(node) == .string ? tree.string(node) : nil }

  package var elements: JSONElements? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }

  /// The value as a number from 0 to 1; nil for any other value.
  package var fraction: Double? {
    guard case .number(let text) = content, let number = Double(text), (0...1).contains(number) else {
      return nil
    }
    return number
  }
}

/// Edits that change single values in a JSON text and keep all other bytes.
extension SourceText {
  /// Returns the edit that replaces the string at an offset; nil if no string begins there.
  package func replacing(stringAt offset: Int, by text: String) -> TextEdit? {
    guard let end = bytes.endOfString(at: offset) else { return nil }
    var written = ByteBuffer()
    written.append(json: text)
    return TextEdit(offset..<end, replacement: String(decoding: written.array(), as: UTF8.self))
  }

  /// Returns the edit that replaces the string at an offset with several strings, as elements of the same list;
  /// nil if no string begins there.
  package func replacing(stringAt offset: Int, by texts: [String]) -> TextEdit? {
    let edits = texts.compactMap { replacing(stringAt: offset, by: $0) }
    return edits.first.map {
      TextEdit($0.range, replacement: edits.map(\.replacement).joined(separator: ", "))
    }
  }

  /// Returns the edit that makes a list of the string at an offset; nil if no string begins there.
  package func bracketing(stringAt offset: Int) -> TextEdit? {
    guard let end = bytes.endOfString(at: offset) else { return nil }
    let text = String(decoding: bytes[offset..<end], as: UTF8.self)
    return TextEdit(offset..<end, replacement: "[\(text)]")
  }

  /// Returns the edit that replaces a list with its only element; nil unless the list has one string and
  /// nothing else.
  package func unbracketing(listAt offset: Int) -> TextEdit? {
    guard bytes[offset] == UInt8(ascii: "["),
      let start = bytes[(offset + 1)...].firstIndex(where: { !isSpace($0) }),
      let end = bytes.endOfString(at: start), let close = bytes[end...].firstIndex(where: { !isSpace($0) }),
      bytes[close] == UInt8(ascii: "]")
    else { return nil }
    return TextEdit(
      offset..<close + 1, replacement: String(decoding: bytes[start..<end], as: UTF8.self))
  }

  /// Returns the edit that replaces the value at an offset with another JSON text; nil if no value begins
  /// there.
  package func replacing(valueAt offset: Int, by text: String) -> TextEdit? {
    var depth = 0
    for token in JSONTokens(of: Array(bytes[offset...])).tokens {
      depth += token.kind == .open ? 1 : token.kind == .close ? -1 : 0
      if depth == 0 { return TextEdit(offset..<offset + token.range.upperBound, replacement: text) }
    }
    return nil
  }

  /// Returns the edit that removes the string at an offset from its list; nil if no string begins there.
  ///
  /// The edit also removes the comma before the string, or, if a comment is between that comma and the
  /// string, the comma after the string.
  package func removing(elementAt offset: Int) -> TextEdit? {
    guard let end = bytes.endOfString(at: offset) else { return nil }
    let before = bytes[..<offset].lastIndex { !isSpace($0) }
    if let before, bytes[before] == UInt8(ascii: ","), !isInComment(before) {
      return TextEdit(before..<end, replacement: "")
    }
    let behind = bytes[end...].firstIndex { !isSpace($0) }
    let hasComma = behind.map { bytes[$0] == UInt8(ascii: ",") } ?? false
    return TextEdit(offset..<(hasComma ? (behind ?? end) + 1 : end), replacement: "")
  }

  /// Whether a line comment might begin on the same line before the offset.
  private func isInComment(_ offset: Int) -> Bool {
    if !mayHaveComments { return false }
    let near = max(0, offset - Self.maxLineSize)
    let lineEnd = bytes[near..<offset].lastIndex(of: 0x0a)
    if lineEnd == nil && near > 0 { return true }
    let start = lineEnd.map { $0 + 1 } ?? 0
    let line = bytes[start..<offset]
    var position = start
    while position < offset {
      if line[position] == UInt8(ascii: "\"") {
        position = bytes.endOfString(at: position) ?? offset
      } else if line[position...].starts(with: "//".utf8) {
        return true
      } else {
        position += 1
      }
    }
    return false
  }

  /// The maximum number of bytes of a line that are searched for a comment, because a hostile text can be a
  /// single long line.
  private static let maxLineSize = 4096

  private func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}
