@testable import Findings
import Foundation
@testable import PackKit
import Support
@testable import System
import Testing
@testable import packtool

/// The README against the tool that it describes.
@Suite(.serialized) struct ReadmeTests {
  private static let path = "\(packageFolder)/README.md"

  @Test func tableOfChecksIsTrue() throws {
    var table = "| id | severity | what is found |\n|---|---|---|\n"
    for check in Check.all {
      let severity = check.isStoreLimit ? "warning, error with `--submission`" : check.severity.rawValue
      table += "| `\(check.id)` | \(severity) | \(check.summary) |\n"
    }
    try expectSection("checks", toBe: table)
  }

  @Test func tableOfLimitsIsTrue() throws {
    let profiles = LimitProfile.all
    var table = "| limit | key | " + profiles.map { "`\($0.name)`" }.joined(separator: " | ") + " |\n"
    table += "|---|---|" + profiles.map { _ in "---|" }.joined() + "\n"
    for kind in LimitKind.allCases {
      let cells = profiles.map { $0.limits[kind].map(text) ?? "–" }
      table += "| \(kind.summary) | `\(kind.rawValue)` | " + cells.joined(separator: " | ") + " |\n"
    }
    try expectSection("limits", toBe: table)
  }

  @Test func tableOfInputLimitsIsTrue() throws {
    var table = "| what | at most | finding |\n|---|---|---|\n"
    for limit in InputLimit.all {
      table += "| \(limit.summary) | \(grouped(limit.most)) | `\(limit.check.id)` |\n"
    }
    try expectSection("input limits", toBe: table)
  }

  /// The README is what CI runs.
  @Test func commandsStandInTheirLines() throws {
    let lines = try String(contentsOfFile: Self.path, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains("bash .ci/setup --tests && swift test --disable-xctest"))
    #expect(
      lines.contains {
        $0.hasPrefix("bash .ci/setup && swift run -c release packtool build Examples/GreatGame -o ")
      })
  }

  private func text(_ limit: Limit) -> String {
    switch limit {
    case .count(let count): grouped(count)
    case .size(let doubtful, _):
      doubtful >= 1_000_000_000 ? "\(doubtful / 1_000_000_000) GB" : "\(doubtful / 1_000_000) MB"
    }
  }

  private func expectSection(_ name: String, toBe expected: String) throws {
    let readme = try String(contentsOfFile: Self.path, encoding: .utf8)
    let start = try #require(readme.range(of: "<!-- \(name) -->\n"))
    let end = try #require(readme.range(of: "<!-- /\(name) -->"))
    let range = start.upperBound..<end.lowerBound
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try readme.replacingCharacters(in: range, with: expected).write(
        toFile: Self.path, atomically: true, encoding: .utf8)
    } else {
      #expect(readme[range] == expected)
    }
  }
}
