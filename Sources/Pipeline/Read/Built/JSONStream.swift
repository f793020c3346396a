package import Formats
package import System

/// Reads a JSON text (RFC 8259) from front to back, value by value.
///
/// Only a small part of the text, the window, is in memory. The stream is for lists of a million files. A
/// tree with all values of such a list would need a gigabyte of memory.
package struct JSONStream: ~Copyable {
  /// The reason why reading cannot continue.
  package enum Failure: Error {
    case mistake(String, at: Place.Position)
    case machine(SystemError)
  }

  /// The maximum size of the window in bytes.
  private let windowSize: Int
  /// The maximum size of a string or number in bytes.
  ///
  /// It is far larger than any path.
  package static let maxTokenSize = 1 << 20

  private let file: InputFile
  /// The window: the bytes of the text from the offset `windowStart` on.
  var window: [UInt8] = []
  private var windowStart = 0
  /// The index of the next byte in the window.
  var position = 0
  private var line = 1
  /// The offset in the text at which the current line begins.
  private var lineStart = 0
  private var digest = SHA256()
  private var buffer: ByteBuffer

  package init(_ file: consuming InputFile, windowSize: Int = 1 << 18) {
    self.file = file
    self.windowSize = windowSize
    buffer = ByteBuffer(capacity: windowSize)
  }

  /// Reads the rest of the text and returns the size and digest of the whole text.
  package mutating func finish() throws(Failure) -> WrittenFile {
    while try peek() != nil { position = window.count }
    return WrittenFile(size: Int64(windowStart), digest: digest.finish())
  }

  mutating func peek() throws(Failure) -> UInt8? {
    if position == window.count { try refill() }
    return position < window.count ? window[position] : nil
  }

  private mutating func refill() throws(Failure) {
    windowStart += window.count
    position = 0
    buffer.clear()
    do throws(SystemError) {
      try file.read(windowSize, at: Int64(windowStart), into: &buffer)
    } catch {
      throw .machine(error)
    }
    buffer.withBytes { digest.update($0) }
    window = buffer.array()
  }

  /// Skips whitespace and returns the next byte; nil at the end of the text.
  package mutating func skipSpace() throws(Failure) -> UInt8? {
    while let byte = try peek() {
      switch byte {
      case 0x20, 0x09, 0x0d: position += 1
      case 0x0a:
        position += 1
        line += 1
        lineStart = windowStart + position
      default: return byte
      }
    }
    return nil
  }

  /// The line and column of the next byte.
  package var place: Place.Position {
    Place.Position(line: line, column: windowStart + position - lineStart + 1)
  }

  package func mistake(_ message: String, at place: Place.Position? = nil) -> Failure {
    .mistake(message, at: place ?? self.place)
  }

  /// Returns a description of the next token, for messages.
  package mutating func found() throws(Failure) -> String {
    guard let byte = try peek() else { return "the end of the file" }
    if byte == UInt8(ascii: "\"") { return "a string" }
    let rest = window[position...]
    let word = rest.prefix(40).prefix(while: isWordByte)
    return quoted(bytes: word.isEmpty ? rest.prefix(1) : word)
  }
}

/// The structure of the text: arrays, objects, keys and values of any type.
extension JSONStream {
  /// Skips the next byte, which must be `byte`.
  package mutating func pass(_ byte: UInt8) throws(Failure) {
    guard try skipSpace() == byte else {
      throw mistake("expected \"\(UnicodeScalar(byte))\", found \(try found())")
    }
    position += 1
  }

  /// Moves to the next element or member; returns false at the end of the array or object.
  package mutating func hasNext(closing: UInt8, at next: JSONItemPosition) throws(Failure) -> Bool {
    if try skipSpace() == closing {
      position += 1
      return false
    }
    if next == .first { return true }
    guard try peek() == UInt8(ascii: ",") else {
      throw mistake("expected \",\" or \"\(UnicodeScalar(closing))\", found \(try found())")
    }
    position += 1
    if try skipSpace() == closing {
      throw mistake("remove the comma before \"\(UnicodeScalar(closing))\"")
    }
    return true
  }

  /// Reads a key and the colon after it.
  package mutating func readKey() throws(Failure) -> ArraySlice<UInt8> {
    let key = try readString("a key in double quotes")
    try pass(UInt8(ascii: ":"))
    return key
  }

