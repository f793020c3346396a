import System

/// The values of a JSON text in the order of their offsets.
///
/// Each value needs eight bytes. Strings and numbers are not copied from the text.
///
/// If each value were an object in memory, a JSON list of empty lists would need eight times the size of the
/// text, and even more while the tree grows.
final class JSONTree: Sendable {
  let text: SourceText
  private let nodes: JSONNodes

  init(_ text: SourceText, nodes: JSONNodes) {
    self.text = text
    self.nodes = nodes
  }

  /// Returns the kind of a node's value, with the same kind for plain strings and other strings.
  func kind(_ node: Int) -> JSONNodes.Word.Kind {
    let kind = nodes[node].kind
    return kind == .plainString ? .string : kind
  }

  func offset(_ node: Int) -> Int { nodes[node].offset }

  func end(_ node: Int) -> Int { nodes.end(node) }

  func string(_ node: Int) -> String { nodes[node].string(in: text) }

  func isString(_ node: Int, equalTo other: String) -> Bool {
    let text = text
    return nodes.isString(node, equalTo: other, in: text, textBytes: text.bytes.span)
  }

  func matches(_ node: Int, pattern: JSONPattern) -> Bool {
    let text = text
    return nodes.matches(node, pattern: pattern, in: text, textBytes: text.bytes.span)
  }

  /// Whether all nodes are plain strings in ascending byte order without repeats.
  func areAscending(_ strings: some Sequence<Int>) -> Bool {
    let text = text
    let bytes = text.bytes.span
    var last: Range<Int>?
    for node in strings {
      guard node > 0, let content = nodes[node].plainContent else { return false }
      if let last, ByteOrder.compare(bytes.extracting(last), bytes.extracting(content)) >= 0 {
        return false
      }
      last = content
    }
    return true
  }

  /// Returns the node of the value for each element and key; 0 if the element does not have the key.
  ///
  /// If an element does not match, its first number is the element's own node, negated.
  func rows(of array: Int, elementCount: Int, pattern: JSONObjectPattern) -> [Int32] {
    let width = pattern.names.count
    let text = text
    let bytes = text.bytes.span
    var rows: [Int32] = []
    rows.reserveCapacity(elementCount * width)
    var element = array + 1
    while element < end(array) {
      let start = rows.count
      for _ in 0..<width { rows.append(0) }
      let isMatch =
        kind(element) == .object
        && nodes.matchesMembers(of: element, pattern: pattern, in: text, textBytes: bytes) { key, node in
          rows[start + key] = Int32(node)
        }
      if !isMatch { rows[start] = -Int32(element) }
      element = end(element)
    }
    return rows
  }
}

/// The nodes of a tree, in the order of their offsets.
struct JSONNodes: Sendable {
  private var words: [Word] = []
  private var size = 0

  /// A node in eight bytes.
  ///
  /// The lowest 29 bits are the offset, and the next three are the kind. The upper half is the length of a
  /// plain string, or the index of the node after an array or object.
  struct Word {
    private let bits: UInt64

    /// The kind of a node.
    ///
    /// Plain strings have their own kind, because they can be compared without decoding.
    enum Kind: UInt64 {
      case null
      case bool
      case number
      case string
      case array
      case object
      /// A syntax error that was reported and skipped.
      case unreadable
      /// A string of ASCII without escapes, in double quotes.
      case plainString
    }

    init(_ kind: Kind, offset: Int, extent: Int) {
      bits = UInt64(extent) << 32 | kind.rawValue << 29 | UInt64(offset)
    }

    var kind: Kind { Kind(rawValue: bits >> 29 & 7) ?? .unreadable }
    var offset: Int { Int(bits & (1 << 29 - 1)) }
    var extent: Int { Int(bits >> 32) }
    var isNested: Bool { kind == .array || kind == .object }
    var isString: Bool { kind == .string || kind == .plainString }
    /// The offsets of a plain string's content in the text; nil for any other node.
    var plainContent: Range<Int>? { kind == .plainString ? offset + 1..<offset + 1 + extent : nil }

    /// Returns the characters of a string, a key, a number or a literal, without escapes.
    func string(in text: SourceText) -> String {
      guard let content = plainContent else { return JSONReader.string(at: offset, of: text).text }
      return String(decoding: text.bytes[content], as: UTF8.self)
    }
  }

  /// Creates an empty list of nodes for a text of `size` bytes, and reserves memory for the number of nodes
  /// that most texts of this size have.
  init(forBytes size: Int = 0) {
    self.size = size
    if size > 0 { words.reserveCapacity(size / 8 + 1) }
  }

  var count: Int { words.count }

  subscript(node: Int) -> Word { words[node] }

  /// Returns the index of the node after a value and its contents.
  func end(_ node: Int) -> Int { words[node].isNested ? words[node].extent : node + 1 }

  /// Adds a value that does not contain other values.
  mutating func append(_ kind: Word.Kind, at offset: Int, length: Int = 0) {
    if words.count == words.capacity { grow(at: offset) }
    words.append(Word(kind, offset: offset, extent: length))
  }

  /// Reserves memory for the rest of the text, assuming that the rest has as many nodes per byte as the text
  /// before the offset.
  ///
  /// If the memory were doubled instead, the nodes of a dense text would be copied several times.
  private mutating func grow(at offset: Int) {
    let all = Double(words.count + 1) * Double(size) / Double(max(offset, 1))
    words.reserveCapacity(max(min(Int(all * 1.1), size), words.count + words.count / 4) + 16)
  }

  /// Turns a node into an array or object that contains all nodes added after it.
  mutating func close(_ node: Int, as kind: Word.Kind) {
    words[node] = Word(kind, offset: words[node].offset, extent: words.count)
  }
}
