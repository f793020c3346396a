@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests bytes that are just recognized as executable code, or just not recognized.
///
/// The test does not need files on a disk.
@Suite struct ContentEdgeTests {
  /// Returns the ID of the finding for a file, or nil if the file is data.
  private func kind(_ bytes: [UInt8], size: Int64? = nil) throws -> String? {
    let head = Array(bytes.prefix(ContentProblem.headSize))
    return try ContentProblem.found(
      inHead: head.span, size: size ?? Int64(bytes.count), read: Self.reader(of: bytes))?.check.id
  }

  private static func reader(of bytes: [UInt8]) -> ContentProblem.Read {
    { offset, count in
      guard (0...Int64(bytes.count)).contains(offset) else { return [] }
      return Array(bytes[Int(offset)...].prefix(count))
    }
  }

  private static func number(_ value: UInt32, isBig: Bool) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (isBig ? 24 - $0 * 8 : $0 * 8)) }
  }

  /// A Java class begins like a universal binary, with its version number at the position of the slice count.
  @Test(
    arguments: [
      ([0xca, 0xfe, 0xba, 0xbe], true), ([0xca, 0xfe, 0xba, 0xbf], true), ([0xbe, 0xba, 0xfe, 0xca], false),
      ([0xbf, 0xba, 0xfe, 0xca], false),
    ] as [([UInt8], Bool)])
  func `a universal binary has 1 to 44 parts`(magic: [UInt8], isBig: Bool) throws {
    for (count, isCode) in [(0, false), (1, true), (44, true), (45, false), (65_535, false)] {
      let bytes = magic + Self.number(UInt32(count), isBig: isBig) + [UInt8](repeating: 0, count: 60)
      #expect(try (kind(bytes) == "executable-content") == isCode, "\(count)")
    }
    // Each byte of the number counts, and no byte after it.
    for count in [0x0100_0001, 0x0001_0001, 0x0000_0101, 0x2c00_0000, 0x002c_0000, 0x0000_2c00] as [UInt32] {
      let bytes = magic + Self.number(count, isBig: isBig) + [UInt8](repeating: 0, count: 60)
      #expect(try kind(bytes) == nil, "\(count)")
    }
    let full = magic + Self.number(2, isBig: isBig) + [UInt8](repeating: 0xff, count: 60)
    #expect(try kind(full) == "executable-content")
    let other = magic.dropLast() + [7] + Self.number(1, isBig: isBig)
    #expect(try kind(Array(other)) == nil)
  }

  @Test func `a Windows program has its letters where it says`() throws {
    func program(_ size: Int, at offset: UInt32) -> [UInt8] {
      var bytes = [0x4d, 0x5a] + [UInt8](repeating: 0, count: 58) + Self.number(offset, isBig: false)
      bytes += [UInt8](repeating: 0, count: 60) + [0x50, 0x45, 0, 0]
      return Array(bytes.prefix(size))
    }
    #expect(try kind(program(128, at: 124)) == "executable-content")
    #expect(try kind(program(128, at: 120)) == nil)
    #expect(try kind(program(127, at: 124)) == nil)
    #expect(try kind(program(128, at: .max)) == nil)
    for size in [8, 60, 63, 64] { #expect(try kind(program(size, at: 124)) == nil, "\(size)") }
    // The smallest file of this kind has 64 bytes.
    var small = program(64, at: 4)
    small.replaceSubrange(4..<8, with: [0x50, 0x45, 0, 0])
    #expect(try kind(small) == "executable-content" && kind(Array(small.dropLast())) == nil)
    // All four bytes of the offset count.
    for offset in [0x0100_007c, 0x0001_007c, 0x0000_017c] as [UInt32] {
      #expect(try kind(program(128, at: offset)) == nil)
    }
    var other = program(128, at: 124)
    other[1] = 0x5b
    #expect(try kind(other) == nil)
  }

  /// Returns an `ar` archive with these members.
  private static func archive(_ members: [(name: String, size: String, content: [UInt8])]) -> [UInt8] {
    Array("!<arch>\n".utf8)
      + members.flatMap { name, size, content in
        let header = name + String(repeating: " ", count: 48 - name.count) + size
        let padded = Array(header.utf8) + [UInt8](repeating: 32, count: max(0, 58 - header.utf8.count))
        return padded + [0x60, 0x0a] + content + (content.count % 2 == 1 ? [0x0a] : [])
      }
  }

  private static let object: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  @Test func `an archive with an object among its first files is a library`() throws {
    let odd = ("data", "3", [1, 2, 3] as [UInt8]), even = ("data", "2", [1, 2] as [UInt8])
    let code = ("code.o", "4", Self.object)
    func isLibrary(_ members: [(String, String, [UInt8])]) throws -> Bool {
      try kind(Self.archive(members.map { (name: $0.0, size: $0.1, content: $0.2) })) == "executable-content"
    }
    #expect(try isLibrary([code]))
    #expect(try isLibrary([odd, code]) && isLibrary([even, code]) && isLibrary([odd, even, odd, code]))
    #expect(try isLibrary(Array(repeating: odd, count: 7) + [code]))
    #expect(try !isLibrary(Array(repeating: odd, count: 8) + [code]))
    #expect(try !isLibrary([odd, even]) && !isLibrary([]))
    for name in ["/ ", "// ", "/SYM64/ ", "__.SYMDEF "] {
      #expect(try isLibrary([(name, "0", [])]), "\(name)")
    }
    for name in ["/x", "//x", "SYM64", "_.SYMDEF"] { #expect(try !isLibrary([(name, "0", [])]), "\(name)") }
    // BSD archives store long names before the content.
    #expect(try isLibrary([("#1/4", "8", Array("name".utf8) + Self.object)]))
    #expect(try !isLibrary([("#1/4", "8", Self.object + Array("name".utf8))]))
    #expect(try isLibrary([("#1/12", "12", Array("__.SYMDEF\0\0\0".utf8))]))
    // The field of the name has 16 bytes, and a name at most 255.
    #expect(try isLibrary([("#1/0000000000004" + "9", "8", Array("name".utf8) + Self.object)]))
    #expect(try isLibrary([("#1/", "4", Self.object)]) && isLibrary([("#1/x", "4", Self.object)]))
    for (count, isFound) in [(254, false), (255, true), (256, false)] {
      let content = Array(repeating: UInt8(ascii: "n"), count: count) + Self.object
      #expect(try isLibrary([("#1/999", "\(content.count)", content)]) == isFound, "\(count)")
    }
    // Sizes consist of ASCII digits.
    for size in ["", "x", "-3", "\u{663}", "3\u{663}"] {
      #expect(try !isLibrary([("data", size, []), code]))
    }
    #expect(try isLibrary([("data", "3x", [1, 2, 3]), code]))
    for magic in machOMagics { #expect(try isLibrary([("code.o", "4", magic)])) }
    #expect(try kind(Array("!<thin>\n".utf8)) == "executable-content" && kind(Array("!<that>\n".utf8)) == nil)
  }

  @Test(
    arguments: [
      ([0x42, 0x43, 0xc0, 0xde, 0, 0, 0, 0], "executable-content"),
      ([0x42, 0x43, 0xc0, 0xdf, 0, 0, 0, 0], nil),
      ([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], "executable-content"), ([0, 0x61, 0x73, 0x6e, 1, 0, 0, 0], nil),
      ([0x64, 0x65, 0x78, 0x0a, 0x30, 0x33, 0x35, 0], "executable-content"),
      ([0x64, 0x65, 0x78, 0x0a, 0x30, 0x33, 0x35, 1], nil),
      ([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0], "executable-content"),
      ([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0], nil), ([0x7f, 0x45, 0x4c, 0x47, 0, 0, 0, 0], nil), ([], nil),
    ] as [([UInt8], String?)])
  func `eight bytes are enough`(bytes: [UInt8], expected: String?) throws {
    #expect(try kind(bytes) == expected)
  }

  /// Returns a Mach-O binary with these load commands.
  ///
  /// Each command has a number, a size and words.
  private static func binary(
    _ commands: [(number: UInt32, size: UInt32, words: [UInt32])], isBig: Bool = false, isWide: Bool = true
  ) -> [UInt8] {
    let magic: [UInt8] = [isWide ? 0xcf : 0xce, 0xfa, 0xed, 0xfe]
    let body = commands.flatMap { [$0.number, $0.size] + $0.words }.flatMap { number($0, isBig: isBig) }
    let head = (0..<4).flatMap { _ in number(0, isBig: isBig) } + number(UInt32(body.count), isBig: isBig)
    let rest = [UInt8](repeating: 0, count: isWide ? 8 : 4)
    return (isBig ? magic.reversed() : magic) + head + rest + body
  }

  private static let iOS: (number: UInt32, size: UInt32, words: [UInt32]) = (0x32, 24, [2, 0, 0, 0])
  private static let macOS: (number: UInt32, size: UInt32, words: [UInt32]) = (0x32, 24, [1, 0, 0, 0])
  private static let short: (number: UInt32, size: UInt32, words: [UInt32]) = (1, 8, [])

  @Test(arguments: [true, false], [true, false])
  func `platforms are read of all commands`(isBig: Bool, isWide: Bool) throws {
    func platform(_ commands: [(number: UInt32, size: UInt32, words: [UInt32])]) throws -> CodePlatform {
      let bytes = Self.binary(commands, isBig: isBig, isWide: isWide)
      return try MachOPlatforms(at: 0, read: Self.reader(of: bytes)).platform
    }
    #expect(try platform([Self.iOS]) == .otherApple && platform([Self.macOS]) == .macOS)
    #expect(try platform([Self.iOS, Self.macOS]) == .macOS)
    #expect(try platform([Self.short, Self.short, Self.macOS]) == .macOS)
    #expect(try platform([(1, 7, []), Self.macOS]) == .unknownApple, "a command has eight bytes")
    #expect(try platform([(1, 0, []), Self.macOS]) == .unknownApple && platform([]) == .unknownApple)
    for (number, found) in [
      (0x24, CodePlatform.macOS), (0x25, .otherApple), (0x2f, .otherApple), (0x30, .otherApple),
    ] {
      #expect(try platform([(UInt32(number), 16, [0, 0])]) == found)
    }
    #expect(try platform([(0x32, 24, [6, 0, 0, 0])]) == .macOS)
  }

  /// A read error is reported, and not treated as a binary without a platform.
  @Test func `errors of reading are passed on`() throws {
    let universal =
      [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1] as [UInt8] + [UInt8](repeating: 0, count: 8)
      + [0, 0, 0, 28] + [UInt8](repeating: 0, count: 8)
    let whole = universal + Self.binary([Self.iOS])
    #expect(try MachOPlatforms(universal: Self.reader(of: whole)).platform == .otherApple)
    let failure = SystemError(during: "read", path: "x", code: SystemError.truncated)
    #expect(throws: failure) {
      try MachOPlatforms(universal: { offset, count throws(SystemError) in
        if offset >= 28 { throw failure }
        return try Self.reader(of: whole)(offset, count)
      })
    }
  }
}
