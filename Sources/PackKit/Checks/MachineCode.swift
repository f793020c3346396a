import Findings
import System

extension ContentCheck {
  static let machineCode = [
    elf, machO, universalMachO, windows, staticLibrary, dex, bitcode, webAssembly,
  ]

  private static let elf = refused("an ELF binary", firstBytes: [0x7f]) { head, _ throws(SystemError) in
    head.starts(with: [0x7f, 0x45, 0x4c, 0x46])
  }
  private static let machO = refused("a Mach-O binary", firstBytes: [0xfe, 0xce, 0xcf]) {
    (head, _) throws(SystemError) in machOMagics.contains { head.starts(with: $0) }
  }
  private static let universalMachO = refused(
    "a universal Mach-O binary", firstBytes: [0xca, 0xbe, 0xbf]
  ) { head, _ throws(SystemError) in isFatMachO(head) }
  private static let windows = refused(
    "a Windows binary (PE)", firstBytes: [UInt8(ascii: "M")], isFound: isPE)
  private static let staticLibrary = refused(
    "a static library", firstBytes: [UInt8(ascii: "!")], isFound: isObjectArchive)
  private static let dex = refused("Android bytecode (dex)", firstBytes: [UInt8(ascii: "d")]) {
    (head, _) throws(SystemError) in head.starts(with: Array("dex\n".utf8)) && head[7] == 0
  }
  private static let bitcode = refused("LLVM bitcode", firstBytes: [UInt8(ascii: "B")]) {
    (head, _) throws(SystemError) in head.starts(with: [0x42, 0x43, 0xc0, 0xde])
  }

  private static let webAssembly = ContentCheck(
    .executableContent, "is WebAssembly, which only an interpreter in the app can run", severity: .note,
    firstBytes: [0]
  ) { head, _, _ throws(SystemError) in head.starts(with: [0x00, 0x61, 0x73, 0x6d]) }

  /// Code that the store refuses; `name` is what a message calls it.
  private static func refused(
    _ name: String, firstBytes: Set<UInt8>,
    isFound: @escaping @Sendable (Span<UInt8>, Read) throws(SystemError) -> Bool
  ) -> ContentCheck {
    ContentCheck(
      .executableContent, "is \(name); the store refuses packs with machine code, leave it out",
      firstBytes: firstBytes
    ) { head, _, read throws(SystemError) in try isFound(head, read) }
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
  _ head: Span<UInt8>, _ read: ContentCheck.Read
) throws(SystemError) -> Bool {
  guard head[1] == UInt8(ascii: "Z"), head.count >= 64 else { return false }
  let offset = (60..<64).reversed().reduce(Int64(0)) { $0 << 8 | Int64(head[$1]) }
  return try read(offset, 4) == [0x50, 0x45, 0, 0]
}

/// An `ar` archive whose first members are an index of symbols or object files; Debian packages are `ar` too.
private func isObjectArchive(
  _ head: Span<UInt8>, _ read: ContentCheck.Read
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
