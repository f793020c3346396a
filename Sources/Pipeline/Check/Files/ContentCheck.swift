package import Formats
package import Model
package import System

/// A problem with the contents of a file, found in its first bytes.
package struct ContentCheck: Sendable {
  /// Reads `count` bytes of the file from an offset, or fewer bytes if the file ends earlier.
  package typealias Read = (_ offset: Int64, _ count: Int) throws(SystemError) -> [UInt8]

  package let kind: Check
  private let content: Content

  private enum Content: Sendable {
    case wrong(ContentVerdict)
    /// Machine code, with the name that messages use for it.
    ///
    /// Some stores accept machine code in packs.
    case code(String, CodePlatform)
  }

  private init(_ kind: Check, statement: String, severity: Severity? = nil) {
    self.kind = kind
    content = .wrong(ContentVerdict(statement, severity: severity))
  }

  private init(code name: String, platform: CodePlatform) {
    kind = .executableContent
    content = .code(name, platform)
  }

  /// Returns the finding about the file at `path` under a rule for machine code; nil if the rule permits the
  /// contents.
  package func finding(about path: String, at place: Place, under rule: CodeRule) -> Diagnostic? {
    let verdict: ContentVerdict? =
      switch content {
      case .wrong(let verdict): verdict
      case .code(let name, let platform): rule.verdict(onCodeFor: platform, describedAs: name)
      }
    return verdict.map {
      Diagnostic(kind, message: "the file \(quoted(path)) \($0.statement)", at: place, severity: $0.severity)
    }
  }

  /// The number of bytes from the start of a file that are inspected.
  package static let headSize = 512
  /// The size in bytes of the smallest file that is inspected.
  static let minSize = 8

  /// Returns the problem with a file, or nil if nothing is wrong.
  ///
  /// `head` is the beginning of the file and `size` is its size in bytes. The function can read further
  /// bytes.
  package static func finding(
    head: Span<UInt8>, size: Int64, read: Read
  ) throws(SystemError) -> ContentCheck? {
    guard head.count >= minSize else { return nil }
    // The callers have read different numbers of bytes, but the result must be the same for all callers.
    let head = head.extracting(first: headSize)
    if let found = try codeOrPointer(head: head, size: size, read: read) { return found }
    return try isPrivateKey(head: head, size: size, read: read) ? secretKey : nil
  }

  private static func codeOrPointer(
    head: Span<UInt8>, size: Int64, read: Read
  ) throws(SystemError) -> ContentCheck? {
    // The first byte is enough to rule out nearly all files.
    switch head[0] {
    case 0x7f:
      return head.starts(with: [0x7f, 0x45, 0x4c, 0x46]) ? code("an ELF binary", platform: .foreign) : nil
    case 0xfe, 0xce, 0xcf:
      return try machOMagics.contains { head.starts(with: $0) }
        ? code("a Mach-O binary", platform: MachOPlatforms(at: 0, read: read).platform) : nil
    case 0xca, 0xbe, 0xbf:
      return try isFatMachO(head)
        ? code("a universal Mach-O binary", platform: MachOPlatforms(universal: read).platform) : nil
    case UInt8(ascii: "M"):
      return try isPE(head, read: read) ? code("a Windows binary (PE)", platform: .foreign) : nil
    case UInt8(ascii: "!"):
      return try isObjectArchive(head, read: read) ? code("a static library", platform: .untold) : nil
    case UInt8(ascii: "d"):
      return head.starts(with: "dex\n".utf8) && head[7] == 0
        ? code("Android bytecode (dex)", platform: .foreign) : nil
    case UInt8(ascii: "B"):
      return head.starts(with: [0x42, 0x43, 0xc0, 0xde]) ? code("LLVM bitcode", platform: .untold) : nil
    // LLVM bitcode with a wrapper header.
    case 0xde:
      return head.starts(with: [0xde, 0xc0, 0x17, 0x0b]) ? code("LLVM bitcode", platform: .untold) : nil
    case UInt8(ascii: "u"): return try isMinisignKey(head, size: size, read: read) ? secretKey : nil
    case 0: return head.starts(with: [0x00, 0x61, 0x73, 0x6d]) ? webAssembly : nil
    // Some editors insert a byte order mark before a pointer.
    case UInt8(ascii: "v"), 0xef:
      return size < 1024 && PointerText.beginsLFS((0..<min(head.count, 64)).map { head[$0] })
        ? lfsPointer : nil
    // The text of a git-annex pointer begins with `/annex/objects/`, or consists only of a key.
    case UInt8(ascii: "/"), UInt8(ascii: "S"): return try annexPointer(head, size: size, read: read)
    default: return nil
    }
  }

  /// Creates the result for machine code; `name` is what messages call it.
  private static func code(_ name: String, platform: CodePlatform) -> ContentCheck {
    ContentCheck(code: name, platform: platform)
  }

  private static let secretKey = ContentCheck(
    .secretKey,
    statement:
      "is a secret key, which every player would get; keep it outside of the root, or leave it out with "
      + "\"exclude\"")

  private static let webAssembly = ContentCheck(
    .executableContent, statement: "is WebAssembly, which only an interpreter in the app can run",
    severity: .note)

  private static let lfsPointer = ContentCheck(
    .lfsPointer, statement: "is a git-LFS pointer, not the file itself; run \"git lfs pull\"")

  private static func annexPointer(
    _ head: Span<UInt8>, size: Int64, read: Read
  ) throws(SystemError) -> ContentCheck? {
    guard size <= PointerText.maxSize,
      head.starts(with: "/annex/objects/".utf8) || head.starts(with: "SHA256".utf8),
      let text = PointerText(contents: try read(0, Int(size)))
    else { return nil }
    let lack =
      text == .otherKey ? ", and its key does not state the SHA-256 and size that --pointers needs" : ""
    return ContentCheck(
      .lfsPointer, statement: "is a git-annex pointer, not the file itself\(lack); run \"git annex get\"")
  }
}

