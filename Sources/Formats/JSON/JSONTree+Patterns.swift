/// Comparing values with patterns.
extension JSONTree {
  func matches(_ node: Int, _ pattern: JSONPattern) -> Bool {
    switch pattern.form {
    case .text(let rule): plainContent(node).map { rule.matches($0, in: text.bytes) } ?? false
    case .tested(let test): kind(node) == .string && test(string(node))
    case .list(let element, let counts): kind(node) == .array && matchesElements(of: node, element, counts)
    case .object(let object): kind(node) == .object && matchesMembers(of: node, object)
    case .variants(let kinds): kind(node) == .object && matchesVariant(node, kinds)
    }
  }

  private func matchesElements(of node: Int, _ pattern: JSONPattern, _ counts: ClosedRange<Int>) -> Bool {
    var count = 0
    let end = self.end(node)
    var next = node + 1
    while next < end {
      if !matches(next, pattern) { return false }
      count += 1
      next = self.end(next)
    }
    return counts.contains(count)
  }

  private func matchesMembers(of node: Int, _ object: JSONObjectPattern) -> Bool {
    matchesMembers(of: node, object) { _, _ in }
  }

  /// Whether an object matches; `found` is called with the index of each key and the node of its value.
  func matchesMembers(
    of node: Int, _ object: JSONObjectPattern, found: (Int, Int) -> Void
  ) -> Bool {
    var seen: UInt64 = 0
    let end = self.end(node)
    var key = node + 1
    while key < end {
      guard let index = self.index(ofKey: key, in: object), seen >> UInt64(index) & 1 == 0,
        let pattern = object.patterns[index], matches(key + 1, pattern)
      else { return false }
      seen |= 1 << UInt64(index)
      found(index, key + 1)
      key = self.end(key + 1)
    }
    let hasOne = object.oneOf == 0 || (seen & object.oneOf).nonzeroBitCount == 1
    return seen & object.required == object.required && hasOne
  }

  /// The index of a plain key's name in a pattern.
  private func index(ofKey key: Int, in object: JSONObjectPattern) -> Int? {
    guard let content = plainContent(key) else { return nil }
    let mark = KeyMark(text.bytes, content)
    guard let index = object.marks.firstIndex(of: mark) else { return nil }
    return mark.isWhole || isText(key, object.names[index]) ? index : nil
  }

  /// The size and first eight bytes of a key.
  struct KeyMark: Equatable {
    private let size: Int
    private var head: UInt64 = 0

    init(_ bytes: [UInt8], _ range: Range<Int>) {
      size = range.count
      for index in range.prefix(8) { head = head << 8 | UInt64(bytes[index]) }
    }

    /// Whether equal marks are equal keys.
    var isWhole: Bool { size <= 8 }
  }

  private func matchesVariant(_ node: Int, _ kinds: [JSONObjectPattern]) -> Bool {
    let first = kinds.first { kind in
      let end = self.end(node)
      var key = node + 1
      while key < end {
        if isText(key, kind.names[0]) { return true }
        key = self.end(key + 1)
      }
      return false
    }
    return first.map { matchesMembers(of: node, $0) } ?? false
  }
}
