/// A check: a rule with a stable ID, a severity and an explanation.
///
/// Each finding belongs to one check.
package struct Check: Sendable, Hashable {
  /// The ID: lower-case words with hyphens that describe the problem, such as `unknown-tag`.
  package let id: String
  /// The default severity.
  package let severity: Severity
  /// One line that describes the problem that the check finds.
  package let summary: String
  /// Why a finding matters, and what to do about it.
  package let explanation: String
  /// The reason why no setting can lower the severity, worded so that it can end a message; nil if settings
  /// can lower it.
  package private(set) var fixedBecause: String?
  /// Whether the findings are errors in the manifest itself, which no setting can lower.
  package private(set) var isManifestError = false
  /// Whether the findings are about a limit of the store.
  ///
  /// They are errors with `--submission`.
  package private(set) var isStoreLimit = false
  /// Whether Apple only advises the size limit that the check compares with.
  ///
  /// `--strict` does not make them errors.
  package private(set) var isAdvice = false
  /// Whether the check finds placeholders where the real files should be.
  ///
  /// Such findings are errors with `--submission`.
  package private(set) var isIncompleteInput = false
  /// Whether the check reports findings only if the user enables it.
  package private(set) var isOffByDefault = false

  /// Creates a check for a mistake in the manifest.
  package static func manifestError(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error in the manifest itself", isManifestError: true)
  }

  /// Creates a check for a situation in which a build would destroy files of other programs.
  package static func safetyRefusal(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that protects files of other programs")
  }

  /// Creates a check for a fault that would make packs, or the lists of packs, unreadable for clients.
  package static func packError(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that makes packs unreadable")
  }

  /// Creates a check for private data that a build would publish.
  package static func leak(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that keeps private files out of packs")
  }

  /// Creates a check for a file that cannot be packed unless it is changed.
  ///
  /// A build then publishes nothing, whatever the severity.
  package static func unpackable(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that prevents packtool from writing a pack")
  }

  /// Creates a check for a failure of the run itself.
  package static func runFailure(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that ends the run")
  }

  /// Creates a check for a limit that the store enforces.
  ///
  /// Its findings are warnings during development, and errors with `--submission`.
  package static func storeLimit(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .warning, summary: summary, explanation: explanation, isStoreLimit: true)
  }

  /// Creates a check for a size limit that Apple advises but no store enforces.
  ///
  /// Its findings stay warnings even with `--submission` or `--strict`.
  package static func advice(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .warning, summary: summary, explanation: explanation, isAdvice: true)
  }

  /// Creates a check that finds placeholders where the real files should be.
  ///
  /// Its findings are warnings during development, because the real files may still arrive. In a submission
  /// they are errors.
  package static func incompleteInput(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .warning, summary: summary, explanation: explanation, isIncompleteInput: true)
  }

  /// Creates a check that warns only if the user enables it.
  package static func offByDefault(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .warning, summary: summary, explanation: explanation, isOffByDefault: true)
  }

  package static func error(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .error, summary: summary, explanation: explanation)
  }

  package static func warning(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .warning, summary: summary, explanation: explanation)
  }

  package static func note(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .note, summary: summary, explanation: explanation)
  }

  /// Whether findings that are otherwise warnings are errors with `--submission`.
  package var isErrorInSubmission: Bool { isStoreLimit || isIncompleteInput }

  /// The severity that lists of checks show; `off` for a check that the user must enable.
  package var listedSeverity: String { isOffByDefault ? "off" : severity.rawValue }

  /// Whether a setting can change the severity.
  package var canBeLowered: Bool { fixedBecause == nil }

  package static func == (first: Check, second: Check) -> Bool { first.id == second.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
