import Model
import System

/// The platforms that the load commands of a Mach-O binary specify.
struct MachOPlatforms {
  private var found: Set<UInt32> = []
  /// Whether at least one part of the binary specifies no platform.
  private var isUnknown = false

  /// The platform that the binary runs on.
  ///
  /// The result is macOS if one part of the binary runs on macOS.
  var platform: CodePlatform {
    if !found.isDisjoint(with: Self.macOS) { return .macOS }
    return isUnknown || found.isEmpty ? .unknownApple : .otherApple
  }

  /// The platform numbers of macOS and Mac Catalyst.
  private static let macOS: Set<UInt32> = [1, 6]
  /// Older load commands, and the platform that each of them stands for.
  ///
  /// Newer binaries use the same load command for every platform.
  private static let oldCommands: [UInt32: UInt32] = [0x24: 1, 0x25: 2, 0x2f: 3, 0x30: 4]
  private static let buildVersion: UInt32 = 0x32
  private static let maxParts = 44
  private static let maxCommandBytes = 1 << 16
  /// The maximum offset at which packtool reads a binary.
  ///
  /// No real file is that large.
  private static let maxOffset: Int64 = 1 << 40

  /// Reads the load commands of a binary that starts at an offset.
  init(at offset: Int64, read: ContentProblem.Read) throws(SystemError) { try add(at: offset, read: read) }

  /// Reads the load commands of all parts of a universal binary.
  init(universal read: ContentProblem.Read) throws(SystemError) {
    let header = Words(try read(0, 8))
    guard header.bytes.count == 8 else {
      isUnknown = true
      return
    }
    let magic: [UInt8] = Array(header.bytes[..<4])
    let endianness: Endianness = magic[0] == 0xca ? .big : .little
    let isWide = magic.contains(0xbf)
    let size = isWide ? 32 : 20
    let count = min(Int(header.word(at: 4, endianness: endianness)), Self.maxParts)
    let parts = Words(try read(8, count * size))
    for number in 0..<count where (number + 1) * size <= parts.bytes.count {
      let position = number * size + 8
      let high =
        isWide
        ? Int64(parts.word(at: endianness == .big ? position : position + 4, endianness: endianness)) : 0
      let low = Int64(
        parts.word(at: isWide && endianness == .big ? position + 4 : position, endianness: endianness))
      try add(at: (high & 0x7fff_ffff) << 32 | low, read: read)
    }
  }

  private mutating func add(at offset: Int64, read: ContentProblem.Read) throws(SystemError) {
    if offset > Self.maxOffset {
      isUnknown = true
      return
    }
    let header = Words(try read(offset, 32))
    guard header.bytes.count >= 28, machOMagics.contains(Array(header.bytes[..<4])) else {
      isUnknown = true
      return
    }
    let endianness: Endianness = header.bytes[0] == 0xfe ? .big : .little
    let isWide = header.bytes[endianness == .big ? 3 : 0] == 0xcf
    let start: Int64 = isWide ? 32 : 28
    let size = min(Int(header.word(at: 20, endianness: endianness)), Self.maxCommandBytes)
    let commands = Words(try read(offset + start, size))
    var position = 0
    var hasPlatform = false
    while position + 12 <= commands.bytes.count {
      let command = commands.word(at: position, endianness: endianness)
      let platform =
        command == Self.buildVersion
        ? commands.word(at: position + 8, endianness: endianness) : Self.oldCommands[command]
      if let platform {
        found.insert(platform)
        hasPlatform = true
      }
      let step = Int(commands.word(at: position + 4, endianness: endianness))
      if step < 8 { break }
      position += step
    }
    if !hasPlatform { isUnknown = true }
  }
}

/// Bytes that are read as 4-byte numbers.
private struct Words {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func word(at position: Int, endianness: Endianness) -> UInt32 {
    let four = bytes[position..<position + 4]
    return (endianness == .big ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
