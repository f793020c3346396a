package import System

/// Writes a property list in Apple's binary format, byte for byte as Xcode does.
///
/// Foundation's two writers differ from Xcode's and from each other: one does not sort keys, the other shares keys
/// between dictionaries. Linking Foundation also adds 12 MB to the program and a fifth to its start-up time.
package struct BinaryPlist {
  /// An object with the indices of those that it refers to.
  private enum Object {
    case plain(PlistItem)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  /// The objects by index: the root, a dictionary's keys, then its values, depth first.
  private var objects: [Object] = []
  /// The indices of strings that are values.
  private var values: [ByteKey: Int] = [:]

  /// The bytes of a property list, whose depth the caller must limit.
  package static func bytes(of root: PlistItem) -> ByteBuffer {
    var plist = BinaryPlist()
    _ = plist.add(root)
    return plist.bytes()
  }

  private mutating func add(_ item: PlistItem) -> Int {
    let number = objects.count
    switch item {
    case .string(let text):
      let known = values.updateValue(number, forKey: ByteKey(text))
      if let known {
        values[ByteKey(text)] = known
        return known
      }
      objects.append(.plain(item))
    case .array(let elements):
      objects.append(.plain(item))
      objects[number] = .array(elements.map { add($0) })
    case .dictionary(let members):
      objects.append(.plain(item))
      let sorted = members.sorted { $0.key < $1.key }
      let keys = sorted.map { member in
        // Keys are never shared, neither with values nor with keys of other dictionaries.
        objects.append(.plain(.string(member.key)))
        return objects.count - 1
      }
      objects[number] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
    default: objects.append(.plain(item))
    }
    return number
  }

  private func bytes() -> ByteBuffer {
    let referenceSize = Self.size(ofNumbersTo: objects.count)
    var buffer = ByteBuffer()
    buffer.append("bplist00")
    var offsets: [Int] = []
    for object in objects {
      offsets.append(buffer.count)
      Self.append(object, referenceSize, to: &buffer)
    }
    let table = buffer.count
    let offsetSize = Self.size(ofNumbersTo: table)
    for offset in offsets { buffer.append(big: offset, size: offsetSize) }
    buffer.append(big: 0, size: 6)
    buffer.append(UInt8(offsetSize))
    buffer.append(UInt8(referenceSize))
    for number in [objects.count, 0, table] { buffer.append(big: number, size: 8) }
    return buffer
  }

  private static func append(_ object: Object, _ referenceSize: Int, to buffer: inout ByteBuffer) {
    switch object {
    case .array(let elements):
      append(marker: 0xa0, count: elements.count, to: &buffer)
      for number in elements { buffer.append(big: number, size: referenceSize) }
    case .dictionary(let keys, let values):
      append(marker: 0xd0, count: keys.count, to: &buffer)
      for number in keys + values { buffer.append(big: number, size: referenceSize) }
    case .plain(let item): append(item, to: &buffer)
    }
  }

  private static func append(_ item: PlistItem, to buffer: inout ByteBuffer) {
    switch item {
    case .bool(let value): buffer.append(UInt8(value ? 9 : 8))
    case .integer(let value): append(value, to: &buffer)
    case .real(let value):
      buffer.append(0x23)
      buffer.append(big: Int(bitPattern: UInt(value.bitPattern)), size: 8)
    case .date(let value):
      buffer.append(0x33)
      buffer.append(big: Int(bitPattern: UInt(value.bitPattern)), size: 8)
    case .data(let bytes):
      append(marker: 0x40, count: bytes.count, to: &buffer)
      for byte in bytes { buffer.append(byte) }
    case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
      append(marker: 0x50, count: text.utf8.count, to: &buffer)
      buffer.append(text)
    case .string(let text):
      append(marker: 0x60, count: text.utf16.count, to: &buffer)
      for unit in text.utf16 { buffer.append(big: Int(unit), size: 2) }
    case .array, .dictionary: preconditionFailure("a container has been taken apart")
    }
  }

  /// Appends a number in the fewest bytes; a negative one takes eight.
  private static func append(_ value: Int64, to buffer: inout ByteBuffer) {
    let size = value < 0 ? 8 : size(ofNumbersTo: Int(value))
    buffer.append(0x10 | UInt8(size.trailingZeroBitCount))
    buffer.append(big: Int(value), size: size)
  }

  /// Appends the marker byte of an object, with its count.
  private static func append(marker: UInt8, count: Int, to buffer: inout ByteBuffer) {
    buffer.append(marker | UInt8(min(count, 15)))
    if count >= 15 { append(Int64(count), to: &buffer) }
  }

  /// The size in bytes of numbers up to a largest one: 1, 2, 4 or 8.
  private static func size(ofNumbersTo largest: Int) -> Int {
    largest < 1 << 8 ? 1 : largest < 1 << 16 ? 2 : largest < 1 << 32 ? 4 : 8
  }
}

extension ByteBuffer {
  /// Appends the lowest `size` bytes of a number, big-endian.
  fileprivate mutating func append(big value: Int, size: Int) {
    for place in stride(from: size - 1, through: 0, by: -1) {
      append(UInt8(truncatingIfNeeded: value >> (8 * place)))
    }
  }
}
