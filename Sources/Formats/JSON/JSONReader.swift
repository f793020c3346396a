package import Findings
import System

/// Reads a JSON text (RFC 8259) and keeps the place of each value.
///
/// Foundation's decoder stops at the first mistake, gives no line, and accepts unknown and repeated keys silently.
/// This reader continues after each mistake whose end it can guess.
package struct JSONReader {
  package let text: SourceText
  var findings = FindingList()
  var bytes: [UInt8] { text.bytes }
  var position = 0
  private var nodes = JSONTree.Nodes()
  /// The offsets of open brackets, the innermost last.
  private var open: [Int] = []

  /// The deepest nesting of arrays and objects.
  package static let deepestLevel = 256

  /// A reported mistake after which the rest cannot be read.
  struct Lost: Error {}

  /// The value of a whole text, nil if it could not be read to the end, with all findings.
  package static func read(_ text: SourceText) -> (value: JSONValue?, diagnostics: [Diagnostic]) {
    var reader = JSONReader(text: text)
    let isRead = (try? reader.readDocument()) != nil
    let value = isRead ? JSONValue(tree: JSONTree(text, reader.nodes), node: 0) : nil
    return (value, reader.findings.findings)
  }

  /// The string, literal or number at an offset of a text that was read, and whose mistakes were reported, before.
  static func string(at offset: Int, of text: SourceText) -> String {
    var reader = JSONReader(text: text)
    reader.position = offset
    return isWordByte(text.bytes[offset]) ? reader.takeWord() : (try? reader.readString()) ?? ""
  }

  private init(text: SourceText) {
    self.text = text
  }

  private mutating func readDocument() throws(Lost) {
    try checkUTF8()
    skipSpace()
    if position == bytes.count {
      throw lost("the file is empty; expected a value such as {\"key\": \"value\"}")
    }
    try readValue()
    skipSpace()
    if position < bytes.count { throw lost("expected the end of the file, found \(found())") }
  }

  private mutating func checkUTF8() throws(Lost) {
    guard let offset = firstInvalidUTF8(in: bytes) else { return }
    position = offset
    throw lost("expected UTF-8, found the byte 0x\(String(bytes[offset], radix: 16))")
  }

  mutating func readValue() throws(Lost) {
    let node = nodes.append(.unreadable, at: position)
    switch peek {
    case UInt8(ascii: "{"):
      try nested { reader throws(Lost) in try reader.readMembers() }
      nodes.close(node, as: .object)
    case UInt8(ascii: "["):
      try nested { reader throws(Lost) in try reader.readElements() }
      nodes.close(node, as: .array)
    case UInt8(ascii: "'"):
      try passString()
      nodes.close(node, as: .string)
    case UInt8(ascii: "\""):
      let mistakes = findings.total
      try passString()
      if findings.total == mistakes { nodes.close(node, as: .string) }
    case .some(let byte) where isWordByte(byte): nodes.close(node, as: readWord())
    default: throw lost("expected a value, found \(found())")
    }
  }

  private mutating func nested(_ body: (inout JSONReader) throws(Lost) -> Void) throws(Lost) {
    if open.count == Self.deepestLevel {
      throw lost("arrays and objects are nested more than \(Self.deepestLevel) levels deep")
    }
    open.append(position)
    position += 1
    try body(&self)
    open.removeLast()
  }

  private mutating func readElements() throws(Lost) {
    var isFirst = true
    while try startNextItem(closing: UInt8(ascii: "]"), isFirst: isFirst) {
      isFirst = false
      try readValue()
    }
  }

  private mutating func readMembers() throws(Lost) {
    var first: [String: UInt32] = [:]
    var repeated: [(UInt32, UInt32)] = []
    var isFirst = true
    while try startNextItem(closing: UInt8(ascii: "}"), isFirst: isFirst) {
      isFirst = false
      let keyOffset = position
      _ = nodes.append(.string, at: keyOffset)
      let key = try readKey()
      skipSpace()
      if peek == UInt8(ascii: ":") {
        position += 1
      } else if peek == UInt8(ascii: "=") {
        report("expected \":\" after the key \(quoted(key)), found \"=\"")
        position += 1
      } else {
        throw lost("expected \":\" after the key \(quoted(key)), found \(found())")
      }
      skipSpace()
      try readValue()
      if let earlier = first[key] {
        repeated.append((UInt32(keyOffset), earlier))
      } else {
        first[key] = UInt32(keyOffset)
      }
    }
    for (offset, earlier) in repeated { reportRepeated(at: Int(offset), firstAt: Int(earlier)) }
  }

  private mutating func readKey() throws(Lost) -> String {
    switch peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try readString()
    case .some(let byte) where isWordByte(byte):
      report("expected a key in double quotes, found \(found())")
      return takeWord()
    default: throw lost("expected a key in double quotes, found \(found())")
    }
  }

  /// Moves to the next element or member; false at the end of the array or object.
  private mutating func startNextItem(closing: UInt8, isFirst: Bool) throws(Lost) -> Bool {
    skipSpace()
    let close = "\"\(UnicodeScalar(closing))\""
    if peek == closing {
      position += 1
      return false
    }
    if isFirst { return true }
    if peek == UInt8(ascii: ",") {
      let comma = position
      position += 1
      skipSpace()
      guard peek == closing else { return true }
      report("expected no comma before \(close)", at: comma)
      position += 1
      return false
    }
    let beginsElement = peek.map { $0 == UInt8(ascii: "{") || isWordByte($0) } ?? false
    guard peek == UInt8(ascii: "\"") || closing == UInt8(ascii: "]") && beginsElement else {
      throw lost("expected \",\" or \(close), found \(found())")
    }
    report("expected \",\" or \(close), found \(found())")
    return true
  }

  private mutating func reportRepeated(at offset: Int, firstAt earlier: Int) {
    let key = Self.string(at: offset, of: text)
    findings.add(
      Diagnostic(
        .duplicateKey, "the key \(quoted(key)) stands here again", at: text.place(at: offset),
        notes: [.init("the first is here", at: text.place(at: earlier))]))
  }

  mutating func report(_ message: String, at offset: Int? = nil) {
    findings.add(Diagnostic(.jsonSyntax, message, at: text.place(at: offset ?? position)))
  }

  private mutating func lost(_ message: String) -> Lost {
    findings.add(
      Diagnostic(.jsonSyntax, message, at: text.place(at: position), notes: unmatched.map { [$0] } ?? []))
    return Lost()
  }

  /// A note on the open bracket, if the text ends or a bracket of the other kind is closed.
  private var unmatched: Diagnostic.Note? {
    guard let last = open.last else { return nil }
    let otherClose = UInt8(ascii: bytes[last] == UInt8(ascii: "{") ? "]" : "}")
    if let peek, peek != otherClose { return nil }
    return .init("to match this \"\(UnicodeScalar(bytes[last]))\"", at: text.place(at: last))
  }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
}

/// The offset of the first byte that is not valid UTF-8.
private func firstInvalidUTF8(in bytes: [UInt8]) -> Int? {
  do {
    _ = try UTF8Span(validating: bytes.span)
    return nil
  } catch {
    return error.byteOffsets.lowerBound
  }
}
