import Support
import Testing
@testable import packtool

@Suite struct ToolTests {
  @Test func `version is a result`() {
    let run = runTool("--version")
    #expect(run.status == .done)
    #expect(run.output == "packtool \(Tool.version)\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `without a command the overview goes to standard error`() {
    let run = runTool()
    #expect(run.status == .usage)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("usage: packtool COMMAND"))
  }

  @Test(arguments: [
    ("bild", #""bild" "build""#),
    ("--verison", #""--verison" "--version""#),
    ("version", #""version" "--version""#),
  ])
  func `unknown commands are guessed`(word: String, facts: String) {
    let run = runTool(word)
    #expect(run.status == .usage)
    #expect(run.errors.hasFacts(facts))
  }

  /// A manifest's paths are relative to its folder, but a pipe has no folder.
  @Test(arguments: ["-", "/dev/null"]) func `manifests are files`(argument: String) {
    let run = runTool("validate", argument)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("missing-manifest"))
  }

  @Test func `a message says where flags before the command belong`() {
    let run = runTool("-o", "out", "build")
    #expect(run.status == .usage)
    #expect(
      run.errors.hasPrefix("packtool: error: flags must come after the command: packtool build -o\n"))
  }

  /// A flag that would have no effect is refused, because the user expects an effect.
  @Test(arguments: ["diff", "explain", "import", "inspect", "unpack"], ["--submission", "--limits=wwdc15"])
  func `limits are for commands that check them`(command: String, flag: String) {
    let run = runTool(command, "nowhere", "nowhere", flag)
    #expect(run.status == .usage)
    #expect(run.errors.refuses(naming: "\(flag.prefix { $0 != "=" })"))
  }
}
