import Formats
package import Model
import System

/// An index of a manifest's rules.
///
/// It finds the rules for a name without trying all rules.
package struct RuleMatcher: Sendable {
  /// The index of a rule in its manifest.
  typealias RuleID = Int32

  /// One branch of the glob of a rule or an exclude.
  private struct Pattern {
    let components: [Glob.Component]
    /// The rule; nil for an exclude.
    let rule: RuleID?
    /// The index of the exclude; 0 for a rule.
    let exclude: Int32
  }

  /// The rules that can match names in one folder.
  struct FolderState: Sendable {
    fileprivate var node: Int32?
    /// The positions in globs.
    ///
    /// Most folders share their positions with their parent folder.
    fileprivate var globs: [GlobPositions] = []
    /// The rules whose path is this folder or one of its parent folders.
    ///
    /// These rules match everything below the folder.
    fileprivate(set) var inherited: [RuleID] = []

    /// Whether a rule might match some file below the folder.
    var mayMatch: Bool { node != nil || !globs.isEmpty || !inherited.isEmpty }
    /// The number of positions in globs that are valid here.
    var positionCount: Int { globs.reduce(0) { $0 + $1.all.count } }
  }

  /// The rules that match one name in a folder.
  struct Match {
    var isExcluded: Bool { !excludes.isEmpty }
    /// The indices of the excludes that match.
    var excludes: [Int32] = []
    /// The rules that match the name itself.
    ///
    /// Inherited rules are not included.
    var rules: [RuleID] = []
  }

  private let rules: [ResourceRule]
  private let excludes: [Glob]
  private var paths: NameTree
  /// The rules whose path is exactly the path of a node, as linked lists.
  ///
  /// `firstRules` has the first rule of each node, and `nextRules` has the rule after each rule. -1 ends a
  /// list. Nodes after the last node with a rule are left out.
  private var firstRules: [RuleID] = []
  private var nextRules: [RuleID]
  private var patterns: [Pattern] = []
  private(set) var root = FolderState()

  /// The maximum number of parts in `globs` of a folder's state.
  ///
  /// If there are more parts, they are merged into one.
  private static let maxParts = 8

  package init(rules: [ResourceRule] = [], excludes: [Glob]) {
    (self.rules, self.excludes) = (rules, excludes)
    nextRules = Array(repeating: -1, count: rules.count)
    paths = NameTree(minimumCapacity: rules.count)
    // The rules are added in reverse order, so that each node's list is in the order of the manifest.
    for index in rules.indices.reversed() {
      if case .path(let path) = rules[index].pattern { add(path, rule: RuleID(index)) }
    }
    for index in rules.indices {
      if case .glob(let glob) = rules[index].pattern { add(glob, rule: RuleID(index)) }
    }
    for (index, glob) in excludes.enumerated() { add(glob, rule: nil, exclude: Int32(index)) }
    root = FolderState(node: 0, inherited: self.rules(of: 0))
    let all = patterns.indices.flatMap { positions(of: Int32($0), from: 0) }
    if !all.isEmpty { root.globs = [GlobPositions(all, component: component)] }
  }

  private mutating func add(_ path: RelativePath, rule: RuleID) {
    let node = path.isRoot ? 0 : Int(paths.insert(path.text))
    while firstRules.count <= node { firstRules.append(-1) }
    nextRules[Int(rule)] = firstRules[node]
    firstRules[node] = rule
  }

  /// Returns the rules whose path is exactly the path of a node, in order.
  private func rules(of node: Int32) -> [RuleID] {
    var rules: [RuleID] = []
    var next = firstRules.indices.contains(Int(node)) ? firstRules[Int(node)] : -1
    while next >= 0 {
      rules.append(next)
      next = nextRules[Int(next)]
    }
    return rules
  }

  private mutating func add(_ glob: Glob, rule: RuleID?, exclude: Int32 = 0) {
    patterns += glob.branches.map { Pattern(components: $0, rule: rule, exclude: exclude) }
  }

  func match(_ name: ArraySlice<UInt8>, in state: FolderState) -> Match {
    var match = Match()
    if let child = child(name, of: state.node) { match.rules = rules(of: child) }
    for position in GlobPositions.inOrder(of: state.globs, add: { $0.ends.add(matching: name, to: &$1) }) {
      let pattern = patterns[Int(position.pattern)]
      if let rule = pattern.rule {
        // Several branches of a glob can match the same name, but the glob's rule must be added only once.
        if match.rules.last != rule { match.rules.append(rule) }
      } else {
        match.excludes.append(pattern.exclude)
      }
    }
    return match
  }

  func state(below name: ArraySlice<UInt8>, in state: FolderState) -> FolderState {
    var below = FolderState(inherited: state.inherited)
    if let child = child(name, of: state.node) {
      below.inherited += rules(of: child)
      if paths.hasChildren(child) { below.node = child }
    }
    below.globs = state.globs.compactMap(\.below)
    let met = GlobPositions.inOrder(of: state.globs) { $0.folders.add(matching: name, to: &$1) }
    if met.isEmpty { return below }
    let added = Set(met.flatMap { positions(of: $0.pattern, from: $0.component + 1) })
      .filter { position in !below.globs.contains { $0.contains(position) } }
    if added.isEmpty { return below }
    below.globs.append(GlobPositions(added.sorted(), component: component))
    if below.globs.count > Self.maxParts {
      below.globs = [GlobPositions(below.globs.flatMap(\.all).sorted(), component: component)]
    }
    return below
  }

  private func child(_ name: ArraySlice<UInt8>, of node: Int32?) -> Int32? {
    node.flatMap { paths.child(name, of: $0) }
  }

  /// Returns the positions at which matching of a pattern can continue if a component is next.
  ///
  /// `**` can also match zero folders, so the position after `**` is also included.
  private func positions(of pattern: Int32, from component: Int32) -> [GlobPositions.Position] {
    let components = patterns[Int(pattern)].components.dropFirst(Int(component))
    return components.prefix(components.first == .anyDepth ? 2 : 1).indices.map {
      GlobPositions.Position(pattern: pattern, component: Int32($0))
    }
  }

  /// Returns the component at a position, and whether it is the last component of its glob.
  private func component(at position: GlobPositions.Position) -> (value: Glob.Component, isLast: Bool) {
    let components = patterns[Int(position.pattern)].components
    return (components[Int(position.component)], Int(position.component) == components.count - 1)
  }
}

