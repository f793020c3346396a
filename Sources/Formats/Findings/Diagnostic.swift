import System

/// One finding: what is wrong, where, and what to do about it.
package struct Diagnostic: Sendable, Hashable {
  /// A further fact about a finding, optionally with its own place.
  package struct Note: Sendable, Hashable {
    package let message: String
    package let place: Place?

    package init(_ message: String, at place: Place? = nil) {
      self.message = harmless(message)
      self.place = place
    }
  }

  /// A measured number, and the limit that it is compared with; both in bytes, or both counts.
  package struct Measurement: Sendable, Hashable {
    package let value: Int64
    package let limit: Int64

    package init(_ value: Int64, limit: Int64) {
      self.value = value
      self.limit = limit
    }
  }

  /// How settings and a submission can change the severity of a finding.
  package enum Standing: Sendable, Hashable {
    /// Settings change it, as they change its check.
    case adjustable
    /// The store would refuse the app: an error in a submission, whatever the settings.
    case breaksStoreLimit
    /// No setting lowers it, though settings lower other findings of its check: nothing could read what was built.
    case firm
  }

  package let check: Check
  package private(set) var severity: Severity
  /// The message: lower case, names in quotes, exact numbers, no full stop; on one line, also where a name in it
  /// was not quoted.
  package let message: String
  package let place: Place
  package let notes: [Note]
  /// What was measured; nil if the finding is not about a limit.
  package let measurement: Measurement?
  /// How settings and a submission can change the severity.
  package let standing: Standing
  /// The number of findings that this represents: one, or all unreported ones of a check.
  package let count: Int
  /// Whether this only counts unreported findings.
  package let isRest: Bool
  /// The one sure mend, in the file of its place; nil if there is none, or a person has to choose.
  package private(set) var fix: TextEdit?
  /// Why it is not reported among the others; nil for most findings.
  package private(set) var acceptance: Acceptance?

  /// A finding of a check, with the check's severity by default.
  package init(
    _ check: Check, message: String, at place: Place, severity: Severity? = nil, notes: [Note] = [],
    measurement: Measurement? = nil, standing: Standing = .adjustable, fix: TextEdit? = nil
  ) {
    self.standing = standing
    self.fix = fix
    self.measurement = measurement
    self.check = check
    self.severity = severity ?? check.severity
    self.message = harmless(message)
    self.place = place
    self.notes = notes
    count = 1
    isRest = false
  }

  /// A finding that counts the unreported findings of a check.
  init(
    unreportedCount count: Int, of check: Check, severity: Severity, at place: Place,
    standing: Standing = .adjustable
  ) {
    self.standing = standing
    self.check = check
    self.severity = severity
    self.place = place
    self.count = count
    measurement = nil
    message = "and \(grouped(count)) more of this kind"
    notes = []
    isRest = true
  }

  /// Whether a setting may change the severity.
  package var canBeLowered: Bool { check.canBeLowered && standing != .firm }

  /// The same finding as one of another check.
  package func of(_ check: Check) -> Diagnostic {
    isRest
      ? Diagnostic(unreportedCount: count, of: check, severity: check.severity, at: place)
      : Diagnostic(check, message: message, at: place, notes: notes, measurement: measurement, fix: fix)
  }

  /// The same finding without its fix, where the file of its place is not to be edited.
  package var withoutFix: Diagnostic {
    var finding = self
    finding.fix = nil
    return finding
  }

  /// The same finding as one that the manifest accepts.
  package func accepted(_ acceptance: Acceptance) -> Diagnostic {
    var finding = self
    finding.acceptance = acceptance
    return finding
  }

  /// The same finding with another severity.
  package func with(severity: Severity) -> Diagnostic {
    var finding = self
    finding.severity = severity
    return finding
  }
}

extension [Diagnostic] {
  /// The findings in the order of reports: the manifest first, then files by path; within a file errors first,
  /// then by line and column.
  package func ordered(manifest: String) -> [Diagnostic] {
    sorted { first, second in
      let paths = (first.place.path, second.place.path)
      if paths.0 != paths.1 {
        if paths.0 == manifest || paths.1 == manifest { return paths.0 == manifest }
        return paths.0.precedesInBytes(paths.1)
      }
      if first.severity != second.severity { return first.severity < second.severity }
      if first.isRest != second.isRest { return second.isRest }
      let start = Place.Position(line: 0, column: 0)
      let positions = (first.place.position ?? start, second.place.position ?? start)
      if positions.0 != positions.1 { return positions.0 < positions.1 }
      return (first.check.id, first.message) < (second.check.id, second.message)
    }
  }

  package var hasErrors: Bool { contains { $0.severity == .error } }
}
