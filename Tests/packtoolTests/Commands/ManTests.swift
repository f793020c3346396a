@testable import Model
@testable import System
@testable import packtool
import Foundation
import Support
import Testing

/// Tests the contents of manual pages.
///
/// `CompletionsTests` checks them with man and mandoc. `Tool.run` in the tests checks for each run that the
/// page lists the variables that the run read, and its exit status.
@Suite struct ManTests {
  // Pages are kept, because each takes some time, and several tests look at it.
  private static let pages = Monitor<[[String]: String]>([:])

  private static func page(_ name: String...) -> String {
    if let page = pages.change({ $0[name] }) { return page }
    let page = runTool(words: ["man"] + name).output
    pages.change { $0[name] = page }
    return page
  }

  /// Returns the headings of a page, and the lines below each heading.
  private static func sections(of page: String) -> [(heading: String, lines: [Substring])] {
    page.components(separatedBy: "\n.SH ").dropFirst().map { section in
      let lines = section.split(separator: "\n")
      return (String(lines[0]), Array(lines.dropFirst()))
    }
  }

  /// Returns the bold labels of a section.
  private static func labels(_ heading: String, of page: String) -> [String] {
    let lines = sections(of: page).first { $0.heading == heading }?.lines ?? []
    return zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map { _, label in
      String(label).replacing(/\\f[BIP]/, with: "").replacing("\\-", with: "-")
    }
  }

  @Test(arguments: CommandGroup.all.commands.map(\.name)) func `each page has all sections`(
    command: String
  ) throws {
    let description = try #require(CommandGroup.all.command(named: command)?.description)
    let optional = ["ARGUMENTS": !description.arguments.isEmpty, "EXAMPLES": !description.examples.isEmpty]
    let expected = [
      "NAME", "SYNOPSIS", "DESCRIPTION", "ARGUMENTS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES",
      "EXAMPLES", "SEE ALSO",
    ]
    let headings = Self.sections(of: "\n" + Self.page(command)).map(\.heading)
    #expect(headings == expected.filter { optional[$0] ?? true })
    #expect(Self.labels("EXIT STATUS", of: Self.page(command)).last == "130, 143 and so on")
  }

  @Test(arguments: [
    ("build", ["0", "1", "2", "3"]), ("verify", ["0", "1", "2", "3"]), ("checks", ["0", "2", "3"]),
    ("man", ["0", "2", "3"]),
  ]) func `statuses are those of the command`(command: String, statuses: [String]) {
    #expect(Self.labels("EXIT STATUS", of: Self.page(command)).dropLast() == statuses[...])
  }

