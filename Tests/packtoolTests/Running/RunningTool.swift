import Support
@testable import packtool

/// Runs one command line, given as a list, in this process.
func runTool(
  words: [String], environment: [String: String] = [:], isScreen: Bool = false
) -> (status: ExitStatus, output: String, errors: String) {
  let terminal = CapturedTerminal(isScreen: isScreen)
  let status = Tool.run(words, environment: environment, terminal: terminal)
  return (status, terminal.output, terminal.errors)
}
