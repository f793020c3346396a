import System

/// Reads an XML property list in the same way as Apple's readers.
///
/// The reader reports an error for elements that property lists do not have, and for entities that the
/// document declares. If the reader expanded references to entities, a few bytes could become gigabytes.
struct XMLPlistReader {
  /// The document in UTF-8 with `\n` line ends.
  private let bytes: [UInt8]
  private var position = 0
  private var open: [Frame] = []
  private var root: PlistItem?

  private static let deepestLevel = 256

  /// An open container with its contents so far.
  private enum Frame {
    case array([PlistItem])
    case dictionary([String: PlistItem], key: String?)
  }

  /// A tag without its attributes.
  private struct Tag {
    let name: String
    let isEnd: Bool
    /// Whether the tag also ends its element, as in `<true/>`.
    let isEmpty: Bool
  }

  /// Reads a document that is in UTF-8 and has no carriage returns.
  static func read(_ bytes: [UInt8]) throws(PropertyList.Damage) -> PlistItem {
    var reader = XMLPlistReader(bytes: bytes)
    return try reader.readDocument()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func readDocument() throws(PropertyList.Damage) -> PlistItem {
    var isWrapped = false
    while let tag = try nextTag() {
      if tag.name != "plist" {
        try readElement(tag)
      } else if tag.isEnd {
        guard isWrapped, open.isEmpty else {
          throw damage("\(quoted("</plist>")) matches no open element")
        }
        isWrapped = false
      } else {
        guard !isWrapped, root == nil, open.isEmpty else {
          throw damage("it contains a plist element inside another element, or after the first value")
        }
        isWrapped = !tag.isEmpty
      }
    }
    guard let root, !isWrapped else {
      throw damage(open.isEmpty && !isWrapped ? "it contains no value" : "it is truncated")
    }
    return root
  }

  private mutating func readElement(_ tag: Tag) throws(PropertyList.Damage) {
    switch tag.name {
    case "dict", "array": try readContainer(tag)
    case _ where tag.isEnd: throw damage("\(quoted("</\(tag.name)>")) matches no open element")
    case "true", "false":
      if !tag.isEmpty, try !readText(of: tag).allSatisfy(\.isXMLSpace) {
        throw damage("a true or false element contains text")
      }
      try add(.bool(tag.name == "true"))
    case "key":
      let key = String(decoding: try readText(of: tag), as: UTF8.self)
      guard case .dictionary(let members, nil)? = open.popLast() else {
        throw damage("a key is in a place where a key is not allowed")
      }
      open.append(.dictionary(members, key: key))
    case "string": try add(.string(String(decoding: try readText(of: tag), as: UTF8.self)))
    case "integer": try add(try integer(in: try readText(of: tag)))
    case "real":
      let text = String(decoding: try readText(of: tag), as: UTF8.self).trimmingXMLSpace
      guard let value = Double(text) else { throw damage("\(quoted(text)) is not a number") }
      try add(.real(value))
    case "date":
      let text = String(decoding: try readText(of: tag), as: UTF8.self).trimmingXMLSpace
      guard let seconds = XMLDate.seconds(in: text) else { throw damage("\(quoted(text)) is not a date") }
      try add(.date(seconds))
    case "data":
      let text = String(decoding: try readText(of: tag).filter { !$0.isXMLSpace }, as: UTF8.self)
      guard let data = Base64.bytes(of: text[...]) else { throw damage("a data element is not valid base64") }
      try add(.data(data))
    default: throw damage("\(quoted("<\(tag.name)>")) is not an element of a property list")
    }
  }

  private mutating func readContainer(_ tag: Tag) throws(PropertyList.Damage) {
    let isDictionary = tag.name == "dict"
    if tag.isEmpty { return try add(isDictionary ? .dictionary([:]) : .array([])) }
    guard tag.isEnd else {
      if open.count == Self.deepestLevel {
        throw damage("values are nested more than \(Self.deepestLevel) levels deep")
      }
      return open.append(isDictionary ? .dictionary([:], key: nil) : .array([]))
    }
    switch open.popLast() {
    case .array(let elements) where !isDictionary: try add(.array(elements))
    case .dictionary(let members, nil) where isDictionary: try add(.dictionary(members))
    case .dictionary(_, let key?) where isDictionary: throw damage("the key \(quoted(key)) has no value")
    default: throw damage("\(quoted("</\(tag.name)>")) matches no open element")
    }
  }

  /// Returns an integer that is written in decimal, or in hexadecimal after `0x`, with or without a sign.
  private func integer(in bytes: [UInt8]) throws(PropertyList.Damage) -> PlistItem {
    let text = String(decoding: bytes, as: UTF8.self).trimmingXMLSpace
    let isNegative = text.hasPrefix("-")
    let digits = text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let number = isHexadecimal ? digits.dropFirst(2) : digits
    let radix = isHexadecimal ? 16 : 10
    guard !number.isEmpty, number.allSatisfy(\.isHexDigit) else {
      throw damage("\(quoted(text)) is not an integer")
    }
    if let value = Int64((isNegative ? "-" : "") + number, radix: radix) { return .integer(value) }
    if !isNegative, let value = UInt64(number, radix: radix) { return .unsigned(value) }
    throw damage("\(quoted(text)) does not fit into an integer of 64 bits")
  }

  /// Adds a value to the open container, or makes the value the root.
  private mutating func add(_ item: PlistItem) throws(PropertyList.Damage) {
    guard let last = open.indices.last else {
      if root != nil { throw damage("it contains a second value after the first") }
      return root = item
    }
    switch open[last] {
    case .array(var elements):
      // The array in `open` is emptied first. Otherwise, each appended element would copy the whole array.
      open[last] = .array([])
      elements.append(item)
      open[last] = .array(elements)
    case .dictionary(var members, let key?):
      open[last] = .array([])
      members[key] = item
      open[last] = .dictionary(members, key: nil)
    case .dictionary: throw damage("a value in a dictionary has no key")
    }
  }

  // Reading text and tags.

  /// Returns the next tag, skipping white space, comments, instructions and the document type; nil at the
  /// end.
  private mutating func nextTag() throws(PropertyList.Damage) -> Tag? {
    while position < bytes.count {
      if bytes[position].isXMLSpace {
        position += 1
      } else if isAt("<!DOCTYPE") {
        try skipDocumentType()
      } else if try !skipRemark() {
        guard isAt("<") else { throw damage("it contains text outside of its elements") }
        return try readTag()
      }
    }
    if !open.isEmpty { throw damage("it is truncated") }
    return nil
  }

  /// Returns the text of an element, with references and CDATA sections replaced.
  private mutating func readText(of tag: Tag) throws(PropertyList.Damage) -> [UInt8] {
    var text: [UInt8] = []
    if tag.isEmpty { return text }
    while position < bytes.count {
      let plain = bytes[position...].prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
      text += plain
      position += plain.count
      if isAt("&") {
        text += try readReference()
      } else if isAt("<![CDATA[") {
        let start = position + 9
        try skip(past: "]]>", from: start)
        text += bytes[start..<position - 3]
      } else if isAt("<"), try !skipRemark() {
        let end = try readTag()
        guard end.isEnd, end.name == tag.name else { break }
        return text
      }
    }
    throw damage("\(quoted("<\(tag.name)>")) is not closed")
  }

  /// Reads a reference to a character by its number, or to one of the five characters that have a name in
  /// XML.
  private mutating func readReference() throws(PropertyList.Damage) -> [UInt8] {
    // Valid references have no more than 32 characters, even if the character's number has leading zeros.
    let name = bytes[(position + 1)...].prefix(32).prefix { $0 != UInt8(ascii: ";") }
    let text = String(decoding: name, as: UTF8.self)
    guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";") else {
      throw damage("a character reference that begins with \"&\" has no \";\" at its end")
    }
    position = name.endIndex + 1
    if let character = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"][text] {
      return Array(character.utf8)
    }
    let isHexadecimal = text.hasPrefix("#x")
    let digits = text.dropFirst(isHexadecimal ? 2 : 1)
    guard text.hasPrefix("#"), digits.first?.isHexDigit == true,
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0,
      let scalar = UnicodeScalar(number)
    else { throw damage("\(quoted("&\(text);")) is not a valid XML character") }
    return Array(String(scalar).utf8)
  }

  private mutating func readTag() throws(PropertyList.Damage) -> Tag {
    position += 1
    let isEnd = isAt("/")
    if isEnd { position += 1 }
    let name = bytes[position...].prefix {
      !$0.isXMLSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
    }
    position += name.count
    var quote: UInt8?
    let attributes = bytes[position...].prefix { byte in
      if let open = quote {
        if byte == open { quote = nil }
        return true
      }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
      return byte != UInt8(ascii: ">") && byte != UInt8(ascii: "<")
    }
    position += attributes.count
    guard isAt(">") else { throw damage("an XML tag is not closed") }
    position += 1
    return Tag(
      name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isEmpty: attributes.last == UInt8(ascii: "/")
    )
  }

  /// Skips a comment or an instruction; returns false if none begins at the current position.
  private mutating func skipRemark() throws(PropertyList.Damage) -> Bool {
    if isAt("<!--") {
      try skip(past: "-->", from: position + 4)
    } else if isAt("<?") {
      try skip(past: "?>", from: position + 2)
    } else {
      return false
    }
    return true
  }

  private mutating func skip(past end: String, from start: Int) throws(PropertyList.Damage) {
    position = start
    while position < bytes.count, !isAt(end) { position += 1 }
    guard position < bytes.count else { throw damage("it is truncated") }
    position += end.utf8.count
  }

  /// Skips the document type, which must not declare entities.
  private mutating func skipDocumentType() throws(PropertyList.Damage) {
    var quote: UInt8?
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if isAt("<!ENTITY") {
        throw damage("it declares entities, which packtool does not expand")
      } else if isAt("<!--") {
        try skip(past: "-->", from: position + 4)
        continue
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "<") {
        depth += 1
      } else if byte == UInt8(ascii: ">") {
        depth -= 1
      }
      position += 1
      if depth == 0 { return }
    }
    throw damage("it is truncated")
  }

  private func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private func damage(_ reason: String) -> PropertyList.Damage { PropertyList.Damage(reason: reason) }
}

