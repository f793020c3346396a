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
  /// Why no setting lowers its findings, for the end of a message; nil if one may.
  package private(set) var fixedBecause: String?
  /// Whether it is an error of the manifest itself, which no setting can lower.
  package private(set) var isManifestError = false
  /// Whether it is a limit of the store, and therefore an error with `--submission`.
  package private(set) var isStoreLimit = false
  /// Whether it is about a size that is only advised, which `--strict` does not make an error.
  package private(set) var isAdvice = false
  /// Whether it finds a file in place of the real one, which is an error with `--submission`.
  package private(set) var isStandIn = false
  /// Whether nothing reports it unless a user asks for it.
  package private(set) var isOffByDefault = false

  /// A mistake in the manifest.
  package static func manifestError(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error of the manifest itself", isManifestError: true)
  }

  /// A refusal to destroy files that are not the build's own.
  package static func safetyRefusal(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that keeps other files from harm")
  }

  /// A fault with which packs, or the lists of them, would not be what readers expect.
  package static func packError(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that makes packs unreadable")
  }

  /// Something that would publish what nobody outside may see.
  package static func leak(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that keeps private files out of packs")
  }

  /// A file that cannot be packed as it is, so that a build publishes nothing, whatever the severity.
  package static func unpackable(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that keeps a pack from being written")
  }

  /// A reason why the run itself failed.
  package static func runFailure(_ id: String, summary: String, explanation: String) -> Check {
    Check(
      id: id, severity: .error, summary: summary, explanation: explanation,
      fixedBecause: "an error that ends the run")
  }

  /// A limit that the store enforces: a warning during development.
  package static func storeLimit(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .warning, summary: summary, explanation: explanation, isStoreLimit: true)
  }

  /// A size that Apple advises and that no store enforces: a warning, also with `--submission` and `--strict`.
  package static func advice(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .warning, summary: summary, explanation: explanation, isAdvice: true)
  }

  /// A file in place of the real one: a warning while the real one may still come, an error in a submission.
  package static func standIn(_ id: String, summary: String, explanation: String) -> Check {
    Check(id: id, severity: .warning, summary: summary, explanation: explanation, isStandIn: true)
  }

  /// A warning that is only given on request.
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

  /// Whether it has errors with `--submission` that are warnings without.
  package var isErrorInSubmission: Bool { isStoreLimit || isStandIn }

  /// The severity as lists show it: `off` for what is only reported on request.
  package var listedSeverity: String { isOffByDefault ? "off" : severity.rawValue }

  /// Whether a setting may change the severity.
  package var canBeLowered: Bool { fixedBecause == nil }

  package static func == (first: Check, second: Check) -> Bool { first.id == second.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
