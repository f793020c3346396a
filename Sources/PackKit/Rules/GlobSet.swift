/// Globs that match files and folders, and with a folder all that is below it.
package struct GlobSet: Sendable {
  private let index: RuleIndex

  package init(_ globs: [Glob]) {
    index = RuleIndex(rules: [], excludes: globs)
  }

  /// The index of the first glob that matches a path or a folder above it; nil if none does.
  package func first(matching path: String) -> Int? {
    var state = index.root
    var first: Int32?
    for name in path.utf8.split(separator: UInt8(ascii: "/")).map({ Array($0)[...] }) {
      if let match = index.match(name, in: state).excludes.min() { first = min(first ?? match, match) }
      state = index.state(below: name, in: state)
    }
    return first.map(Int.init)
  }
}