/// Reads a date in an XML property list, such as `2026-11-26T13:28:35Z`.
private enum XMLDate {
  /// Returns the seconds since the beginning of 2001; nil if the string is not a date.
  ///
  /// The time of day can be missing, completely or in part.
  static func seconds(in text: String) -> Double? {
    guard text.utf8.last == UInt8(ascii: "Z") else { return nil }
    let halves = text.dropLast().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard let date = numbers(in: halves[0], separator: "-", digits: [4, 2, 2], minimumCount: 3),
      let time = halves.count == 1
        ? [] : numbers(in: halves[1], separator: ":", digits: [2, 2, 2], minimumCount: 1)
    else { return nil }
    let (year, month, day) = (date[0], date[1], date[2])
    let clock = time + Array(repeating: 0, count: 3 - time.count)
    guard (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year: year), clock[0] < 24,
      clock[1] < 60,
      clock[2] < 60
    else { return nil }
    let days =
      daysBefore(year: year) - daysBefore(year: 2001)
      + (1..<month).reduce(day - 1) { $0 + length(ofMonth: $1, year: year) }
    return Double(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
  }

  private static func numbers(
    in text: Substring, separator: Character, digits: [Int], minimumCount: Int
  ) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard (minimumCount...digits.count).contains(parts.count) else { return nil }
    let numbers = zip(parts, digits).compactMap { part, count in
      part.utf8.count == count && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    return numbers.count == parts.count ? numbers : nil
  }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Returns the number of days from the beginning of the calendar to the beginning of a year.
  private static func daysBefore(year: Int) -> Int {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400
  }
}

extension UInt8 {
  fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}

extension String {
  fileprivate var trimmingXMLSpace: String {
    let bytes = utf8.drop(while: \.isXMLSpace)
    guard let last = bytes.lastIndex(where: { !$0.isXMLSpace }) else { return "" }
    return String(self[bytes.startIndex...last])
  }
}
