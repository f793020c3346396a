@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
@testable import packtool
import Foundation
import Support
import Testing

/// Compares the page "From the talks" with the limits, checks, commands and keys that the page mentions.
@Suite(.serialized) struct FromTheTalksTests {
  private static let path = "\(packageFolder)/Sources/packtool/packtool.docc/FromTheTalks.md"

  private static func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// The profiles whose numbers are on the page.
  private static let profiles = ["wwdc15", "wwdc16", "wwdc16-tvos", "app-store"].compactMap(
    LimitProfile.named)

  private static func text(_ limit: Limit?, of kind: LimitKind) -> String {
    guard let doubtful = limit?.doubtful else { return "–" }
    if kind == .packCount { return grouped(doubtful) }
    return doubtful >= 1_000_000_000 ? "\(doubtful / 1_000_000_000) GB" : "\(doubtful / 1_000_000) MB"
  }

  /// The page must contain every limit, with the limit's key, its check and its number in each profile.
  @Test func `the numbers are those of the profiles`() throws {
    let names = Self.profiles.map { "`\($0.name)`" }.joined(separator: " | ")
    var table =
      "| limit | key | check | \(names) |\n|---|---|---|\(Self.profiles.map { _ in "---|" }.joined())\n"
    for kind in LimitKind.allCases {
      let cells = Self.profiles.map { Self.text($0.limits[kind], of: kind) }.joined(separator: " | ")
      table += "| \(kind.title) | `\(kind.rawValue)` | `\(kind.check.id)` | \(cells) |\n"
    }
    let page = try Self.text()
    let start = try #require(page.range(of: "<!-- numbers -->\n")).upperBound
    let end = try #require(page.range(of: "<!-- /numbers -->")).lowerBound
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try page.replacingCharacters(in: start..<end, with: table).write(
        toFile: Self.path, atomically: true, encoding: .utf8)
    } else {
      #expect(page[start..<end] == table)
    }
  }

  /// Returns whether words in backticks are known.
  ///
  /// They can be a check, a key, a profile, a step, or a command with its flags.
  private func isKnown(_ words: String) -> Bool {
    let parts = words.split(separator: " ").map(String.init)
    let steps = StepDraft.kinds.flatMap { $0.keys.map(\.name) }
    let keys = Manifest.schemaText.matches(of: /"(\w+)": \{/).map { String($0.output.1) }
    if parts.count == 1 {
      let names =
        Check.all.map(\.id) + LimitKind.allCases.map(\.rawValue) + LimitProfile.all.map(\.name) + steps + keys
        + CommandGroup.all.commands.map(\.description.name) + ["--submission", "allowsCellular"]
      return names.contains(words)
    }
    if parts[0] == "--limits" { return LimitProfile.named(parts[1]) != nil }
    guard let command = CommandGroup.all.commands.first(where: { $0.description.name == parts[0] })
    else { return false }
    let help = command.description.help(tool: Tool.name, width: 120)
    return parts.dropFirst().allSatisfy { part in
      if part.hasPrefix("--") { return help.contains(part) }
      return help.contains(part) || FileManager.default.fileExists(atPath: "\(packageFolder)/\(part)")
    }
  }

  @Test func `all that the tables name exists`() throws {
    let rows = try Self.text().split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains(" GB ") }
    #expect(rows.count > 35)
    var names = 0
    for row in rows {
      let last = row.dropLast(2).components(separatedBy: " | ").last ?? ""
      for match in last.matches(of: /`([^`]+)`/) {
        names += 1
        #expect(isKnown(String(match.output.1)), "\(match.output.1)")
      }
      for match in row.matches(of: /Examples\/\w+/) {
        #expect(FileManager.default.fileExists(atPath: "\(packageFolder)/\(match.output)"), "\(match.output)")
      }
    }
    #expect(names > 40 && !isKnown("plan --nothing") && !isKnown("nothing"))
  }

  /// Each row of advice must refer to something: a name, an example or a page.
  @Test func `each row leads somewhere`() throws {
    let page = try Self.text()
    let advice = try #require(page.range(of: "## The advice"))
    let end = try #require(page.range(of: "## Not a packer's job"))
    let rows = page[advice.upperBound..<end.lowerBound].split(separator: "\n").dropFirst(2)
    #expect(rows.count > 25)
    for row in rows {
      #expect(row.contains("`") || row.contains("Examples/") || row.contains("]("), "\(row)")
    }
  }

  /// Users who know the talks search for these words.
  @Test(arguments: [
    ("enterprise", "Layouts"), ("TestFlight", "Layouts"), ("xcode server", "Serving"),
    ("Disk gauge", "Reports"), ("cellular", "Limits"), ("over-purge", "SimulationModel"),
  ]) func `the search finds words of the talks`(word: String, page: String) {
    let run = runTool("help", "--search", word)
    #expect(run.status == .done)
    for name in [page, "FromTheTalks"] {
      #expect(run.output.split(separator: "\n").contains { $0.hasPrefix("\(name).md ") }, "\(run.output)")
    }
  }

  @Test func `a word of no page is refused`() {
    let run = runTool("help", "--search", "xyzzyplugh")
    #expect(run.status == .usage && run.errors.refuses(naming: "xyzzyplugh"))
  }
}
