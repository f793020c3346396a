import System

/// Decodes an XML document from the encodings in which property lists are written.
enum XMLText {
  /// Returns the document in UTF-8, with `\n` as the end of each line, as XML requires.
  ///
  /// - Throws: if the encoding is unknown, or if the bytes are not valid in this encoding.
  static func bytes(of document: [UInt8]) throws(PropertyList.Damage) -> [UInt8] {
    normalizingLines(of: try unicode(of: document))
  }

  private static func unicode(of document: [UInt8]) throws(PropertyList.Damage) -> [UInt8] {
    if document.starts(with: [0xef, 0xbb, 0xbf]) { return try utf8(document.dropFirst(3)) }
    if document.starts(with: [0xfe, 0xff]) { return try utf16(document.dropFirst(2), endianness: .big) }
    if document.starts(with: [0xff, 0xfe]) { return try utf16(document.dropFirst(2), endianness: .little) }
    // Without a byte order mark, the zeros around the first character show the encoding.
    if document.starts(with: [0, 0x3c]) { return try utf16(document[...], endianness: .big) }
    if document.starts(with: [0x3c, 0]) { return try utf16(document[...], endianness: .little) }
    let text = document.drop { $0 <= 0x20 }
    guard let name = declaredEncoding(of: text) else { return try utf8(text) }
    switch name.lowercased() {
    case "utf-8", "utf8": return try utf8(text)
    case "us-ascii", "ascii":
      if text.contains(where: { $0 >= 0x80 }) { throw wrongBytes("US-ASCII") }
      return Array(text)
    case "iso-8859-1", "latin1", "iso_8859-1": return decoding(text) { UInt32($0) }
    case "iso-8859-15", "latin-9": return decoding(text) { latin9[$0] ?? UInt32($0) }
    case "windows-1252", "cp1252":
      return decoding(text) { (0x80...0x9f).contains($0) ? windows[Int($0) - 0x80] : UInt32($0) }
    case "macintosh", "macroman", "mac", "x-mac-roman":
      return decoding(text) { $0 < 0x80 ? UInt32($0) : macintosh[Int($0) - 0x80] }
    default:
      throw PropertyList.Damage(
        reason: "it declares the encoding \(quoted(name)), which packtool does not read; save it as UTF-8")
    }
  }

  /// Returns the encoding that a document declares in its XML declaration; nil if there is no declaration.
  private static func declaredEncoding(of text: ArraySlice<UInt8>) -> String? {
    guard text.starts(with: "<?xml".utf8) else { return nil }
    let declaration = String(decoding: text.prefix(1024).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    guard let key = declaration.firstRange(of: "encoding") else { return nil }
    let behind = declaration[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = behind.first, quote == "\"" || quote == "'" else { return nil }
    return String(behind.dropFirst().prefix { $0 != quote })
  }

  private static func utf8(_ bytes: ArraySlice<UInt8>) throws(PropertyList.Damage) -> [UInt8] {
    guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
      throw wrongBytes("UTF-8")
    }
    return Array(bytes)
  }

  private static func utf16(
    _ bytes: ArraySlice<UInt8>, endianness: Endianness
  ) throws(PropertyList.Damage) -> [UInt8] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return endianness == .big ? first << 8 | second : second << 8 | first
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw wrongBytes("UTF-16")
    }
    return Array(text.utf8)
  }

  /// Decodes an encoding in which each byte is one character, and returns the text as UTF-8.
  private static func decoding(_ bytes: ArraySlice<UInt8>, character: (UInt8) -> UInt32) -> [UInt8] {
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(UnicodeScalar(character(byte)) ?? "\u{fffd}") }
    return Array(String(scalars).utf8)
  }

  private static func normalizingLines(of text: [UInt8]) -> [UInt8] {
    let carriageReturn = UInt8(ascii: "\r")
    guard text.contains(carriageReturn) else { return text }
    var lines: [UInt8] = []
    lines.reserveCapacity(text.count)
    for (index, byte) in text.enumerated() {
      if byte == UInt8(ascii: "\n"), index > 0, text[index - 1] == carriageReturn { continue }
      lines.append(byte == carriageReturn ? UInt8(ascii: "\n") : byte)
    }
    return lines
  }

  private static func wrongBytes(_ encoding: String) -> PropertyList.Damage {
    PropertyList.Damage(
      reason: "its bytes are not \(encoding), the encoding that it declares or has by default")
  }

  /// The characters of ISO-8859-15 that differ from the characters of ISO-8859-1.
  private static let latin9: [UInt8: UInt32] = [
    0xa4: 0x20ac, 0xa6: 0x160, 0xa8: 0x161, 0xb4: 0x17d, 0xb8: 0x17e, 0xbc: 0x152, 0xbd: 0x153, 0xbe: 0x178,
  ]

  /// The characters of windows-1252 from 0x80 to 0x9f.
  private static let windows: [UInt32] = [
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
    0x17d,
    0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153,
    0x9d,
    0x17e, 0x178,
  ]

  /// The characters of Mac OS Roman from 0x80 on.
  private static let macintosh: [UInt32] =
    ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")
    .unicodeScalars.map(\.value)
}