  /// Skips a value of any type.
  package mutating func skipValue() throws(Failure) {
    // The closing brackets that are expected.
    //
    // The function keeps them in an array instead of calling itself, because values can be nested to any
    // depth.
    var open: [UInt8] = []
    repeat {
      var next = JSONItemPosition.later
      switch try skipSpace() {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if open.count == JSONReader.deepestLevel {
          throw mistake("arrays and objects are nested more than \(JSONReader.deepestLevel) levels deep")
        }
        open.append(window[position] == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        position += 1
        next = .first
      case UInt8(ascii: "\""): _ = try readString("a value")
      case .some(let byte) where isWordByte(byte): try skipWord()
      default: throw mistake("expected a value, found \(try found())")
      }
      while let closing = open.last, try !hasNext(closing: closing, at: next) {
        open.removeLast()
        next = .later
      }
      if open.last == UInt8(ascii: "}") { _ = try readKey() }
    } while !open.isEmpty
  }
}

/// Strings, numbers and words.
extension JSONStream {
  /// Reads a string.
  ///
  /// If there is no string, the message contains `expected`, a description of the string.
  package mutating func readString(_ expected: String) throws(Failure) -> ArraySlice<UInt8> {
    guard try skipSpace() == UInt8(ascii: "\"") else {
      throw mistake("expected \(expected), found \(try found())")
    }
    let place = place
    position += 1
    let start = position
    skipPlainCharacters()
    // Most strings have no escapes and end in the same window.
    if position < window.count, window[position] == UInt8(ascii: "\"") {
      position += 1
      return try checkedUTF8(window[start..<position - 1], at: place)
    }
    var raw = Array(window[start..<position])
    while let byte = try peek() {
      position += 1
      if byte == UInt8(ascii: "\"") { return try unescaped(raw, at: place) }
      raw.append(byte)
      if byte == UInt8(ascii: "\\"), let escaped = try peek(), escaped >= 0x20 {
        raw.append(escaped)
        position += 1
      } else if byte < 0x20 {
        position -= 1
        throw mistake("a string cannot contain a control character")
      }
      let run = position
      skipPlainCharacters()
      raw += window[run..<position]
      if raw.count > Self.maxTokenSize { throw tooLong("string", at: place) }
    }
    throw mistake("the string that begins here has no closing quote", at: place)
  }

  /// Decodes the bytes between the quotes of a string that begins at `place`.
  private func unescaped(_ raw: [UInt8], at place: Place.Position) throws(Failure) -> ArraySlice<UInt8> {
    guard try checkedUTF8(raw[...], at: place).contains(UInt8(ascii: "\\")) else { return raw[...] }
    let quote = [UInt8(ascii: "\"")]
    let string = SourceText(path: file.path, bytes: quote + raw + quote)
    let (text, mistakes) = JSONReader.string(at: 0, of: string)
    guard let mistake = mistakes.first else { return Array(text.utf8)[...] }
    // The column can be computed, because the string is on one line.
    let column = place.column + (mistake.place.position?.column ?? 1) - 1
    throw self.mistake(mistake.message, at: Place.Position(line: place.line, column: column))
  }

  private mutating func skipPlainCharacters() {
    while position < window.count {
      let byte = window[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
      position += 1
    }
  }

  private func checkedUTF8(
    _ string: ArraySlice<UInt8>, at place: Place.Position
  ) throws(Failure) -> ArraySlice<UInt8> {
    do {
      _ = try UTF8Span(validating: string.span)
      return string
    } catch {
      throw mistake("the string that begins here is not UTF-8", at: place)
    }
  }

  private func tooLong(_ what: String, at place: Place.Position) -> Failure {
    mistake("a \(what) is longer than \(ByteSize.exact(Self.maxTokenSize))", at: place)
  }

  /// Reads a non-negative integer.
  package mutating func readWholeNumber(_ expected: String) throws(Failure) -> Int64 {
    _ = try skipSpace()
    let place = place
    // Most numbers consist only of digits and end in the same window.
    let digits = window[position...].prefix(18).prefix(while: \.isDigit)
    if let next = window[digits.endIndex...].first, !isWordByte(next), let first = digits.first,
      first != UInt8(ascii: "0") || digits.count == 1
    {
      position = digits.endIndex
      return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let word = try readWord()
    let value = naturalNumber(word)
    guard isNumber(word), let value else {
      throw mistake(
        "expected \(expected), a whole number from 0 to \(grouped(Int64.max)), found "
          + (word.isEmpty ? try found() : quoted(word)), at: place)
    }
    return value
  }

  mutating func skipWord() throws(Failure) {
    let place = place
    let word = try readWord()
    if ["true", "false", "null"].contains(word) || isNumber(word) { return }
    throw mistake("expected a value, found \(quoted(word))", at: place)
  }

  private mutating func readWord() throws(Failure) -> String {
    let place = place
    var word: [UInt8] = []
    while let byte = try peek(), isWordByte(byte) {
      let run = position
      while position < window.count, isWordByte(window[position]) { position += 1 }
      word += window[run..<position]
      if word.count > Self.maxTokenSize { throw tooLong("number", at: place) }
    }
    return String(decoding: word, as: UTF8.self)
  }
}
