import Testing

@testable import packtool

@Suite struct ToolTests {
  @Test func versionIsAResult() {
    let run = runTool("--version")
    #expect(run.status == .done)
    #expect(run.output == "packtool \(Tool.version)\n")
    #expect(run.errors.isEmpty)
  }

  @Test func withoutACommandTheOverviewGoesToStandardError() {
    let run = runTool()
    #expect(run.status == .usage)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("usage: packtool COMMAND"))
  }

  @Test(arguments: [
    ("bild", "packtool: error: unknown command \"bild\"; did you mean \"build\"?\n"),
    ("--verison", "packtool: error: unknown flag \"--verison\"; did you mean \"--version\"?\n"),
  ])
  func unknownCommandsAreGuessed(word: String, message: String) {
    let run = runTool(word)
    #expect(run.status == .usage)
    #expect(run.errors.hasPrefix(message))
  }
}
