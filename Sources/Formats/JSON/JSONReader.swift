import System

/// Reads a JSON text (RFC 8259) and keeps the position of each value.
///
/// Foundation's decoder stops at the first mistake, reports no line, and silently accepts unknown and
/// repeated keys. This reader continues after each mistake if it can guess where the mistake ends.
package struct JSONReader {
  package let text: SourceText
  var findings = FindingList()
  var bytes: [UInt8] { text.bytes }
  var position = 0
  private(set) var nodes: JSONNodes
  /// The keys of all open objects.
  ///
  /// The keys of the innermost object are last.
  private var keys = RepeatedKeyFinder()
  /// The offsets of the open brackets.
  private(set) var open: [Int] = []

  /// The maximum depth to which arrays and objects can be nested.
  package static let deepestLevel = 256

  /// Thrown after a reported mistake if the rest of the text cannot be read.
  struct SyntaxFailure: Error {}

  /// Returns the value of a whole text, and all findings.
  ///
  /// The value is nil if the text could not be read to the end.
  package static func read(_ text: SourceText) -> (value: JSONValue?, diagnostics: [Diagnostic]) {
    var reader = JSONReader(text: text, nodes: JSONNodes(forBytes: text.bytes.count))
    let isRead = (try? reader.readDocument()) != nil
    let value = isRead ? JSONValue(tree: JSONTree(text, nodes: reader.nodes), node: 0) : nil
    return (value, reader.findings.findings)
  }

  /// Returns the string, literal or number at an offset in the source text, and the mistakes in that value.
  package static func string(at offset: Int, of text: SourceText) -> (text: String, mistakes: [Diagnostic]) {
    var reader = JSONReader(text: text, nodes: JSONNodes())
    reader.position = offset
    let string = isWordByte(text.bytes[offset]) ? reader.nextWord() : try? reader.readString()
    return (string ?? "", reader.findings.findings)
  }

  private mutating func readDocument() throws(SyntaxFailure) {
    try checkFormat()
    try checkUTF8()
    let text = text
    let bytes = text.bytes.span
    skipSpace(bytes)
    if position == bytes.count {
      throw failure("the file is empty; expected a value such as {\"key\": \"value\"}")
    }
    try readValue(bytes)
    skipSpace(bytes)
    if position < bytes.count { throw unexpected("expected the end of the file") }
  }

  /// Reads a value.
  ///
  /// `bytes` is a span of the text's bytes, which avoids an ownership check for each byte.
  private mutating func readValue(_ bytes: Span<UInt8>) throws(SyntaxFailure) {
    let start = position
    guard start < bytes.count else { throw unexpected("expected a value") }
    switch bytes[start] {
    case UInt8(ascii: "\""):
      if let length = passPlainString(bytes) {
        nodes.append(.plainString, at: start, length: length)
      } else {
        let mistakes = findings.total
        try passString()
        nodes.append(findings.total == mistakes ? .string : .unreadable, at: start)
      }
    case UInt8(ascii: "{"), UInt8(ascii: "["): try readNested(bytes)
    case UInt8(ascii: "'"):
      try passString()
      nodes.append(.string, at: start)
    case let byte where isWordByte(byte): nodes.append(readWord(), at: start)
    default: throw unexpected("expected a value")
    }
  }

  private mutating func readNested(_ bytes: Span<UInt8>) throws(SyntaxFailure) {
    if open.count == Self.deepestLevel {
      throw failure("arrays and objects are nested more than \(Self.deepestLevel) levels deep")
    }
    let node = nodes.count
    let isObject = bytes[position] == UInt8(ascii: "{")
    nodes.append(.unreadable, at: position)
    open.append(position)
    position += 1
    if isObject { try readMembers(bytes) } else { try readElements(bytes) }
    open.removeLast()
    nodes.close(node, as: isObject ? .object : .array)
  }

  private mutating func readElements(_ bytes: Span<UInt8>) throws(SyntaxFailure) {
    var next = JSONItemPosition.first
    while try startNextItem(bytes, closing: UInt8(ascii: "]"), at: next) {
      next = .later
      try readValue(bytes)
    }
  }

  private mutating func readMembers(_ bytes: Span<UInt8>) throws(SyntaxFailure) {
    keys.beginObject()
    var next = JSONItemPosition.first
    while try startNextItem(bytes, closing: UInt8(ascii: "}"), at: next) {
      next = .later
      let key = nodes.count
      try readKey(bytes)
      skipSpace(bytes)
      try passColon(bytes, after: key)
      skipSpace(bytes)
      try readValue(bytes)
      keys.add(nodes[key], in: text)
    }
    for (offset, earlier) in keys.endObject() { reportRepeated(at: offset, firstAt: earlier) }
  }

  private mutating func passColon(_ bytes: Span<UInt8>, after key: Int) throws(SyntaxFailure) {
    if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
      position += 1
      return
    }
    let name = quoted(Self.string(at: nodes[key].offset, of: text).text)
    guard peek == UInt8(ascii: "="), namedMistake == nil else {
      throw unexpected("expected \":\" after the key \(name)")
    }
    report("expected \":\" after the key \(name), found \"=\"")
    position += 1
  }

  private mutating func readKey(_ bytes: Span<UInt8>) throws(SyntaxFailure) {
    let start = position
    switch peek {
    case UInt8(ascii: "\""):
      if let length = passPlainString(bytes) {
        nodes.append(.plainString, at: start, length: length)
        return
      }
      try passString()
    case UInt8(ascii: "'"): try passString()
    case .some(let byte) where isWordByte(byte):
      report("expected a key in double quotes, found \(found())")
      _ = nextWord()
    default: throw unclosed() ?? unexpected("expected a key in double quotes")
    }
    nodes.append(.string, at: start)
  }

  /// Moves to the next element or member; returns false at the end of the array or object.
  private mutating func startNextItem(
    _ bytes: Span<UInt8>, closing: UInt8, at next: JSONItemPosition
  ) throws(SyntaxFailure) -> Bool {
    let end = position
    skipSpace(bytes)
    if position < bytes.count, bytes[position] == closing {
      position += 1
      return false
    }
    if next == .first { return true }
    guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else {
      try reportMissingComma(closing: closing, at: end)
      return true
    }
    let comma = position
    position += 1
    skipSpace(bytes)
    guard position < bytes.count, bytes[position] == closing else { return true }
    if !text.mayHaveComments { reportTrailingComma(before: closing, at: comma) }
    position += 1
    return false
  }

  /// The kind of a value, if it can be joined with another value.
  private enum JoinableKind {
    case array
    case object
  }

  /// Returns the kind of the value of a key; nil for values that cannot be joined.
  private static func kindOfValue(afterKeyAt key: Int, in text: SourceText) -> JoinableKind? {
    let bytes = text.bytes
    guard let end = bytes.endOfString(at: key) else { return nil }
    let value = bytes[end...].first { ![0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ":")].contains($0) }
    return value == UInt8(ascii: "[") ? .array : value == UInt8(ascii: "{") ? .object : nil
  }

  private mutating func reportRepeated(at offset: Int, firstAt earlier: Int) {
    let place = text.place(at: offset)
    findings.add(
      .duplicateKey, at: place,
      making: {
        let key = Self.string(at: offset, of: text).text
        let action =
          switch (
            Self.kindOfValue(afterKeyAt: earlier, in: text), Self.kindOfValue(afterKeyAt: offset, in: text)
          ) {
          case (.array, .array): "move all elements into one array, and remove the other key"
          case (.object, .object): "move all members into one object, and remove the other key"
          default: "remove one of them"
          }
        return Diagnostic(
          .duplicateKey, message: "the key \(quoted(key)) is listed twice; \(action)", at: place,
          notes: [.init("the first occurrence is here", at: text.place(at: earlier))])
      })
  }

  mutating func report(_ message: String, at offset: Int? = nil, fix: TextEdit? = nil) {
    findings.add(Diagnostic(.jsonSyntax, message: message, at: text.place(at: offset ?? position), fix: fix))
  }

  mutating func failure(_ message: String) -> SyntaxFailure {
    findings.add(
      Diagnostic(
        .jsonSyntax, message: message, at: text.place(at: position), notes: unmatched.map { [$0] } ?? []))
    return SyntaxFailure()
  }

  /// An attached line that points to the innermost open bracket.
  ///
  /// Messages have it if the text ends too early, or if a bracket of the other kind closes the array or
  /// object.
  private var unmatched: Diagnostic.AttachedLine? {
    guard let last = open.last else { return nil }
    let otherClose = UInt8(ascii: bytes[last] == UInt8(ascii: "{") ? "]" : "}")
    if let peek, peek != otherClose { return nil }
    return .init(
      "the \"\(UnicodeScalar(bytes[last]))\" that must be closed is here", at: text.place(at: last))
  }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
}
