import Support
import System
@testable import packtool

extension Tool {
  /// Runs a command line in the same way as the program.
  static func run(
    _ words: [String], environment: [String: String], terminal: some Terminal
  ) -> ExitStatus {
    let session = Session(environment: Environment(environment), terminal: terminal, groups: Command.groups)
    return run(bytes: words.map { Array($0.utf8) }, session: session)
  }
}

/// Runs a command line, given as a list of words, in this process.
func runTool(
  words: [String], environment: [String: String] = [:], isScreen: Bool = false
) -> ToolResult {
  let terminal = CapturedTerminal(isScreen: isScreen)
  let status = Tool.run(words, environment: environment, terminal: terminal)
  return ToolResult(status: status, output: terminal.output, errors: terminal.errors)
}
