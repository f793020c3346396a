/// A pattern that quickly tests whether a JSON value is correct; it is used for the values of long lists.
///
/// A value that matches is correct. A value that does not match may be correct or wrong, and slower code must
/// check it.
///
/// The type is not a class, because reference counting would take most of the time of a comparison.
package enum JSONPattern: Sendable {
  /// A string of plain characters.
  case text(JSONTextRule)
  /// A string for which a function returns true.
  case tested(@Sendable (String) -> Bool)
  /// An array in which every element matches, and the number of elements is in a range.
  indirect case list(of: JSONPattern, counts: ClosedRange<Int>)
  case object(JSONObjectPattern)
  /// An object with one of several patterns.
  ///
  /// packtool uses the first pattern whose first key is in the object.
  case variants([JSONObjectPattern])
}

/// The pattern of an object: the keys that it can have, each at most once.
package struct JSONObjectPattern: Sendable {
  /// A key that an object can have.
  package struct Key: Sendable {
    let name: String
    /// The pattern of the value; nil if no value matches.
    let pattern: JSONPattern?
    let isRequired: Bool

    package init(_ name: String, pattern: JSONPattern?, isRequired: Bool = false) {
      self.name = name
      self.pattern = pattern
      self.isRequired = isRequired
    }
  }

  let names: [String]
  /// The length and the first eight bytes of each key's name.
  ///
  /// They are enough to distinguish most names.
  let marks: [JSONNodes.KeyMark]
  /// The pattern of each key.
  ///
  /// If the pattern is nil, the key never matches.
  let patterns: [JSONPattern?]
  /// The required keys, as a set with one bit for each key.
  let required: UInt64
  /// Alternative keys: an object must have exactly one of them.
  ///
  /// It is a set with one bit for each key.
  let oneOf: UInt64

  /// Creates a pattern of at most 64 keys.
  ///
  /// An object must have exactly one of the keys in `oneOf`.
  package init(_ keys: [Key], oneOf: [String]) {
    precondition(keys.count <= 64)
    names = keys.map(\.name)
    marks = names.map { JSONNodes.KeyMark($0.utf8Span.span, range: 0..<$0.utf8.count) }
    patterns = keys.map(\.pattern)
    var bits: (required: UInt64, oneOf: UInt64) = (0, 0)
    for (index, key) in keys.enumerated() {
      if key.isRequired { bits.required |= 1 << UInt64(index) }
      if oneOf.contains(key.name) { bits.oneOf |= 1 << UInt64(index) }
    }
    (required, self.oneOf) = bits
  }
}

/// A rule for strings that consist of ASCII characters without escapes.
package struct JSONTextRule: Sendable {
  /// The bytes that the string can contain, as a set with one bit for each byte.
  ///
  /// An array instead of this integer would cost a change of a reference count for each string.
  private var allowed: UInt128 = 0
  /// The bytes that can be at the start of the string and after a slash.
  private var allowedFirst: UInt128 = 0
  private let longest: Int
  /// A character that can occur twice in a row only as a whole path component, like the star in `a/**/b`; nil
  /// if there is no such character.
  private let componentMark: UInt8?

  /// Allows strings of 1 to `maxBytes` printable characters, except the characters in `marks`.
  ///
  /// `forbiddingFirst` lists characters that must not be at the start or after a slash. A string must not end
  /// with a slash.
  package init(
    forbidding marks: String, forbiddingFirst notFirst: String,
    doubledOnlyAsComponent componentMark: Unicode.Scalar? = nil,
    maxBytes: Int
  ) {
    self.longest = maxBytes
    self.componentMark = componentMark.map { UInt8(ascii: $0) }
    for byte in UInt8(0x20)..<0x7f where !marks.utf8.contains(byte) {
      allowed |= 1 << UInt128(byte)
      if !notFirst.utf8.contains(byte) { allowedFirst |= 1 << UInt128(byte) }
    }
  }

  func matches(_ content: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    if content.count > longest { return false }
    var isFirst = true
    for index in content {
      let byte = bytes[index]
      if byte >= 128 || (isFirst ? allowedFirst : allowed) &>> UInt128(byte) & 1 == 0 { return false }
      if byte == componentMark, !isFirst, bytes[index - 1] == byte {
        let isStart = index - 1 == content.lowerBound || bytes[index - 2] == UInt8(ascii: "/")
        let isEnd = index + 1 == content.upperBound || bytes[index + 1] == UInt8(ascii: "/")
        if !isStart || !isEnd { return false }
      }
      isFirst = byte == UInt8(ascii: "/")
    }
    return !isFirst
  }
}

extension JSONValue {
  /// Whether the value matches a pattern.
  package func matches(_ pattern: JSONPattern) -> Bool { tree.matches(node, pattern: pattern) }
}

/// Compares values with patterns.
///
/// `bytes` is a span of the text's bytes. Access to each byte through its owner would change a reference
/// count for every byte.
extension JSONNodes {
  func matches(_ node: Int, pattern: JSONPattern, in text: SourceText, textBytes bytes: Span<UInt8>) -> Bool {
    let word = self[node]
    switch pattern {
    case .text(let rule): return word.plainContent.map { rule.matches($0, in: bytes) } ?? false
    case .tested(let test): return word.isString && test(word.string(in: text))
    case .list(let element, let counts):
      return word.kind == .array
        && matchesElements(of: node, pattern: element, counts: counts, in: text, textBytes: bytes)
    case .object(let object):
      return word.kind == .object
        && matchesMembers(of: node, pattern: object, in: text, textBytes: bytes) { _, _ in }
    case .variants(let kinds):
      return word.kind == .object && matchesVariant(node, kinds: kinds, in: text, textBytes: bytes)
    }
  }

