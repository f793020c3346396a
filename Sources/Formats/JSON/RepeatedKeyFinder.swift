import System

/// Finds repeated keys in nested objects, while the reader has not yet reached the end of the outer objects.
struct RepeatedKeyFinder {
  /// From this number of keys on, an object's keys are in a dictionary.
  private static let fewKeys = 12

  private struct Object {
    /// The index of the object's first key in `plain`.
    let start: Int
    /// The offset of the first occurrence of each key.
    ///
    /// It is nil while the object has few keys and all of them are plain strings.
    var first: [String: UInt32]?
    /// The offsets of repeated keys, each with the offset of the key's first occurrence.
    var repeated: [(Int, Int)] = []
  }

  private var objects: [Object] = []
  /// The keys of all open objects that have no dictionary.
  private var plain: [JSONNodes.Word] = []

  mutating func beginObject() { objects.append(Object(start: plain.count)) }

  /// Ends the innermost object.
  ///
  /// Returns the offsets of its repeated keys, each with the offset of the key's first occurrence.
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
