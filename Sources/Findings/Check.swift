/// A kind of finding: its stable id and what a person should know about it.
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
  /// Whether a finding keeps a build from destroying what is not its own, which no setting can lower.
  package private(set) var isSafetyRefusal = false
  /// Whether a finding breaks a limit of the store: an error with `--submission`.
  package private(set) var isStoreLimit = false

  private init(_ id: String, _ severity: Severity, _ summary: String, _ explanation: String) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.explanation = explanation
  }

  /// A mistake in the manifest.
  package static func manifestError(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = error(id, summary, explanation)
    check.isManifestError = true
    return check
  }

  /// Something that a build would destroy if it went on.
  package static func safetyRefusal(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = error(id, summary, explanation)
    check.isSafetyRefusal = true
    return check
  }

  /// A limit that the store enforces: a warning while an app is developed.
  package static func storeLimit(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = warning(id, summary, explanation)
    check.isStoreLimit = true
    return check
  }

  package static func error(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(id, .error, summary, explanation)
  }

  package static func warning(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(id, .warning, summary, explanation)
  }

  package static func note(_ id: String, _ summary: String, _ explanation: String) -> Check {
    Check(id, .note, summary, explanation)
  }

  /// Whether a setting may give its findings another severity.
  package var canBeLowered: Bool { !isManifestError && !isSafetyRefusal }

  package static func == (first: Check, second: Check) -> Bool { first.id == second.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
