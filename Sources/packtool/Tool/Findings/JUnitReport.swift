import Findings
import Formats
import PackKit

extension Findings {
  /// Findings as JUnit XML: a test case for each check, so that a CI also shows passed ones.
  var jUnit: Written<XMLForm> {
    let byCheck = Dictionary(grouping: diagnostics, by: \.check)
    let failures = byCheck.values.count { $0.hasErrors }
    let name = [Tool.name, manifestPath].filter { !$0.isEmpty }.joined(separator: " ")
    let suite: Written<XMLForm> =
      "name=\"\(name)\" tests=\"\(Check.all.count)\" "
      + "failures=\"\(failures)\" errors=\"0\" skipped=\"0\" time=\"0\""
    let accepted = Dictionary(grouping: self.accepted, by: \.check)
    let cases = Check.all.map { Self.testCase($0, byCheck[$0] ?? [], accepted: accepted[$0] ?? []) }.joined()
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite \(suite)>\n\(cases)"
      + "  </testsuite>\n</testsuites>\n"
  }

  private static func testCase(
    _ check: Check, _ diagnostics: [Diagnostic], accepted: [Diagnostic]
  ) -> Written<XMLForm> {
    let head: Written<XMLForm> = "    <testcase classname=\"\(Tool.name)\" name=\"\(check.id)\" time=\"0\""
    if diagnostics.isEmpty && accepted.isEmpty { return head + "/>\n" }
    let errors = diagnostics.filter { $0.severity == .error }
    let others = diagnostics.filter { $0.severity != .error }
    var text = head + ">\n"
    if let first = errors.first {
      // A case has only one failure, so its text has all findings.
      text +=
        "      <failure type=\"\(check.id)\" message=\"\(first.message)\">"
        + "\(quoting: errors.text())</failure>\n"
    }
    let told = others.text() + accepted.map(line).joined()
    if !told.isEmpty { text += "      <system-out>\(quoting: told)</system-out>\n" }
    return text + "    </testcase>\n"
  }

  /// An accepted finding, with the reason.
  private static func line(of finding: Diagnostic) -> PlainText {
    let reason: PlainText = finding.acceptance.map { ": \($0.reason)" } ?? ""
    return "\(finding.place.path): accepted\(reason) (\(finding.message))\n"
  }
}

/// XML whose text from outside is text to every parser.
enum XMLForm: WrittenForm {
  static func escaped(_ text: String) -> String { XMLText.escaped(text) }
}
