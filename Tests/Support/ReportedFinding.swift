/// A finding as a report of text shows it to a user.
package struct ReportedFinding: Sendable {
  /// The path, and for a text file the line and column: `Manifest.json:4:3`.
  package let place: String
  package let severity: String
  /// The id of the check; nil for an error that has none.
  package let check: String?
  package let message: String
  /// The lines that are attached to it.
  package fileprivate(set) var details: [String] = []

  /// Reads a line of a report; nil for a line that begins no finding.
  package init?(line: some StringProtocol) {
    let found = String(line).firstMatch(
      of: /^(?:(.*?): )?(error|warning|note|help|detail): (.*?)(?: \[([a-z]+(?:-[a-z0-9]+)*)\])?$/)
    guard let found else { return nil }
    place = found.1.map(String.init) ?? ""
    severity = String(found.2)
    message = String(found.3)
    check = found.4.map(String.init)
  }

  /// The finding without its words: `Manifest.json:4:3: error [no-match] "Levels"`.
  package var facts: String {
    let named = values(in: message)
    return "\(place.isEmpty ? "" : "\(place): ")\(severity)\(check.map { " [\($0)]" } ?? "")"
      + (named.isEmpty ? "" : " \(named)")
  }

  /// Whether it is at a place: a file by the end of its path, a line, or a line and a column.
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

  /// Whether it and the lines attached to it name all values, none as a part of a longer word or number.
  package func names(_ values: String...) -> Bool { namesAll(values) }

  fileprivate func namesAll(_ values: [String]) -> Bool {
    values.allSatisfy { value in ([message] + details).contains { $0.names(value) } }
  }
}

extension StringProtocol {
  /// Whether the text has all values, none as a part of a longer word or number.
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

  /// The findings of a report as text, each with the lines that are attached to it.
  package var findings: [ReportedFinding] {
    var findings: [ReportedFinding] = []
    for line in split(separator: "\n") where line.first != " " {
      guard let finding = ReportedFinding(line: line) else { continue }
      let isDetail = finding.check == nil && finding.severity != "error" && finding.severity != "warning"
      if isDetail, !findings.isEmpty {
        findings[findings.count - 1].details.append(finding.message)
      } else {
        findings.append(finding)
      }
    }
    return findings
  }

  /// Whether a report has a finding of a check at a place that names all values, in any words.
  package func reports(_ check: String, at place: String? = nil, naming values: String...) -> Bool {
    findings.contains { finding in
      finding.check == check && place.map(finding.isAt) != false && finding.namesAll(values)
    }
  }

  /// Whether a finding of a report has the check, if `facts` begin with one in brackets, and names all values of `facts`.
  package func hasFacts(_ facts: String) -> Bool {
    let expected = ExpectedFacts(facts)
    if expected.check == nil && expected.values.isEmpty { return false }
    return findings.contains { finding in
      (expected.check == nil || finding.check == expected.check) && finding.namesAll(expected.values)
    }
  }

  /// The number of findings of a check in a report.
  package func count(of check: String) -> Int { findings.count { $0.check == check } }

  /// Whether a report has an error without a check, such as a mistake in a command line, that names all values.
  package func refuses(naming values: String...) -> Bool {
    findings.contains { finding in
      finding.severity == "error" && finding.namesAll(values)
    }
  }
}
