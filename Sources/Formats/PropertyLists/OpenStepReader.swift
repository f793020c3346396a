import System

/// Reads a property list in the OpenStep format and keeps the offset of each value.
///
/// Foundation's reader reports errors in a project without a line number, and silently accepts repeated keys.
/// Linking it would also add 12 MB to the program and 20 % to its start-up time.
package struct OpenStepReader {
  private var tree: PlistTree
  private let maxSize: Int
  private var findings = FindingList()
  private var position = 0

  /// An open array or dictionary.
  private struct Frame {
    let node: PlistTree.Node
    /// The key of the next value; nil in an array, and before the key has been read.
    var key: PlistTree.Node?
  }

  private var open: [Frame] = []

  /// Thrown after a reported mistake, because the rest of the text cannot be read.
  private struct SyntaxFailure: Error {}

  /// The maximum depth to which arrays and dictionaries can be nested.
  package static let deepestLevel = 256
  /// The maximum size of a text in bytes.
  package static let maxTextSize = 256 << 20

  /// Returns the values of a whole text; if the text cannot be read, returns nil and the findings.
  package static func read(
    _ text: SourceText, maxSize: Int = maxTextSize
  ) -> (tree: PlistTree?, diagnostics: [Diagnostic]) {
    var reader = OpenStepReader(tree: PlistTree(text: text), maxSize: maxSize)
    do {
      try reader.readDocument()
      return (reader.tree, reader.findings.findings)
    } catch {
      return (nil, reader.findings.findings)
    }
  }

  private var bytes: [UInt8] { tree.text.bytes }
  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func readDocument() throws(SyntaxFailure) {
    if bytes.count > maxSize {
      throw failure(
        "the project is larger than \(ByteSize.exact(maxSize)), the maximum that packtool reads")
    }
    if bytes.starts(with: "<?xml".utf8) || bytes.starts(with: "bplist".utf8) {
      throw failure(
        "expected a project in the OpenStep format that Xcode writes, found another format; open the project "
          + "in Xcode and save it")
    }
    try skipSpace()
    if peek == nil { throw failure("the file is empty") }
    // Each iteration reads one value. The function is not recursive, because it keeps the open arrays and
    // dictionaries in a list.
    repeat {
      try readValue()
      while let frame = open.last, try endsHere(frame) {}
    } while !open.isEmpty
    try skipSpace()
    if peek != nil { throw failure("expected the end of the file, found \(found())") }
  }

  private mutating func readValue() throws(SyntaxFailure) {
    let start = position
    switch peek {
    case UInt8(ascii: "{"), UInt8(ascii: "("):
      if open.count == Self.deepestLevel {
        throw failure("values are nested more than \(Self.deepestLevel) levels deep")
      }
      add(peek == UInt8(ascii: "{") ? .dictionary : .array, from: start)
      open.append(Frame(node: PlistTree.Node(tree.records.count - 1)))
      position += 1
    case UInt8(ascii: "<") where !isAtConflict: try readData()
    default: try readString()
    }
  }

  /// Moves to the next value of an array or dictionary.
  ///
  /// At the end it closes the array or dictionary and returns true.
  private mutating func endsHere(_ frame: Frame) throws(SyntaxFailure) -> Bool {
    let kind = tree.records[Int(frame.node)].kind
    let close = UInt8(ascii: kind == .dictionary ? "}" : ")")
    try skipSpace()
    let isFirst = Int(frame.node) == tree.records.count - 1
    if !isFirst { try passSeparator(in: kind, close: close) }
    if peek == close {
      position += 1
      tree.records[Int(frame.node)].end = Int32(position)
      tree.records[Int(frame.node)].next = PlistTree.Node(tree.records.count)
      open.removeLast()
      return true
    }
    if kind == .dictionary { try readKey() }
    return false
  }

  /// Moves past the separator after a value in an array or dictionary.
  private mutating func passSeparator(in container: PlistTree.Kind, close: UInt8) throws(SyntaxFailure) {
    let isDictionary = container == .dictionary
    let separator = UInt8(ascii: isDictionary ? ";" : ",")
    if peek == separator {
      position += 1
      try skipSpace()
    } else if isDictionary || peek != close {
      throw failure("expected \"\(UnicodeScalar(separator))\", found \(found())")
    }
  }

  private mutating func readKey() throws(SyntaxFailure) {
    open[open.count - 1].key = nil
    try readString()
    open[open.count - 1].key = PlistTree.Node(tree.records.count - 1)
    try skipSpace()
    guard peek == UInt8(ascii: "=") else { throw failure("expected \"=\", found \(found())") }
    position += 1
    try skipSpace()
  }

  private mutating func readString() throws(SyntaxFailure) {
    let start = position
    guard let first = peek else { throw failure("expected a value, found the end of the file") }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      position += 1
      while let byte = peek, byte != first {
        position += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      guard position < bytes.count else {
        position = start
        throw failure("the string that begins here has no closing quote")
      }
      position += 1
      return add(.quoted, from: start)
    }
    while let byte = peek, isPlain(byte), !isAtSeparator { position += 1 }
    if position == start { throw failure("expected a value, found \(found())") }
    // A comment can directly follow a word, but the comment is not part of the word.
    let slash = (start..<position).first { place in
      bytes[place] == UInt8(ascii: "/") && place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "*")
    }
    if let slash { position = slash }
    add(.string, from: start)
  }

  private mutating func readData() throws(SyntaxFailure) {
    let start = position
    position += 1
    while let byte = peek, byte != UInt8(ascii: ">") {
      let isDigit = UnicodeScalar(byte).properties.isASCIIHexDigit
      if !isDigit && byte > 0x20 {
        throw failure(
          "expected hexadecimal digits in a data value, found \(found())")
      }
      position += 1
    }
    if peek == nil { throw failure("expected \">\" at the end of a data value, found the end of the file") }
    position += 1
    add(.data, from: start)
  }

  private mutating func add(_ kind: PlistTree.Kind, from start: Int) {
    let next = PlistTree.Node(tree.records.count + 1)
    tree.records.append(PlistTree.Record(kind: kind, start: Int32(start), end: Int32(position), next: next))
  }

  private mutating func skipSpace() throws(SyntaxFailure) {
    while let byte = peek {
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      if byte <= 0x20 {
        position += 1
      } else if isAtSeparator {
        position += 3
      } else if byte == UInt8(ascii: "/") && next == byte {
        while let byte = peek, byte != 0x0a, byte != 0x0d, !isAtSeparator { position += 1 }
      } else if byte == UInt8(ascii: "/") && next == UInt8(ascii: "*") {
        try skipComment()
      } else {
        return
      }
    }
  }

  /// Whether the next character is one of the Unicode line separators U+2028 and U+2029.
  private var isAtSeparator: Bool {
    peek == 0xe2 && position + 2 < bytes.count && bytes[position + 1] == 0x80
      && (bytes[position + 2] == 0xa8 || bytes[position + 2] == 0xa9)
  }

  private mutating func skipComment() throws(SyntaxFailure) {
    let start = position
    position += 2
    while position + 1 < bytes.count {
      if bytes[position] == UInt8(ascii: "*") && bytes[position + 1] == UInt8(ascii: "/") {
        position += 2
        return
      }
      position += 1
    }
    position = start
    throw failure("the comment that begins here has no \"*/\" at its end")
  }

  private func found() -> String {
    guard let byte = peek else { return "the end of the file" }
    if byte < 0x80 { return quoted(String(UnicodeScalar(byte))) }
    return quoted(bytes: bytes[position...].prefix(1))
  }

  private mutating func failure(_ message: String) -> SyntaxFailure {
    let place = tree.text.place(at: min(position, bytes.count))
    let text =
      isAtConflict
      ? "the file has an unresolved merge conflict here; resolve it, then try again" : message + whereabouts
    findings.add(Diagnostic(.projectSyntax, message: text, at: place))
    return SyntaxFailure()
  }

  /// Whether one of Git's conflict markers is next.
  private var isAtConflict: Bool {
    ["<<<<<<<", "=======", ">>>>>>>"].contains { mark in
      bytes[min(position, bytes.count)...].starts(with: mark.utf8)
    }
  }

  /// The keys that lead from the root to the current position, for messages.
  ///
  /// They include the ID of the object.
  private var whereabouts: String {
    let keys = open.compactMap { frame in frame.key.flatMap { tree.string($0) } }
    return keys.isEmpty ? "" : ", in \(quoted(keys.joined(separator: ".")))"
  }
}

