/// A finding in a text report.
package struct ReportedFinding: Sendable {
  /// The path and, for a text file, the line and column: `Manifest.json:4:3`.
  package let place: String
  package let severity: String
  /// The ID of the check; nil for an error without one.
  package let check: String?
  package let message: String
  /// The messages of the lines that are attached to the finding.
  package fileprivate(set) var details: [String] = []

  /// Reads a line of a report.
  ///
  /// The result is nil if the line neither begins a finding nor is attached to one. The severity of an
  /// attached line is `help` or `detail`.
  package init?(line: some StringProtocol) {
    if let attached = String(line).firstMatch(of: /^  (help|detail): (?:(.*?:\d+:\d+): )?(.*)$/) {
      severity = String(attached.1)
      place = attached.2.map(String.init) ?? ""
      message = String(attached.3)
      check = nil
      return
    }
    let found = String(line).firstMatch(
      of: /^(?:(.*?): )?(error|warning|note): (.*?)(?: \[([a-z]+(?:-[a-z0-9]+)*)\])?$/)
    guard let found else { return nil }
    place = found.1.map(String.init) ?? ""
    severity = String(found.2)
    message = String(found.3)
    check = found.4.map(String.init)
  }

  /// Whether this line is attached to a finding.
  fileprivate var isAttached: Bool { severity == "help" || severity == "detail" }

  /// The finding without its words: `Manifest.json:4:3: error [no-match] "Levels"`.
  package var facts: String {
    let named = values(in: message)
    return "\(place.isEmpty ? "" : "\(place): ")\(severity)\(check.map { " [\($0)]" } ?? "")"
      + (named.isEmpty ? "" : " \(named)")
  }

  /// Whether the finding is at a place.
  ///
  /// The place is the end of a file's path, a line, or a line and a column.
  package func isAt(_ expected: String) -> Bool {
    var parts = Substring(place)
    while true {
      if parts == expected || parts.hasSuffix("/\(expected)") || parts.hasSuffix(":\(expected)") {
        return true
      }
      guard let colon = parts.lastIndex(of: ":") else { return false }
      parts = parts[..<colon]
    }
  }

  /// Whether all values are in the finding or in the lines that are attached to it, as whole words or
  /// numbers.
  package func names(_ values: String...) -> Bool { namesAll(values) }

  fileprivate func namesAll(_ values: [String]) -> Bool {
    values.allSatisfy { value in ([message] + details).contains { $0.names(value) } }
  }
}

extension StringProtocol {
  /// Whether the text contains all values as whole words or numbers.
  package func names(_ values: String...) -> Bool { values.allSatisfy(hasWhole) }

  private func hasWhole(_ value: String) -> Bool {
    var rest = self[...]
    while let found = rest.firstRange(of: value) {
      let before = self[..<found.lowerBound].last
      let after = self[found.upperBound...].first
      let isWhole =
        !(isPartOfWord(before) && isPartOfWord(value.first))
        && !(isPartOfWord(value.last) && isPartOfWord(after))
      if isWhole { return true }
      rest = self[index(after: found.lowerBound)...]
    }
    return false
  }

  private func isPartOfWord(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }

  /// The findings of a text report, each with the lines that are attached to it.
  package var findings: [ReportedFinding] {
    var findings: [ReportedFinding] = []
    for line in split(separator: "\n") {
      guard let finding = ReportedFinding(line: line) else { continue }
      if finding.isAttached, !findings.isEmpty {
        findings[findings.count - 1].details.append(finding.message)
      } else if line.first != " " {
        findings.append(finding)
      }
    }
    return findings
  }

  /// Whether a report contains a finding of the given check with all values.
  ///
  /// If `place` is not nil, the finding must be at this place. The other words of the finding do not matter.
  package func reports(_ check: String, at place: String? = nil, naming values: String...) -> Bool {
    findings.contains { finding in
      finding.check == check && place.map(finding.isAt) != false && finding.namesAll(values)
    }
  }

  /// Whether the report has a finding that contains all values in `facts`.
  ///
  /// If `facts` begins with a check in brackets, the finding must also be of that check.
  package func hasFacts(_ facts: String) -> Bool {
    let expected = ExpectedFacts(facts)
    if expected.check == nil && expected.values.isEmpty { return false }
    return findings.contains { finding in
      (expected.check == nil || finding.check == expected.check) && finding.namesAll(expected.values)
    }
  }

  /// Returns the number of findings of a check in a report.
  package func count(of check: String) -> Int { findings.count { $0.check == check } }

  /// Whether a report has an error that contains all values.
  ///
  /// An example is an error about a mistake in a command line. The error can be without a check.
  package func refuses(naming values: String...) -> Bool {
    findings.contains { finding in
      finding.severity == "error" && finding.namesAll(values)
    }
  }
}
