/// A compiled glob that returns the text that each of its wildcards matches.
///
/// The wildcards are `*`, `?`, `[…]` and `**`, counted from the left. A glob with braces stands for several
/// patterns; the first pattern that matches a path is used. If a path can be divided in several ways, each
/// wildcard matches as much text as possible, starting with the first one.
package struct GlobCaptures: Sendable {
  /// The maximum size in bytes of a glob that is compiled.
  ///
  /// Matching longer globs would take too long with hostile paths.
  package static let maxGlobSize = 1024
  /// The maximum number of patterns that the braces of such a glob can expand to.
  ///
  /// The number is limited because each pattern is tried.
  package static let maxBranches = 64

  /// One pattern without braces.
  fileprivate struct Branch: Sendable {
    let text: String
    /// The sequences of components between the `**` components.
    fileprivate let runs: [[NameCaptures]]
    /// Whether the last component is `**`, which matches at least the file's name.
    let endsOpen: Bool
    let wildcardCount: Int
  }

  private let branches: [Branch]

  /// Compiles a glob; nil if the glob is too long or if it expands to too many patterns.
  package init?(_ glob: Glob) {
    guard glob.text.utf8.count <= Self.maxGlobSize, glob.branches.count <= Self.maxBranches,
      let texts = try? Glob.Expansion(glob.text).patterns,
      let branches = try? texts.map({ try Branch($0) })
    else { return nil }
    self.branches = branches
  }

  var fewest: (pattern: String, wildcards: Int) {
    branches.map { ($0.text, $0.wildcardCount) }.min { $0.1 < $1.1 } ?? ("", 0)
  }

  /// Returns the texts that all wildcards match in the path of a file; nil if the glob does not match the
  /// path.
  package func captures(in path: String) -> [String]? {
    let names = path.unicodeScalars.split(separator: "/").map(Array.init)
    for branch in branches {
      if let captures = branch.captures(in: names) { return captures }
    }
    return nil
  }
}

extension GlobCaptures.Branch {
  fileprivate init(_ text: String) throws {
    self.text = text
    var runs: [[NameCaptures]] = [[]]
    let components = try RelativePath(text).components
    for component in components {
      if component == "**" {
        runs.append([])
      } else {
        runs[runs.count - 1].append(try NameCaptures(component))
      }
    }
    endsOpen = components.last == "**"
    wildcardCount = runs.count - 1 + runs.joined().reduce(0) { $0 + $1.wildcardCount }
    self.runs = runs
  }

  fileprivate func captures(in names: [[Unicode.Scalar]]) -> [String]? {
    if endsOpen && names.isEmpty { return nil }
    // If the pattern ends in `**`, this `**` must match at least the last name.
    let front = endsOpen ? names.dropLast() : names[...]
    guard var gaps = gaps(between: runs, in: Array(front), matches: { $0.matches($1) }) else { return nil }
    if endsOpen, let last = gaps.popLast() { gaps.append(last.lowerBound..<last.upperBound + 1) }
    return matched(by: runs, gaps: gaps, in: names) {
      $0.captures(in: $1) ?? []
    } gap: {
      $0.map { string($0[...]) }.joined(separator: "/")
    }
  }
}

/// The compiled pattern of one name, which returns the text that each of its wildcards matches.
private struct NameCaptures: Sendable {
  /// The sequences of units between the `*` wildcards.
  private let runs: [[NamePattern.Unit]]

  var wildcardCount: Int {
    runs.count - 1 + runs.joined().count { if case .scalar = $0 { false } else { true } }
  }

  init(_ text: String) throws(Glob.Mistake) { runs = try NamePattern(text).runs }

  func matches(_ name: [Unicode.Scalar]) -> Bool { placed(in: name) != nil }

  private func placed(in name: [Unicode.Scalar]) -> [Range<Int>]? {
    gaps(between: runs, in: name) { unit, scalar in
      switch unit {
      case .scalar(let own): own == scalar
      case .any: true
      case .member(let members): members.contains(scalar.value)
      }
    }
  }

  /// Returns the texts that all wildcards match in a name; nil if the name does not match.
  func captures(in name: [Unicode.Scalar]) -> [String]? {
    placed(in: name).map { gaps in
      matched(by: runs, gaps: gaps, in: name) { unit, scalar in
        if case .scalar = unit { [] } else { [String(scalar)] }
      } gap: {
        string($0)
      }
    }
  }
}

/// Returns the texts that wildcards match in a list of items.
///
/// The runs of units and the gaps between them divide the list.
private func matched<Unit, Item>(
  by runs: [[Unit]], gaps: [Range<Int>], in items: [Item], each: (Unit, Item) -> [String],
  gap: (ArraySlice<Item>) -> String
) -> [String] {
  var texts: [String] = []
  var next = 0
  for (number, run) in runs.enumerated() {
    texts += zip(run, items[next...]).flatMap(each)
    guard number < gaps.count else { continue }
    texts.append(gap(items[gaps[number]]))
    next = gaps[number].upperBound
  }
  return texts
}

/// Returns a string that consists of the given scalars.
package func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
  var text = String.UnicodeScalarView()
  text.append(contentsOf: scalars)
  return String(text)
}

/// Divides items into runs of units with gaps of any length between them; nil if the runs do not fit.
///
/// The function goes from right to left and places each run as far right as possible. Thus each gap is as
/// long as the earlier gaps permit, and no division is tried twice.
private func gaps<Unit, Item>(
  between runs: [[Unit]], in items: [Item], matches: (Unit, Item) -> Bool
) -> [Range<Int>]? {
  func fits(_ run: [Unit], at index: Int) -> Bool {
    run.indices.allSatisfy { matches(run[$0], items[index + $0]) }
  }
  let first = runs[0]
  let last = runs.count > 1 ? runs[runs.count - 1] : []
  guard first.count + last.count <= items.count, runs.count > 1 || first.count == items.count,
    fits(first, at: 0), fits(last, at: items.count - last.count)
  else { return nil }
  var gaps: [Range<Int>] = []
  var end = items.count - last.count
  for run in runs.dropFirst().dropLast().reversed() {
    let places = stride(from: end - run.count, through: first.count, by: -1)
    guard let index = places.first(where: { fits(run, at: $0) }) else { return nil }
    gaps.append(index + run.count..<end)
    end = index
  }
  if runs.count > 1 { gaps.append(first.count..<end) }
  return gaps.reversed()
}
