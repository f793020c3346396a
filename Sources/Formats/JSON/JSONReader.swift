package import Findings
import System

/// Reads a JSON text (RFC 8259) and keeps the place of each value.
///
/// Our own because Foundation's decoder stops at the first mistake, gives no line, and takes unknown
/// and repeated keys in silence. It reads on after each mistake whose end it can guess.
package struct JSONReader {
  package let text: SourceText
  package internal(set) var diagnostics: [Diagnostic] = []
  var bytes: [UInt8] { text.bytes }
  var position = 0
  /// Where the brackets stand that are open, the innermost last.
  private var open: [Int] = []

  /// Levels of arrays and objects, one within the other, that are read.
  package static let deepestLevel = 256

  /// A mistake after which nothing can be said of the rest; it has been reported.
  struct Lost: Error {}

  /// The value of a whole text with all that is wrong in it; nil where it could not be read to the end.
  package static func read(_ text: SourceText) -> (value: JSONValue?, diagnostics: [Diagnostic]) {
    var reader = JSONReader(text: text)
    let value = try? reader.readDocument()
    return (value, reader.diagnostics)
  }

  private init(text: SourceText) {
    self.text = text
  }

  private mutating func readDocument() throws(Lost) -> JSONValue {
    try checkUTF8()
    skipSpace()
    if position == bytes.count {
      throw lost("the file is empty; expected a value such as {\"key\": \"value\"}")
    }
    let value = try readValue()
    skipSpace()
    if position < bytes.count { throw lost("expected the end of the file, found \(found())") }
    return value
  }

  private mutating func checkUTF8() throws(Lost) {
    guard let offset = firstInvalidUTF8(in: bytes) else { return }
    position = offset
    throw lost("expected UTF-8, found the byte 0x\(String(bytes[offset], radix: 16))")
  }

  mutating func readValue() throws(Lost) -> JSONValue {
    let start = position
    let content: JSONValue.Content
    switch peek {
    case UInt8(ascii: "{"): content = .object(try nested { reader throws(Lost) in try reader.readMembers() })
    case UInt8(ascii: "["): content = .array(try nested { reader throws(Lost) in try reader.readElements() })
    case UInt8(ascii: "'"): content = .string(try readString())
    case UInt8(ascii: "\""):
      let mistakes = diagnostics.count
      let string = try readString()
      content = diagnostics.count == mistakes ? .string(string) : .unreadable
    case .some(let byte) where isWordByte(byte): content = readWord()
    default: throw lost("expected a value, found \(found())")
    }
    return JSONValue(content: content, offset: start)
  }

  private mutating func nested<Part>(
    _ body: (inout JSONReader) throws(Lost) -> Part
  ) throws(Lost) -> Part {
    if open.count == Self.deepestLevel {
      throw lost("arrays and objects are nested more than \(Self.deepestLevel) levels deep")
    }
    open.append(position)
    position += 1
    let part = try body(&self)
    open.removeLast()
    return part
  }

  private mutating func readElements() throws(Lost) -> [JSONValue] {
    var elements: [JSONValue] = []
    while try startNextItem(closing: UInt8(ascii: "]"), isFirst: elements.isEmpty) {
      elements.append(try readValue())
    }
    return elements
  }

  private mutating func readMembers() throws(Lost) -> [JSONMember] {
    var members: [JSONMember] = []
    while try startNextItem(closing: UInt8(ascii: "}"), isFirst: members.isEmpty) {
      let keyOffset = position
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
      members.append(JSONMember(key: key, keyOffset: keyOffset, value: try readValue()))
    }
    reportDuplicates(among: members)
    return members
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

  /// Moves to the next element or member; false where the array or object ends.
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

  private mutating func reportDuplicates(among members: [JSONMember]) {
    var first: [String: Int] = [:]
    for member in members {
      guard let earlier = first.updateValue(member.keyOffset, forKey: member.key) else { continue }
      first[member.key] = earlier
      diagnostics.append(
        Diagnostic(
          .duplicateKey, "the key \(quoted(member.key)) stands here again",
          at: text.place(at: member.keyOffset),
          notes: [.init("the first is here", at: text.place(at: earlier))]))
    }
  }

  mutating func report(_ message: String, at offset: Int? = nil) {
    diagnostics.append(Diagnostic(.jsonSyntax, message, at: text.place(at: offset ?? position)))
  }

  private mutating func lost(_ message: String) -> Lost {
    diagnostics.append(
      Diagnostic(.jsonSyntax, message, at: text.place(at: position), notes: unmatched.map { [$0] } ?? []))
    return Lost()
  }

  /// Where the bracket stands that should have been closed, where the text ends or one of the other kind is closed.
  private var unmatched: Diagnostic.Note? {
    guard let last = open.last else { return nil }
    let otherClose = UInt8(ascii: bytes[last] == UInt8(ascii: "{") ? "]" : "}")
    if let peek, peek != otherClose { return nil }
    return .init("to match this \"\(UnicodeScalar(bytes[last]))\"", at: text.place(at: last))
  }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
}

/// The first byte that is not part of valid UTF-8.
private func firstInvalidUTF8(in bytes: [UInt8]) -> Int? {
  do {
    _ = try UTF8Span(validating: bytes.span)
    return nil
  } catch {
    return error.byteOffsets.lowerBound
  }
}
