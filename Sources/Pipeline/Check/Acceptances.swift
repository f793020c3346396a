package import Model
package import Formats

/// The findings that a manifest accepts.
struct Acceptances: Sendable {
  private let manifest: Manifest
  /// For each check, the indices and globs of its `accept` elements, and the index of the first element
  /// without a glob.
  private let byCheck: [Check: (numbers: [Int], globs: RuleMatcher, whole: Int?)]

  init(of manifest: Manifest) {
    self.manifest = manifest
    let rules = manifest.accepts
    byCheck = Dictionary(grouping: rules.indices) { rules[$0].check }.mapValues { numbers in
      let some = numbers.filter { rules[$0].glob != nil }
      return (
        some, RuleMatcher(excludes: some.compactMap { rules[$0].glob }),
        numbers.first { rules[$0].glob == nil }
      )
    }
  }

  func acceptance(of finding: Diagnostic) -> Acceptance? {
    guard let (numbers, globs, whole) = byCheck[finding.check] else { return nil }
    let matches = paths(of: finding).compactMap { globs.firstExclude(matching: $0).map { numbers[$0] } }
    guard let number = (matches + [whole].compactMap(\.self)).min() else { return nil }
    let rule = manifest.accepts[number]
    return Acceptance(number: number, reason: rule.reason, place: manifest.text.place(at: rule.offset))
  }

  /// Returns the paths that a finding is about, in the notation of `accept`: relative to the root, or the
  /// file name of the manifest.
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
  /// Returns the policy with the settings of a manifest added; settings that the policy already has take
  /// precedence.
  package func adding(_ manifest: Manifest?) -> Policy {
    guard let manifest else { return self }
    let acceptances = Acceptances(of: manifest)
    return adding(manifest.severities) { acceptances.acceptance(of: $0) }
  }
}

extension Manifest {
  /// Returns a warning for each element of `accept` that accepts none of the findings.
  ///
  /// `checks` are the checks that ran.
  package func unusedAcceptances(in findings: [Diagnostic], of checks: Set<Check>) -> [Diagnostic] {
    if accepts.isEmpty { return [] }
    let acceptances = Acceptances(of: self)
    let used = Set(findings.compactMap { acceptances.acceptance(of: $0)?.number })
    return accepts.enumerated().compactMap { number, rule in
      if used.contains(number) || !checks.contains(rule.check) { return nil }
      let subject = rule.glob.map { " about \(quoted($0.text))" } ?? ""
      return Diagnostic(
        .unusedAccept,
        message: "there is no finding of \(quoted(rule.check.id))\(subject) to accept; remove the entry",
        at: text.place(at: rule.offset))
    }
  }
}
