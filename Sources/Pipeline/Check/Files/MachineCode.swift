import Model
import System

/// Machine code or bitcode, recognized by the beginning of a file.
struct MachineCode {
  /// The description for messages, with an article.
  let name: String
  let platform: CodePlatform

  private init(_ name: String, for platform: CodePlatform) {
    self.name = name
    self.platform = platform
  }

  /// Creates the description of a file's code; nil if the file contains no code.
  ///
  /// `head` is the beginning of the file. If necessary, the initializer reads more bytes.
  init?(head: Span<UInt8>, read: ContentProblem.Read) throws(SystemError) {
    // The first byte is enough to rule out nearly all files.
    switch head[0] {
    case 0x7f where head.starts(with: [0x7f, 0x45, 0x4c, 0x46]):
      self.init("an ELF binary", for: .nonApple)
    case 0xfe, 0xce, 0xcf:
      guard machOMagics.contains(where: { head.starts(with: $0) }) else { return nil }
      self.init("a Mach-O binary", for: try MachOPlatforms(at: 0, read: read).platform)
    case 0xca, 0xbe, 0xbf:
      guard isFatMachO(head) else { return nil }
      self.init("a universal Mach-O binary", for: try MachOPlatforms(universal: read).platform)
    case UInt8(ascii: "M"):
      guard try isPE(head, read: read) else { return nil }
      self.init("a Windows binary (PE)", for: .nonApple)
    case UInt8(ascii: "!"):
      guard try isObjectArchive(head, read: read) else { return nil }
      self.init("a static library", for: .unknownApple)
    case UInt8(ascii: "d") where head.starts(with: "dex\n".utf8) && head[7] == 0:
      self.init("Android bytecode (dex)", for: .nonApple)
    // The second form of LLVM bitcode has a wrapper header.
    case UInt8(ascii: "B") where head.starts(with: [0x42, 0x43, 0xc0, 0xde]),
      0xde where head.starts(with: [0xde, 0xc0, 0x17, 0x0b]):
      self.init("LLVM bitcode", for: .unknownApple)
    default: return nil
    }
  }
}

/// The magic numbers of Mach-O files, for 32 and 64 bits in both byte orders.
let machOMagics: [[UInt8]] = [
  [0xfe, 0xed, 0xfa, 0xce], [0xfe, 0xed, 0xfa, 0xcf], [0xce, 0xfa, 0xed, 0xfe], [0xcf, 0xfa, 0xed, 0xfe],
]

/// Whether a file is a universal Mach-O binary.
///
/// Java class files have the same magic number. At the place where a universal binary has its number of
/// architectures, a Java class file has its version, which is at least 45.
func isFatMachO(_ head: Span<UInt8>) -> Bool {
  let isBig = head.starts(with: [0xca, 0xfe, 0xba, 0xbe]) || head.starts(with: [0xca, 0xfe, 0xba, 0xbf])
  let isLittle = head.starts(with: [0xbe, 0xba, 0xfe, 0xca]) || head.starts(with: [0xbf, 0xba, 0xfe, 0xca])
  guard isBig || isLittle else { return false }
  let count = isBig ? [4, 5, 6, 7] : [7, 6, 5, 4]
  return (1..<45).contains(count.reduce(0) { $0 << 8 | Int(head[$1]) })
}

/// Whether a file is a PE file.
///
/// Many formats begin with "MZ", but only PE files contain "PE" at the offset that is stored from byte 60 on.
func isPE(_ head: Span<UInt8>, read: ContentProblem.Read) throws(SystemError) -> Bool {
  guard head[1] == UInt8(ascii: "Z"), head.count >= 64 else { return false }
  let offset = (60..<64).reversed().reduce(Int64(0)) { $0 << 8 | Int64(head[$1]) }
  return try read(offset, 4) == [0x50, 0x45, 0, 0]
}

/// Whether a file is an `ar` archive whose first members are a symbol index or object files.
///
/// The members must be checked because Debian packages are also `ar` archives.
func isObjectArchive(_ head: Span<UInt8>, read: ContentProblem.Read) throws(SystemError) -> Bool {
  if head.starts(with: "!<thin>\n".utf8) { return true }
  guard head.starts(with: "!<arch>\n".utf8) else { return false }
  var offset: Int64 = 8
  for _ in 0..<8 {
    let member = try read(offset, 60)
    guard member.count >= 60 else { return false }
    let name = String(decoding: member[..<16], as: UTF8.self)
    if name.hasPrefix("/ ") || name.hasPrefix("// ") || name.hasPrefix("/SYM64/")
      || name.hasPrefix("__.SYMDEF")
    {
      return true
    }
    // In the BSD variant, a long name is stored before the data. The header then has "#1/" and the length of
    // the name.
    let nameSize = name.hasPrefix("#1/") ? min(Int(name.dropFirst(3).prefix(while: \.isNumber)) ?? 0, 255) : 0
    var content = try read(offset + 60, nameSize + 4)[...]
    if content.starts(with: Array("__.SYMDEF".utf8)) { return true }
    content = content.dropFirst(nameSize)
    if ([[0x7f, 0x45, 0x4c, 0x46]] + machOMagics).contains(where: { content.starts(with: $0) }) {
      return true
    }
    let digits = String(decoding: member[48..<58], as: UTF8.self).prefix { $0.isNumber && $0.isASCII }
    guard let size = Int64(digits) else { return false }
    offset += 60 + size + size % 2
  }
  return false
}
