import Foundation
import Support
import Testing
@testable import packtool

/// Tests the formats of a plan, the order of its lines, and its appearance on a screen.
@Suite struct PlanFormTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest(
      [
        .path("a", "Zoo"), .path("b", "Cave, deep"), .path("c", "Attic", "Zoo"),
        .path("d", #"=SUM(A1)"|<b>"#), .path("e", "Start"),
      ], members: #""severity": { "similar-tag": "ignore" }"#, #""initialInstallTags": ["Start"]"#)
    for (name, size) in [("a", 300), ("b", 20), ("c", 4000), ("d", 1), ("e", 50)] {
      try folder.write(name, String(repeating: name, count: size))
    }
    return folder
  }

  private func onDemand(_ output: String) -> [String] {
    output.split(separator: "\n").filter { $0.hasPrefix("  -  ") }.map { line in
      line.dropFirst(5).components(separatedBy: "  ")[0]
    }
  }

  @Test func `packs on demand are in order of their tags`() throws {
    let path = try folder()
    #expect(
      onDemand(runTool("plan", path.path).output) == ["=SUM(A1)\\\"|<b>", "Attic + Zoo", "Cave, deep", "Zoo"])
    let bySize = runTool("plan", path.path, "--sort", "size", "--top", "2").output
    #expect(onDemand(bySize) == ["Attic + Zoo", "Zoo"])
    #expect(bySize.contains("  and 2 more packs\n"))
    #expect(bySize.contains("on demand: 4 packs, 4 files, 4.32 kB"))
    #expect(runTool("plan", path.path, "--sort", "nothing").status == .usage)
    #expect(runTool("plan", path.path, "--top", "0").status == .usage)
  }

  @Test func `markdown has tables`() throws {
    let folder = try folder()
    let output = runTool("plan", folder.path, "--format", "markdown").output
    #expect(
      output.hasPrefix(
        "### com.example.game\n\n|  | packs | files | size |\n| --- | --: | --: | --: |\n| initial install | 1 | 1 | 50 bytes |\n"
      ))
    #expect(output.contains("| =SUM(A1)\"\\|&lt;b&gt; | on demand | 1 | 1 byte |\n"))
  }

  /// Web services remove escapes first, and look for links, mentions and references after that.
  @Test(arguments: [
    ("www.evil.com", "www&#8203;.evil.com"), ("WWW.a", "WWW&#8203;.a"), ("https://a", "https:&#8203;//a"),
    ("a@b.c", "a@&#8203;b.c"), ("#123", "\\#&#8203;123"), ("a/b#1", "a/b\\#&#8203;1"),
    ("Gh-26", "Gh-&#8203;26"),
    ("!7", "\\!&#8203;7"), ("&7", "&amp;&#8203;7"), ("5 % of it", "5 % of it"), ("C#", "C\\#"),
    ("(+5 %)", "(+5 %)"), ("~\"a b\"", "\\~&#8203;\"a b\""),
    ("a: b", "a: b"),
    ("show. www", "show. www"),
  ])
  func `nothing in Markdown refers`(text: String, escaped: String) {
    #expect(MarkdownForm.escaped(text) == escaped)
  }

  @Test(.enabled(if: Python.plain != nil, "no python3 here"))
  func `csv is read by others`() throws {
    let folder = try folder()
    let output = runTool("plan", folder.path, "--format", "csv").output
    let script = """
      import csv
      rows = list(csv.DictReader(open('plan.csv', newline='')))
      print([(r['tags'], r['delivery'], r['size'], r['packed']) for r in rows])
      """
    let run = try #require(Python.plain).run(script, over: [("plan.csv", output)])
    #expect(
      run.output
        == "[('Start', 'initialInstall', '50', ''), ('\\'=SUM(A1)\"|<b>', 'onDemand', '1', ''), ('Attic+Zoo', 'onDemand', '4000', ''), ('Cave, deep', 'onDemand', '20', ''), ('Zoo', 'onDemand', '300', '')]\n",
      "\(run.errors)")
  }

  @Test func `screens get bars colours and their width`() throws {
    let folder = try folder()
    let tags = (0..<12).map { "\"Some words of tag \($0)\"" }.joined(separator: ", ")
    try folder.writeManifest(rules: #"{"path": "a", "tags": [\#(tags)]}"#, app: "a")
    let screen = runTool("plan", folder.path, isScreen: true).output
    #expect(screen.contains("\u{1b}[1m") && screen.contains("████████████"))
    #expect(screen.split(separator: "\n").areAll { $0.screenWidth <= 80 }, "\(screen)")
    #expect(screen.contains("Some words of tag 11"))
    let plain = runTool("plan", folder.path).output
    #expect(!plain.contains("\u{1b}") && !plain.contains("█"))
    #expect(
      !runTool("plan", folder.path, environment: ["NO_COLOR": "1"], isScreen: true).output.contains("\u{1b}"))
  }

  @Test(arguments: ["FORCE_COLOR", "CLICOLOR_FORCE"])
  func `colours can be forced`(variable: String) throws {
    let folder = try folder()
    func isColored(_ environment: [String: String], _ flags: String...) -> Bool {
      let terminal = CapturedTerminal()
      _ = Tool.run(["plan", folder.path] + flags, environment: environment, terminal: terminal)
      return terminal.output.contains("\u{1b}[")
    }
    #expect(isColored([variable: "1", "CI": "true"]))
    #expect(!isColored([variable: "0"]) && !isColored([variable: ""]) && !isColored([:]))
    #expect(!isColored([variable: "1", "NO_COLOR": "1"]))
    #expect(!isColored([variable: "1"], "--color", "never"))
  }
}
