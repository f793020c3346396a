import System

/// One finding: the problem, its place, and advice.
package struct Diagnostic: Sendable, Hashable {
  /// A line that reports attach to a finding; it can have a place of its own.
  package struct AttachedLine: Sendable, Hashable {
    /// The purpose of an attached line.
    package enum Kind: String, Sendable {
      /// Advice on how to fix the mistake.
      case help
      /// Evidence for the finding.
      case detail
    }

    package let kind: Kind
    package let message: String
    package let place: Place?

    /// Creates a line of evidence.
    package init(_ message: String, at place: Place? = nil) {
      self.init(kind: .detail, message: message, place: place)
    }

    private init(kind: Kind, message: String, place: Place?) {
      self.kind = kind
      self.message = harmless(message)
      self.place = place
    }

    /// Creates a line of advice.
    package static func help(_ message: String, at place: Place? = nil) -> AttachedLine {
      AttachedLine(kind: .help, message: message, place: place)
    }
  }

  /// A measured number and the limit for it, both either in bytes or as counts.
  package struct Measurement: Sendable, Hashable {
    package let value: Int64
    package let limit: Int64

    package init(_ value: Int64, limit: Int64) {
      self.value = value
      self.limit = limit
    }
  }

  /// How settings and a submission can change the severity of a finding.
  package enum SeverityRule: Sendable, Hashable {
    /// Settings can change the severity, as for other findings of the check.
    case adjustable
    /// The store would reject the app, so the finding is an error in a submission, whatever the settings are.
    case breaksStoreLimit
    /// No setting can lower the severity, although settings can lower other findings of the same check.
    ///
    /// If packtool built the packs despite such a finding, no client could read them.
    case cannotBeLowered
  }

  package let check: Check
  package private(set) var severity: Severity
  /// The message: one line in lower case, with names in quotes, exact numbers and no full stop at the end.
  package let message: String
  package let place: Place
  package let notes: [AttachedLine]
  /// The measured number and its limit; nil if the finding is not about a limit.
  package let measurement: Measurement?
  /// How settings and a submission can change the severity.
  package let severityRule: SeverityRule
  /// The number of findings that this value represents.
  ///
  /// It is 1 for a finding, and the number of unreported findings for a value that only counts them.
  package let count: Int
  /// Whether this value only counts unreported findings.
  package let isCountOfUnreported: Bool
  /// The only possible fix, as an edit of the file at `place`; nil if no fix is possible or a person must
  /// choose.
  package private(set) var fix: TextEdit?
  /// The reason why the manifest accepts the finding; nil for most findings.
  package private(set) var acceptance: Acceptance?

  /// Creates a finding of a check.
  ///
  /// By default it has the severity of the check.
  package init(
    _ check: Check, message: String, at place: Place, severity: Severity? = nil, notes: [AttachedLine] = [],
    measurement: Measurement? = nil, severityRule: SeverityRule = .adjustable, fix: TextEdit? = nil
  ) {
    self.severityRule = severityRule
    self.fix = fix
    self.measurement = measurement
    self.check = check
    self.severity = severity ?? check.severity
    self.message = harmless(message)
    self.place = place
    self.notes = notes
    count = 1
    isCountOfUnreported = false
  }

  /// Creates a finding that counts the unreported findings of a check.
  init(
    unreportedCount count: Int, of check: Check, severity: Severity, at place: Place,
    severityRule: SeverityRule = .adjustable
  ) {
    self.severityRule = severityRule
    self.check = check
    self.severity = severity
    self.place = place
    self.count = count
    measurement = nil
    message = "and \(grouped(count)) more of this kind"
    notes = []
    isCountOfUnreported = true
  }

  /// Whether a setting can change the severity.
  package var canBeLowered: Bool { check.canBeLowered && severityRule != .cannotBeLowered }

  /// Returns this finding, converted to a finding of another check.
  package func of(_ check: Check) -> Diagnostic {
    isCountOfUnreported
      ? Diagnostic(unreportedCount: count, of: check, severity: check.severity, at: place)
      : Diagnostic(check, message: message, at: place, notes: notes, measurement: measurement, fix: fix)
  }

  /// This finding without its fix, for a file that packtool must not edit.
  package var withoutFix: Diagnostic {
    var finding = self
    finding.fix = nil
    return finding
  }

  /// Returns this finding, marked as accepted by the manifest.
  package func accepted(_ acceptance: Acceptance) -> Diagnostic {
    var finding = self
    finding.acceptance = acceptance
    return finding
  }

  /// Returns this finding with another severity.
  package func with(severity: Severity) -> Diagnostic {
    var finding = self
    finding.severity = severity
    return finding
  }
}

extension [Diagnostic] {
  /// Returns the findings in the order in which reports list them.
  ///
  /// The manifest comes first, then files by path. Within a file, errors come first; then the findings are
  /// sorted by line and column.
  package func ordered(manifest: String) -> [Diagnostic] {
    sorted { first, second in
      let paths = (first.place.path, second.place.path)
      if paths.0 != paths.1 {
        if paths.0 == manifest || paths.1 == manifest { return paths.0 == manifest }
        return paths.0.precedesInBytes(paths.1)
      }
      if first.severity != second.severity { return first.severity < second.severity }
      if first.isCountOfUnreported != second.isCountOfUnreported { return second.isCountOfUnreported }
      let start = Place.Position(line: 0, column: 0)
      let positions = (first.place.position ?? start, second.place.position ?? start)
      if positions.0 != positions.1 { return positions.0 < positions.1 }
      return (first.check.id, first.message) < (second.check.id, second.message)
    }
  }

  package var hasErrors: Bool { contains { $0.severity == .error } }
}
