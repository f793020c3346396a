/// Comparing values with patterns.
///
/// `bytes` are those of the text, as a span: to reach each through its owner would count more references than there are
/// bytes.
extension JSONNodes {
  func matches(_ node: Int, _ pattern: JSONPattern, in text: SourceText, _ bytes: Span<UInt8>) -> Bool {
    let word = self[node]
    switch pattern.form {
    case .text(let rule): return word.plainContent.map { rule.matches($0, in: bytes) } ?? false
    case .texts(let rule, let counts):
      return word.kind == .array && matchesTexts(of: node, rule, counts, bytes)
    case .tested(let test): return word.isString && test(word.string(in: text))
    case .list(let element, let counts):
      return word.kind == .array && matchesElements(of: node, element, counts, in: text, bytes)
    case .object(let object):
      return word.kind == .object && matchesMembers(of: node, object, in: text, bytes) { _, _ in }
    case .variants(let kinds): return word.kind == .object && matchesVariant(node, kinds, in: text, bytes)
    }
  }

  private func matchesTexts(
    of node: Int, _ rule: JSONTextRule, _ counts: ClosedRange<Int>, _ bytes: Span<UInt8>
  ) -> Bool {
    // Texts have no nodes inside them.
    let elements = node + 1..<end(node)
    return counts.contains(elements.count)
      && elements.allSatisfy { self[$0].plainContent.map { rule.matches($0, in: bytes) } ?? false }
  }

  private func matchesElements(
    of node: Int, _ pattern: JSONPattern, _ counts: ClosedRange<Int>, in text: SourceText,
    _ bytes: Span<UInt8>
  ) -> Bool {
    var count = 0
    let end = self.end(node)
    var next = node + 1
    while next < end {
      if !matches(next, pattern, in: text, bytes) { return false }
      count += 1
      next = self.end(next)
    }
    return counts.contains(count)
  }

  /// Whether an object matches; `found` is called with the index of each key and the node of its value.
  func matchesMembers(
    of node: Int, _ object: JSONObjectPattern, in text: SourceText, _ bytes: Span<UInt8>,
    found: (Int, Int) -> Void
  ) -> Bool {
    var seen: UInt64 = 0
    let end = self.end(node)
    var key = node + 1
    while key < end {
      guard let index = self.index(ofKey: key, in: object, text, bytes), seen >> UInt64(index) & 1 == 0,
        let pattern = object.patterns[index], matches(key + 1, pattern, in: text, bytes)
      else { return false }
      seen |= 1 << UInt64(index)
      found(index, key + 1)
      key = self.end(key + 1)
    }
    let hasOne = object.oneOf == 0 || (seen & object.oneOf).nonzeroBitCount == 1
    return seen & object.required == object.required && hasOne
  }

  private func index(
    ofKey key: Int, in object: JSONObjectPattern, _ text: SourceText, _ bytes: Span<UInt8>
  ) -> Int? {
    guard let content = self[key].plainContent else { return nil }
    let mark = KeyMark(bytes, content)
    guard let index = object.marks.firstIndex(of: mark) else { return nil }
    return mark.isWhole || isText(key, object.names[index], in: text, bytes) ? index : nil
  }

  /// The size and first eight bytes of a key.
  struct KeyMark: Equatable {
    private let size: Int
    private var head: UInt64 = 0

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
      size = range.count
      for index in range.prefix(8) { head = head << 8 | UInt64(bytes[index]) }
    }

    /// Whether equal marks are equal keys.
    var isWhole: Bool { size <= 8 }
  }

  private func matchesVariant(
    _ node: Int, _ kinds: [JSONObjectPattern], in text: SourceText, _ bytes: Span<UInt8>
  ) -> Bool {
    let first = kinds.first { kind in
      let end = self.end(node)
      var key = node + 1
      while key < end {
        if isText(key, kind.names[0], in: text, bytes) { return true }
        key = self.end(key + 1)
      }
      return false
    }
    return first.map { matchesMembers(of: node, $0, in: text, bytes) { _, _ in } } ?? false
  }

  /// Whether a string or key is this text, as `==` compares them.
  func isText(_ node: Int, _ other: String, in text: SourceText, _ bytes: Span<UInt8>) -> Bool {
    guard let content = self[node].plainContent else { return self[node].string(in: text) == other }
    let utf8 = other.utf8Span.span
    for index in 0..<min(content.count, utf8.count) where bytes[content.lowerBound + index] != utf8[index] {
      // A text of ASCII equals another only where that has a character that stands for an ASCII one.
      return utf8[index] >= 0x80 && self[node].string(in: text) == other
    }
    return content.count == utf8.count
  }
}