  private func matchesElements(
    of node: Int, pattern: JSONPattern, counts: ClosedRange<Int>, in text: SourceText,
    textBytes bytes: Span<UInt8>
  ) -> Bool {
    var count = 0
    let end = self.end(node)
    var next = node + 1
    while next < end {
      if !matches(next, pattern: pattern, in: text, textBytes: bytes) { return false }
      count += 1
      next = self.end(next)
    }
    return counts.contains(count)
  }

  /// Whether an object matches a pattern.
  ///
  /// The function calls `found` with the index of each key and the node of the key's value.
  func matchesMembers(
    of node: Int, pattern object: JSONObjectPattern, in text: SourceText, textBytes bytes: Span<UInt8>,
    found: (Int, Int) -> Void
  ) -> Bool {
    var seen: UInt64 = 0
    let end = self.end(node)
    var key = node + 1
    while key < end {
      guard let index = self.index(ofKey: key, in: object, text: text, textBytes: bytes),
        seen >> UInt64(index) & 1 == 0,
        let pattern = object.patterns[index], matches(key + 1, pattern: pattern, in: text, textBytes: bytes)
      else { return false }
      seen |= 1 << UInt64(index)
      found(index, key + 1)
      key = self.end(key + 1)
    }
    let hasOne = object.oneOf == 0 || (seen & object.oneOf).nonzeroBitCount == 1
    return seen & object.required == object.required && hasOne
  }

  private func index(
    ofKey key: Int, in object: JSONObjectPattern, text: SourceText, textBytes bytes: Span<UInt8>
  ) -> Int? {
    guard let content = self[key].plainContent else { return nil }
    let mark = KeyMark(bytes, range: content)
    guard let index = object.marks.firstIndex(of: mark) else { return nil }
    return mark.isWhole || isString(key, equalTo: object.names[index], in: text, textBytes: bytes)
      ? index : nil
  }

  /// The length and the first eight bytes of a key.
  struct KeyMark: Equatable {
    private let size: Int
    private var head: UInt64 = 0

    init(_ bytes: Span<UInt8>, range: Range<Int>) {
      size = range.count
      for index in range.prefix(8) { head = head << 8 | UInt64(bytes[index]) }
    }

    /// Whether all keys with this mark are equal.
    var isWhole: Bool { size <= 8 }
  }

  private func matchesVariant(
    _ node: Int, kinds: [JSONObjectPattern], in text: SourceText, textBytes bytes: Span<UInt8>
  ) -> Bool {
    let first = kinds.first { kind in
      let end = self.end(node)
      var key = node + 1
      while key < end {
        if isString(key, equalTo: kind.names[0], in: text, textBytes: bytes) { return true }
        key = self.end(key + 1)
      }
      return false
    }
    return first.map { matchesMembers(of: node, pattern: $0, in: text, textBytes: bytes) { _, _ in } }
      ?? false
  }

  /// Whether a string or key is equal to another string, compared as `==` compares strings.
  func isString(_ node: Int, equalTo other: String, in text: SourceText, textBytes bytes: Span<UInt8>) -> Bool
  {
    guard let content = self[node].plainContent else { return self[node].string(in: text) == other }
    let utf8 = other.utf8Span.span
    for index in 0..<min(content.count, utf8.count) where bytes[content.lowerBound + index] != utf8[index] {
      // An ASCII string can equal a string with other characters, because `==` treats a few characters as
      // equal to ASCII characters.
      return utf8[index] >= 0x80 && self[node].string(in: text) == other
    }
    return content.count == utf8.count
  }
}

/// The elements of an array, compared with the pattern of an object.
///
/// For each element that matches, the table contains the positions of the values.
package struct JSONRows: Sendable {
  private let tree: JSONTree
  private let width: Int
  /// The node of the value for each element and key; 0 if the element does not have the key.
  ///
  /// If an element does not match, its first number is the element's own node, negated.
  private let nodes: [Int32]

  package init(of array: JSONElements, elementCount: Int, pattern: JSONObjectPattern) {
    tree = array.parent.tree
    width = pattern.names.count
    nodes = tree.rows(of: array.parent.node, elementCount: elementCount, pattern: pattern)
  }

  package var count: Int { nodes.count / width }

  /// Returns an element that does not match the pattern; nil if the element matches.
  package func other(_ row: Int) -> JSONValue? {
    let first = nodes[row * width]
    return first >= 0 ? nil : JSONValue(tree: tree, node: -Int(first))
  }

  /// Whether an element that matches has a key.
  package func hasValue(inRow row: Int, column: Int) -> Bool { nodes[row * width + column] != 0 }

  /// Returns the string value of a key.
  ///
  /// The element must have the key.
  package func text(inRow row: Int, column: Int) -> Located<String> {
    let node = Int(nodes[row * width + column])
    return Located(tree.string(node), at: tree.offset(node))
  }

  /// Whether all elements match and have this key, and the strings are in ascending byte order without
  /// repeats.
  package func areAscending(by key: Int) -> Bool {
    tree.areAscending(stride(from: key, to: nodes.count, by: width).lazy.map { Int(nodes[$0]) })
  }

  /// Returns the value of a key of an element that matches; nil if the element does not have the key.
  package func value(inRow row: Int, column: Int) -> JSONValue? {
    let node = Int(nodes[row * width + column])
    return node == 0 ? nil : JSONValue(tree: tree, node: node)
  }

  /// Returns the strings in an array that is the value of a key.
  package func texts(inRow row: Int, column: Int) -> [Located<String>] {
    let node = Int(nodes[row * width + column])
    if node == 0 { return [] }
    return (node + 1..<tree.end(node)).map { Located(tree.string($0), at: tree.offset($0)) }
  }
}
