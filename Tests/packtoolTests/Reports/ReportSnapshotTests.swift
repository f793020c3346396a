@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Compares the output of a run with snapshot files, in every format.
///
/// The words of the findings are invented, so that these snapshots do not change with the words of checks. After an intended change, run `UPDATE_SNAPSHOTS=1 swift test`, and
/// then read the diff.
@Suite(.serialized) struct ReportSnapshotTests {
  @Test func `findings as text`() throws {
    try expectSnapshot(try InventedFindings.report(), "rich.txt")
  }

  @Test func `findings as colored text`() throws {
    try expectSnapshot(try InventedFindings.report("--color", "always"), "rich.color.txt")
  }

  /// Colors are used only for screens that can show them.
  ///
  /// The text in files and pipes is plain.
  @Test func `color is for screens`() throws {
    let folder = try RichRun().folder
    func isColored(_ flags: String..., environment: [String: String] = [:], isScreen: Bool) -> Bool {
      let terminal = CapturedTerminal(isScreen: isScreen)
      _ = Tool.run(["validate", folder.path] + flags, environment: environment, terminal: terminal)
      return terminal.errors.contains("\u{1b}[")
    }
    #expect(isColored(isScreen: true))
    #expect(!isColored(isScreen: false))
    #expect(!isColored(environment: ["NO_COLOR": "1"], isScreen: true))
    #expect(isColored(environment: ["NO_COLOR": ""], isScreen: true))
    #expect(!isColored(environment: ["CI": "true"], isScreen: true))
    #expect(!isColored(environment: ["TERM": "dumb"], isScreen: true))
    #expect(!isColored("--color", "never", isScreen: true))
    #expect(isColored("--color", "always", environment: ["NO_COLOR": "1"], isScreen: false))
    #expect(!isColored("--color", "always", "--diagnostics", "json", isScreen: true))
  }

  /// The line with the mistake is quoted even if the text could not be parsed.
  @Test func `a line that is no JSON is quoted`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", "{\n\"日本\": [1}")
    let run = runTool("validate", folder.path)
    let path = folder.path("Manifest.json")
    #expect(
      run.errors == """
        \(path):2:13: error: the list that begins at 2:11 is not closed; add "]" before "}" [json-syntax]
          "日本": [1}
                    ^
          detail: \(path):2:11: the "[" that must be closed is here
        packtool: 1 error, 0 warnings, 0 notes

        """)
    // SARIF counts columns in characters.
    let sarif = runTool("validate", folder.path, "--diagnostics", "sarif").errors
    #expect(sarif.contains("\"startColumn\": 9,"))
  }

  @Test(arguments: [
    ("Level 1", 7), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국어", 6), ("ｗ", 2), ("🎮", 2), ("👩‍🚀", 2), ("❤️", 2),
    ("", 0),
  ])
  func `characters have their columns`(text: String, columns: Int) {
    #expect(text.screenWidth == columns)
  }

  @Test func `findings about a submission`() throws {
    try expectSnapshot(
      try InventedFindings.report("--submission", "--strict", "--severity", "empty-file=ignore"), "strict.txt"
    )
  }

  @Test func `findings for GitHub`() throws {
    try expectSnapshot(try InventedFindings.report("--diagnostics", "github"), "rich.github.txt")
  }

  @Test func `findings as JSON`() throws {
    let report = try InventedFindings.report("--diagnostics", "json")
    try expectSnapshot(
      report.replacing("\"version\": \"\(Tool.version)\"", with: "\"version\": \"VERSION\""), "rich.json")
  }

  /// The snapshot does not contain the rules of SARIF.
  ///
  /// These rules are the list of checks, and this list has its own test.
  @Test func `findings as SARIF`() throws {
    let report = try InventedFindings.report("--diagnostics", "sarif")
    let rules = try Regex("\"rules\": \\[\n(?s:.*?)\n {10}\\]")
    let lean = report.replacing(rules, with: "\"rules\": []")
      .replacing(try Regex("file:///[^\"]*/\""), with: "file:///current/\"")
      .replacing(try Regex("\"ruleIndex\": [0-9]+"), with: "\"ruleIndex\": 0")
      .replacing(try Regex("(\"(semanticV|v)ersion\"): \"\(Tool.version)\"")) {
        "\($0.output[1].substring ?? ""): \"VERSION\""
      }
    try expectSnapshot(lean, "rich.sarif")
  }

  @Test func `findings for GitLab`() throws {
    // A fingerprint depends on the path of the folder, which is different in each run.
    let report = try InventedFindings.report("--diagnostics", "codequality")
    try expectSnapshot(
      report.replacing(/"fingerprint": "[0-9a-f]{32}"/, with: #""fingerprint": """#), "rich.codequality.json")
  }

  /// The snapshot does not contain the checks without findings, because they have their own test.
  @Test func `findings as JUnit`() throws {
    let report = try InventedFindings.report("--diagnostics", "junit")
    let lean = report.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      !(line.contains("<testcase ") && line.hasSuffix("/>"))
    }
    try expectSnapshot(
      lean.joined(separator: "\n").replacing(try Regex("tests=\"[0-9]+\""), with: "tests=\"0\""),
      "rich.junit.xml")
  }
}
