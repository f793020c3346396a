import Support
import Testing

/// Checks the scripts that are embedded in packtool, using the programs that run such scripts.
@Suite struct ScriptTests {
  @Test(arguments: [
    ("packtool/Shared/Page/reportScript.js", ["node", "--check"]),
    ("Serving/Watching/gaugeScript.js", ["node", "--check"]),
    ("packtool/Help/bashCompletion.bash", ["bash", "-n"]),
    ("packtool/Help/bashCompletion.bash", ["shellcheck", "--shell=bash", "--severity=error"]),
    ("packtool/Help/zshCompletion.zsh", ["zsh", "-n"]),
    ("packtool/Help/fishCompletion.fish", ["fish", "--no-execute"]),
  ]) func `the script is right`(file: String, checker: [String]) throws {
    try #require(CompletionsTests.isInstalled(checker[0]), "run .ci/setup --acceptance")
    let result = try run(checker[0], Array(checker.dropFirst()) + ["\(packageFolder)/Sources/\(file)"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
