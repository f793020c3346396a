/// Decides the severity of findings: first from the command line, then from the manifest, then from the
/// check.
package struct Policy: Sendable {
  /// Whether findings about exceeded limits of the store are errors.
  package var isSubmission = false
  /// Whether warnings are errors, except warnings about advised sizes.
  package var isStrict = false
  /// The severities that the user sets, keyed by the ID of the check.
  package var severities: [String: SeverityChoice] = [:]
  private var acceptance: @Sendable (Diagnostic) -> Acceptance? = { _ in nil }

  package init(
    isSubmission: Bool = false, isStrict: Bool = false, severities: [String: SeverityChoice] = [:]
  ) {
    self.isSubmission = isSubmission
    self.isStrict = isStrict
    self.severities = severities
  }

  /// Returns this policy, extended with the severities and the accepted findings of a manifest.
  ///
  /// If this policy and the manifest both set the severity of a check, this policy's severity is used.
  package func adding(
    _ others: [String: SeverityChoice], accepting acceptance: @escaping @Sendable (Diagnostic) -> Acceptance?
  ) -> Policy {
    var policy = self
    policy.severities.merge(others) { own, _ in own }
    policy.acceptance = acceptance
    return policy
  }

  /// Returns the finding with the severity that this policy gives it, or marked as accepted; nil if the
  /// policy ignores the finding.
  package func judge(_ finding: Diagnostic) -> Diagnostic? {
    let check = finding.check
    // Settings cannot lower this severity. A team with other limits must write its limits into the manifest,
    // where everybody sees them.
    if isSubmission && finding.severityRule == .breaksStoreLimit { return finding.with(severity: .error) }
    let choice = severities[check.id]
    if choice == .ignore && finding.canBeLowered { return nil }
    let isRefused = isSubmission && check.isIncompleteInput
    if !isRefused, finding.severityRule != .cannotBeLowered, let acceptance = acceptance(finding) {
      return finding.accepted(acceptance)
    }
    var severity = finding.severity
    if let choice, finding.canBeLowered, let chosen = Severity(rawValue: choice.rawValue) {
      // A check whose default severity is higher can also report notes, for example that a limit is almost
      // reached. Such notes stay notes if a setting raises the severity of the check.
      severity = severity > check.severity ? max(severity, chosen) : chosen
    } else if isRefused {
      severity = .error
    }
    if isStrict && severity == .warning && !check.isAdvice { severity = .error }
    return finding.with(severity: severity)
  }

  /// Whether none of the findings is an error, apart from accepted ones.
  package func accepts(_ findings: [Diagnostic]) -> Bool {
    !findings.lazy.compactMap(judge).contains { $0.severity == .error && $0.acceptance == nil }
  }
}

/// The reason in the manifest for accepting a finding, and the place of the entry with this reason.
package struct Acceptance: Sendable, Hashable {
  /// The index of the entry in the manifest's list.
  package let number: Int
  package let reason: String
  package let place: Place

  package init(number: Int, reason: String, place: Place) {
    self.number = number
    self.reason = reason
    self.place = place
  }
}

/// The severity of a finding, in descending order.
package enum Severity: String, Sendable, CaseIterable, Comparable {
  case error
  case warning
  case note

  package static func < (first: Severity, second: Severity) -> Bool { first.rank < second.rank }

  private var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .note: 2
    }
  }
}

package enum SeverityChoice: String, Sendable, CaseIterable {
  case error
  case warning
  case note
  case ignore

  /// Returns the severity that a word means in other tools, such as `off`; nil for any other word.
  package init?(otherName word: String) {
    switch word.lowercased() {
    case "none", "off", "disable", "disabled", "allow", "silent", "skip": self = .ignore
    case "info", "information", "hint", "advice": self = .note
    case "warn": self = .warning
    default: return nil
    }
  }
}
