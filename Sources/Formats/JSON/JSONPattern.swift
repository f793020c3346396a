/// A quick test of values, for lists of many: what matches needs no closer look, what does not may be right or wrong.
package final class JSONPattern: Sendable {
  /// What a value must be.
  enum Form: Sendable {
    case text(JSONTextRule)
    /// A string that passes a test.
    case tested(@Sendable (String) -> Bool)
    case list(of: JSONPattern, counts: ClosedRange<Int>)
    case object(JSONObjectPattern)
    /// The first of several objects whose first key is there.
    case variants([JSONObjectPattern])
  }

  let form: Form

  private init(_ form: Form) { self.form = form }

  /// A string of plain characters.
  package static func text(_ rule: JSONTextRule) -> JSONPattern { JSONPattern(.text(rule)) }

  /// A string that passes a test.
  package static func tested(_ test: @escaping @Sendable (String) -> Bool) -> JSONPattern {
    JSONPattern(.tested(test))
  }

  /// An array of so many elements.
  package static func list(of element: JSONPattern, counts: ClosedRange<Int>) -> JSONPattern {
    JSONPattern(.list(of: element, counts: counts))
  }

  package static func object(_ object: JSONObjectPattern) -> JSONPattern { JSONPattern(.object(object)) }

  /// An object of the first kind whose first key it has.
  package static func variants(_ kinds: [JSONObjectPattern]) -> JSONPattern { JSONPattern(.variants(kinds)) }
}

/// The members of an object that matches: each key at most once, and no others.
package final class JSONObjectPattern: Sendable {
  package let names: [String]
  /// The pattern of each key; nothing matches the key of nil.
  fileprivate let patterns: [JSONPattern?]
  /// The required keys, as one bit for each.
  fileprivate let required: UInt64
  /// Keys of which exactly one is required, as one bit for each.
  fileprivate let oneOf: UInt64

  /// A pattern of at most 64 keys, each with whether it is required.
  package init(_ keys: [(name: String, pattern: JSONPattern?, isRequired: Bool)], oneOf: [String]) {
    precondition(keys.count <= 64)
    names = keys.map(\.name)
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
  /// By each byte: whether it may be in the text, whether at its start, and whether after a slash.
  private let isAllowed: [Bool]
  private let isAllowedFirst: [Bool]
  private let longest: Int

  /// Texts of 1 to `longest` printable characters, but some, and others at the start, behind a slash, and at the end
  /// behind one.
  package init(without marks: String, notFirst: String, longest: Int) {
    isAllowed = (0..<128).map { 0x20 <= $0 && $0 < 0x7f && !marks.utf8.contains($0) }
    isAllowedFirst = zip(UInt8(0)..., isAllowed).map { $1 && !notFirst.utf8.contains($0) }
    self.longest = longest
  }

  fileprivate func matches(_ content: Range<Int>, in bytes: [UInt8]) -> Bool {
    if content.count > longest { return false }
    var isFirst = true
    for index in content {
      let byte = Int(bytes[index])
      if !(isFirst ? isAllowedFirst : isAllowed)[byte] { return false }
      isFirst = byte == UInt8(ascii: "/")
    }
    return !isFirst
  }
}

extension JSONValue {
  /// Whether the value matches a pattern.
  package func matches(_ pattern: JSONPattern) -> Bool { tree.matches(node, pattern) }
}

extension JSONTree {
  fileprivate func matches(_ node: Int, _ pattern: JSONPattern) -> Bool {
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
  fileprivate func matchesMembers(
    of node: Int, _ object: JSONObjectPattern, found: (Int, Int) -> Void
  ) -> Bool {
    var seen: UInt64 = 0
    let end = self.end(node)
    var key = node + 1
    while key < end {
      guard let index = object.names.firstIndex(where: { isText(key, $0) }),
        seen >> UInt64(index) & 1 == 0, let pattern = object.patterns[index], matches(key + 1, pattern)
      else { return false }
      seen |= 1 << UInt64(index)
      found(index, key + 1)
      key = self.end(key + 1)
    }
    let hasOne = object.oneOf == 0 || (seen & object.oneOf).nonzeroBitCount == 1
    return seen & object.required == object.required && hasOne
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

/// The elements of an array that match an object's pattern, each with the places of its keys' values.
package struct JSONRows: Sendable {
  private let tree: JSONTree
  private let width: Int
  /// For each element, for each key of the pattern, the node of its value; 0 for no such key, or no match.
  private var nodes: [UInt32] = []

  package init(of array: JSONElements, _ object: JSONObjectPattern) {
    tree = array.parent.tree
    width = object.names.count
    nodes.reserveCapacity(array.count * width)
    for element in array {
      let start = nodes.count
      for _ in 0..<width { nodes.append(0) }
      let isMatch =
        tree.kind(element.node) == .object
        && tree.matchesMembers(of: element.node, object) { key, node in nodes[start + key] = UInt32(node) }
      if !isMatch { for key in 0..<width { nodes[start + key] = 0 } }
    }
  }

  /// Whether an element matches, which has at least one key then.
  package func matches(_ row: Int) -> Bool {
    for key in 0..<width where nodes[row * width + key] != 0 { return true }
    return false
  }

  /// The string of a key; nil if the element has none.
  package func text(_ row: Int, _ key: Int) -> Located<String>? {
    let node = Int(nodes[row * width + key])
    return node == 0 ? nil : Located(tree.string(node), at: tree.offset(node))
  }

  /// The strings in the array of a key.
  package func texts(_ row: Int, _ key: Int) -> [Located<String>] {
    let node = Int(nodes[row * width + key])
    if node == 0 { return [] }
    return (node + 1..<tree.end(node)).map { Located(tree.string($0), at: tree.offset($0)) }
  }
}
