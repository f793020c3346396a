import System

/// A list of findings with a maximum size.
///
/// It keeps the first 1,000 findings of each check, ordered by severity and place, and counts all other
/// findings.
///
/// All code that reads input collects its findings here, so hostile input cannot use more memory than honest
/// input.
package struct FindingList: Sendable {
  /// The maximum number of reported findings of one check.
  package static let maxPerCheck = 1000

  /// The properties of an unreported finding that affect the result of a run.
  private struct UnreportedKind: Hashable {
    let severity: Severity
    let severityRule: Diagnostic.SeverityRule
  }

  private struct Tally {
    var kept = 0
    /// The last finding that is reported; nil while the number of findings does not exceed the limit.
    var last: Diagnostic?
    /// The path of the file whose unreported findings another list has counted.
    var path = ""
    /// The number of unreported findings for each severity and severity rule.
    var unreported: [UnreportedKind: Int] = [:]
  }

  /// The findings in the order in which they were added.
  ///
  /// Before the surplus is removed, the list can contain twice the maximum number of findings of a check.
  private var kept: [Diagnostic] = []
  private var tallies: [Check: Tally] = [:]
  /// The number of all findings, including unreported ones.
  package private(set) var total = 0
  /// Unreported findings of one check that `tallies` does not contain yet.
  private var counted: CountedFindings?

  /// Findings of one check that are counted but not reported, because they come after the last reported
  /// finding.
  private struct CountedFindings {
    let check: Check
    let path: String
    /// The position of the last finding that is reported.
    let last: Place.Position
    var count = 0
  }

  package init() {}

  package init(_ findings: some Sequence<Diagnostic>) { add(findings) }

  package var isEmpty: Bool { total == 0 }

  /// Adds a finding, or another list's count of unreported findings.
  package mutating func add(_ finding: Diagnostic) {
    endCounting()
    total += finding.count
    var tally = tallies[finding.check] ?? Tally()
    defer { tallies[finding.check] = tally }
    let isReported = tally.last.map { finding.isReported(before: $0) } ?? true
    if finding.isCountOfUnreported || !isReported {
      let kind = UnreportedKind(severity: finding.severity, severityRule: finding.severityRule)
      tally.unreported[kind, default: 0] += finding.count
      if finding.isCountOfUnreported { tally.path = finding.place.path }
      return
    }
    kept.append(finding)
    tally.kept += 1
    if tally.kept == 2 * Self.maxPerCheck { removeSurplus(finding.check, tally: &tally) }
  }

  /// Adds a finding of a check, and creates its message only if the finding might be reported.
  ///
  /// A file of 12 MB can have millions of mistakes, but only 1,000 of them are reported.
  package mutating func add(_ check: Check, at place: Place, message: () -> String) {
    if !countIfUnreported(check, at: place) { add(Diagnostic(check, message: message(), at: place)) }
  }

  /// Adds a finding of a check with its default severity, and creates the finding only if it might be
  /// reported.
  package mutating func add(_ check: Check, at place: Place, making make: () -> Diagnostic) {
    if !countIfUnreported(check, at: place) { add(make()) }
  }

  /// Counts a finding that comes after the last reported finding, and returns true.
  ///
  /// Returns false if the finding comes earlier. The caller must then add it, because it may be reported.
  private mutating func countIfUnreported(_ check: Check, at place: Place) -> Bool {
    if counted?.check != check { startCounting(check) }
    guard let bound = counted, let start = place.position, bound.last < start, bound.path == place.path else {
      return false
    }
    total += 1
    counted?.count += 1
    return true
  }

  private mutating func startCounting(_ check: Check) {
    endCounting()
    guard let last = tallies[check]?.last, last.severity == check.severity, let end = last.place.position
    else {
      return
    }
    counted = CountedFindings(check: check, path: last.place.path, last: end)
  }

  private mutating func endCounting() {
    guard let done = counted else { return }
    counted = nil
    let kind = UnreportedKind(severity: done.check.severity, severityRule: .adjustable)
    if done.count > 0 { tallies[done.check]?.unreported[kind, default: 0] += done.count }
  }

  package mutating func add(_ findings: some Sequence<Diagnostic>) {
    for finding in findings { add(finding) }
  }

  package mutating func add(_ other: FindingList) { add(other.findings) }

  package mutating func removeAll() { self = FindingList() }

  /// The reported findings in the order in which they were added, then a count of the unreported ones for
  /// each check.
  package var findings: [Diagnostic] {
    var list = self
    list.endCounting()
    for (check, tally) in list.tallies where tally.kept > Self.maxPerCheck {
      var tally = tally
      list.removeSurplus(check, tally: &tally)
      list.tallies[check] = tally
    }
    let unreported = list.tallies.sorted { $0.key.id < $1.key.id }.flatMap { check, tally in
      tally.unreported.sorted { $0.key.severity < $1.key.severity }.map { kind, count in
        Diagnostic(
          unreportedCount: count, of: check, severity: kind.severity,
          at: Place(tally.last?.place.path ?? tally.path),
          severityRule: kind.severityRule)
      }
    }
    return list.kept + unreported
  }

  /// Removes the findings of a check after the first 1,000 and counts them.
  private mutating func removeSurplus(_ check: Check, tally: inout Tally) {
    let mine = kept.filter { $0.check == check }.sorted { $0.isReported(before: $1) }
    guard mine.count > Self.maxPerCheck else { return }
    let last = mine[Self.maxPerCheck - 1]
    tally.last = last
    for finding in mine[Self.maxPerCheck...] {
      let kind = UnreportedKind(severity: finding.severity, severityRule: finding.severityRule)
      tally.unreported[kind, default: 0] += 1
    }
    tally.kept = Self.maxPerCheck
    var left = Self.maxPerCheck
    kept.removeAll { finding in
      guard finding.check == check else { return false }
      // Equal findings at the same place are kept until the maximum number is reached.
      if last.isReported(before: finding) || left == 0 { return true }
      left -= 1
      return false
    }
  }
}

extension Diagnostic {
  /// Whether this finding comes before another finding of the same check, ordered by severity and then by
  /// place.
  fileprivate func isReported(before other: Diagnostic) -> Bool {
    if severity != other.severity { return severity < other.severity }
    if place.path != other.place.path { return place.path.precedesInBytes(other.place.path) }
    let start = Place.Position(line: 0, column: 0)
    let positions = (place.position ?? start, other.place.position ?? start)
    return positions.0 == positions.1 ? message < other.message : positions.0 < positions.1
  }
}
