/// The elements of an array, and of those that match an object's pattern the places of its keys' values.
package struct JSONRows: Sendable {
  private let tree: JSONTree
  private let width: Int
  /// For each element and key the node of its value, or 0; of an element that does not match its own, negative, first.
  private let nodes: [Int32]

  package init(of array: JSONElements, count: Int, _ object: JSONObjectPattern) {
    tree = array.parent.tree
    width = object.names.count
    nodes = tree.rows(of: array.parent.node, count: count, object)
  }

  /// The number of elements.
  package var count: Int { nodes.count / width }

  /// An element that does not match; nil if it does.
  package func other(_ row: Int) -> JSONValue? {
    let first = nodes[row * width]
    return first >= 0 ? nil : JSONValue(tree: tree, node: -Int(first))
  }

  /// Whether an element that matches has a key.
  package func has(_ row: Int, _ key: Int) -> Bool { nodes[row * width + key] != 0 }

  /// The string of a key that an element has.
  package func text(_ row: Int, _ key: Int) -> Located<String> {
    let node = Int(nodes[row * width + key])
    return Located(tree.string(node), at: tree.offset(node))
  }

  /// Whether all elements match and have this key, each with a string behind the last one's in byte order.
  package func areAscending(by key: Int) -> Bool {
    tree.areAscending(stride(from: key, to: nodes.count, by: width).lazy.map { Int(nodes[$0]) })
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
