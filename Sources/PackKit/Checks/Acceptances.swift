package import Findings
import Formats

/// The findings that a manifest accepts.
struct Acceptances: Sendable {
  /// The rules of one check.
  private struct Rules {
    var globs: [Glob] = []
    /// The number of each glob's rule.
    var numbers: [Int] = []
    /// The number of the first rule for all findings.
    var whole: Int?
  }

  private let manifest: Manifest
  private let byCheck: [Check: (rules: Rules, globs: GlobSet)]

  init(of manifest: Manifest) {
    self.manifest = manifest
    var byCheck: [Check: Rules] = [:]
    for (number, rule) in manifest.accepts.enumerated() {
      var rules = byCheck[rule.check] ?? Rules()
      if let glob = rule.glob {
        rules.globs.append(glob)
        rules.numbers.append(number)
      } else if rules.whole == nil {
        rules.whole = number
      }
      byCheck[rule.check] = rules
    }
    self.byCheck = byCheck.mapValues { ($0, GlobSet($0.globs)) }
  }

  /// The first rule that accepts a finding; nil if none does.
  func acceptance(of finding: Diagnostic) -> Acceptance? {
    guard let (rules, globs) = byCheck[finding.check] else { return nil }
    let matches = paths(of: finding).compactMap { globs.first(matching: $0).map { rules.numbers[$0] } }
    guard let number = (matches + [rules.whole].compactMap(\.self)).min() else { return nil }
    let rule = manifest.accepts[number]
    return Acceptance(number: number, reason: rule.reason, place: manifest.text.place(at: rule.offset))
  }

  /// The paths that a finding is about, as its rule has them: below the root, or the manifest's own name.
  private func paths(of finding: Diagnostic) -> [String] {
    ([finding.place] + finding.notes.compactMap(\.place)).map { place in
      if place.path == manifest.text.path { return lastName(of: place.path) }
      let root = joined(manifest.rootPath, "x").utf8.dropLast()
      return place.path.utf8.starts(with: root)
        ? String(place.path.utf8.dropFirst(root.count)) ?? "" : place.path
    }
  }
}

extension Policy {
  /// The policy with the settings of a manifest added, of which its own take precedence.
  package func adding(_ manifest: Manifest?) -> Policy {
    guard let manifest else { return self }
    let acceptances = Acceptances(of: manifest)
    return adding(manifest.severities) { acceptances.acceptance(of: $0) }
  }
}

extension Manifest {
  /// A warning on each rule of `accept` that accepts none of a run's findings; `checks` are those that were run.
  package func unusedAcceptances(in findings: [Diagnostic], of checks: Set<Check>) -> [Diagnostic] {
    if accepts.isEmpty { return [] }
    let acceptances = Acceptances(of: self)
    let used = Set(findings.compactMap { acceptances.acceptance(of: $0)?.number })
    return accepts.enumerated().compactMap { number, rule in
      if used.contains(number) || !checks.contains(rule.check) { return nil }
      let subject = rule.glob.map { " about \(quoted($0.text))" } ?? ""
      return Diagnostic(
        .unusedAccept,
        "there is no finding of \(quoted(rule.check.id))\(subject) to accept; remove the entry",
        at: text.place(at: rule.offset))
    }
  }
}
