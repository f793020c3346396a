import System

/// The values of a JSON text in the order of their offsets, in eight bytes each; their contents stay in the text.
///
/// As a tree of objects, a list of empty lists would take eight times its size, and far more while growing.
final class JSONTree: Sendable {
  let text: SourceText
  private let nodes: Nodes

  /// The kind of a node's value.
  enum Kind: UInt32 {
    case null
    case bool
    case number
    case string
    case array
    case object
    /// A syntax error that was reported and skipped.
    case unreadable
  }

  /// Nodes in blocks of fixed size, so that growing copies none.
  struct Nodes: Sendable {
    private static let pieceSize = 1 << 16
    private var pieces: [[UInt64]] = []
    private(set) var count = 0

    /// The kind in three bits and the offset; above them the index of the node after all nodes inside.
    private static func word(_ kind: Kind, _ offset: Int, end: Int) -> UInt64 {
      UInt64(end) << 32 | UInt64(kind.rawValue) << 29 | UInt64(offset)
    }

    /// Adds a value that contains no other; returns its index.
    mutating func append(_ kind: Kind, at offset: Int) -> Int {
      if count % Self.pieceSize == 0 {
        pieces.append([])
        if count > 0 { pieces[pieces.count - 1].reserveCapacity(Self.pieceSize) }
      }
      pieces[pieces.count - 1].append(Self.word(kind, offset, end: count + 1))
      count += 1
      return count - 1
    }

    /// Sets the kind of a value, which contains all nodes that were added since.
    mutating func close(_ node: Int, as kind: Kind) {
      pieces[node / Self.pieceSize][node % Self.pieceSize] = Self.word(kind, offset(node), end: count)
    }

    private func word(_ node: Int) -> UInt64 { pieces[node / Self.pieceSize][node % Self.pieceSize] }

    func kind(_ node: Int) -> Kind { Kind(rawValue: UInt32(word(node) >> 29 & 7)) ?? .unreadable }
    func offset(_ node: Int) -> Int { Int(word(node) & (1 << 29 - 1)) }
    func end(_ node: Int) -> Int { Int(word(node) >> 32) }
  }

  init(_ text: SourceText, _ nodes: Nodes) {
    self.text = text
    self.nodes = nodes
  }

  func kind(_ node: Int) -> Kind { nodes.kind(node) }

  /// The offset of a value or key.
  func offset(_ node: Int) -> Int { nodes.offset(node) }

  /// The index of the node after a value and its contents.
  func end(_ node: Int) -> Int { nodes.end(node) }

  /// The unescaped text of a string, a key, a number or a literal.
  func string(_ node: Int) -> String {
    let start = offset(node)
    let bytes = text.bytes
    if bytes[start] != UInt8(ascii: "\"") { return JSONReader.string(at: start, of: text) }
    var end = start + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
      return JSONReader.string(at: start, of: text)
    }
    return String(decoding: bytes[start + 1..<end], as: UTF8.self)
  }
}
