package import Formats
package import Model
package import System

/// A problem with the contents of a file, found in its first bytes, or in more bytes if the first ones raise a
/// suspicion.
package struct ContentProblem: Sendable {
  /// Reads `count` bytes of the file from an offset, or fewer bytes if the file ends earlier.
  package typealias Read = (_ offset: Int64, _ count: Int) throws(SystemError) -> [UInt8]

  package let check: Check
  private let content: Content

  private enum Content: Sendable {
    case wrong(ContentVerdict)
    /// Machine code, with its description for messages.
    ///
    /// Some stores accept machine code in packs.
    case code(String, CodePlatform)
  }

  private init(_ check: Check, statement: String, severity: Severity? = nil) {
    self.check = check
    content = .wrong(ContentVerdict(statement, severity: severity))
  }

  private init(code name: String, platform: CodePlatform) {
    check = .executableContent
    content = .code(name, platform)
  }

  /// Applies a rule for machine code to the file at `path`; returns the finding, or nil if the rule permits
  /// the contents.
  package func finding(about path: String, at place: Place, under rule: CodeRule) -> Diagnostic? {
    let verdict: ContentVerdict? =
      switch content {
      case .wrong(let verdict): verdict
      case .code(let name, let platform): rule.verdict(onCodeFor: platform, describedAs: name)
      }
    return verdict.map {
      Diagnostic(check, message: "the file \(quoted(path)) \($0.statement)", at: place, severity: $0.severity)
    }
  }

  /// The number of bytes from the start of a file that are inspected.
  package static let headSize = 512
  /// The size in bytes of the smallest file that is inspected.
  static let minSize = 8

  /// Returns the problem with a file, or nil if nothing is wrong.
  ///
  /// `head` is the beginning of the file and `size` is its size in bytes. If necessary, the function reads
  /// more bytes.
  package static func found(
    inHead head: Span<UInt8>, size: Int64, read: Read
  ) throws(SystemError) -> ContentProblem? {
    guard head.count >= minSize else { return nil }
    // Callers pass different numbers of bytes, but the result must be the same for all callers.
    let head = head.extracting(first: headSize)
    if let found = try codeOrPointer(head: head, size: size, read: read) { return found }
    if try isPrivateKey(head: head, size: size, read: read) { return secretKey }
    return ToolOutput.description(ofFileWith: head).map(output)
  }

  private static func codeOrPointer(
    head: Span<UInt8>, size: Int64, read: Read
  ) throws(SystemError) -> ContentProblem? {
    if let code = try MachineCode(head: head, read: read) {
      return ContentProblem(code: code.name, platform: code.platform)
    }
    // The first byte is enough to rule out nearly all files.
    switch head[0] {
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

  private static let secretKey = ContentProblem(
    .secretKey,
    statement:
      "is a secret key, which every player would get; keep it outside the root, or leave it out with "
      + "\"exclude\"")

  /// Returns the problem with a file that packtool wrote.
  private static func output(describedAs words: String) -> ContentProblem {
    ContentProblem(
      .outputInPack,
      statement:
        "is \(words) that packtool wrote; write it outside the root, or leave it out with \"exclude\"")
  }

  private static let webAssembly = ContentProblem(
    .executableContent, statement: "is WebAssembly, which only an interpreter in the app can run",
    severity: .note)

  private static let lfsPointer = ContentProblem(
    .lfsPointer, statement: "is a Git LFS pointer, not the file itself; run \"git lfs pull\"")

  private static func annexPointer(
    _ head: Span<UInt8>, size: Int64, read: Read
  ) throws(SystemError) -> ContentProblem? {
    guard size <= PointerText.maxSize,
      head.starts(with: "/annex/objects/".utf8) || head.starts(with: "SHA256".utf8),
      let text = PointerText(contents: try read(0, Int(size)))
    else { return nil }
    let lack =
      text == .otherKey ? ", and its key does not contain the SHA-256 and size that --pointers needs" : ""
    return ContentProblem(
      .lfsPointer, statement: "is a git-annex pointer, not the file itself\(lack); run \"git annex get\"")
  }
}

extension Span<UInt8> {
  /// Whether the span begins with these bytes.
  func starts(with bytes: some Collection<UInt8>) -> Bool {
    count >= bytes.count && zip(indices, bytes).allSatisfy { self[$0] == $1 }
  }
}
