package import Formats
package import Model
import System

/// An index of a manifest's rules.
///
/// It finds the rules for a name without trying all rules.
package struct RuleMatcher: Sendable {
  /// The index of a rule in its manifest.
  typealias RuleID = Int32

  /// The index of a glob in the `except` of a rule, counted over all rules.
  typealias ExceptID = Int32

  /// One branch of a glob.
  private struct Pattern {
    let components: [Glob.Component]
    let use: Use
  }

  /// The use of a glob.
  private enum Use {
    case rule(RuleID)
    /// The glob is an exclude, given by its index.
    case exclude(Int32)
    case except(ExceptID)
  }

  /// The globs in the `except` of one rule that match a folder or a folder above it, by the rule.
  fileprivate typealias Exceptions = [RuleID: [ExceptID]]

  /// The rules that can match names in one folder.
  struct FolderState: Sendable {
    fileprivate var node: Int32?
    /// The positions in globs.
    ///
    /// Most folders share their positions with their parent folder.
    fileprivate var globs: [GlobPositions] = []
    /// The rules whose path is this folder or one of its parent folders.
    ///
    /// These rules match everything below the folder. Rules whose `except` matches the folder are left out.
    fileprivate(set) var inherited: [RuleID] = []
    fileprivate var exceptions: Exceptions = [:]

    /// Whether a rule might match some file below the folder.
    var mayMatch: Bool { node != nil || !globs.isEmpty || !inherited.isEmpty }
    /// Whether the name of an entry decides which rules and excludes match it.
    fileprivate var dependsOnNames: Bool { node != nil || !globs.isEmpty || !exceptions.isEmpty }
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
    /// Inherited rules are not included. Rules that do not take the name because of their `except` or
    /// `otherwise` are not included either.
    var rules: [RuleID] = []
    /// The inherited rules that take the name; nil if all inherited rules take it.
    var inherited: [RuleID]?
    /// The globs in `except` because of which a rule does not take the name.
    var excepts: [ExceptID] = []
    /// The rules with `otherwise` that match the name, although a rule without `otherwise` takes it.
    var outranked: [RuleID] = []
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
  /// The rule of each glob in `except`.
  private var rulesOfExcepts: [RuleID] = []
  /// The rules with `otherwise`; empty if no rule has it.
  private var otherwiseRules: Set<RuleID> = []
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
      if case .glob(let glob) = rules[index].pattern { add(glob, use: .rule(RuleID(index))) }
    }
    for (index, glob) in excludes.enumerated() { add(glob, use: .exclude(Int32(index))) }
    for index in rules.indices where !rules[index].appliesToAllMatches {
      if rules[index].isOtherwise { otherwiseRules.insert(RuleID(index)) }
      for except in rules[index].excepts {
        add(except.value, use: .except(ExceptID(rulesOfExcepts.count)))
        rulesOfExcepts.append(RuleID(index))
      }
    }
    root = FolderState(node: 0, inherited: self.rules(of: 0))
    let all = patterns.indices.flatMap { positions(of: Int32($0), from: 0) }
    if !all.isEmpty { root.globs = [GlobPositions(all, componentAt: component)] }
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

  private mutating func add(_ glob: Glob, use: Use) {
    patterns += glob.branches.map { Pattern(components: $0, use: use) }
  }

  /// Whether the name of an entry in a folder decides which rules and excludes match it.
  func matchesNames(in state: FolderState) -> Bool { !otherwiseRules.isEmpty || state.dependsOnNames }

  func match(_ name: ArraySlice<UInt8>, in state: FolderState) -> Match {
    var match = Match()
    var exceptions = state.exceptions
    if let child = child(name, of: state.node) { match.rules = rules(of: child) }
    for position in GlobPositions.inOrder(of: state.globs, add: { $0.ends.add(matching: name, to: &$1) }) {
      switch patterns[Int(position.pattern)].use {
      case .rule(let rule):
        // Several branches of a glob can match the same name, but its rule must be added only once.
        if match.rules.last != rule { match.rules.append(rule) }
      case .exclude(let exclude): match.excludes.append(exclude)
      case .except(let except): add(except, to: &exceptions)
      }
    }
    if !exceptions.isEmpty { apply(exceptions, to: &match, inheriting: state.inherited) }
    if !otherwiseRules.isEmpty { removeOtherwiseRules(from: &match, inheriting: state.inherited) }
    return match
  }

  private func add(_ except: ExceptID, to exceptions: inout Exceptions) {
    exceptions[rulesOfExcepts[Int(except)], default: []].append(except)
  }

  /// Removes the rules whose `except` matches the name or a folder above it.
  private func apply(
    _ exceptions: Exceptions, to match: inout Match, inheriting inherited: [RuleID]
  ) {
    let dropped = (match.rules + inherited).filter { exceptions[$0] != nil }
    if dropped.isEmpty { return }
    match.excepts = dropped.flatMap { exceptions[$0] ?? [] }
    match.rules.removeAll { exceptions[$0] != nil }
    if inherited.contains(where: { exceptions[$0] != nil }) {
      match.inherited = inherited.filter { exceptions[$0] == nil }
    }
  }

  /// Removes the rules with `otherwise`, if another rule takes the name.
  private func removeOtherwiseRules(from match: inout Match, inheriting inherited: [RuleID]) {
    let inherited = match.inherited ?? inherited
    let all = match.rules + inherited
    let outranked = all.filter(otherwiseRules.contains)
    if outranked.isEmpty || outranked.count == all.count { return }
    match.outranked = outranked
    match.rules.removeAll(where: otherwiseRules.contains)
    if inherited.contains(where: otherwiseRules.contains) {
      match.inherited = inherited.filter { !otherwiseRules.contains($0) }
    }
  }

  func state(below name: ArraySlice<UInt8>, in state: FolderState) -> FolderState {
    var below = FolderState(inherited: state.inherited, exceptions: state.exceptions)
    if let child = child(name, of: state.node) {
      below.inherited += rules(of: child)
      if paths.hasChildren(child) { below.node = child }
    }
    if !rulesOfExcepts.isEmpty {
      for position in GlobPositions.inOrder(of: state.globs, add: { $0.ends.add(matching: name, to: &$1) }) {
        if case .except(let except) = patterns[Int(position.pattern)].use {
          add(except, to: &below.exceptions)
        }
      }
      below.inherited.removeAll { below.exceptions[$0] != nil }
    }
    below.globs = state.globs.compactMap(\.below)
    let matched = GlobPositions.inOrder(of: state.globs) { $0.folders.add(matching: name, to: &$1) }
    if matched.isEmpty { return below }
    let added = Set(matched.flatMap { positions(of: $0.pattern, from: $0.component + 1) })
      .filter { position in !below.globs.contains { $0.contains(position) } }
    if added.isEmpty { return below }
    below.globs.append(GlobPositions(added.sorted(), componentAt: component))
    if below.globs.count > Self.maxParts {
      below.globs = [GlobPositions(below.globs.flatMap(\.all).sorted(), componentAt: component)]
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

// Functions that match single paths in the same way as a scan.
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

  /// The reason why a path has its tags.
  package struct Trace {
    /// The rules that take the path, in the manifest's order.
    package fileprivate(set) var rules: [ResourceRule] = []
    /// The exclude that leaves the path out: a glob, or a name that is never packed.
    ///
    /// It matches the path or a folder above it.
    package fileprivate(set) var exclude: String?
    /// The rules that match the path but do not take it, in the manifest's order.
    package fileprivate(set) var passed: [PassedRule] = []
  }

  /// A rule that matches a path but does not take it.
  package struct PassedRule {
    package let rule: ResourceRule
    /// The glob in the rule's `except` that matches the path or a folder above it; nil if the rule has
    /// `otherwise`, and a rule without `otherwise` takes the path.
    package let except: Located<Glob>?
  }

  /// Follows a path from the root, as a scan does.
  package func trace(_ path: String) -> Trace {
    var state = root
    var (matching, outranked) = (state.inherited, [RuleID]())
    var excepts: Exceptions = [:]
    let names = Self.names(of: path)
    for (place, name) in names.enumerated() {
      let match = match(name, in: state)
      if match.isExcluded || isNeverPacked(name) {
        let glob = match.isExcluded ? firstExclude(matching: path) : nil
        return Trace(exclude: glob.map { excludes[$0].text } ?? String(decoding: name, as: UTF8.self))
      }
      matching = (match.inherited ?? state.inherited) + match.rules
      outranked = match.outranked
      let isFolder = place < names.count - 1
      for except in match.excepts where !isFolder || isOfPath(except) { add(except, to: &excepts) }
      state = self.state(below: name, in: state)
    }
    let passed = excepts.compactMapValues(\.first).map { ($0, Optional($1)) } + outranked.map { ($0, nil) }
    return Trace(
      rules: matching.sorted().map { rules[Int($0)] },
      passed: passed.sorted { $0.0 < $1.0 }.map { rule, except in
        PassedRule(rule: rules[Int(rule)], except: except.map(self.except))
      })
  }

  /// Whether a glob in `except` belongs to a rule with a path, which takes all files below a folder.
  ///
  /// A glob that matches a folder takes no file below the folder.
  func isOfPath(_ except: ExceptID) -> Bool {
    if case .path = rules[Int(rulesOfExcepts[Int(except)])].pattern { true } else { false }
  }

  /// The glob of a rule's `except`.
  private func except(_ id: ExceptID) -> Located<Glob> {
    let first = rulesOfExcepts.indices.partitioningIndex { rulesOfExcepts[$0] >= rulesOfExcepts[Int(id)] }
    return rules[Int(rulesOfExcepts[Int(id)])].excepts[Int(id) - first]
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
