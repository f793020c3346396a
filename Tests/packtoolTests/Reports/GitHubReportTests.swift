@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
@testable import packtool
import Support
import Testing

/// Tests GitHub workflow commands: their escapes, and the maximum of ten annotations for each severity.
@Suite struct GitHubReportTests {
  private static let check = Check.all[0]

  private func report(_ diagnostics: Diagnostic...) -> String { report(diagnostics) }

  private func report(_ diagnostics: [Diagnostic]) -> String {
    Findings(manifestPath: "Manifest.json", sources: nil, diagnostics: diagnostics)
      .gitHubCommands(PathBase(Environment([:]))).text
  }

  private func finding(_ severity: Severity, _ number: Int) -> Diagnostic {
    Diagnostic(Self.check, message: "message \(number)", at: Place("file \(number)"), severity: severity)
  }

  @Test func `properties are escaped`() {
    let path = "50%:a,b\r\nc"
    #expect(
      report(Diagnostic(Self.check, message: "m", at: Place(path), severity: .error))
        == "::error file=50%25%3Aa%2Cb%0D%0Ac,title=missing-manifest::m\n")
  }

  /// In a message, colons and commas do not separate anything.
  ///
  /// The message itself is on one line. Attached lines follow after an escaped line break.
  @Test func `messages are escaped`() {
    let notes = [Diagnostic.AttachedLine("first: 1,000"), .help("second %0A", at: Place("elsewhere"))]
    let found = Diagnostic(
      Self.check, message: "a: 100%, or\r\nmore", at: Place("f", position: .init(line: 3, column: 7)),
      severity: .warning,
      notes: notes)
    #expect(
      report(found)
        == "::warning file=f,line=3,col=7,title=missing-manifest::a: 100%25, or\\r\\nmore%0Adetail: first: 1,000%0Ahelp: "
        + "second %250A\n")
  }

  @Test func `notes are notices`() {
    #expect(report(finding(.note, 1)) == "::notice file=file 1,title=missing-manifest::message 1\n")
  }

  @Test func `worst come first`() {
    let lines = report(finding(.note, 1), finding(.warning, 2), finding(.error, 3), finding(.error, 4))
    #expect(
      lines.split(separator: "\n").map { $0.prefix(9) } == [
        "::error f", "::error f", "::warning", "::notice ",
      ])
    #expect(lines.contains("message 3\n::error file=file 4"))
  }

  @Test(arguments: Severity.allCases) func `ten of a kind are shown`(severity: Severity) {
    let lines = report((1...10).map { finding(severity, $0) }).split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines.areAll { $0.hasPrefix("::") && $0.contains("file=") })
  }

  /// The tenth annotation states how many other findings there are.
  ///
  /// These findings are printed after it as plain lines.
  @Test(arguments: [
    (Severity.error, "::error::", "errors"), (.warning, "::warning::", "warnings"),
    (.note, "::notice::", "notes"),
  ])
  func `more than ten are counted`(severity: Severity, start: String, plural: String) {
    let lines = report((1...11).map { finding(severity, $0) }).split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.prefix(9).areAll { $0.contains(" file=file ") })
    #expect(lines[9] == "\(start)2 more \(plural) are not shown here; the log has all of them")
    #expect(
      lines[10...] == [
        "file 10: \(severity.rawValue): message 10 [missing-manifest]",
        "file 11: \(severity.rawValue): message 11 [missing-manifest]",
      ])
  }

  /// For GitHub, the maximum applies to each severity separately.
  @Test func `kinds are counted apart`() {
    let all = Severity.allCases.flatMap { severity in (1...1200).map { finding(severity, $0) } }
    let lines = report(all).split(separator: "\n")
    for (name, plural) in [("error", "errors"), ("warning", "warnings"), ("notice", "notes")] {
      #expect(lines.filter { $0.hasPrefix("::\(name)") }.count == 10)
      #expect(lines.contains("::\(name)::1,191 more \(plural) are not shown here; the log has all of them"))
    }
    #expect(lines.count == 3 * 1201)
  }

  /// The name of a file must not give commands to GitHub.
  @Test(arguments: ["::stop-commands::x", "  ::error::x"]) func `names are no commands`(path: String) {
    let many = (1...10).map { finding(.error, $0) }
    let found = Diagnostic(Self.check, message: "m", at: Place(path), severity: .error)
    let lines = report(many + [found]).split(separator: "\n")
    #expect(lines.last == "./\(path): error: m [missing-manifest]")
  }

  @Test func `without findings nothing is printed`() throws {
    #expect(report() == "")
    let folder = try TemporaryFolder()
    try folder.write("a", "x")
    try folder.writeManifest([.path("a", "T")], members: #""appBundle": { "size": 1 }"#)
    #expect(
      runTool("validate", folder.path, "--diagnostics", "github").errors
        == "packtool: no findings (1 pack, 1 file, 1 byte)\n")
  }
}
