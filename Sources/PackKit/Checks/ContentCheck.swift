package import Findings
package import System

/// A check of a file's contents by its first bytes.
package struct ContentCheck: Sendable {
  /// Reads so many bytes of the file from an offset, as far as there are any.
  package typealias Read = (_ offset: Int64, _ count: Int) throws(SystemError) -> [UInt8]

  /// The kind of finding that it reports.
  package let kind: Check
  /// The words behind the file's name in a message.
  package let statement: String
  /// How severe its finding is; nil where it is as severe as its kind.
  package let severity: Severity?
  /// The first byte of every file that it finds: one look at it clears nearly all others.
  package let firstBytes: Set<UInt8>
  /// Whether a file is found, by its head of at least eight bytes, its size in bytes and what else is read of it.
  private let isFound: @Sendable (_ head: Span<UInt8>, _ size: Int64, Read) throws(SystemError) -> Bool

  package init(
    _ kind: Check, _ statement: String, severity: Severity? = nil, firstBytes: Set<UInt8>,
    isFound: @escaping @Sendable (_ head: Span<UInt8>, _ size: Int64, Read) throws(SystemError) -> Bool
  ) {
    self.kind = kind
    self.statement = statement
    self.severity = severity
    self.firstBytes = firstBytes
    self.isFound = isFound
  }

  /// Every check of contents.
  package static let all: [ContentCheck] = machineCode + [lfsPointer, annexPointer, otherAnnexPointer]

  /// The number of bytes from the front that are inspected.
  package static let headSize = 512
  /// The size in bytes of the smallest file that is inspected.
  package static let leastSize = 8

  /// The first check that finds a file.
  package static func finding(
    head: Span<UInt8>, size: Int64, read: Read
  ) throws(SystemError) -> ContentCheck? {
    guard head.count >= leastSize else { return nil }
    for check in byFirstByte[Int(head[0])] {
      if try check.isFound(head, size, read) { return check }
    }
    return nil
  }

  private static let byFirstByte: [[ContentCheck]] = (0...UInt8.max).map { byte in
    all.filter { $0.firstBytes.contains(byte) }
  }

  private static let lfsPointer = ContentCheck(
    .lfsPointer, "is a git-LFS pointer, not the file itself; run \"git lfs pull\"",
    firstBytes: [UInt8(ascii: "v")]
  ) { head, size, _ throws(SystemError) in
    size < 1024 && head.starts(with: Array("version https://git-lfs.".utf8))
  }

  private static let annexPointer = ContentCheck(
    .lfsPointer, "is a git-annex pointer, not the file itself; run \"git annex get\"",
    firstBytes: annexFirstBytes
  ) { head, size, read throws(SystemError) in
    guard case .file = try annexText(head, size, read) else { return false }
    return true
  }

  private static let otherAnnexPointer = ContentCheck(
    .lfsPointer,
    "is a git-annex pointer, not the file itself, and its key does not state the SHA-256 and size that --pointers "
      + "needs; run \"git annex get\"", firstBytes: annexFirstBytes
  ) { head, size, read throws(SystemError) in
    try annexText(head, size, read) == .otherKey
  }

  /// The first bytes of `/annex/objects/` and of keys that stand alone.
  private static let annexFirstBytes: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: "S")]

  private static func annexText(
    _ head: Span<UInt8>, _ size: Int64, _ read: Read
  ) throws(SystemError) -> PointerText? {
    guard size <= PointerText.longest,
      head.starts(with: Array("/annex/objects/".utf8)) || head.starts(with: Array("SHA256".utf8))
    else { return nil }
    return PointerText(contents: try read(0, Int(size)))
  }
}

extension Span<UInt8> {
  func starts(with bytes: [UInt8]) -> Bool {
    count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }
}
