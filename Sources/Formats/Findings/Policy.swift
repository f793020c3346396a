/// The severities of findings: those of the command line, else of the manifest, else of the check.
package struct Policy: Sendable {
  /// Whether exceeded limits of the store are errors.
  package var isSubmission = false
  /// Whether warnings are errors, except those about advised sizes.
  package var isStrict = false
  /// The severities of checks by id.
  package var severities: [String: SeverityChoice] = [:]
  private var acceptance: @Sendable (Diagnostic) -> Acceptance? = { _ in nil }

  package init(
    isSubmission: Bool = false, isStrict: Bool = false, severities: [String: SeverityChoice] = [:]
  ) {
    self.isSubmission = isSubmission
    self.isStrict = isStrict
    self.severities = severities
  }

  /// The policy with a manifest's severities, of which its own take precedence, and what the manifest accepts.
  package func adding(
    _ others: [String: SeverityChoice], accepting acceptance: @escaping @Sendable (Diagnostic) -> Acceptance?
  ) -> Policy {
    var policy = self
    policy.severities.merge(others) { own, _ in own }
    policy.acceptance = acceptance
    return policy
  }

  /// A finding with the severity of the policy, or its acceptance; nil if it is ignored.
  package func judge(_ finding: Diagnostic) -> Diagnostic? {
    let check = finding.check
    // A team with other limits writes them in the manifest's "limits", where everybody sees them.
    if isSubmission && finding.standing == .breaksStoreLimit { return finding.with(severity: .error) }
    let choice = severities[check.id]
    if choice == .ignore && finding.canBeLowered { return nil }
    let isRefused = isSubmission && check.isStandIn
    if !isRefused, finding.standing != .firm, let acceptance = acceptance(finding) {
      return finding.accepted(acceptance)
    }
    var severity = finding.severity
    if let choice, finding.canBeLowered, let chosen = Severity(rawValue: choice.rawValue) {
      // Notes of a check, such as on little remaining room, are not raised along with its other findings.
      severity = severity > check.severity ? max(severity, chosen) : chosen
    } else if isRefused {
      severity = .error
    }
    if isStrict && severity == .warning && !check.isAdvice { severity = .error }
    return finding.with(severity: severity)
  }

  /// Whether no finding is an error, but accepted ones.
  package func accepts(_ findings: [Diagnostic]) -> Bool {
    !findings.lazy.compactMap(judge).contains { $0.severity == .error && $0.acceptance == nil }
  }
}

/// Why a finding is accepted: the reason that the manifest gives, and the place of its entry.
package struct Acceptance: Sendable, Hashable {
  /// The number of the entry in the manifest's list.
  package let number: Int
  package let reason: String
  package let place: Place

  package init(number: Int, reason: String, place: Place) {
    self.number = number
    self.reason = reason
    self.place = place
  }
}

/// The severity of a finding, the worst first.
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

/// The severity that a user sets for a check.
package enum SeverityChoice: String, Sendable, CaseIterable {
  case error
  case warning
  case note
  case ignore
}
