package import Formats

/// A key of an object in the manifest: the values that the key accepts, and what packtool does with them.
package struct ManifestKey<Target>: Sendable {
  package let shape: KeyShape
  /// Stores a value whose shape is right.
  let read: @Sendable (JSONValue, inout Target, ManifestValueReader) -> Void

  package init(
    _ name: String, summary: String, shape: Shape, isRequired: Bool = false,
    unless other: String? = nil, default value: JSONText? = nil,
    read: @escaping @Sendable (JSONValue, inout Target, ManifestValueReader) -> Void
  ) {
    self.shape = KeyShape(
      name: name, summary: summary, shape: shape, isRequired: isRequired, unless: other, defaultValue: value)
    self.read = read
  }

  /// Creates a key whose value is stored in a property.
  ///
  /// If the conversion returns nil, the property stays unchanged.
  package init<Value>(
    _ name: String, summary: String, shape: Shape, isRequired: Bool = false,
    unless other: String? = nil, default value: JSONText? = nil,
    storingIn property: any WritableKeyPath<Target, Value> & Sendable,
    convert: @escaping @Sendable (ManifestValueReader, JSONValue) -> Value?
  ) {
    self.init(name, summary: summary, shape: shape, isRequired: isRequired, unless: other, default: value) {
      value, target, reader in
      if let converted = convert(reader, value) { target[keyPath: property] = converted }
    }
  }
}

/// Extracts values from a manifest's JSON, skipping values that were reported as mistakes.
package struct ManifestValueReader: Sendable {
  /// The offsets of the values that were reported as mistakes.
  let rejected: OffsetSet
  /// The elements of long lists that have the usual form, by the offset of the list.
  let rows: [Int: JSONRows]

  /// Creates a reader that skips the values that a checker reported as mistakes.
  package init(from checker: ShapeChecker) {
    rejected = checker.rejected
    rows = checker.rows
  }

  package func text(_ value: JSONValue) -> Located<String>? {
    guard let string = value.string, !rejected.contains(value.offset) else { return nil }
    return Located(string, at: value.offset)
  }

  package func texts(_ value: JSONValue) -> [Located<String>] {
    guard case .array(let elements) = value.content else { return [] }
    var texts: [Located<String>] = []
    for element in elements {
      if let text = text(element) { texts.append(text) }
    }
    return texts
  }

  /// Returns the enum case whose raw value is the string in the value.
  func choice<Choice: RawRepresentable<String>>(_ value: JSONValue) -> Choice? {
    text(value).flatMap { Choice(rawValue: $0.value) }
  }

  package func size(_ value: JSONValue) -> Int64? {
    if rejected.contains(value.offset) { return nil }
    if let string = value.string { return ByteSize.bytes(in: string) }
    return value.wholeNumber
  }

  func members(_ value: JSONValue) -> JSONMembers { JSONMembers(parent: value) }

  /// Reads each member of an object, using the element of `keys` that has the member's name.
  package func read<Target>(_ value: JSONValue, into target: inout Target, by keys: [ManifestKey<Target>]) {
    for member in members(value) where !rejected.contains(member.keyOffset) {
      for index in keys.indices where member.isNamed(keys[index].shape.name) {
        keys[index].read(member.value, &target, self)
        break
      }
    }
  }
}

/// A set of offsets in a text, with one bit for each byte, because hostile text can have a mistake at every
/// second byte.
struct OffsetSet: Sendable {
  private var words: [UInt64] = []

  mutating func insert(_ offset: Int) {
    let word = offset / 64
    if word >= words.count { words += Array(repeating: 0, count: word + 1 - words.count) }
    words[word] |= 1 << UInt64(offset % 64)
  }

  func contains(_ offset: Int) -> Bool {
    let word = offset / 64
    return word < words.count && words[word] >> UInt64(offset % 64) & 1 == 1
  }
}
