/// The elements of an array, and of those that match an object's pattern the places of its keys' values.
package struct JSONRows: Sendable {
  private let tree: JSONTree
  private let width: Int
  /// For each element, for each key of the pattern, the node of its value, or 0; for an element that does not match, its
  /// own node with the highest bit in the first place.
  private var nodes: [UInt32] = []

  private static let isOther: UInt32 = 1 << 31

  package init(of array: JSONElements, count: Int, _ object: JSONObjectPattern) {
    tree = array.parent.tree
    width = object.names.count
    nodes.reserveCapacity(count * width)
    for element in array {
      let start = nodes.count
      for _ in 0..<width { nodes.append(0) }
      let isMatch =
        tree.kind(element.node) == .object
        && tree.matchesMembers(of: element.node, object) { key, node in nodes[start + key] = UInt32(node) }
      if !isMatch { nodes[start] = UInt32(element.node) | Self.isOther }
    }
  }

  /// The number of elements.
  package var count: Int { nodes.count / width }

  /// An element that does not match; nil if it does.
  package func other(_ row: Int) -> JSONValue? {
    let first = nodes[row * width]
    return first & Self.isOther == 0 ? nil : JSONValue(tree: tree, node: Int(first & ~Self.isOther))
  }

  /// The string of a key of an element that matches; nil if it has none.
  package func text(_ row: Int, _ key: Int) -> Located<String>? {
    let node = Int(nodes[row * width + key])
    return node == 0 ? nil : Located(tree.string(node), at: tree.offset(node))
  }

  /// The value of a key of an element that matches; nil if it has none.
  package func value(_ row: Int, _ key: Int) -> JSONValue? {
    let node = Int(nodes[row * width + key])
    return node == 0 ? nil : JSONValue(tree: tree, node: node)
  }

  /// The strings in the array of a key of an element that matches.
  package func texts(_ row: Int, _ key: Int) -> [Located<String>] {
    let node = Int(nodes[row * width + key])
    if node == 0 { return [] }
    return (node + 1..<tree.end(node)).map { Located(tree.string($0), at: tree.offset($0)) }
  }
}
