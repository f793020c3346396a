import System

/// The values of a JSON text in the order in which they begin, in eight bytes each: their contents stay in the text.
///
/// A list of empty lists would take eight times its size as a tree of values, and far more while it grows.
final class JSONTree: Sendable {
  let text: SourceText
  private let nodes: Nodes

  /// What kind of value stands at a node.
  enum Kind: UInt32 {
    case null
    case bool
    case number
    case string
    case array
    case object
    /// Something that was reported as a mistake of syntax and read over.
    case unreadable
  }

  /// Nodes in pieces of one size, so that none is copied while they become more.
  struct Nodes: Sendable {
    private static let pieceSize = 1 << 16
    private var pieces: [[UInt64]] = []
    private(set) var count = 0

    /// The node's kind in three bits and the byte at which it begins; above them the node behind all that is in it.
    private static func word(_ kind: Kind, _ offset: Int, end: Int) -> UInt64 {
      UInt64(end) << 32 | UInt64(kind.rawValue) << 29 | UInt64(offset)
    }

    /// Adds a value that holds no other; its number.
    mutating func append(_ kind: Kind, at offset: Int) -> Int {
      if count % Self.pieceSize == 0 {
        pieces.append([])
        if count > 0 { pieces[pieces.count - 1].reserveCapacity(Self.pieceSize) }
      }
      pieces[pieces.count - 1].append(Self.word(kind, offset, end: count + 1))
      count += 1
      return count - 1
    }

    /// Says what a value turned out to be, which holds all that was added since.
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

  /// The byte at which a value or key begins.
  func offset(_ node: Int) -> Int { nodes.offset(node) }

  /// The node behind a value and all that is in it.
  func end(_ node: Int) -> Int { nodes.end(node) }

  /// A string, a key, a number or a literal as it is meant.
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
