package import System

/// A JSON value that packtool writes.
///
/// Keys are in byte order, and each level is indented by two spaces. The bytes must be the same on every
/// machine. The output of Foundation's encoder differs between versions and systems.
package indirect enum JSONText: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSONText])
  case object([String: JSONText])
  /// An object whose keys are written in the order of the list.
  case ordered([(String, JSONText)])
  /// A value that was read from JSON.
  ///
  /// If it is written again, it is in packtool's style.
  case read(JSONValue)

  package static func integer(_ value: Int) -> JSONText { .integer(Int64(value)) }
  package static func strings(_ values: [String]) -> JSONText { .array(values.map(JSONText.string)) }

  /// Returns the JSON text of the value, with a newline at the end.
  package func bytes() -> ByteBuffer {
    var buffer = ByteBuffer()
    append(to: &buffer, indentation: 0)
    buffer.append(UInt8(ascii: "\n"))
    return buffer
  }

  /// The value on one line, without a newline.
  package var line: ByteBuffer {
    var buffer = ByteBuffer()
    append(to: &buffer, indentation: nil)
    return buffer
  }

  /// The JSON text of the value as a string, with a newline at the end.
  package var text: String { String(decoding: bytes().array(), as: UTF8.self) }

  /// Appends the value.
  ///
  /// With an indentation, the contents are on separate lines and indented by one more level; without an
  /// indentation, everything is on one line.
  ///
  /// Appending stops after `limit` bytes, because indentation can make a text many times longer.
  func append(to buffer: inout ByteBuffer, indentation: Int?, atMost limit: Int = .max) {
    switch self {
    case .null: buffer.append("null")
    case .bool(let value): buffer.append(value ? "true" : "false")
    case .integer(let value): buffer.append(String(value))
    case .real(let value): buffer.append(value.isFinite ? value.description : "null")
    case .string(let value): buffer.append(json: value)
    case .array(let elements):
      append(elements, open: "[", close: "]", to: &buffer, indentation: indentation, limit: limit) {
        (nil, $0)
      }
    case .object(let members):
      let sorted = members.sorted { $0.key.precedesInBytes($1.key) }
      append(sorted, open: "{", close: "}", to: &buffer, indentation: indentation, limit: limit) {
        ($0.key, $0.value)
      }
    case .ordered(let members):
      append(members, open: "{", close: "}", to: &buffer, indentation: indentation, limit: limit) {
        ($0.0, $0.1)
      }
    case .read(let value): append(value, to: &buffer, indentation: indentation, limit: limit)
    }
  }

  private func append(_ value: JSONValue, to buffer: inout ByteBuffer, indentation: Int?, limit: Int) {
    switch value.content {
    case .null, .unreadable: buffer.append("null")
    case .bool(let value): buffer.append(value ? "true" : "false")
    case .number(let text):
      let number = Int64(text).map(JSONText.integer) ?? .real(Double(text) ?? .nan)
      number.append(to: &buffer, indentation: nil)
    case .string(let text): buffer.append(json: text)
    case .array(let elements):
      append(elements, open: "[", close: "]", to: &buffer, indentation: indentation, limit: limit) {
        (nil, .read($0))
      }
    case .object(let members):
      let sorted = members.sorted { $0.key.precedesInBytes($1.key) }
      append(sorted, open: "{", close: "}", to: &buffer, indentation: indentation, limit: limit) {
        ($0.key, .read($0.value))
      }
    }
  }

  private func append<Item>(
    _ items: some Sequence<Item>, open: String, close: String, to buffer: inout ByteBuffer,
    indentation: Int?, limit: Int, content: (Item) -> (key: String?, value: JSONText)
  ) {
    buffer.append(open)
    var isEmpty = true
    for item in items {
      if buffer.count > limit { return }
      if let indentation {
        buffer.append(isEmpty ? "\n" : ",\n")
        for _ in 0...indentation { buffer.append("  ") }
      } else if !isEmpty {
        buffer.append(", ")
      }
      isEmpty = false
      let (key, value) = content(item)
      if let key {
        buffer.append(json: key)
        buffer.append(": ")
      }
      value.append(to: &buffer, indentation: indentation.map { $0 + 1 }, atMost: limit)
    }
    if let indentation, !isEmpty {
      buffer.append("\n")
      for _ in 0..<indentation { buffer.append("  ") }
    }
    buffer.append(close)
  }
}

extension JSONValue {
  /// The offset of the first byte that would change if packtool wrote the value again; nil if no byte would
  /// change.
  package var firstOddByte: Int? {
    let bytes = tree.text.bytes
    var written = ByteBuffer(capacity: bytes.count + 1)
    JSONText.read(self).append(to: &written, indentation: 0, atMost: bytes.count)
    written.append(UInt8(ascii: "\n"))
    if written.withSpan(from: 0, body: { ByteOrder.compare(bytes.span, $0) }) == 0 { return nil }
    let shared = zip(bytes.indices, 0..<written.count).prefix { bytes[$0] == written[$1] }.count
    return shared == bytes.count && shared == written.count ? nil : shared
  }
}

extension JSONText {
  /// Creates an object from members, without the members whose value is nil.
  package static func object(known members: [String: JSONText?]) -> JSONText {
    .object(members.compactMapValues(\.self))
  }
}

extension ByteBuffer {
  /// Appends a string in JSON's notation.
  ///
  /// Only quotes, backslashes and control characters are escaped.
  package mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    if hasEscapes(text) {
      for byte in text.utf8 { append(jsonByte: byte) }
    } else {
      append(text)
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(jsonByte byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0a: append("\\n")
    case 0x0c: append("\\f")
    case 0x0d: append("\\r")
    case _ where isEscaped(byte): append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
    default: append(byte)
    }
  }
}

private func hasEscapes(_ text: String) -> Bool {
  let bytes = text.utf8Span.span
  for index in bytes.indices where isEscaped(bytes[index]) { return true }
  return false
}

private func isEscaped(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}
