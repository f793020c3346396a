import Formats
import Model
import Pipeline

extension Findings {
  /// Findings as JUnit XML.
  ///
  /// Each check is a test case. A CI service therefore also shows checks that passed.
  var jUnit: Written<XMLForm> {
    let byCheck = Dictionary(grouping: diagnostics, by: \.check)
    let failures = byCheck.values.count { $0.hasErrors }
    let name = [Tool.name, manifestPath].filter { !$0.isEmpty }.joined(separator: " ")
    let suite: Written<XMLForm> =
      "name=\"\(name)\" tests=\"\(Check.all.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"0\" time=\"0\""
    let accepted = Dictionary(grouping: self.accepted, by: \.check)
    let cases = Check.all.map {
      Self.testCase($0, diagnostics: byCheck[$0] ?? [], accepted: accepted[$0] ?? [])
    }.joined()
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite \(suite)>\n\(cases)"
      + "  </testsuite>\n</testsuites>\n"
  }

  private static func testCase(
    _ check: Check, diagnostics: [Diagnostic], accepted: [Diagnostic]
  ) -> Written<XMLForm> {
    let head: Written<XMLForm> = "    <testcase classname=\"\(Tool.name)\" name=\"\(check.id)\" time=\"0\""
    if diagnostics.isEmpty && accepted.isEmpty { return head + "/>\n" }
    let errors = diagnostics.filter { $0.severity == .error }
    let others = diagnostics.filter { $0.severity != .error }
    var text = head + ">\n"
    if let first = errors.first {
      // A test case has only one failure, so its text contains all findings.
      text +=
        "      <failure type=\"\(check.id)\" message=\"\(first.message)\">\(quoting: errors.text())</failure>\n"
    }
    let reported =
      others.text()
      + accepted.map { finding -> PlainText in
        let reason: PlainText = finding.acceptance.map { ": \($0.reason)" } ?? ""
        return "\(finding.place.path): accepted\(reason) (\(finding.message))\n"
      }.joined()
    if !reported.isEmpty { text += "      <system-out>\(quoting: reported)</system-out>\n" }
    return text + "    </testcase>\n"
  }
}

/// XML in which text from outside is never interpreted as markup.
enum XMLForm: PrintedForm {
  static let log = LogForm.xml

  static func escaped(_ text: String) -> String { xmlEscaped(text) }
}