/// The maximum number of bytes of a PEM file that packtool searches for a private key.
private let maxKeyFileSize = 1 << 20

/// Whether a text file contains a private key of any kind in PEM, such as `-----BEGIN RSA PRIVATE KEY-----`.
///
/// The first PEM block must begin in the head, but comments can precede it. The key can follow certificates.
private func isPrivateKey(
  head: Span<UInt8>, size: Int64, read: ContentCheck.Read
) throws(SystemError) -> Bool {
  // Text begins with a printable character, whitespace, or a byte order mark.
  guard (0x20..<0x7f).contains(head[0]) || [0x09, 0x0a, 0x0d, 0xef].contains(head[0]) else { return false }
  // The command "openssl pkcs12" writes text before a key, and this text can be longer than the head.
  guard head.starts(with: "Bag Attributes".utf8) || head.contains(pemMarker) else { return false }
  return holdsPrivateKey(String(decoding: try read(0, Int(min(size, Int64(maxKeyFileSize)))), as: UTF8.self))
}

/// The beginning of a PEM block.
///
/// The marker is a constant array for speed, because every text file is searched for the marker.
private let pemMarker = Array("-----BEGIN ".utf8)

/// Whether a text contains a private key.
///
/// A marker at the start of a line is sufficient evidence. Elsewhere, such as in JSON or in prose, the key
/// must follow the marker.
private func holdsPrivateKey(_ text: String) -> Bool {
  for start in text.ranges(of: "-----BEGIN ") {
    let label = text[start.upperBound...].prefix { !$0.isNewline && $0 != "\\" }
    guard let words = label.firstRange(of: "PRIVATE KEY") else { continue }
    let before = text[..<start.lowerBound].last
    if before == nil || before?.isNewline == true || before == "\u{feff}" { return true }
    // In JSON, line breaks are written as "\n".
    let body = text[words.upperBound...].prefix(200).drop { "- \r\n\t\\nr".contains($0) }
    if body.prefix(while: { $0.isASCII && ($0.isLetter || $0.isNumber || "+/".contains($0)) }).count >= 16 {
      return true
    }
  }
  return false
}

/// Whether a file is a minisign secret key: a comment, followed by a line that begins with the algorithm
/// codes of a secret key.
private func isMinisignKey(
  _ head: Span<UInt8>, size: Int64, read: ContentCheck.Read
) throws(SystemError) -> Bool {
  let longest = 1 << 12
  guard size <= longest, head.starts(with: "untrusted comment:".utf8) else { return false }
  return SecretKey.isOne(String(decoding: try read(0, longest), as: UTF8.self))
}

extension Span<UInt8> {
  fileprivate func starts(with bytes: some Collection<UInt8>) -> Bool {
    count >= bytes.count && zip(indices, bytes).allSatisfy { self[$0] == $1 }
  }
}

/// The magic numbers of Mach-O files, for 32 and 64 bits in both byte orders.
let machOMagics: [[UInt8]] = [
  [0xfe, 0xed, 0xfa, 0xce], [0xfe, 0xed, 0xfa, 0xcf], [0xce, 0xfa, 0xed, 0xfe], [0xcf, 0xfa, 0xed, 0xfe],
]

/// Whether a file is a universal Mach-O binary.
///
/// Java class files have the same magic number. A Java class file contains its version, which is at least 45,
/// where a universal binary contains its number of architectures.
private func isFatMachO(_ head: Span<UInt8>) -> Bool {
  let isBig = head.starts(with: [0xca, 0xfe, 0xba, 0xbe]) || head.starts(with: [0xca, 0xfe, 0xba, 0xbf])
  let isLittle = head.starts(with: [0xbe, 0xba, 0xfe, 0xca]) || head.starts(with: [0xbf, 0xba, 0xfe, 0xca])
  guard isBig || isLittle else { return false }
  let count = isBig ? [4, 5, 6, 7] : [7, 6, 5, 4]
  return (1..<45).contains(count.reduce(0) { $0 << 8 | Int(head[$1]) })
}

/// Whether a file is a PE file.
///
/// Many formats begin with "MZ", but only PE files contain "PE" at the offset that byte 60 and the next bytes
/// specify.
private func isPE(_ head: Span<UInt8>, read: ContentCheck.Read) throws(SystemError) -> Bool {
  guard head[1] == UInt8(ascii: "Z"), head.count >= 64 else { return false }
  let offset = (60..<64).reversed().reduce(Int64(0)) { $0 << 8 | Int64(head[$1]) }
  return try read(offset, 4) == [0x50, 0x45, 0, 0]
}

/// Whether a file is an `ar` archive whose first members are a symbol index or object files.
///
/// Debian packages are also `ar` archives.
private func isObjectArchive(_ head: Span<UInt8>, read: ContentCheck.Read) throws(SystemError) -> Bool {
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
    // The BSD variant stores a long name before the data, and "#1/" is followed by the length of the name.
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
