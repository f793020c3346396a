import System

/// An index of a manifest's rules, with which a walk finds the rules for each name without trying all.
struct RuleIndex: Sendable {
  /// The index of a rule in its manifest.
  typealias RuleID = Int32

  /// One branch of a glob.
  private struct Pattern {
    let components: [Glob.Component]
    /// The rule of the glob; nil for an exclusion.
    let rule: RuleID?
    /// The index of the exclusion; 0 for a rule.
    let exclude: Int32
  }

  /// A glob whose first components have matched the folders above.
  fileprivate struct Progress: Hashable {
    let pattern: Int32
    let component: Int32
  }

  /// The rules that may match names in one folder.
  struct FolderState: Sendable {
    fileprivate var node: Int32?
    fileprivate var globs: [Progress] = []
    /// The rules whose path is this folder or one above it, which match everything below.
    fileprivate(set) var inherited: [RuleID] = []

    /// Whether some file below might match a rule.
    var mayMatch: Bool { node != nil || !globs.isEmpty || !inherited.isEmpty }
  }

  /// The rules that match one name in a folder.
  struct Match {
    var isExcluded: Bool { !excludes.isEmpty }
    /// The exclusions that match, by their indices.
    var excludes: [Int32] = []
    /// The rules that match the name itself, without the inherited ones.
    var rules: [RuleID] = []
  }

  /// The paths of rules.
  private var paths: NameTree
  /// The rules for exactly the path of a node, chained: the first of each node up to the last with any, and the next of
  /// each rule; -1 for none.
  private var firstRules: [RuleID] = []
  private var nextRules: [RuleID]
  private var patterns: [Pattern] = []

  init(rules: [ResourceRule], excludes: [Glob]) {
    nextRules = Array(repeating: -1, count: rules.count)
    paths = NameTree(minimumCapacity: rules.count)
    // From the last, so that the rules of a node are chained in their order.
    for index in rules.indices.reversed() {
      if case .path(let path) = rules[index].pattern { add(path, RuleID(index)) }
    }
    for index in rules.indices {
      if case .glob(let glob) = rules[index].pattern { add(glob, RuleID(index)) }
    }
    for (index, glob) in excludes.enumerated() { add(glob, nil, exclude: Int32(index)) }
  }

  private mutating func add(_ path: RelativePath, _ rule: RuleID) {
    let node = path.isRoot ? 0 : Int(paths.insert(path.text))
    while firstRules.count <= node { firstRules.append(-1) }
    nextRules[Int(rule)] = firstRules[node]
    firstRules[node] = rule
  }

  /// The rules for exactly the path of a node, in order.
  private func rules(of node: Int32) -> [RuleID] {
    var rules: [RuleID] = []
    var next = firstRules.indices.contains(Int(node)) ? firstRules[Int(node)] : -1
    while next >= 0 {
      rules.append(next)
      next = nextRules[Int(next)]
    }
    return rules
  }

  private mutating func add(_ glob: Glob, _ rule: RuleID?, exclude: Int32 = 0) {
    patterns += glob.branches.map { Pattern(components: $0, rule: rule, exclude: exclude) }
  }

  /// The state of the root folder.
  var root: FolderState {
    var state = FolderState(node: 0, inherited: rules(of: 0))
    for pattern in patterns.indices { advance(Int32(pattern), to: 0, in: &state) }
    return state
  }

  /// The rules that match a name in a folder.
  func match(_ name: ArraySlice<UInt8>, in state: FolderState) -> Match {
    var match = Match()
    if let child = child(name, of: state.node) { match.rules = rules(of: child) }
    for progress in state.globs {
      let pattern = patterns[Int(progress.pattern)]
      guard progress.component == pattern.components.count - 1,
        pattern.components[Int(progress.component)].matches(name)
      else { continue }
      if let rule = pattern.rule {
        if !match.rules.contains(rule) { match.rules.append(rule) }
      } else {
        match.excludes.append(pattern.exclude)
      }
    }
    return match
  }

  /// The state of a subfolder.
  func state(below name: ArraySlice<UInt8>, in state: FolderState) -> FolderState {
    var below = FolderState(inherited: state.inherited)
    if let child = child(name, of: state.node) {
      below.inherited += rules(of: child)
      if paths.hasChildren(child) { below.node = child }
    }
    for progress in state.globs {
      let component = patterns[Int(progress.pattern)].components[Int(progress.component)]
      if component == .anyDepth {
        advance(progress.pattern, to: progress.component, in: &below)
      } else if component.matches(name) {
        advance(progress.pattern, to: progress.component + 1, in: &below)
      }
    }
    return below
  }

  private func child(_ name: ArraySlice<UInt8>, of node: Int32?) -> Int32? {
    node.flatMap { paths.child(name, of: $0) }
  }

  /// Advances a glob to a component, and past it if the component may match nothing.
  private func advance(_ pattern: Int32, to component: Int32, in state: inout FolderState) {
    // A pattern's entries are adjacent and ascend: those for its next entry begin where the last ones did, or behind.
    if let last = state.globs.last, last.pattern == pattern, last.component >= component { return }
    let components = patterns[Int(pattern)].components
    for component in component..<Int32(max(components.count, Int(component))) {
      state.globs.append(Progress(pattern: pattern, component: component))
      guard components[Int(component)] == .anyDepth else { return }
    }
  }
}
