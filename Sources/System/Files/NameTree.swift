/// A tree of names.
///
/// A path is a sequence of names from the root. Nodes are identified by numbers. The root is 0.
///
/// All nodes share one hash table, because a manifest can have a million paths.
package struct NameTree: Sendable {
  private struct Node {
    let parent: Int32
    /// The offset of the node's name in `names`.
    let start: Int
    let length: Int
    var hasChildren = false
  }

  private var nodes = [Node(parent: -1, start: 0, length: 0)]
  private var names: [UInt8] = []
  /// A hash table that contains the numbers of nodes.
  ///
  /// The hash of a node's parent and name selects the node's slot.
  ///
  /// A free slot is 0. The number of slots is a power of two.
  private var slots: [Int32]
  /// The folder of the path that was added last, and its node.
  ///
  /// Most paths have the same folder as the path that was added before.
  private var last: (folder: [UInt8], node: Int32) = ([], 0)

  /// Creates a tree with only the root, and reserves memory for some nodes.
  package init(minimumCapacity: Int = 8) {
    nodes.reserveCapacity(minimumCapacity)
    var size = 16
    while size < minimumCapacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  package func hasChildren(_ node: Int32) -> Bool { nodes[Int(node)].hasChildren }

  /// Returns the child of a node that has a name; nil if no child has this name.
  package func child(_ name: ArraySlice<UInt8>, of node: Int32) -> Int32? {
    if !nodes[Int(node)].hasChildren { return nil }
    let number = name.withUnsafeBytes { slots[slot(of: $0, below: node)] }
    return number == 0 ? nil : number
  }

  /// Adds a path and all folders above it, and returns the path's node.
  ///
  /// Empty components are ignored.
  package mutating func insert(_ path: String) -> Int32 {
    path.utf8Span.span.withUnsafeBytes { path in
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
      let folder = UnsafeRawBufferPointer(rebasing: path[..<(slash ?? 0)])
      if !folder.elementsEqual(last.folder) {
        var node: Int32 = 0
        for name in folder.split(separator: UInt8(ascii: "/")) {
          node = insert(UnsafeRawBufferPointer(rebasing: name), below: node)
        }
        last = (Array(folder), node)
      }
      let name = UnsafeRawBufferPointer(rebasing: path[(slash.map { $0 + 1 } ?? 0)...])
      return name.isEmpty ? last.node : insert(name, below: last.node)
    }
  }

  private mutating func insert(_ name: UnsafeRawBufferPointer, below node: Int32) -> Int32 {
    let place = slot(of: name, below: node)
    if slots[place] != 0 { return slots[place] }
    let number = Int32(nodes.count)
    nodes.append(Node(parent: node, start: names.count, length: name.count))
    nodes[Int(node)].hasChildren = true
    names.append(contentsOf: name)
    slots[place] = number
    if nodes.count > slots.count / 2 { grow() }
    return number
  }

  /// Returns the slot of a name, or the free slot in which it would be stored.
  private func slot(of name: UnsafeRawBufferPointer, below node: Int32) -> Int {
    var place = hash(name, node: node) & (slots.count - 1)
    while slots[place] != 0 && !isNode(slots[place], name: name, below: node) {
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private func isNode(_ number: Int32, name: UnsafeRawBufferPointer, below parent: Int32) -> Bool {
    let node = nodes[Int(number)]
    return node.parent == parent && node.length == name.count
      && names[node.start..<node.start + node.length].withUnsafeBytes { $0.elementsEqual(name) }
  }

  /// Computes a hash that differs in each process, because nobody must be able to choose names that share a
  /// slot.
  private func hash(_ name: UnsafeRawBufferPointer, node: Int32) -> Int {
    var hasher = Hasher()
    hasher.combine(node)
    hasher.combine(bytes: name)
    return hasher.finalize()
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for number in 1..<nodes.count {
      let node = nodes[number]
      let place = names[node.start..<node.start + node.length].withUnsafeBytes {
        slot(of: $0, below: node.parent)
      }
      slots[place] = Int32(number)
    }
  }
}
