package import System

/// Writes a property list in Apple's binary format, byte for byte as Xcode does.
///
/// Apple's writer stores one object for each instance in memory, so the bytes depend on which equal strings
/// share an instance. Equal short strings always share an instance, because their characters are in the
/// pointer itself. For each longer string, swift-build uses one instance for all equal values and for the
/// first equal key. Each later equal key has its own instance.
///
/// Foundation's two writers differ from Xcode's writer and from each other: one does not sort keys, and the
/// other shares keys between dictionaries. Linking Foundation would also add 12 MB to the program and 20 % to
/// its start-up time.
package struct BinaryPlist {
  /// A value whose strings and numbers are replaced by the indices of their instances.
  private indirect enum Item {
    case instance(Int)
    case array([Item])
    case dictionary(keys: [Int], values: [Item])
  }

  /// An object, with the indices of the objects that it refers to.
  private enum Object {
    case plain(PlistItem)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  /// The strings and numbers that become separate objects.
  private var instances: [PlistItem] = []
  /// The index of the instance that equal values reuse.
  ///
  /// Strings are compared by bytes, so two Unicode forms of a string stay separate.
  private var known: [PlistItem: Int] = [:]
  /// The objects by index, depth first: the root comes first, and a dictionary's keys come before its values.
  private var objects: [Object] = []
  /// The index of the object for each instance.
  private var numbers: [Int: Int] = [:]
  /// The positions of the leading keys.
  ///
  /// These keys are not sorted by name.
  private let order: [String: Int]

  /// Returns the bytes of a property list.
  ///
  /// The caller must limit the depth of the property list.
  ///
  /// Keys are sorted, except that the keys in `leadingKeys` come first, in the order of that list.
  package static func bytes(of root: PlistItem, leadingKeys: [String] = []) -> ByteBuffer {
    var plist = BinaryPlist(order: Dictionary(zip(leadingKeys, 0...)) { first, _ in first })
    let root = plist.instantiate(root)
    _ = plist.add(root)
    return plist.bytes()
  }

  // Creating instances, in the order in which swift-build encounters them: each key before its value.

  private mutating func instantiate(_ item: PlistItem) -> Item {
    switch item {
    case .array(let elements): return .array(elements.map { instantiate($0) })
    case .dictionary(let members):
      var keys: [Int] = []
      var values: [Item] = []
      for (key, value) in members.sorted(by: { place(of: $0.key) < place(of: $1.key) }) {
        keys.append(instance(ofKey: key))
        values.append(instantiate(value))
      }
      return .dictionary(keys: keys, values: values)
    case .string(let text): return .instance(sharedInstance(underKey: .data(Array(text.utf8)), of: item))
    case .bool, .integer, .unsigned: return .instance(sharedInstance(underKey: item, of: item))
    case .real, .date, .data:
      instances.append(item)
      return .instance(instances.count - 1)
    }
  }

  private func place(of key: String) -> (Int, String) { (order[key] ?? .max, key) }

  private mutating func sharedInstance(underKey key: PlistItem, of item: PlistItem) -> Int {
    if let instance = known[key] { return instance }
    instances.append(item)
    known[key] = instances.count - 1
    return instances.count - 1
  }

  private mutating func instance(ofKey key: String) -> Int {
    let text = PlistItem.data(Array(key.utf8))
    if isTagged(key) || known[text] == nil { return sharedInstance(underKey: text, of: .string(key)) }
    instances.append(.string(key))
    return instances.count - 1
  }

  // Creating objects, in the order in which they are written: all keys of a dictionary before its values.

  private mutating func add(_ item: Item) -> Int {
    let number = objects.count
    switch item {
    case .instance(let instance): return add(instance: instance)
    case .array(let elements):
      objects.append(.array([]))
      objects[number] = .array(elements.map { add($0) })
    case .dictionary(let keys, let values):
      objects.append(.array([]))
      let keys = keys.map { add(instance: $0) }
      objects[number] = .dictionary(keys: keys, values: values.map { add($0) })
    }
    return number
  }

  private mutating func add(instance: Int) -> Int {
    if let number = numbers[instance] { return number }
    numbers[instance] = objects.count
    objects.append(.plain(instances[instance]))
    return objects.count - 1
  }

  private func bytes() -> ByteBuffer {
    let referenceSize = Self.size(ofNumbersTo: objects.count)
    var buffer = ByteBuffer()
    buffer.append("bplist00")
    var offsets: [Int] = []
    for object in objects {
      offsets.append(buffer.count)
      Self.append(object, referenceSize: referenceSize, to: &buffer)
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

  private static func append(_ object: Object, referenceSize: Int, to buffer: inout ByteBuffer) {
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
    case .unsigned(let value):
      // Integers of eight bytes are signed, so a number above 2^63 - 1 needs sixteen bytes.
      buffer.append(0x14)
      buffer.append(big: 0, size: 8)
      buffer.append(big: Int(bitPattern: UInt(value)), size: 8)
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

  /// Appends a number in as few bytes as possible.
  ///
  /// A negative number always needs eight bytes.
  private static func append(_ value: Int64, to buffer: inout ByteBuffer) {
    let size = value < 0 ? 8 : size(ofNumbersTo: Int(value))
    buffer.append(0x10 | UInt8(size.trailingZeroBitCount))
    buffer.append(big: Int(value), size: size)
  }

  /// Appends the marker byte of an object with its count.
  private static func append(marker: UInt8, count: Int, to buffer: inout ByteBuffer) {
    buffer.append(marker | UInt8(min(count, 15)))
    if count >= 15 { append(Int64(count), to: &buffer) }
  }

  /// Returns the number of bytes for integers from 0 to `largest`: 1, 2, 4 or 8.
  private static func size(ofNumbersTo largest: Int) -> Int {
    largest < 1 << 8 ? 1 : largest < 1 << 16 ? 2 : largest < 1 << 32 ? 4 : 8
  }
}

extension ByteBuffer {
  /// Appends the lowest `size` bytes of a number in big-endian order.
  fileprivate mutating func append(big value: Int, size: Int) {
    for place in stride(from: size - 1, through: 0, by: -1) {
      append(UInt8(truncatingIfNeeded: value >> (8 * place)))
    }
  }
}

/// The characters that need only six bits in a tagged string.
///
/// The first 32 characters can also be encoded in five bits.
private let taggedCharacters = Array("eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX".utf8)

/// Whether Apple's runtime stores a string in the pointer itself.
///
/// Equal strings of this kind are one object. This is possible for up to 7 ASCII characters, and for up to 9
/// or 11 characters if all of them are common.
private func isTagged(_ text: String) -> Bool {
  let bytes = text.utf8
  switch bytes.count {
  case 0...7: return bytes.allSatisfy { $0 < 0x80 }
  case 8...9: return bytes.allSatisfy(taggedCharacters.contains)
  case 10...11: return bytes.allSatisfy(taggedCharacters.prefix(32).contains)
  default: return false
  }
}
