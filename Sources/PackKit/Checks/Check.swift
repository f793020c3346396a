/// One rule that input is held against: its stable id and what a person should know about it.
package struct Check: Sendable, Hashable {
  /// Lower case, hyphens, what is wrong: `unknown-tag`.
  package let id: String
  /// How severe a finding is where nobody says otherwise.
  package let severity: Severity
  /// One line: what is found.
  package let summary: String
  /// Why it matters and what to do.
  package let explanation: String
  /// Whether a finding says that the manifest itself is wrong, which no setting can lower.
  package private(set) var isManifestError = false
  /// Whether a finding breaks a limit of the store: an error with `--submission`.
  package private(set) var isStoreLimit = false

  private init(_ id: String, _ severity: Severity, _ summary: String, _ explanation: String) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.explanation = explanation
  }

  /// A mistake in the manifest.
  static func manifestError(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = error(id, summary, explanation)
    check.isManifestError = true
    return check
  }

  /// A limit that the store enforces: a warning while an app is developed.
  static func storeLimit(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = warning(id, summary, explanation)
    check.isStoreLimit = true
    return check
  }

  static func error(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(id, .error, summary, explanation)
  }

  static func warning(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(id, .warning, summary, explanation)
  }

  static func note(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(id, .note, summary, explanation)
  }

  package static func == (first: Check, second: Check) -> Bool { first.id == second.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Every check, in the order in which lists show them.
  package static let all: [Check] =
    manifestChecks + projectChecks + fileChecks + packChecks + outputChecks + builtFolderChecks + budgetChecks
    + simulationChecks

  /// The check of an id.
  package static func named(_ id: String) -> Check? { byID[id] }

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
