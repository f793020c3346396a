/// The severities of findings: those of the command line, else of the manifest, else of the check.
package struct Policy: Sendable {
  /// Whether exceeded limits of the store are errors.
  package var isSubmission = false
  /// Whether warnings are errors.
  package var isStrict = false
  /// The severities of checks by id.
  package var severities: [String: SeverityChoice] = [:]

  package init(
    isSubmission: Bool = false, isStrict: Bool = false, severities: [String: SeverityChoice] = [:]
  ) {
    self.isSubmission = isSubmission
    self.isStrict = isStrict
    self.severities = severities
  }

  /// The policy with a manifest's severities added; its own ones take precedence.
  package func adding(_ others: [String: SeverityChoice]) -> Policy {
    var policy = self
    policy.severities.merge(others) { own, _ in own }
    return policy
  }

  /// A finding with the severity of the policy; nil if it is ignored.
  package func judge(_ finding: Diagnostic) -> Diagnostic? {
    let check = finding.check
    var severity = finding.severity
    if let choice = severities[check.id], check.canBeLowered {
      guard let chosen = Severity(rawValue: choice.rawValue) else { return nil }
      // Notes of a check, such as on little remaining room, are not raised along with its other findings.
      severity = severity > check.severity ? max(severity, chosen) : chosen
    } else if isSubmission && (finding.breaksStoreLimit || check.isStandIn) {
      severity = .error
    }
    if isStrict && severity == .warning { severity = .error }
    return finding.with(severity: severity)
  }

  /// Whether no finding is an error.
  package func accepts(_ findings: [Diagnostic]) -> Bool {
    !findings.contains { judge($0)?.severity == .error }
  }
}