  @Test func `variables are those of the command`() {
    let shared = [
      "NO_COLOR", "FORCE_COLOR, CLICOLOR_FORCE", "CI", "TERM", "GITHUB_WORKSPACE, CI_PROJECT_DIR",
    ]
    let crashes = ["SWIFT_BACKTRACE"]
    #expect(Self.labels("ENVIRONMENT", of: Self.page("plan")) == shared + crashes)
    #expect(
      Self.labels("ENVIRONMENT", of: Self.page("build"))
        == ["SOURCE_DATE_EPOCH"] + shared + ["PATH"] + crashes)
    #expect(Self.labels("ENVIRONMENT", of: Self.page("merge")) == ["SOURCE_DATE_EPOCH"] + shared + crashes)
    #expect(Self.labels("ENVIRONMENT", of: Self.page("verify")) == shared + ["TMPDIR"] + crashes)
    #expect(Self.labels("ENVIRONMENT", of: Self.page("checks")) == crashes)
  }

  /// Each variable must have an effect, and each effect must belong to a command.
  @Test func `all variables are in the manual`() {
    #expect(Set(VariableUse.all.flatMap(\.variables)) == Set(EnvironmentVariable.allCases))
    #expect(
      Set(CommandGroup.all.commands.flatMap(\.description.variables)) == Set(VariableUse.all))
    let labels = Self.labels("ENVIRONMENT", of: Self.page()).flatMap { $0.components(separatedBy: ", ") }
    #expect(Set(labels) == Set(EnvironmentVariable.allCases.map(\.rawValue)))
  }

  /// All code must read variables by their cases, because otherwise the manual could miss a variable.
  @Test func `variables are read by their cases`() throws {
    var reads: Set<String> = []
    for (file, text) in try Self.sources() where file != "System/Basics/Environment.swift" {
      for read in text.matches(of: /\bgetenv\((?!EnvironmentVariable\.)|nvironment(?:\.all)?\["/) {
        reads.insert("\(file): \(read.output)")
      }
      for variable in EnvironmentVariable.allCases where text.contains("\"\(variable.rawValue)\"") {
        reads.insert("\(file): \(variable.rawValue)")
      }
    }
    #expect(reads == [])
  }

  /// `Tool.run` in the tests sees only variables that a command reads from its session.
  ///
  /// If code in another file reads a variable of the process, declare the variable at each command that uses
  /// this code, and then add the file to this list.
  @Test func `variables of the process are read in few files`() throws {
    let files = try Self.sources().filter {
      $0.value.contains("ThisProcess.environment") || $0.value.contains("getenv(")
    }
    #expect(
      Set(files.keys) == [
        "packtool/main.swift", "Inspect/Verification/PackVerifier.swift", "System/Process/ThisProcess.swift",
        "System/Platform/POSIX.swift",
      ])
  }

  /// Returns the source files of the program, by their paths below `Sources`.
  ///
  /// The library for apps is not a part of the program.
  private static func sources() throws -> [String: String] {
    let folder = "\(packageFolder)/Sources"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("OnDemand")
    }
    return try Dictionary(
      uniqueKeysWithValues: files.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
    )
  }

  @Test func `files are those of the command`() {
    let build = Self.labels("FILES", of: Self.page("build"))
    let expected = [
      "Manifest.json, Manifest.jsonc", "DIR/index.json", "DIR/contents.<digest>.json", "DIR/packs/",
      "DIR/.packtool/", ".git, .hg, .svn",
    ]
    #expect(Set(expected).subtracting(build) == [])
    #expect(Self.labels("FILES", of: Self.page("checks")) == [])
    #expect(Self.page("checks").contains("packtool checks reads and writes no files with fixed names."))
  }

  /// The page must contain each key of the schema, at any depth.
  @Test func `page of the manifest has all keys`() throws {
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(Manifest.schemaText.utf8)) as? [String: Any])
    let keys = Self.keys(of: schema, below: "")
    #expect(keys.count > 50 && keys.contains("resources[].traits.idiom") && keys.contains("limits.profile"))
    #expect(Set(Self.labels("KEYS", of: Self.page("manifest"))) == keys)
  }

  private static func keys(of schema: [String: Any], below path: String) -> Set<String> {
    var keys: Set<String> = []
    let properties = schema["properties"] as? [String: Any] ?? [:]
    // The keys of `severity` are ids of checks, which are not keys of their own.
    if path == "severity." { return [] }
    for (name, value) in properties where name != "$comment" {
      keys.insert(path + name)
      keys.formUnion(Self.keys(of: value as? [String: Any] ?? [:], below: path + name + "."))
    }
    for other in schema["anyOf"] as? [[String: Any]] ?? [] {
      keys.formUnion(Self.keys(of: other, below: path))
    }
    if let items = schema["items"] as? [String: Any] {
      keys.formUnion(Self.keys(of: items, below: path.dropLast() + "[]."))
    }
    return keys
  }

  @Test func `page of the manifest has types and defaults and an example`() {
    let page = Self.page("manifest")
    #expect(page.hasPrefix(".TH PACKTOOL-MANIFEST 5 "))
    let headings = Self.sections(of: "\n" + page).map(\.heading)
    #expect(headings.prefix(4) == ["NAME", "SYNOPSIS", "DESCRIPTION", "KEYS"])
    #expect(headings.suffix(2) == ["EXAMPLES", "SEE ALSO"])
    let text = page.replacing(/\\f[BIP]/, with: "").replacing("\\-", with: "-").replacing("\\(dq", with: "\"")
      .replacing("\n", with: " ")
    #expect(text.contains("\"zip\", \"tar.gz\", \"tar.zst\" or \"folder\"; default: \"zip\"."))
    #expect(text.contains("\"bundleIdentifier\": \"com.example.game\","))
    #expect(!text.contains("](") && !text.contains("`"))
  }

  @Test func `pages lead to related pages`() {
    let references = { (page: String) in
      Self.sections(of: page).last?.lines.map { $0.replacing("\\-", with: "-") } ?? []
    }
    let build = references(Self.page("build"))
    #expect(build.first == ".BR packtool (1),")
    #expect(build.contains(".BR packtool-merge (1),") && build.last == ".BR packtool-manifest (5)")
    #expect(references(Self.page("manifest")).contains(".BR packtool-build (1),"))
    #expect(references(Self.page()).last == ".BR packtool-manifest (5)")
  }

  @Test func `a wrong name is guessed`() {
    #expect(runTool("man", "manifets").errors.contains("did you mean \"manifest\"?"))
    #expect(runTool("completions", "words", "--", "man", "mani").output.contains("\nmanifest\t"))
  }
}
