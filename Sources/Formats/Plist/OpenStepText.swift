import Findings
import System

/// Makes the OpenStep text of a property list in another form, so that all are read in one way.
package enum OpenStepText {
  /// The text of a list in UTF-8 or UTF-16, or of an XML, binary or JSON one.
  ///
  /// - Throws: why a list in another form than OpenStep cannot be read.
  package static func text(path: String, bytes: [UInt8]) throws(PropertyList.Damage) -> SourceText {
    if let text = utf16Text(bytes) { return try self.text(path: path, bytes: Array(text.utf8)) }
    let front = bytes.drop { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
    let isPlist = bytes.starts(with: "bplist".utf8) || PropertyList.isXML(front)
    guard isPlist || isJSON(front) else {
      return SourceText(path: path, bytes: bytes, endsLinesAtReturns: true)
    }
    if bytes.count > PropertyList.longest {
      let size = "\(counted(bytes.count, "byte")), in this form at most \(grouped(PropertyList.longest))"
      throw PropertyList.Damage(reason: "it has \(size)")
    }
    return converted(isPlist ? try PropertyList.read(bytes) : try jsonItem(path: path, bytes), path)
  }

  private static func converted(_ item: PlistItem, _ path: String) -> SourceText {
    var buffer = ByteBuffer()
    append(item, to: &buffer)
    return SourceText(path: path, convertedTo: buffer.array())
  }

  /// Whether a text begins with an object of which the first key has a colon behind it.
  private static func isJSON(_ front: ArraySlice<UInt8>) -> Bool {
    guard front.first == UInt8(ascii: "{") else { return false }
    let key = front.dropFirst().drop { $0 <= 0x20 }
    guard key.first == UInt8(ascii: "\"") else { return false }
    let behind = key.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    return behind.first { $0 > 0x20 } == UInt8(ascii: ":")
  }

  /// A text in UTF-16 with a byte order mark; nil for other bytes.
  private static func utf16Text(_ bytes: [UInt8]) -> String? {
    let isBig = bytes.starts(with: [0xfe, 0xff])
    guard isBig || bytes.starts(with: [0xff, 0xfe]) else { return nil }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func jsonItem(path: String, _ bytes: [UInt8]) throws(PropertyList.Damage) -> PlistItem {
    let (value, mistakes) = JSONReader.read(SourceText(path: path, bytes: bytes))
    guard let value, mistakes.isEmpty else {
      throw PropertyList.Damage(reason: mistakes.first?.message ?? "it is no JSON")
    }
    return item(value)
  }

  private static func item(_ value: JSONValue) -> PlistItem {
    switch value.content {
    case .string(let text), .number(let text): .string(text)
    case .bool(let value): .string(value ? "YES" : "NO")
    case .null, .unreadable: .string("")
    case .array(let elements): .array(elements.map { item($0) })
    case .object(let members):
      .dictionary(Dictionary(members.map { ($0.key, item($0.value)) }) { first, _ in first })
    }
  }

  private static func append(_ item: PlistItem, to buffer: inout ByteBuffer) {
    switch item {
    case .string(let text): append(quoting: text, to: &buffer)
    case .bool(let value): buffer.append(value ? "YES" : "NO")
    case .integer(let value): append(quoting: String(value), to: &buffer)
    case .real(let value), .date(let value): append(quoting: "\(value)", to: &buffer)
    case .data: buffer.append("<>")
    case .array(let elements):
      buffer.append("(\n")
      for element in elements {
        append(element, to: &buffer)
        buffer.append(",\n")
      }
      buffer.append(")")
    case .dictionary(let members):
      buffer.append("{\n")
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        append(quoting: key, to: &buffer)
        buffer.append(" = ")
        append(value, to: &buffer)
        buffer.append(";\n")
      }
      buffer.append("}")
    }
  }

  private static func append(quoting text: String, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { buffer.append(UInt8(ascii: "\\")) }
      buffer.append(byte)
    }
    buffer.append(UInt8(ascii: "\""))
  }
}
