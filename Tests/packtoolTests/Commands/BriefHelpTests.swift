import Formats
import Foundation
import Support
import Testing
@testable import packtool

/// Tests the help of commands, of groups of their flags, and of topics.
@Suite struct BriefHelpTests {
  private static let commands = CommandGroup.all.commands.map(\.name)

  /// Returns the flags at the beginning of lines of help.
  private func flags(in help: String) -> [String] {
    help.split(separator: "\n").compactMap { line in
      line.prefixMatch(of: /\ {2,6}(?:-[A-Za-z], )?(--[a-z-]+)/).map { String($0.output.1) }
    }
  }

  /// Returns the keys at the beginning of lines of help, as the names of settings.
  private func settings(in help: String) -> [String] {
    help.split(separator: "\n").compactMap { line in
      line.prefixMatch(of: /\ \ ([a-z]+[A-Za-z.]*?)[.=][A-Z]|  ([a-z.A-Z]+)=true/).map {
        "--set " + ($0.output.1 ?? $0.output.2 ?? "")
      }
    }
  }

  @Test(arguments: commands) func `the brief help fits on one screen`(name: String) throws {
    let command = try #require(CommandGroup.all.command(named: name))
    let brief = command.description.briefHelp(tool: "packtool", width: 80)
    let lines = brief.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 24, "\(brief)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(brief)")
    #expect(flags(in: brief).count <= 10)
    #expect(runTool(name, "-h").output.hasPrefix("usage: packtool \(name)"))
  }

  @Test(arguments: commands) func `the complete help has every flag once`(name: String) throws {
    let command = try #require(CommandGroup.all.command(named: name))
    let text = runTool(name, "--help").output
    let shown = flags(in: text) + settings(in: text)
    #expect(shown.sorted() == command.description.flags.map(\.name).sorted())
    #expect(text == runTool("help", name).output || Command.topics.contains(name))
    // Each group has exactly its own flags.
    let groups = command.description.flagGroups
    let grouped = groups.flatMap { group in
      let text = runTool("help", name, group).output
      return flags(in: text) + settings(in: text)
    }
    let expected = command.description.flags.filter { $0.group != nil }.map(\.name)
    #expect(grouped.sorted() == expected.sorted())
  }

  @Test func `build has the groups that the brief help names`() {
    let brief = runTool("build", "-h").output
    for group in ["layout", "background-assets", "signing", "settings"] {
      #expect(brief.contains(group))
      #expect(runTool("help", "build", group).status == .done)
    }
    for flag in ["--output", "--submission", "--strict", "--baseline", "--layout", "--diagnostics"] {
      #expect(flags(in: brief).contains(flag))
    }
    #expect(runTool("help", "build", "layot").errors.contains("\"layout\""))
    #expect(runTool("help", "manifest", "layout").status == .usage)
  }

  @Test(arguments: Command.topics) func `every page is a topic`(topic: String) throws {
    let text = runTool("help", topic).output
    #expect(text.split(separator: "\n").count > 5)
    // A page begins with its title. Blocks of code can have lines that begin with "#".
    #expect(!text.hasPrefix("#"))
    for line in text.split(separator: "\n") where !line.hasPrefix("    ") {
      // The row of a table begins and ends with a pipe. A command with a pipe can be broken before it.
      #expect(!line.contains("`") && !line.contains("](") && !(line.hasPrefix("|") && line.hasSuffix("|")))
      #expect(line.count <= 100 || !line.contains(" ") || line.contains("  "), "\(line)")
    }
  }

  @Test func `each page has a topic`() {
    #expect(Command.topics.count > searchedPages.count)
    for topic in ["background-assets", "on-demand", "ci", "from-the-talks", "manifest", "scenario"] {
      #expect(Command.topics.contains(topic))
    }
  }

  @Test(arguments: commands) func `a command has few flags`(name: String) throws {
    let flags = try #require(CommandGroup.all.command(named: name)).description.flags
    #expect(flags.count { $0.setting == nil } <= 35)
  }

  @Test func `a deprecated flag works and names its successor`() throws {
    let site = try TwoReleases(["A/x": "1", "A/y": "2"], ["A/x": "123", "A/y": "2"])
    for (words, successor) in [
      (["--budget-pack", "A=1"], "--set budgets.packs.TAGS=SIZE"),
      (["--budget-update=1", "--baseline", site.old], "--set budgets.updateSize=SIZE"),
      (["--baseline", "none", "--baseline-optional"], "--severity missing-baseline=note"),
      (["--findings", site.folder.path("f")], "--diagnostics text=FILE"),
      (["--embed-packs", "--layout", "xcode"], "--set layout.embedPacks=true"),
    ] {
      let run = runTool(words: ["validate", site.new] + words)
      #expect(run.errors.contains("is deprecated; use \(successor)\n"), "\(run.errors)")
      #expect(run.status == (words[0].hasPrefix("--budget") ? .inputHasErrors : .done), "\(run.errors)")
      let quiet = runTool(words: ["validate", site.new, "--quiet"] + words)
      #expect(quiet.status == run.status && !quiet.errors.contains("deprecated"))
    }
  }

  @Test func `a setting is checked`() throws {
    let site = try TwoReleases(["A/x": "1", "A/y": "2"], ["A/x": "123", "A/y": "2"])
    for (word, texts) in [
      ("layout.urlPrefx=x", ["\"layout.urlPrefx\"", "did you mean \"layout.urlPrefix\""]),
      ("compression", ["--set compression=VALUE"]), ("colour=always", ["packtool help build settings"]),
      ("layout.embedPacks=yes", ["\"--set layout.embedPacks\" needs \"true\" or \"false\", not \"yes\""]),
      ("layout.urlPrefix=", ["\"--set layout.urlPrefix\" needs a value"]),
    ] {
      let run = runTool("build", site.new, "-o", site.folder.path("out"), "--set", word)
      #expect(run.status == .usage && texts.allSatisfy(run.errors.contains), "\(run.errors)")
    }
    #expect(runTool("build", site.new, "-o", "x", "--set").errors.contains("--set KEY=VALUE"))
    let off = ["--set", "layout.embedPacks=false"]
    #expect(runTool(words: ["validate", site.new] + off).status == .done)
  }

  @Test func `a removed flag names its successor`() {
    for (words, successor) in [
      (["validate", ".", "--output-file", "x"], "--diagnostics text=FILE"),
      (["tags", "--swift", "-", "--budget-update", "1"], "validate"),
      (["tags", "--swift", "-", "--submission"], "validate"),
      (["plan", ".", "--report", "x.html"], "packtool report"),
      (["diff", "a", "b", "--report=x.html"], "--baseline"),
      (["tags", "--swift", "-", "--scan-jobs", "2"], "--jobs"),
      (["init", "--strict"], "validate"), (["unpack", "--severity", "tag-size=error"], "validate"),
      (["fmt", "-j", "2"], "threads"), (["inspect", "--jobs=2"], "threads"), (["serve", "-j2"], "threads"),
    ] {
      let run = runTool(words: words)
      #expect(run.status == .usage && run.errors.contains("was removed") && run.errors.contains(successor))
      #expect(!run.errors.contains("unexpected argument"))
    }
    #expect(!runTool("validate", ".", "--submission").errors.contains("was removed"))
  }

  /// A flag that changes nothing would only make help longer.
  @Test func `shared flags are only where they do something`() throws {
    let without = [
      "--strict": ["fmt", "init", "inspect", "unpack"], "--severity": ["init", "inspect", "unpack"],
      "--jobs": ["fmt", "inspect", "serve"],
    ]
    for command in CommandGroup.all.commands {
      let names = command.description.flags.map(\.name)
      guard names.contains("--diagnostics") else { continue }
      for (flag, commands) in without {
        #expect(names.contains(flag) != commands.contains(command.name), "\(command.name) \(flag)")
      }
    }
  }

  @Test func `a check is a topic`() {
    #expect(runTool("help", "tag-size").output == runTool("checks", "tag-size").output)
    #expect(runTool("help", "tag-siz").errors.contains("tag-size"))
  }

  @Test func `Markdown becomes text of a width`() {
    let page = """
      # A page

      <!-- a comment -->
      Some **bold** words, `code`, and [a link](Other.md#place) that are wrapped
      to lines of the width.

      - one element that is longer than the width of these lines
      - two

      ## A table

      | key | meaning |
      |---|---|
      | `a` | a text that is so long that it needs two lines |
      | `b\\|c` | short |

      ```sh
      packtool plan | less
      ```
      """
    #expect(
      MarkdownText(page, width: 40).text == """
        A page
        ======

        Some bold words, code, and a link that
        are wrapped to lines of the width.

        - one element that is longer than the
          width of these lines
        - two

        A table
        -------

        key  meaning
        ---  -----------------------------------
        a    a text that is so long that it
             needs two lines
        b|c  short

            packtool plan | less

        """)
  }

  @Test func `a table that is too wide becomes a list`() {
    let page = """
      | limit | `app-store-ios18` | `background-assets` | `wwdc16-tvos` |
      |---|---|---|---|
      | one pack | 8 GB | | 512 MB |
      | a limit whose name is so long that it needs two lines | 1 | 2 | 3 |
      """
    #expect(
      MarkdownText(page, width: 40).text == """
        - one pack
          app-store-ios18: 8 GB
          wwdc16-tvos: 512 MB
        - a limit whose name is so long that
            it needs two lines
          app-store-ios18: 1
          background-assets: 2
          wwdc16-tvos: 3

        """)
  }

  @Test(arguments: sample(1, of: [40, 80, 100])) func `tables fit into every width`(width: Int) throws {
    let folder = "\(packageFolder)/Sources/packtool/packtool.docc"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".md") {
      let page = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let tables = page.split(separator: "\n\n").filter { $0.hasPrefix("|") }
      for table in tables {
        let wide = MarkdownText(String(table), width: width).lines.filter { line in
          // A single word, such as a URL, can be longer than a line.
          line.count > width && line.drop { " -".contains($0) }.contains(" ")
        }
        #expect(wide.isEmpty, "\(name): \(wide)")
      }
    }
  }
}
