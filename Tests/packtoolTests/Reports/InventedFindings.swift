@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
@testable import packtool
import Support
import Testing

/// Findings of every sort, whose words no check uses: about the manifest and about files, with attached lines, with places
/// and without places.
///
/// The reports about them do not change when the words of a check do.
struct InventedFindings {
  private static let manifestPath = "/game/Manifest.json"

  /// The manifest contains a tab, and characters of four bytes before the places of findings.
  private static let manifest = """
    {
      "bundleIdentifier": "com.example.rich",
      "root": "Assets",
      "resources": [
        { "path": "Levels", "tags": ["Levels 🏰", "Levels 🏰"] },
    \t{ "path": "100%: a,b", "tags": ["Odd",\t"Odd"] },
        { "path": "Levels", "tags": ["Levels 🏰"] },
        { "path": "Lost", "tags": ["Odd"] }
      ],
      "initialInstallTags": ["Odd"],
      "prefetchTagOrder": ["Levls 🏰"],
      "limits": { "packSize": 100 },
      "colour": true
    }

    """

  private static let all: [Diagnostic] = [
    Diagnostic(
      .duplicateRule, message: "\"Levels\" again", at: place(line: 7, column: 15),
      notes: [.init("it was here", at: place(line: 5, column: 15))]),
    Diagnostic(.noMatch, message: "no \"Lost\" & no <other>", at: place(line: 8, column: 15)),
    Diagnostic(
      .unknownTag, message: "\"Levls 🏰\", 100%: 'what', \\ and \"?\"", at: place(line: 11, column: 24),
      fix: edit("\"Levls 🏰\"", to: "\"Levels 🏰\"")),
    Diagnostic(.unknownKey, message: "not known", at: place(line: 13, column: 3)),
    Diagnostic(
      .packSize, message: "{\"Levels 🏰\"} has 163, not 100", at: place(line: 5, column: 34),
      notes: [.init("a first detail: a, b"), .init("a second detail"), .help("help with \"quotes\"")],
      measurement: .init(163, limit: 100)),
    Diagnostic(
      .repeatedTag, message: "after characters of four bytes", at: place(line: 5, column: 49),
      notes: [.init("it was here", at: place(line: 5, column: 34))], fix: edit(", \"Levels 🏰\"", to: "")),
    Diagnostic(
      .repeatedTag, message: "after tabs", at: place(line: 6, column: 41),
      notes: [.init("it was here", at: place(line: 6, column: 34))], fix: edit(",\t\"Odd\"", to: "")),
    Diagnostic(
      .unportableName, message: "odd \"<&> \\\"'.txt\"", at: Place("/game/Assets/100%: a,b/<&> \"'.txt")),
    Diagnostic(.emptyFile, message: "nothing", at: Place("/game/Assets/100%: a,b/<&> \"'.txt")),
    Diagnostic(.lfsPointer, message: "points; away", at: Place("/game/Assets/100%: a,b/pointer.png")),
    Diagnostic(.executableContent, message: "runs", at: Place("/game/Assets/100%: a,b/tool")),
  ]

  private static func place(line: Int, column: Int) -> Place {
    Place(manifestPath, position: .init(line: line, column: column))
  }

  /// Returns an edit of the first place where the manifest contains a text; nil if there is none.
  private static func edit(_ old: String, to new: String) -> TextEdit? {
    manifest.utf8.firstRange(of: old.utf8).map { range in
      let start = manifest.utf8.distance(from: manifest.utf8.startIndex, to: range.lowerBound)
      return TextEdit(start..<(start + old.utf8.count), replacement: new)
    }
  }

  private struct Options: ReportingOptions {
    var shared = SharedOptions()
    var format: OutputFormat { .text }
  }

  /// A command that finds all this, with the flags that every command has.
  private static let command = Command(
    CommandSyntax<Options>(
      name: "find", summary: "find what was invented",
      flags: SharedOptions.flags(in: \.shared, about: [.limits])), defaults: Options.init
  ) { options, _, session in
    let findings = options.shared.judged(
      all, sources: SourceText(path: manifestPath, bytes: Array(manifest.utf8)), manifestPath: manifestPath)
    session.report(findings, options: options.shared)
    return ExitStatus(of: findings)
  }

  /// Returns the standard error of a command that finds all this.
  static func report(_ flags: String...) throws -> String {
    let terminal = CapturedTerminal()
    let status = try command.run(flags, Session(environment: Environment([:]), terminal: terminal))
    #expect(status == .inputHasErrors)
    return terminal.errors
  }
}