/// Whether a byte can be in an unquoted word.
private func isPlain(_ byte: UInt8) -> Bool {
  switch UnicodeScalar(byte) {
  case "_", "$", "/", ":", ".", "-", "+", "~": true
  default: byte >= 0x80 || byte.isLetterOrDigit
  }
}

/// Converts a property list in any format to OpenStep text, so that packtool can read all formats in the same
/// way.
package enum OpenStepText {
  /// Returns the OpenStep text of a property list.
  ///
  /// The bytes can be UTF-8 or UTF-16 text, XML, binary, or JSON.
  ///
  /// - Throws: if a property list in a format other than OpenStep cannot be read; the error contains the
  ///   reason.
  package static func text(
    path: String, bytes: [UInt8], maxSize: Int = PropertyList.maxSize
  ) throws(PropertyList.Damage) -> SourceText {
    let isPlist = bytes.starts(with: "bplist".utf8) || PropertyList.isXML(bytes)
    if !isPlist, let text = utf16Text(bytes) {
      return try self.text(path: path, bytes: Array(text.utf8), maxSize: maxSize)
    }
    let front = bytes.drop { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
    guard isPlist || isJSON(front) else {
      return SourceText(path: path, bytes: bytes, lineEnds: .newlinesAndReturns)
    }
    if bytes.count > maxSize {
      let size = "\(counted(bytes.count, of: "byte")), but in this format the maximum is \(grouped(maxSize))"
      throw PropertyList.Damage(reason: "it has \(size)")
    }
    var buffer = ByteBuffer()
    append(isPlist ? try PropertyList.read(bytes) : try jsonItem(path: path, bytes: bytes), to: &buffer)
    return SourceText(path: path, convertedTo: buffer.array())
  }

  /// Whether a text begins with an object whose first key is followed by a colon.
  private static func isJSON(_ front: ArraySlice<UInt8>) -> Bool {
    guard front.first == UInt8(ascii: "{") else { return false }
    let key = front.dropFirst().drop { $0 <= 0x20 }
    guard key.first == UInt8(ascii: "\"") else { return false }
    let behind = key.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    return behind.first { $0 > 0x20 } == UInt8(ascii: ":")
  }

  /// Decodes UTF-16 text that has a byte order mark; nil for other bytes.
  private static func utf16Text(_ bytes: [UInt8]) -> String? {
    let isBig = bytes.starts(with: [0xfe, 0xff])
    guard isBig || bytes.starts(with: [0xff, 0xfe]) else { return nil }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func jsonItem(path: String, bytes: [UInt8]) throws(PropertyList.Damage) -> PlistItem {
    let (value, mistakes) = JSONReader.read(SourceText(path: path, bytes: bytes))
    guard let value, mistakes.isEmpty else {
      throw PropertyList.Damage(reason: mistakes.first?.message ?? "it is not JSON")
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
    case .unsigned(let value): append(quoting: String(value), to: &buffer)
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
