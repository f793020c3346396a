/// How severe findings are taken to be: by a command line, else by a manifest, else by their kind.
package struct Policy: Sendable {
  /// Whether broken limits of the store are errors.
  package var isSubmission = false
  /// Whether warnings are errors.
  package var isStrict = false
  /// The severity of kinds of findings by their id.
  package var severities: [String: SeverityChoice] = [:]

  package init(
    isSubmission: Bool = false, isStrict: Bool = false, severities: [String: SeverityChoice] = [:]
  ) {
    self.isSubmission = isSubmission
    self.isStrict = isStrict
    self.severities = severities
  }

  /// The policy with a manifest's severities, where it has none of its own.
  package func adding(_ others: [String: SeverityChoice]) -> Policy {
    var policy = self
    policy.severities.merge(others) { own, _ in own }
    return policy
  }

  /// A finding as severe as the policy wants it; nil where it is ignored.
  package func judge(_ finding: Diagnostic) -> Diagnostic? {
    let check = finding.check
    var severity = finding.severity
    if let choice = severities[check.id], check.canBeLowered {
      guard let chosen = Severity(rawValue: choice.rawValue) else { return nil }
      // What a check only remarks on, such as room that is getting small, is not raised with its findings.
      severity = severity > check.severity ? max(severity, chosen) : chosen
    } else if isSubmission && finding.breaksStoreLimit {
      severity = .error
    }
    if isStrict && severity == .warning { severity = .error }
    return finding.with(severity: severity)
  }

  /// Whether none of some findings is an error.
  package func accepts(_ findings: [Diagnostic]) -> Bool {
    !findings.contains { judge($0)?.severity == .error }
  }
}
