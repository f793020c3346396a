@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests completions in real shells, and manual pages in the programs that show them.
@Suite(.serialized) struct CompletionsTests {
  /// The command that starts each shell without user settings, and the keys that trigger a completion.
  private static let shells: [(shell: String, start: [String], setup: String)] = [
    ("bash", ["bash", "--norc", "--noprofile", "-i"], "source ./script"),
    ("zsh", ["zsh", "-f", "-i"], "autoload -Uz compinit && compinit -u -D && source ./script"),
    ("fish", ["fish", "--no-config", "-i"], "source ./script"),
  ]

  static func isInstalled(_ program: String) -> Bool {
    ((try? run("sh", ["-c", "command -v \(program)"]))?.status ?? 1) == 0
  }

  private struct Task: Encodable {
    let shell: [String]
    let lines: [String]
  }

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("script", "")
    try folder.writeManifest(
      [.glob("Levels/*/**", templates: "Level $1"), .path("Music", "Music")], root: "Assets")
    for name in ["Levels/one/map", "Music/a"] { try folder.write("Assets/\(name)", name) }
    return folder
  }

  @Test(arguments: shellScripts.map(\.key)) func `the shell completes`(shell: String) throws {
    try #require(Self.isInstalled(shell), "run .ci/setup --acceptance")
    let (_, start, setup) = try #require(Self.shells.first { $0.shell == shell })
    let folder = try project()
    try folder.write("script", runTool("completions", shell).output)
    try folder.link("bin/packtool", to: packtoolProgram())
    let lines = [
      setup, "packtool checks empty-f\t> 0", "packtool plan --for\tjs\tManif\t> 1",
      "packtool pla\t--format=te\t> 2",
      "packtool explain Level\t> 3", "packtool build -o out", "packtool unpack ou\t --tag Mu\t-o un",
      "packtool help dif\t> 4",
      "packtool plan -q --severity empty-file=wa\t> 5", "packtool --vers\t> 6",
    ]
    let task = try JSONEncoder().encode(Task(shell: start, lines: lines))
    try folder.write("task.json", task)
    let search = "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let result = try run(
      "sh", ["-c", "python3 '\(packageFolder)/Tests/Fixtures/Shells/drive.py' < task.json"], in: folder.path,
      environment: ["PATH": search, "HOME": folder.path])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let output = { (number: Int) in try String(decoding: folder.read("\(number)"), as: UTF8.self) }
    #expect(try output(0).contains("empty-file"))
    #expect(try output(1).hasPrefix("{"))
    #expect(try output(2).hasPrefix("com.example.game: 2 packs"))
    #expect(try output(3).hasPrefix("tag \"Level one\""))
    #expect(try output(4).hasPrefix("usage: packtool diff"))
    #expect(try output(5).hasPrefix("com.example.game: 2 packs"))
    #expect(try output(6).hasPrefix("packtool "))
    #expect(try folder.read("un/Music/a") == Data("Music/a".utf8))
  }

  @Test func `words have their meanings`() throws {
    let run = runTool("completions", "words", "--", "pl")
    #expect(run.output == "none\nplan\tshow the packs that a build would write: tags, sizes, order\n")
    #expect(runTool("completions", "words", "--", "simulate", "").output == "files .json\n")
    #expect(
      runTool("completions", "words", "--", "build", "--severity", "empty-file=n").output.hasPrefix(
        "none\nempty-file=note\t"))
    #expect(runTool("completions", "words", "--").status == .done)
    #expect(runTool("completions", "tcsh").status == .usage)
  }

  @Test func `packs of a built folder and of a manifest are offered`() throws {
    let folder = try project()
    let tags = runTool("completions", "words", "--", "-C", folder.path, "explain", "Mu")
    #expect(tags.output.hasPrefix("files\n"))
    #expect(
      runTool("completions", "words", "--", "explain", "a.b.", folder.path).output == "files\n")
    let subjects = runTool("completions", "words", "--", "explain", "")
    #expect(subjects.status == .done)
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    #expect(
      runTool("completions", "words", "--", "unpack", folder.path("out"), "--tag", "").output
        == "none\nLevel one\ton demand\nMusic\ton demand\n")
  }

  @Test func `a page of the manual per command and format`() throws {
    try #require(Self.isInstalled("mandoc"), "run .ci/setup --acceptance")
    let folder = try TemporaryFolder()
    #expect(runTool("man", "-o", folder.path).status == .done)
    let names = try folder.files(below: ".").keys.sorted()
    let commands = ["packtool.1"] + CommandGroup.all.commands.map { "packtool-\($0.name).1" }
    #expect(names == (commands.map { "man1/\($0)" } + ["man5/packtool-manifest.5"]).sorted())
    let lint = try run("mandoc", ["-Tlint", "-W", "warning"] + names.map { folder.path($0) })
    #expect(lint.output + lint.errors == "")
    for name in names {
      let page = try run(
        "man", ["--warnings", "-l", folder.path(name)],
        environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"])
      #expect(page.status == 0 && page.errors == "", "\(name): \(page.errors)")
      #expect(page.output.contains("NAME") && page.output.contains("SEE ALSO"), "\(name)")
    }
  }

  @Test func `pages say what help says`() throws {
    let plain = { (text: String) in
      text.replacing(/.\u{8}/, with: "").split { $0.isWhitespace || $0 == "-" }.joined(separator: " ")
    }
    for command in CommandGroup.all.commands {
      let page = plain(
        runTool("man", command.name).output.replacing("\\-", with: "-").replacing("\\(dq", with: "\"")
          .replacing("\\(aq", with: "'"))
      for flag in command.description.flags {
        #expect(page.contains(plain(flag.summary)), "\(command.name) \(flag.name)")
      }
    }
    #expect(runTool("man", "biuld").errors.contains("did you mean \"build\"?"))
    #expect(runTool("man", "-o", "x", "build").status == .usage)
  }
}
