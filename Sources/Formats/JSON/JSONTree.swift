import System

/// The values of a JSON text in the order of their offsets, in eight bytes each; their contents stay in the text.
///
/// As a tree of objects, a list of empty lists would take eight times its size, and far more while growing.
final class JSONTree: Sendable {
  let text: SourceText
  private let nodes: JSONNodes

  /// The kind of a node's value.
  enum Kind {
    case null
    case bool
    case number
    case string
    case array
    case object
    /// A syntax error that was reported and skipped.
    case unreadable
  }

  init(_ text: SourceText, _ nodes: JSONNodes) {
    self.text = text
    self.nodes = nodes
  }

  func kind(_ node: Int) -> Kind {
    switch nodes[node].kind {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string, .plainString: .string
    case .array: .array
    case .object: .object
    case .unreadable: .unreadable
    }
  }

  /// The offset of a value or key.
  func offset(_ node: Int) -> Int { nodes[node].offset }

  /// The index of the node after a value and its contents.
  func end(_ node: Int) -> Int {
    let word = nodes[node]
    return word.isNested ? word.extent : node + 1
  }

  /// The unescaped text of a string, a key, a number or a literal.
  func string(_ node: Int) -> String { nodes[node].string(in: text) }

  /// Where the content of a string is in the text; nil unless it is ASCII without escapes.
  func plainContent(_ node: Int) -> Range<Int>? { nodes[node].plainContent }

  /// Whether a string or key is this text, as `==` compares them.
  func isText(_ node: Int, _ other: String) -> Bool {
    guard let content = nodes[node].plainContent else { return string(node) == other }
    let bytes = text.bytes
    let utf8 = other.utf8Span.span
    for index in 0..<min(content.count, utf8.count) where bytes[content.lowerBound + index] != utf8[index] {
      // A text of ASCII equals another only where that has a character that stands for an ASCII one.
      return utf8[index] >= 0x80 && string(node) == other
    }
    return content.count == utf8.count
  }
}

/// The nodes of a tree, in the order of their offsets.
struct JSONNodes: Sendable {
  private var words: [Word] = []
  /// The size of the text in bytes.
  private var size = 0

  /// Eight bytes: the kind in three bits, the offset in 29; above them the length of a plain string, or the index of
  /// the node after an array or object.
  struct Word {
    private let bits: UInt64

    /// What a node is, as `JSONTree.Kind` says it, with the strings that need no look at their content apart.
    enum Kind: UInt64 {
      case null
      case bool
      case number
      case string
      case array
      case object
      case unreadable
      /// ASCII without escapes, in double quotes.
      case plainString
    }

    init(_ kind: Kind, _ offset: Int, extent: Int) {
      bits = UInt64(extent) << 32 | kind.rawValue << 29 | UInt64(offset)
    }

    var kind: Kind { Kind(rawValue: bits >> 29 & 7) ?? .unreadable }
    var offset: Int { Int(bits & (1 << 29 - 1)) }
    var extent: Int { Int(bits >> 32) }
    var isNested: Bool { kind == .array || kind == .object }
    /// Where the content of a plain string is in the text.
    var plainContent: Range<Int>? { kind == .plainString ? offset + 1..<offset + 1 + extent : nil }

    /// The unescaped text of a string, a key, a number or a literal.
    func string(in text: SourceText) -> String {
      guard let content = plainContent else { return JSONReader.string(at: offset, of: text) }
      return String(decoding: text.bytes[content], as: UTF8.self)
    }
  }

  /// No nodes.
  init() {}

  /// No nodes of a text of so many bytes, with room for as many as most texts have.
  init(forBytes size: Int) {
    self.size = size
    words.reserveCapacity(size / 8 + 1)
  }

  var count: Int { words.count }

  subscript(node: Int) -> Word { words[node] }

  /// Adds a value that contains no other.
  mutating func append(_ kind: Word.Kind, at offset: Int, length: Int = 0) {
    if words.count == words.capacity { grow(at: offset) }
    words.append(Word(kind, offset, extent: length))
  }

  /// Makes room for as many nodes as the text will have if it goes on as up to an offset.
  ///
  /// Growth by doubling would copy a dense text's nodes several times, and leave up to half of the room unused.
  private mutating func grow(at offset: Int) {
    let all = Double(words.count + 1) * Double(size) / Double(max(offset, 1))
    words.reserveCapacity(max(min(Int(all * 1.1), size), words.count + words.count / 4) + 16)
  }

  /// Makes an array or object of a node, which contains all nodes that were added since.
  mutating func close(_ node: Int, as kind: Word.Kind) {
    words[node] = Word(kind, words[node].offset, extent: words.count)
  }
}
