package import Formats

/// One key of an object in the manifest: what it takes and what is done with it.
package struct ManifestKey<Target>: Sendable {
  package let shape: KeyShape
  /// Takes over a value of the right shape.
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

  /// A key whose value becomes a property; nil leaves that as it is.
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

/// Takes values out of a manifest's JSON, less what was reported already.
package struct ManifestValueReader: Sendable {
  /// Where the values begin that were reported.
  let rejected: OffsetSet
  /// The elements of long lists that have the usual form, by the offset of the list.
  let rows: [Int: JSONRows]

  /// The values that a checker did not report.
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

  /// The case of an enum that a text names.
  func choice<Choice: RawRepresentable<String>>(_ value: JSONValue) -> Choice? {
    text(value).flatMap { Choice(rawValue: $0.value) }
  }

  package func size(_ value: JSONValue) -> Int64? {
    if rejected.contains(value.offset) { return nil }
    if let string = value.string { return ByteSize.bytes(in: string) }
    return value.wholeNumber
  }

  func members(_ value: JSONValue) -> JSONMembers { JSONMembers(parent: value) }

  /// Gives each member of an object to the key of its name.
  package func read<Target>(_ value: JSONValue, into target: inout Target, by keys: [ManifestKey<Target>]) {
    for member in members(value) where !rejected.contains(member.keyOffset) {
      for index in keys.indices where member.isNamed(keys[index].shape.name) {
        keys[index].read(member.value, &target, self)
        break
      }
    }
  }
}

/// A set of offsets in a text, as one bit for each byte, since a text may be wrong in every second byte.
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
