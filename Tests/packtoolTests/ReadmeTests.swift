@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
@testable import System
@testable import packtool
import Foundation
import Support
import Testing

/// Compares the README, and the generated tables in the pages for users, with packtool itself.
///
/// After an intended change, run `UPDATE_SNAPSHOTS=1 swift test`, and then read the diff.
@Suite(.serialized) struct ReadmeTests {
  private static let path = "\(packageFolder)/README.md"

  private static func page(_ name: String) -> String {
    "\(packageFolder)/Sources/packtool/packtool.docc/\(name).md"
  }

  @Test func `table of checks is true`() throws {
    var table = "| id | severity | finding |\n|---|---|---|\n"
    for check in Check.all {
      let link = "[`\(check.id)`](CheckDetails.md#\(check.id))"
      table += "| \(link) | \(severity(of: check)) | \(check.summary) |\n"
    }
    try expectSection("checks", of: "Checks", toBe: table)
  }

  /// Each check has a section, so that other pages and programs can link to a check.
  @Test func `sections of checks are true`() throws {
    var sections = ""
    for check in Check.all {
      let fixed = check.canBeLowered ? "" : "; you cannot lower it"
      sections += """
        ## `\(check.id)`

        - Finding: \(markdown(check.summary))
        - Severity: \(severity(of: check))\(fixed)

        \(markdown(check.explanation))


        """
    }
    try expectSection("check details", of: "CheckDetails", toBe: sections)
  }

  @Test func `table of exit statuses is true`() throws {
    let rows = packtool.ExitStatus.allCases.map(\.row) + [packtool.ExitStatus.signalRow]
    let table = rows.map { "| \($0.label) | \($0.text) |\n" }.joined()
    try expectSection("exit statuses", of: "ExitStatus", toBe: "| status | meaning |\n|---|---|\n" + table)
  }

  @Test func `table of environment variables is true`() throws {
    let table = VariableUse.all.rows.map { row in
      "| `\(row.label.replacing(", ", with: "`, `"))` | \(row.text) |\n"
    }.joined()
    try expectSection("environment", of: "Environment", toBe: "| variable | effect |\n|---|---|\n" + table)
  }

  @Test func `help of commands is true`() throws {
    var sections = ""
    for command in CommandGroup.all.commands {
      let help = command.description.help(tool: Tool.name, width: 100)
      sections += "## `\(command.name)`\n\n```text\n\(help)```\n\n"
    }
    try expectSection("commands", of: "Commands", toBe: sections)
  }

  /// The tests of recipes run these files.
  @Test(arguments: [
    ("GitLab", "gitlab-ci.yml"), ("Jenkins", "Jenkinsfile"), ("BuildTools", "build.ninja"),
    ("BuildTools", "CMakeLists.txt"),
  ]) func `recipes are those that are tested`(page: String, file: String) throws {
    let text = try String(contentsOfFile: "\(packageFolder)/Examples/GreatGame/ci/\(file)", encoding: .utf8)
    try expectSection(file, of: page, toBe: "```\n\(text)```\n")
  }

  private func severity(of check: Check) -> String {
    check.isErrorInSubmission ? "warning, error with `--submission`" : check.listedSeverity
  }

  /// Escapes the characters that Markdown would read as markup, except in code between backticks.
  private func markdown(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      index % 2 == 0 ? String(part).replacing(/[*<\[]/) { "\\\($0.output)" } : String(part)
    }.joined(separator: "`")
  }

  @Test func `table of limits is true`() throws {
    let profiles = LimitProfile.all
    var table = "| limit | key | " + profiles.map { "`\($0.name)`" }.joined(separator: " | ") + " |\n"
    table += "|---|---|" + profiles.map { _ in "---|" }.joined() + "\n"
    for kind in LimitKind.allCases {
      let cells = profiles.map { $0.limits[kind].map { text($0, isCount: kind == .packCount) } ?? "–" }
      table += "| \(kind.summary) | `\(kind.rawValue)` | " + cells.joined(separator: " | ") + " |\n"
    }
    try expectSection("limits", of: "Limits", toBe: table)
  }

  @Test func `table of input limits is true`() throws {
    var table = "| input | maximum | check |\n|---|---|---|\n"
    for limit in inputLimits {
      table += "| \(limit.summary) | \(grouped(limit.most)) | `\(limit.check.id)` |\n"
    }
    try expectSection("input limits", of: "InputLimits", toBe: table)
  }

  @Test func `table of links is true`() throws {
    var table = "| network profile | bits per second | round trip |\n|---|---|---|\n"
    for named in NetworkProfile.all {
      if named.network.losesAll {
        table += "| `\(named.name)` | nothing arrives | – |\n"
        continue
      }
      let (whole, rest) = (named.network.latency / 1000, named.network.latency % 1000)
      let latency = grouped(whole) + (rest > 0 ? ".\(rest / 100)" : "")
      let lookup = named.network.lookup / 1000
      let connection = lookup > 0 ? ", and \(grouped(lookup)) ms for each connection" : ""
      table += "| `\(named.name)` | \(grouped(named.network.rate)) | \(latency) ms\(connection) |\n"
    }
    try expectSection("links", of: "Scenarios", toBe: table)
  }

  /// There must be a row for each kind of step, and no other rows.
  @Test func `steps are in the table`() throws {
    let page = try String(contentsOfFile: Self.page("Scenarios"), encoding: .utf8)
    let rows = page.matches(of: /\n\| `\{ "(\w+)":/).map { String($0.output.1) }
    #expect(Set(rows) == Set(StepDraft.kinds.map(\.name)))
  }

  /// The README must contain the commands of CI.
  @Test func `commands stand in their lines`() throws {
    let lines = try String(contentsOfFile: Self.path, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains("bash .ci/setup --tests && swift test --disable-xctest"))
    #expect(
      lines.contains {
        $0.hasPrefix("bash .ci/setup && swift run packtool build Examples/GreatGame -o ")
      })
  }

  /// The README must be short, because the details are in the other pages.
  @Test func `readme is short`() throws {
    let lines = try String(contentsOfFile: Self.path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    // The last element is empty, because the file ends with a newline.
    #expect(lines.count <= 151)
  }

  private func text(_ limit: Limit, isCount: Bool) -> String {
    let (doubtful, certain) = (limit.doubtful, limit.certain)
    if isCount { return grouped(certain) + (doubtful < certain ? " (from \(doubtful) on a warning)" : "") }
    return doubtful >= 1_000_000_000 ? "\(doubtful / 1_000_000_000) GB" : "\(doubtful / 1_000_000) MB"
  }

  private func expectSection(_ name: String, of page: String, toBe expected: String) throws {
    let path = Self.page(page)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let start = try #require(text.range(of: "<!-- \(name) -->\n"))
    let end = try #require(text.range(of: "<!-- /\(name) -->"))
    let range = start.upperBound..<end.lowerBound
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try text.replacingCharacters(in: range, with: expected).write(
        toFile: path, atomically: true, encoding: .utf8)
    } else {
      #expect(text[range] == expected)
    }
  }
}
