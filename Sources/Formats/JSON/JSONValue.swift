/// A value of a JSON text with the place where it stands.
package struct JSONValue: Sendable {
  /// A value without its place.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    /// The number as it is written, so that none is too large or loses digits.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
    /// Something that was reported as a mistake of syntax and read over.
    case unreadable
  }

  package let content: Content
  /// The byte at which the value begins.
  package let offset: Int

  /// What a message calls a value of this type.
  package var typeName: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .unreadable: "nothing"
    }
  }

  /// A number without a fraction, from 0 up, that fits 64 bits; `1e6` and `64.0` are such numbers too.
  package var wholeNumber: Int64? {
    guard case .number(let text) = content else { return nil }
    if let value = Int64(text) { return value >= 0 ? value : nil }
    // From 2^53 on a double no longer tells one whole number from the next.
    guard let value = Double(text), (0..<9_007_199_254_740_992).contains(value) else { return nil }
    return Int64(exactly: value)
  }
}

/// One key of a JSON object with its value.
package struct JSONMember: Sendable {
  package let key: String
  /// The byte at which the key begins.
  package let keyOffset: Int
  package let value: JSONValue
}

extension JSONValue {
  /// The value of an object's key; the first where it stands there twice.
  package func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var string: String? {
    guard case .string(let string) = content else { return nil }
    return string
  }

  package var elements: [JSONValue]? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }
}
