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
    guard let parts = LineParts(Substring(line)) else { return nil }
    place = String(parts.place)
    severity = parts.severity
    check = parts.check.map { String($0) }
    message = String(parts.message)
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
    var (text, bytes) = (String(self), value)
    return text.withUTF8 { text in
      bytes.withUTF8 { bytes in
        let (text, bytes) = (UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(bytes))
        var start = 0
        while let offset = text.firstOffset(of: bytes, from: start) {
          // These numbers of bytes contain at least one character.
          let before = String(decoding: text[..<offset].suffix(16), as: UTF8.self).last
          let after = String(decoding: text[(offset + bytes.count)...].prefix(16), as: UTF8.self).first
          let isWhole =
            !(isPartOfWord(before) && isPartOfWord(value.first))
            && !(isPartOfWord(value.last) && isPartOfWord(after))
          if isWhole { return true }
          start = offset + 1
        }
        return false
      }
    }
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

/// The parts of a line that begins a finding or is attached to one.
///
/// Regular expressions would take much of the time of a debug build.
private struct LineParts {
  var place: Substring = ""
  let severity: String
  var check: Substring?
  let message: Substring

  /// Reads a line, such as `Manifest.json:4:3: error: "Levels" matches no file [no-match]`.
  init?(_ line: Substring) {
    for kind in ["help", "detail"] where line.hasPrefix("  \(kind): ") {
      severity = kind
      let text = line.dropFirst(kind.count + 4)
      if let end = text.endOfPosition {
        place = text[..<end]
        message = text[end...].dropFirst(2)
      } else {
        message = text
      }
      return
    }
    guard let start = Self.severity(in: line) else { return nil }
    place = line[..<start].hasSuffix(": ") ? line[..<start].dropLast(2) : ""
    let text = line[start...]
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    severity = String(text[..<colon])
    let rest = text[colon...].dropFirst(2)
    if rest.last == "]", let bracket = rest.lastIndex(of: "["), rest[..<bracket].last == " ",
      rest[bracket...].dropFirst().dropLast().isCheck
    {
      check = rest[bracket...].dropFirst().dropLast()
      message = rest[..<bracket].dropLast()
    } else {
      message = rest
    }
  }

  /// Returns the start of the first severity after a place, or of the severity with which a line begins.
  private static func severity(in line: Substring) -> Substring.Index? {
    let severities = ["error: ", "warning: ", "note: "]
    var rest = line
    while let colon = rest.firstIndex(of: ":") {
      rest = rest[colon...].dropFirst()
      guard rest.first == " " else { continue }
      let after = rest.dropFirst()
      if severities.contains(where: after.hasPrefix) { return after.startIndex }
    }
    return severities.contains(where: line.hasPrefix) ? line.startIndex : nil
  }
}

extension Substring {
  /// The end of the first `:LINE:COLUMN` before a colon and a space; nil if there is none.
  fileprivate var endOfPosition: Index? {
    var rest = self
    while let colon = rest.firstIndex(of: ":") {
      rest = rest[colon...].dropFirst()
      let afterLine = rest.drop(while: \.isDigit)
      guard afterLine.startIndex > rest.startIndex, afterLine.first == ":" else { continue }
      let column = afterLine.dropFirst()
      let end = column.drop(while: \.isDigit)
      if end.startIndex > column.startIndex, end.hasPrefix(": ") { return end.startIndex }
    }
    return nil
  }

  /// Whether the text is the ID of a check: words of lower-case letters, and after the first word also digits,
  /// with hyphens between them.
  fileprivate var isCheck: Bool {
    let words = split(separator: "-", omittingEmptySubsequences: false)
    return !words.contains(where: \.isEmpty) && words[0].utf8.allSatisfy(\.isLowerCaseLetter)
      && utf8.allSatisfy { $0.isLowerCaseLetter || $0 == 0x2d || (0x30...0x39).contains($0) }
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

extension UInt8 {
  fileprivate var isLowerCaseLetter: Bool { (0x61...0x7a).contains(self) }
}
