/// An index of a manifest's rules, with which a walk finds the rules for each name without trying all.
struct RuleIndex: Sendable {
  /// The index of a rule in its manifest.
  typealias RuleID = Int32

  /// The paths of rules as a tree of names.
  private struct Node {
    var children: [[UInt8]: Int32] = [:]
    /// The rules for exactly this path.
    var rules: [RuleID] = []
  }

  /// One branch of a glob.
  private struct Pattern {
    let components: [Glob.Component]
    /// The rule of the glob; nil for an exclusion.
    let rule: RuleID?
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
    var isExcluded = false
    /// The rules that match the name itself, without the inherited ones.
    var rules: [RuleID] = []
  }

  private var nodes = [Node()]
  private var patterns: [Pattern] = []

  init(rules: [ResourceRule], excludes: [Glob]) {
    for (index, rule) in rules.enumerated() {
      switch rule.pattern {
      case .path(let path): add(path, RuleID(index))
      case .glob(let glob): add(glob, RuleID(index))
      }
    }
    for glob in excludes { add(glob, nil) }
  }

  private mutating func add(_ path: RelativePath, _ rule: RuleID) {
    var node = 0
    for component in path.components {
      let name = Array(component.utf8)
      if let child = nodes[node].children[name] {
        node = Int(child)
      } else {
        nodes[node].children[name] = Int32(nodes.count)
        node = nodes.count
        nodes.append(Node())
      }
    }
    nodes[node].rules.append(rule)
  }

  private mutating func add(_ glob: Glob, _ rule: RuleID?) {
    patterns += glob.branches.map { Pattern(components: $0, rule: rule) }
  }

  /// The state of the root folder.
  var root: FolderState {
    var state = FolderState(node: 0, inherited: nodes[0].rules)
    for pattern in patterns.indices { advance(Int32(pattern), to: 0, in: &state) }
    return state
  }

  /// The rules that match a name in a folder.
  func match(_ name: ArraySlice<UInt8>, in state: FolderState) -> Match {
    var match = Match()
    if let child = child(name, of: state.node) { match.rules = nodes[Int(child)].rules }
    for progress in state.globs {
      let pattern = patterns[Int(progress.pattern)]
      guard progress.component == pattern.components.count - 1,
        pattern.components[Int(progress.component)].matches(name)
      else { continue }
      if let rule = pattern.rule {
        if !match.rules.contains(rule) { match.rules.append(rule) }
      } else {
        match.isExcluded = true
      }
    }
    return match
  }

  /// The state of a subfolder.
  func state(below name: ArraySlice<UInt8>, in state: FolderState) -> FolderState {
    var below = FolderState(inherited: state.inherited)
    if let child = child(name, of: state.node) {
      below.inherited += nodes[Int(child)].rules
      if !nodes[Int(child)].children.isEmpty { below.node = child }
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
    guard let node else { return nil }
    return nodes[Int(node)].children[Array(name)]
  }

  /// Advances a glob to a component, and past it if the component may match nothing.
  private func advance(_ pattern: Int32, to component: Int32, in state: inout FolderState) {
    let components = patterns[Int(pattern)].components
    var component = component
    while component < components.count {
      let progress = Progress(pattern: pattern, component: component)
      // A pattern's entries are adjacent, after those of earlier patterns.
      if state.globs.reversed().lazy.prefix(while: { $0.pattern == pattern }).contains(progress) { return }
      state.globs.append(progress)
      guard components[Int(component)] == .anyDepth else { return }
      component += 1
    }
  }
}
