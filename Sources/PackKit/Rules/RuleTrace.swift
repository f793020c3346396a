/// The rules and the exclusion of a manifest that match one path.
package struct RuleTrace: Sendable {
  /// The rules that match, in the manifest's order.
  package fileprivate(set) var rules: [ResourceRule] = []
  /// The glob of `exclude` or built-in name that excludes the path or a folder above it.
  package fileprivate(set) var exclusion: String?
}

/// Tells which paths a manifest excludes, asked for those in one folder after one another and in none that it excludes.
struct ExclusionWalk {
  private let index: RuleIndex
  private var folder: ArraySlice<UInt8> = []
  private var state: RuleIndex.FolderState

  init(_ excludes: [Glob]) {
    index = RuleIndex(rules: [], excludes: excludes)
    state = index.root
  }

  mutating func excludes(_ path: [UInt8]) -> Bool {
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let above = path[..<(slash ?? 0)]
    if !above.elementsEqual(folder) {
      folder = above
      state = above.split(separator: UInt8(ascii: "/")).reduce(index.root) { index.state(below: $1, in: $0) }
    }
    let name = path[(slash.map { $0 + 1 } ?? 0)...]
    return index.match(name, in: state).isExcluded || BuiltInExcludes.contains(name)
  }
}

/// Matches paths with the rules of a manifest as a scan does.
package struct RuleTracer: Sendable {
  private let rules: [ResourceRule]
  private let excludes: [Glob]
  private let index: RuleIndex

  init(rules: [ResourceRule] = [], excludes: [Glob]) {
    self.rules = rules
    self.excludes = excludes
    index = RuleIndex(rules: rules, excludes: excludes)
  }

  /// The rules and the exclusion of a path below the root.
  package func trace(_ path: String) -> RuleTrace {
    var trace = RuleTrace()
    var state = index.root
    var matching = state.inherited
    for name in path.utf8.split(separator: UInt8(ascii: "/")).map({ Array($0)[...] }) {
      let match = index.match(name, in: state)
      if match.isExcluded || BuiltInExcludes.contains(name) {
        trace.exclusion = match.isExcluded ? exclude(matching: path) : String(decoding: name, as: UTF8.self)
        return trace
      }
      matching = state.inherited + match.rules
      state = index.state(below: name, in: state)
    }
    trace.rules = matching.sorted().map { rules[Int($0)] }
    return trace
  }

  /// The glob that excludes a path, or a folder above it.
  private func exclude(matching path: String) -> String? {
    GlobSet(excludes).first(matching: path).map { excludes[$0].text }
  }
}
