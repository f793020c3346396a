import Formats
package import System

/// Kinds of file contents that packs must not have, detected by the first bytes.
package enum FileMagic: Sendable, Equatable {
  /// Machine code, with its kind for messages.
  case executable(String)
  case webAssembly
  case lfsPointer

  /// The number of bytes from the front that are inspected.
  package static let headSize = 512

  /// Detects the kind by the file's head; `read` returns further bytes, as far as there are any.
  package init?(
    head: Span<UInt8>, read: (_ offset: Int64, _ count: Int) throws(SystemError) -> [UInt8]
  ) throws(SystemError) {
    guard head.count >= 8 else { return nil }
    // The first byte rules out nearly every file.
    switch head[0] {
    case 0x7f where head.starts(with: [0x7f, 0x45, 0x4c, 0x46]): self = .executable("an ELF binary")
    case 0xfe, 0xce, 0xcf:
      guard machOMagics.contains(where: { head.starts(with: $0) }) else { return nil }
      self = .executable("a Mach-O binary")
    case 0xca, 0xbe, 0xbf:
      guard isFatMachO(head) else { return nil }
      self = .executable("a universal Mach-O binary")
    case UInt8(ascii: "M"):
      guard try isPE(head, read) else { return nil }
      self = .executable("a Windows binary (PE)")
    case UInt8(ascii: "!"):
      guard try isObjectArchive(head, read) else { return nil }
      self = .executable("a static library")
    case UInt8(ascii: "d") where isDex(head): self = .executable("Android bytecode (dex)")
    case UInt8(ascii: "B") where head.starts(with: [0x42, 0x43, 0xc0, 0xde]):
      self = .executable("LLVM bitcode")
    case 0 where head.starts(with: [0x00, 0x61, 0x73, 0x6d]): self = .webAssembly
    case UInt8(ascii: "v") where head.starts(with: Array("version https://git-lfs.".utf8)):
      self = .lfsPointer
    default: return nil
    }
  }
}

/// Mach-O, 32 and 64 bits, in both byte orders.
private let machOMagics: [[UInt8]] = [
  [0xfe, 0xed, 0xfa, 0xce], [0xfe, 0xed, 0xfa, 0xcf], [0xce, 0xfa, 0xed, 0xfe], [0xcf, 0xfa, 0xed, 0xfe],
]

/// A universal binary has its number of architectures where a Java class, which has the same magic, has its
/// version, which is 45 or more.
private func isFatMachO(_ head: Span<UInt8>) -> Bool {
  let isBig = head.starts(with: [0xca, 0xfe, 0xba, 0xbe]) || head.starts(with: [0xca, 0xfe, 0xba, 0xbf])
  let isLittle = head.starts(with: [0xbe, 0xba, 0xfe, 0xca]) || head.starts(with: [0xbf, 0xba, 0xfe, 0xca])
  guard isBig || isLittle else { return false }
  let count = isBig ? [4, 5, 6, 7] : [7, 6, 5, 4]
  return (1..<45).contains(count.reduce(0) { $0 << 8 | Int(head[$1]) })
}

/// Many formats begin with "MZ"; a PE file has the letters "PE" at the offset that is stored at 60.
private func isPE(
  _ head: Span<UInt8>, _ read: (Int64, Int) throws(SystemError) -> [UInt8]
) throws(SystemError) -> Bool {
  guard head[1] == UInt8(ascii: "Z"), head.count >= 64 else { return false }
  let offset = (60..<64).reversed().reduce(Int64(0)) { $0 << 8 | Int64(head[$1]) }
  return try read(offset, 4) == [0x50, 0x45, 0, 0]
}

private func isDex(_ head: Span<UInt8>) -> Bool {
  head.starts(with: Array("dex\n".utf8)) && head[7] == 0
}

/// An `ar` archive that begins with a symbol index or object files, unlike Debian packages, which are `ar`, too.
private func isObjectArchive(
  _ head: Span<UInt8>, _ read: (Int64, Int) throws(SystemError) -> [UInt8]
) throws(SystemError) -> Bool {
  if head.starts(with: Array("!<thin>\n".utf8)) { return true }
  guard head.starts(with: Array("!<arch>\n".utf8)) else { return false }
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
    // The BSD variant stores a long name before the data, and its length after "#1/".
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

extension Span<UInt8> {
  fileprivate func starts(with bytes: [UInt8]) -> Bool {
    count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }
}
