/// Reads a property list in Apple's binary format, written by any program.
struct BinaryPlistReader {
  typealias Damage = PropertyList.Damage

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let tableOffset: Int
  /// The number of objects that may still be read.
  ///
  /// The limit is needed because a few bytes can refer to one object many times.
  private var objectsLeft: Int
  /// The number of bytes of strings and data that may still be copied.
  ///
  /// The limit is needed because a few bytes can refer to one string many times.
  private var bytesLeft: Int

  private static let deepestLevel = 64

  static func read(
    _ bytes: [UInt8], maxObjects: Int = 1_000_000, maxBytes: Int = 64 << 20
  ) throws(Damage) -> PlistItem {
    var reader = try BinaryPlistReader(bytes, maxObjects: maxObjects, maxBytes: maxBytes)
    let top = try reader.number(at: bytes.count - 16, size: 8)
    return try reader.object(top, depth: 0)
  }

  /// The size in bytes of a list with one object of one byte: its beginning, the object, the object's offset, and its end.
  private static let leastSize = 8 + 1 + 1 + 32

  private init(_ bytes: [UInt8], maxObjects: Int, maxBytes: Int) throws(Damage) {
    self.bytes = bytes
    (objectsLeft, bytesLeft) = (maxObjects, maxBytes)
    guard bytes.starts(with: "bplist00".utf8), bytes.count >= Self.leastSize else {
      throw Damage(reason: "its beginning or its end is not that of a binary property list")
    }
    offsetSize = Int(bytes[bytes.count - 26])
    referenceSize = Int(bytes[bytes.count - 25])
    objectCount = Self.bigEndian(bytes[(bytes.count - 24)..<(bytes.count - 16)])
    tableOffset = Self.bigEndian(bytes[(bytes.count - 8)...])
    let room = bytes.count - 32
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), (8...room).contains(tableOffset),
      (1...room).contains(objectCount), objectCount <= (room - tableOffset) / offsetSize
    else { throw Damage(reason: "its table of objects is outside the file") }
  }

  /// Reads a big-endian number.
  ///
  /// If the number does not fit, the result is the largest integer. Every range check rejects it.
  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(clamping: bits(bytes))
  }

  private static func bits(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  private func number(at start: Int, size: Int) throws(Damage) -> Int {
    guard start <= bytes.count - size else { throw Damage(reason: "it is truncated") }
    return Self.bigEndian(bytes[start..<start + size])
  }

  private mutating func object(_ number: Int, depth: Int) throws(Damage) -> PlistItem {
    objectsLeft -= 1
    if number >= objectCount {
      throw Damage(
        reason: "it refers to the object \(number), which does not exist")
    }
    if depth > Self.deepestLevel || objectsLeft < 0 {
      throw Damage(reason: "its objects refer to each other too many times")
    }
    let start = try self.number(at: tableOffset + number * offsetSize, size: offsetSize)
    guard start >= 8, start < tableOffset else {
      throw Damage(reason: "an object is outside the file's area for objects")
    }
    let marker = bytes[start]
    switch marker {
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    case 0x10...0x13:
      let size = 1 << Int(marker & 3)
      let value = try self.number(at: start + 1, size: size)
      if size < 8 { return .integer(Int64(value)) }
      return .integer(Int64(bitPattern: Self.bits(bytes[(start + 1)..<(start + 9)])))
    case 0x14:
      _ = try self.number(at: start + 1, size: 16)
      let (high, low) = (
        Self.bits(bytes[(start + 1)..<(start + 9)]), Self.bits(bytes[(start + 9)..<(start + 17)])
      )
      // If the integer is negative, all bits of its upper 64 bits are set.
      if high == .max, low > Int64.max { return .integer(Int64(bitPattern: low)) }
      if high != 0 { throw Damage(reason: "it contains an integer of more than 64 bits") }
      return low > Int64.max ? .unsigned(low) : .integer(Int64(low))
    case 0x22:
      let bits = UInt32(try self.number(at: start + 1, size: 4))
      return .real(Double(Float(bitPattern: bits)))
    case 0x23, 0x33:
      _ = try self.number(at: start + 1, size: 8)
      let value = Double(bitPattern: Self.bits(bytes[(start + 1)..<(start + 9)]))
      return marker == 0x23 ? .real(value) : .date(value)
    default: return try countedObject(marker: marker, at: start + 1, depth: depth)
    }
  }

  private mutating func countedObject(marker: UInt8, at start: Int, depth: Int) throws(Damage) -> PlistItem {
    var start = start
    var count = Int(marker & 15)
    if count == 15 {
      let size = 1 << Int(try number(at: start, size: 1) & 3)
      count = try number(at: start + 1, size: size)
      start += 1 + size
    }
    switch marker >> 4 {
    case 4: return .data(Array(try part(start, count: count)))
    case 5: return .string(String(decoding: try part(start, count: count), as: UTF8.self))
    case 6:
      let units = try part(start, count: count, size: 2)
      let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2)
      return .string(
        String(decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self))
    case 0xa, 0xc:
      var elements: [PlistItem] = []
      for number in try references(at: start, entryCount: count) {
        elements.append(try object(number, depth: depth + 1))
      }
      return .array(elements)
    case 0xd:
      let numbers = try references(at: start, entryCount: count, referencesPerEntry: 2)
      var members: [String: PlistItem] = [:]
      for place in 0..<count {
        guard let key = try object(numbers[place], depth: depth + 1).string else {
          throw Damage(reason: "a key is not a string")
        }
        members[key] = try object(numbers[count + place], depth: depth + 1)
      }
      return .dictionary(members)
    default: throw Damage(reason: "it contains an object of an unknown type")
    }
  }

  /// Returns the bytes of `count` characters or bytes, each of `size` bytes.
  private mutating func part(_ start: Int, count: Int, size: Int = 1) throws(Damage) -> ArraySlice<UInt8> {
    guard count <= (bytes.count - start) / size else { throw Damage(reason: "it is truncated") }
    bytesLeft -= count * size
    if bytesLeft < 0 { throw Damage(reason: "its objects refer to each other too many times") }
    return bytes[start..<start + count * size]
  }

  private func references(at start: Int, entryCount: Int, referencesPerEntry: Int = 1) throws(Damage) -> [Int]
  {
    guard entryCount <= (bytes.count - start) / referenceSize / referencesPerEntry else {
      throw Damage(reason: "it is truncated")
    }
    var numbers: [Int] = []
    for place in 0..<entryCount * referencesPerEntry {
      numbers.append(try number(at: start + place * referenceSize, size: referenceSize))
    }
    return numbers
  }
}
