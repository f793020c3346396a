import Findings
import Formats

/// One key of an object in the manifest: the shape of its value, and how it is read.
struct ManifestKey<Target>: Sendable {
  let shape: KeyShape
  /// Stores a value of the right shape in the target.
  let read: @Sendable (JSONValue, inout Target, ManifestValues) -> Void

  init(
    _ name: String, _ summary: String, _ shape: Shape, isRequired: Bool = false,
    default value: JSONText? = nil,
    read: @escaping @Sendable (JSONValue, inout Target, ManifestValues) -> Void
  ) {
    self.shape = KeyShape(
      name: name, summary: summary, shape: shape, isRequired: isRequired, defaultValue: value)
    self.read = read
  }
}

/// Reads values from a manifest's JSON, except those that were reported already.
struct ManifestValues: Sendable {
  /// The offsets of values that were reported.
  let rejected: OffsetSet

  func text(_ value: JSONValue) -> Located<String>? {
    guard let string = value.string, !rejected.contains(value.offset) else { return nil }
    return Located(string, at: value.offset)
  }

  func texts(_ value: JSONValue) -> [Located<String>] {
    guard case .array(let elements) = value.content else { return [] }
    var texts: [Located<String>] = []
    texts.reserveCapacity(elements.count)
    for element in elements {
      if let text = text(element) { texts.append(text) }
    }
    return texts
  }

  func size(_ value: JSONValue) -> Int64? {
    if rejected.contains(value.offset) { return nil }
    if let string = value.string { return ByteSize.bytes(in: string) }
    return value.wholeNumber
  }

  func members(_ value: JSONValue) -> JSONMembers { JSONMembers(parent: value) }

  /// Reads each member of an object by the key of its name.
  func read<Target>(_ value: JSONValue, into target: inout Target, by keys: [ManifestKey<Target>]) {
    for member in members(value) where !rejected.contains(member.keyOffset) {
      keys.first { $0.shape.name == member.key }?.read(member.value, &target, self)
    }
  }
}
