/// A quick test of values, for lists of many: what matches needs no closer look, what does not may be right or wrong.
///
/// A value, and not a class, since to count references would take most of the time of comparing.
package struct JSONPattern: Sendable {
  /// The required form of a value.
  enum Form: Sendable {
    case text(JSONTextRule)
    case tested(@Sendable (String) -> Bool)
    case texts(JSONTextRule, counts: ClosedRange<Int>)
    indirect case list(of: JSONPattern, counts: ClosedRange<Int>)
    case object(JSONObjectPattern)
    /// The first of several objects whose first key is there.
    case variants([JSONObjectPattern])
  }

  let form: Form

  /// A string of plain characters.
  package static func text(_ rule: JSONTextRule) -> JSONPattern { JSONPattern(form: .text(rule)) }

  /// A string that passes a test.
  package static func tested(_ test: @escaping @Sendable (String) -> Bool) -> JSONPattern {
    JSONPattern(form: .tested(test))
  }

  /// An array of so many elements.
  package static func list(of element: JSONPattern, counts: ClosedRange<Int>) -> JSONPattern {
    if case .text(let rule) = element.form { return JSONPattern(form: .texts(rule, counts: counts)) }
    return JSONPattern(form: .list(of: element, counts: counts))
  }

  package static func object(_ object: JSONObjectPattern) -> JSONPattern {
    JSONPattern(form: .object(object))
  }

  /// An object of the first kind whose first key it has.
  package static func variants(_ kinds: [JSONObjectPattern]) -> JSONPattern {
    JSONPattern(form: .variants(kinds))
  }
}

/// The members of an object that matches: each key at most once, and no others.
package struct JSONObjectPattern: Sendable {
  let names: [String]
  /// The size and first eight bytes of each name, which tell most names from one another.
  let marks: [JSONNodes.KeyMark]
  /// The pattern of each key; nothing matches the key of nil.
  let patterns: [JSONPattern?]
  /// The required keys, as one bit for each.
  let required: UInt64
  /// Keys of which exactly one is required, as one bit for each.
  let oneOf: UInt64

  /// A pattern of at most 64 keys, each with whether it is required.
  package init(_ keys: [(name: String, pattern: JSONPattern?, isRequired: Bool)], oneOf: [String]) {
    precondition(keys.count <= 64)
    names = keys.map(\.name)
    marks = names.map { JSONNodes.KeyMark($0.utf8Span.span, 0..<$0.utf8.count) }
    patterns = keys.map(\.pattern)
    var bits: (required: UInt64, oneOf: UInt64) = (0, 0)
    for (index, key) in keys.enumerated() {
      if key.isRequired { bits.required |= 1 << UInt64(index) }
      if oneOf.contains(key.name) { bits.oneOf |= 1 << UInt64(index) }
    }
    (required, self.oneOf) = bits
  }
}

/// Which strings of ASCII without escapes match.
package struct JSONTextRule: Sendable {
  /// The bytes that may be in the text, and those of them that may be at its start and after a slash.
  private let allowed: ASCIISet
  private let allowedFirst: ASCIISet
  private let longest: Int

  /// Bytes below 128, as a bit for each: a table would be one more reference to count for each text.
  private struct ASCIISet {
    private var bits: (UInt64, UInt64) = (0, 0)

    init(where isIn: (UInt8) -> Bool) {
      for byte in UInt8(0)..<64 where isIn(byte) { bits.0 |= 1 << UInt64(byte) }
      for byte in UInt8(64)..<128 where isIn(byte) { bits.1 |= 1 << UInt64(byte & 63) }
    }

    func contains(_ byte: UInt8) -> Bool {
      byte < 128 && (byte < 64 ? bits.0 : bits.1) >> UInt64(byte & 63) & 1 != 0
    }
  }

  /// Texts of 1 to `longest` printable characters, but some, and others at the start, behind a slash, and at the end
  /// behind one.
  package init(without marks: String, notFirst: String, longest: Int) {
    let allowed = ASCIISet { 0x20 <= $0 && $0 < 0x7f && !marks.utf8.contains($0) }
    self.allowed = allowed
    allowedFirst = ASCIISet { allowed.contains($0) && !notFirst.utf8.contains($0) }
    self.longest = longest
  }

  func matches(_ content: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    if content.count > longest { return false }
    var isFirst = true
    for index in content {
      let byte = bytes[index]
      if !(isFirst ? allowedFirst : allowed).contains(byte) { return false }
      isFirst = byte == UInt8(ascii: "/")
    }
    return !isFirst
  }
}

extension JSONValue {
  /// Whether the value matches a pattern.
  package func matches(_ pattern: JSONPattern) -> Bool { tree.matches(node, pattern) }
}
