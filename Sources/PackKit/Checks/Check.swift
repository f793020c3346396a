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
  package let isManifestError: Bool
  /// Whether a finding breaks a limit of the store: an error with `--submission`.
  package let isStoreLimit: Bool

  /// A mistake in the manifest.
  static func manifestError(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation, isManifestError: true,
      isStoreLimit: false)
  }

  static func error(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation, isManifestError: false,
      isStoreLimit: false)
  }

  static func warning(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(
      id: id, severity: .warning, summary: summary, explanation: explanation, isManifestError: false,
      isStoreLimit: false)
  }

  static func note(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(
      id: id, severity: .note, summary: summary, explanation: explanation, isManifestError: false,
      isStoreLimit: false)
  }

  /// A limit that the store enforces: a warning while an app is developed.
  static func storeLimit(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(
      id: id, severity: .warning, summary: summary, explanation: explanation, isManifestError: false,
      isStoreLimit: true)
  }

  package static func == (first: Check, second: Check) -> Bool { first.id == second.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Every check, in the order in which lists show them.
  package static let all: [Check] = manifestChecks + fileChecks + packChecks + outputChecks

  /// The check of an id.
  package static func named(_ id: String) -> Check? { byID[id] }

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
