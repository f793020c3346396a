import System

/// Finds keys that an object has twice, by the keys of all objects that are open.
struct RepeatedKeyFinder {
  /// From this number of keys on an object has a dictionary of them.
  private static let fewKeys = 12

  /// One object.
  private struct Object {
    /// Where its keys begin in `plain`.
    let start: Int
    /// The offset of each key's first place, once there are many or one that is not plain.
    var first: [String: UInt32]?
    /// The offsets of repeated keys, each with that of the first.
    var repeated: [(Int, Int)] = []
  }

  private var objects: [Object] = []
  /// The plain keys of all objects without a dictionary.
  private var plain: [JSONNodes.Word] = []

  mutating func beginObject() { objects.append(Object(start: plain.count)) }

  /// The repeated keys of the innermost object, which ends: their offsets, each with that of the first.
  mutating func endObject() -> [(Int, Int)] {
    guard let object = objects.popLast() else { return [] }
    plain.removeSubrange(object.start...)
    return object.repeated
  }

  mutating func add(_ key: JSONNodes.Word, in text: SourceText) {
    let object = objects.count - 1
    let start = objects[object].start
    let isSmall = objects[object].first == nil && plain.count - start < Self.fewKeys
    if isSmall, let content = key.plainContent {
      let bytes = text.bytes.span
      for index in start..<plain.count where isSame(plain[index], content: content, in: bytes) {
        objects[object].repeated.append((key.offset, plain[index].offset))
        return
      }
      plain.append(key)
    } else {
      addToDictionary(key, object: object, in: text)
    }
  }

  private func isSame(_ earlier: JSONNodes.Word, content: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    guard let other = earlier.plainContent, other.count == content.count else { return false }
    return ByteOrder.compare(bytes.extracting(other), bytes.extracting(content)) == 0
  }

  private mutating func addToDictionary(_ key: JSONNodes.Word, object: Int, in text: SourceText) {
    var first =
      objects[object].first.take()
      ?? Dictionary(
        uniqueKeysWithValues: plain[objects[object].start...].map { ($0.string(in: text), UInt32($0.offset)) }
      )
    let name = key.string(in: text)
    if let earlier = first[name] {
      objects[object].repeated.append((key.offset, Int(earlier)))
    } else {
      first[name] = UInt32(key.offset)
    }
    objects[object].first = first
  }
}
