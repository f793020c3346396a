/// A kind of finding: its stable id, severity and explanation.
package struct Check: Sendable, Hashable {
  /// Lower case, hyphens, what is wrong: `unknown-tag`.
  package let id: String
  /// The default severity.
  package let severity: Severity
  /// One line: what is found.
  package let summary: String
  /// Why it matters and what to do.
  package let explanation: String
  /// Why no setting can lower it; nil if one may.
  private var firmness: Firmness?
  /// Whether it is a limit of the store, and therefore an error with `--submission`.
  package private(set) var isStoreLimit = false
  /// Whether it finds a file in place of the real one, which is an error with `--submission`.
  package private(set) var isStandIn = false

  /// Whether nothing reports it unless a user asks for it.
  package private(set) var isOffByDefault = false

  /// The reason why a kind of finding is an error whatever the settings say.
  private enum Firmness {
    /// It is an error of the manifest itself.
    case manifest
    /// It protects files that are not the build's own.
    case safety
    /// It is no finding about the input, but the end of the run.
    case run
  }

  private init(_ id: String, _ severity: Severity, _ summary: String, _ explanation: String) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.explanation = explanation
  }

  /// A mistake in the manifest.
  package static func manifestError(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = error(id, summary, explanation)
    check.firmness = .manifest
    return check
  }

  /// A refusal to destroy files that are not the build's own.
  package static func safetyRefusal(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = error(id, summary, explanation)
    check.firmness = .safety
    return check
  }

  /// A reason why the run itself failed.
  package static func runFailure(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = error(id, summary, explanation)
    check.firmness = .run
    return check
  }

  /// A limit that the store enforces: a warning during development.
  package static func storeLimit(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = warning(id, summary, explanation)
    check.isStoreLimit = true
    return check
  }

  /// A file in place of the real one: a warning while the real one may still come, an error in a submission.
  package static func standIn(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = warning(id, summary, explanation)
    check.isStandIn = true
    return check
  }

  /// A warning that is only given on request.
  package static func offByDefault(_ id: String, _ summary: String, _ explanation: String) -> Check {
    var check = warning(id, summary, explanation)
    check.isOffByDefault = true
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

  /// Whether it is an error of the manifest itself, which no setting can lower.
  package var isManifestError: Bool { firmness == .manifest }

  /// Whether it has errors with `--submission` that are warnings without.
  package var isErrorInSubmission: Bool { isStoreLimit || isStandIn }

  /// The severity as lists show it: `off` for what is only reported on request.
  package var listedSeverity: String { isOffByDefault ? "off" : severity.rawValue }

  /// Whether a setting may change the severity.
  package var canBeLowered: Bool { fixedBecause == nil }

  /// Why no setting lowers its findings, for the end of a message; nil if one may.
  package var fixedBecause: String? {
    switch firmness {
    case .manifest: "an error of the manifest itself"
    case .safety: "an error that keeps other files from harm"
    case .run: "an error that ends the run"
    case nil: nil
    }
  }

  package static func == (first: Check, second: Check) -> Bool { first.id == second.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