// Single paths, matched as in a scan.
extension RuleMatcher {
  /// Creates the index of a single glob.
  package init(_ glob: Glob) {
    let rule = ResourceRule(pattern: .glob(glob), text: Located(glob.text, at: 0), tags: [])
    self.init(rules: [rule], excludes: [])
  }

  package func matches(_ path: String) -> Bool { !trace(path).rules.isEmpty }

  /// Returns the index of the first exclude that matches a path or one of its parent folders; nil if no
  /// exclude matches.
  package func firstExclude(matching path: String) -> Int? {
    var state = root
    var first: Int32?
    for name in Self.names(of: path) {
      if let match = match(name, in: state).excludes.min() { first = min(first ?? match, match) }
      state = self.state(below: name, in: state)
    }
    return first.map(Int.init)
  }

  /// Returns the rules that match a path, in the manifest's order, and the exclude that leaves the path out.
  ///
  /// `exclude` is a glob or a name that is never packed. It matches the path or one of its parent folders.
  package func trace(_ path: String) -> (rules: [ResourceRule], exclude: String?) {
    var state = root
    var matching = state.inherited
    for name in Self.names(of: path) {
      let match = match(name, in: state)
      if match.isExcluded || isNeverPacked(name) {
        let glob = match.isExcluded ? firstExclude(matching: path) : nil
        return ([], glob.map { excludes[$0].text } ?? String(decoding: name, as: UTF8.self))
      }
      matching = state.inherited + match.rules
      state = self.state(below: name, in: state)
    }
    return (matching.sorted().map { rules[Int($0)] }, nil)
  }

  /// Returns the components of a path.
  private static func names(of path: String) -> [ArraySlice<UInt8>] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0)[...] }
  }
}

extension RuleMatcher {
  /// Creates an index of the rules of a manifest and of its excludes.
  package init(_ manifest: Manifest) { self.init(rules: manifest.rules, excludes: manifest.excludes) }
}
