/// The format of a file that cannot be JSON, such as a picture.
package struct OtherFormat: Sendable {
  /// The name of the format in messages, such as "a PNG picture".
  package let words: String
  /// Whether the file is a text.
  package let isText: Bool
  /// The place of a message about the file.
  ///
  /// It has no line for a binary file, because the line would be quoted as garbage.
  package let place: Place

  /// Recognizes the format of a text; nil if the text can be JSON, or if its format is unknown.
  package init?(of text: SourceText) {
    if let words = Self.binaryName(of: text.bytes) {
      self.words = words
      (isText, place) = (false, Place(text.path))
    } else if let words = Self.textName(of: text) {
      self.words = words
      (isText, place) = (true, text.place(at: 0))
    } else {
      return nil
    }
  }

  /// The first bytes of a format.
  private struct Signature {
    let words: String
    let bytes: [UInt8]
    let offset: Int

    init(_ words: String, bytes: [UInt8], at offset: Int = 0) {
      (self.words, self.bytes, self.offset) = (words, bytes, offset)
    }

    init(_ words: String, text: String, at offset: Int = 0) {
      self.init(words, bytes: Array(text.utf8), at: offset)
    }
  }

  private static let signatures = [
    Signature("a PNG picture", bytes: [0x89, 0x50, 0x4e, 0x47]),
    Signature("a JPEG picture", bytes: [0xff, 0xd8, 0xff]),
    Signature("a GIF picture", text: "GIF8"),
    Signature("a WebP picture", text: "WEBP", at: 8),
    Signature("a TIFF picture", bytes: [0x49, 0x49, 0x2a, 0]),
    Signature("a TIFF picture", bytes: [0x4d, 0x4d, 0, 0x2a]),
    Signature("a Photoshop picture", text: "8BPS"),
    Signature("a texture", text: "DDS "),
    Signature("a texture", bytes: [0xab, 0x4b, 0x54, 0x58]),
    Signature("an Ogg sound", text: "OggS"),
    Signature("a WAVE sound", text: "WAVE", at: 8),
    Signature("an MP3 sound", text: "ID3"),
    Signature("a FLAC sound", text: "fLaC"),
    Signature("a movie or a sound", text: "ftyp", at: 4),
    Signature("a 3D model", text: "glTF"),
    Signature("a zip archive", bytes: [0x50, 0x4b, 3, 4]),
    Signature("a gzip archive", bytes: [0x1f, 0x8b]),
    Signature("a Zstandard archive", bytes: [0x28, 0xb5, 0x2f, 0xfd]),
    Signature("a tar archive", text: "ustar", at: 257),
    Signature("a PDF document", text: "%PDF-"),
    Signature("a binary property list", text: "bplist"),
    Signature("a program", bytes: [0x7f, 0x45, 0x4c, 0x46]),
    Signature("a program", bytes: [0xcf, 0xfa, 0xed, 0xfe]),
    Signature("a database", text: "SQLite format 3"),
  ]

  /// Returns the name of a binary format; nil for a text.
  private static func binaryName(of bytes: [UInt8]) -> String? {
    let front = bytes.prefix(512)
    // A text can have the same letters after its beginning, but it has no zeros.
    let found = signatures.first { signature in
      bytes.count >= signature.offset + signature.bytes.count
        && bytes[signature.offset...].starts(with: signature.bytes)
        && (signature.offset == 0 || front.contains(0))
    }
    if let found { return found.words }
    // UTF-16 also contains zeros, and has its own message. JSON with a zero is a text with a mistake.
    let isWide = front.count > 1 && (front[0] == 0 || front[1] == 0 || front[0] >= 0xfe)
    let isJSON = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(front.first ?? 0)
    return front.contains(0) && !isWide && !isJSON ? "a binary file" : nil
  }

  /// Returns the name of a text format; nil for JSON, or for an unknown format.
  private static func textName(of text: SourceText) -> String? {
    let front = text.bytes.prefix(512).drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    guard let first = front.first else { return nil }
    if first == UInt8(ascii: "<") {
      let words = String(decoding: front, as: UTF8.self).lowercased()
      if words.contains("<plist") { return "an XML property list" }
      if words.contains("<html") { return "an HTML page" }
      return words.hasPrefix("<?xml") ? "XML" : nil
    }
    if front.starts(with: "version https://git-lfs".utf8) { return "a Git LFS pointer" }
    if text.path.hasSuffix(".toml") { return "TOML" }
    let isYAML = text.path.hasSuffix(".yaml") || text.path.hasSuffix(".yml") || isKeyOfYAML(front)
    return isYAML && first != UInt8(ascii: "{") && first != UInt8(ascii: "[") ? "YAML" : nil
  }

  /// Whether a text begins with `---`, or with a key of YAML such as `root: Assets`.
  private static func isKeyOfYAML(_ text: ArraySlice<UInt8>) -> Bool {
    if text.starts(with: "---\n".utf8) { return true }
    let word = text.prefix { isWordByte($0) }
    let rest = text.dropFirst(word.count)
    return !word.isEmpty && rest.first == UInt8(ascii: ":")
      && [0x20, 0x0a, 0x0d].contains(rest.dropFirst().first ?? 0x0a)
  }
}
