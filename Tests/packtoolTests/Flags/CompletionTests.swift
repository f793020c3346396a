@testable import packtool
import Support
import Testing

/// Tests which completions of a command line are proposed.
@Suite struct CompletionTests {
  private let commands = [
    build.description,
    CommandDescription(
      name: "list", summary: "list things",
      arguments: [
        Argument("FORM", summary: "a form", kind: .choice(["short", "long"])),
        Argument("FILE", summary: "files", kind: .file(.input, suffixes: [".json"]), count: 0...3),
      ],
      flags: [
        FlagDescription(
          ["--tag", "-t"], valueName: "TAG", kind: .named(.tag), summary: "a tag", addsUp: true),
        FlagDescription(["--form"], valueName: "FORM", kind: .form(["json", "sarif"]), summary: "a form"),
        FlagDescription(["--quiet", "-q"], valueName: nil, kind: .text, summary: "say nothing"),
        FlagDescription(["--output", "-o"], valueName: "DIR", kind: .folder, summary: "a folder"),
      ]),
  ]

  private func complete(_ words: String...) -> Completion {
    let flags = [
      Completion.Candidate("--help", summary: "help"), Completion.Candidate("-C", summary: ""),
    ]
    return Completion(of: words, commands: commands, toolFlags: flags)
  }

  private func words(_ completion: Completion) -> [String] { completion.candidates.map(\.word) }

  @Test func `commands come first`() {
    #expect(words(complete("")) == ["build", "list"])
    #expect(words(complete("l")) == ["list"])
    #expect(words(complete("-")) == ["--help", "-C"])
    #expect(words(complete("--h")) == ["--help"])
    #expect(complete("l").candidates.first?.summary == "list things")
    #expect(words(complete("nothing", "")) == [])
    #expect(complete("-C", "").files == "folders")
    #expect(words(complete("-C", "x", "li")) == ["list"])
  }

  @Test func `flags are offered once unless they add up`() {
    #expect(words(complete("list", "--")) == ["--tag", "--form", "--quiet", "--output"])
    #expect(words(complete("list", "-q", "--tag", "x", "--")) == ["--tag", "--form", "--output"])
    #expect(words(complete("list", "-qo", "x", "--")) == ["--tag", "--form"])
    #expect(words(complete("list", "--output=x", "-")).contains("-o") == false)
    #expect(words(complete("list", "--", "--")) == [])
  }

  @Test func `values are of their kind`() {
    #expect(complete("list", "-o", "").files == "folders")
    #expect(complete("list", "--output=").files == "folders")
    #expect(words(complete("list", "--form", "s")) == ["sarif"])
    #expect(words(complete("list", "--form=")) == ["--form=json", "--form=sarif"])
    #expect(complete("list", "--form", "json=x").files == "files")
    #expect(complete("list", "--form=json=x").files == "files")
    #expect(complete("list", "a", "b", "-t", "").lookup?.positionals == ["a", "b"])
    var tags = complete("list", "--tag=Lev")
    let names = ["Level 1", "Music"].map { Completion.Candidate($0, summary: "") }
    tags.add(names, completing: "--tag=Lev")
    #expect(words(tags) == ["--tag=Level 1"])
  }

  @Test func `arguments are in their places`() {
    #expect(words(complete("list", "")) == ["short", "long"])
    #expect(complete("list", "long", "x").files == "files .json")
    #expect(complete("list", "long", "x", "y", "").files == "files .json")
    #expect(complete("list", "long", "x", "y", "z", "").files == "none")
    #expect(complete("list", "--", "long", "").files == "files .json")
  }

  @Test(arguments: [
    [], ["", ""], ["-C"], ["list", "-", ""], ["list", "="], ["list", "--=", ""], ["-C", "", ""],
  ])
  func `odd words are no trouble`(words: [String]) {
    _ = Completion(of: words, commands: commands)
  }

  @Test(arguments: [
    (["checks", "emp"], "empty-file"), (["validate", "--severity", "empty-file="], "empty-file=error"),
    (["help", "bu"], "build"), (["devices", "iPhone17"], "iPhone17,1"), (["schema", "sc"], "scenario"),
    (["plan", "--device", "iPad7"], "iPad7,7"),
  ])
  func `names that the tool looks up are completed`(words: [String], name: String) {
    let run = runTool(words: ["completions", "words", "--"] + words)
    #expect(run.status == .done)
    #expect(run.output.split(separator: "\n").dropFirst().contains { $0.hasPrefix("\(name)\t") })
  }
}
