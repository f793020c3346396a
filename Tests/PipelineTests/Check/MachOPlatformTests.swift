@testable import Model
@testable import Pipeline
@testable import System
import Testing

/// Tests the platforms in the headers of Apple's executables, in every byte order and word size.
@Suite struct MachOPlatformTests {
  private static func word(_ value: UInt32, isBig: Bool) -> [UInt8] {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBig ? bytes.reversed() : bytes
  }

  /// A load command with a number in its body.
  private struct Command {
    let kind: UInt32
    var size: UInt32 = 16
    var value: UInt32 = 0

    static func build(_ platform: UInt32) -> Command { Command(kind: 0x32, value: platform) }
    static let other = Command(kind: 0x19)
  }

  /// Returns a binary with one architecture and these load commands.
  private static func thin(
    _ commands: [Command], isBig: Bool = false, isWide: Bool = true, byteCount: UInt32? = nil
  ) -> [UInt8] {
    let body = commands.flatMap { command in
      let bytes =
        word(command.kind, isBig: isBig) + word(command.size, isBig: isBig)
        + word(command.value, isBig: isBig)
      return bytes + Array(repeating: UInt8(0), count: max(0, Int(command.size) - 12))
    }
    var fields: [UInt32] = [isWide ? 0xfeed_facf : 0xfeed_face, 7, 3, 2, UInt32(commands.count)]
    fields += [byteCount ?? UInt32(body.count), 0]
    if isWide { fields.append(0) }
    return fields.flatMap { word($0, isBig: isBig) } + body
  }

  /// Returns a function that reads from a file.
  ///
  /// The file consists of these parts, with gaps between them.
  private static func read(_ parts: [Int64: [UInt8]]) -> ContentProblem.Read {
    { offset, count throws(SystemError) in
      guard
        let (start, bytes) = parts.first(where: { ($0.key..<$0.key + Int64($0.value.count)).contains(offset) }
        )
      else { return [] }
      return Array(bytes.dropFirst(Int(offset - start)).prefix(count))
    }
  }

  private static func platform(_ bytes: [UInt8]) throws -> CodePlatform {
    try MachOPlatforms(at: 0, read: read([0: bytes])).platform
  }

  @Test(arguments: [true, false], [true, false])
  func `a part names its platform`(isBig: Bool, isWide: Bool) throws {
    let cases: [([Command], CodePlatform)] = [
      ([.build(1)], .macOS), ([.build(6)], .macOS), ([.build(2)], .otherApple), ([.build(11)], .otherApple),
      ([.other, .build(1)], .macOS), ([.build(2), .build(6)], .macOS), ([.other], .unknownApple),
      ([], .unknownApple),
      ([Command(kind: 0x24)], .macOS), ([Command(kind: 0x25)], .otherApple),
      ([Command(kind: 0x2f)], .otherApple), ([Command(kind: 0x30)], .otherApple),
      ([Command(kind: 0x31)], .unknownApple),
      // The list of commands ends at a command with an invalid size.
      ([Command(kind: 0x19, size: 7), .build(1)], .unknownApple),
      ([Command(kind: 0x19, size: 12), .build(1)], .macOS),
    ]
    for (commands, expected) in cases {
      let bytes = Self.thin(commands, isBig: isBig, isWide: isWide)
      #expect(try Self.platform(bytes) == expected, "\(commands)")
    }
  }

  @Test func `commands end where the header says`() throws {
    let commands: [Command] = [.other, .build(1)]
    #expect(try Self.platform(Self.thin(commands, byteCount: 28)) == .macOS)
    #expect(try Self.platform(Self.thin(commands, byteCount: 27)) == .unknownApple)
    let whole = Self.thin([.build(2)])
    #expect(try Self.platform(Array(whole.dropLast(4))) == .otherApple)
    #expect(try Self.platform(Array(whole.dropLast(5))) == .unknownApple)
    #expect(try Self.platform(Array(whole.prefix(27))) == .unknownApple)
    for count in 0..<28 { #expect(try Self.platform(Array(whole.prefix(count))) == .unknownApple) }
    var other = whole
    other[0] ^= 1
    #expect(try Self.platform(other) == .unknownApple)
  }

  /// Returns the platform of a universal binary.
  ///
  /// The binary has slices at these offsets, and a table at its start.
  private static func universal(
    _ parts: [(offset: Int64, commands: [Command])], isBig: Bool, isWide: Bool, count: UInt32? = nil
  ) throws -> CodePlatform {
    let magic: UInt32 = isWide ? 0xcafe_babf : 0xcafe_babe
    var table = word(magic, isBig: isBig) + word(count ?? UInt32(parts.count), isBig: isBig)
    for part in parts {
      let (high, low) = (UInt32(part.offset >> 32), UInt32(truncatingIfNeeded: part.offset))
      let offset = isBig ? [high, low] : [low, high]
      let words: [UInt32] = isWide ? [7, 3] + offset + [0, 64, 14, 0] : [7, 3, low, 64, 14]
      table += words.flatMap { word($0, isBig: isBig) }
    }
    var file = [0: table] as [Int64: [UInt8]]
    for part in parts { file[part.offset] = thin(part.commands) }
    return try MachOPlatforms(universal: read(file)).platform
  }

  @Test(arguments: [true, false], [true, false])
  func `a universal binary has the platforms of its parts`(isBig: Bool, isWide: Bool) throws {
    func platform(_ parts: [[Command]], count: UInt32? = nil) throws -> CodePlatform {
      let offset: Int64 = isWide ? 5 << 32 | 1 << 31 | 4096 : 1 << 31 | 4096
      let all = parts.enumerated().map { (offset + Int64($0) * 4096, $1) }
      return try Self.universal(all, isBig: isBig, isWide: isWide, count: count)
    }
    #expect(try platform([[.build(2)]]) == .otherApple)
    #expect(try platform([[.build(2)], [.build(1)]]) == .macOS)
    #expect(try platform([[.build(2)], [.build(3)]]) == .otherApple)
    // A slice without a platform makes the result unknown, unless another slice is certainly for macOS.
    #expect(try platform([[.build(2)], [.other]]) == .unknownApple)
    #expect(try platform([[.other], [.build(2)]]) == .unknownApple)
    #expect(try platform([[.other], [.build(1)]]) == .macOS)
    #expect(try platform([]) == .unknownApple)
    // The table contains fewer slices than its header states.
    #expect(try platform([[.build(2)]], count: 2) == .otherApple)
    // A byte of the number is the last byte of another magic number.
    #expect(try platform([[.build(2)]], count: 0xbf) == .otherApple)
    #expect(try platform([[.build(2)]], count: 0xbf00_0000) == .otherApple)
    let many = Array(repeating: [Command.build(2)], count: 44)
    #expect(try platform(many + [[.build(1)]]) == .otherApple)
    #expect(try platform(many.dropLast() + [[.build(1)]]) == .macOS)
  }

  @Test func `what is no table or too far away says nothing`() throws {
    #expect(
      try MachOPlatforms(universal: Self.read([0: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0]])).platform
        == .unknownApple)
    for (offset, expected) in [(Int64(1) << 40, CodePlatform.macOS), (1 << 40 | 1, .unknownApple)] {
      let parts =
        [(offset, [Command.build(1)]), (4096, [.build(2)])] as [(offset: Int64, commands: [Command])]
      #expect(try Self.universal(parts, isBig: true, isWide: true) == expected)
    }
  }
}
