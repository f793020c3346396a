/// The severities of findings: those of the command line, else of the manifest, else of the check.
package struct Policy: Sendable {
  /// Whether exceeded limits of the store are errors.
  package var isSubmission = false
  /// Whether warnings are errors.
  package var isStrict = false
  /// The severities of checks by id.
  package var severities: [String: SeverityChoice] = [:]
  /// Why a finding is accepted; nil if it is not.
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
    let choice = severities[check.id]
    if choice == .ignore && check.canBeLowered { return nil }
    let isRefusedByStore = isSubmission && (finding.breaksStoreLimit || check.isStandIn)
    if !isRefusedByStore, let acceptance = acceptance(finding) { return finding.accepted(acceptance) }
    var severity = finding.severity
    if let choice, check.canBeLowered, let chosen = Severity(rawValue: choice.rawValue) {
      // Notes of a check, such as on little remaining room, are not raised along with its other findings.
      severity = severity > check.severity ? max(severity, chosen) : chosen
    } else if isRefusedByStore {
      severity = .error
    }
    if isStrict && severity == .warning { severity = .error }
    return finding.with(severity: severity)
  }

  /// Whether no finding is an error, but accepted ones.
  package func accepts(_ findings: [Diagnostic]) -> Bool {
    !findings.lazy.compactMap(judge).contains { $0.severity == .error && $0.acceptance == nil }
  }
}
