import Support
import Testing
@testable import System
@testable import packtool

extension Tool {
  /// Runs a command line in the same way as the program.
  static func run(
    _ words: [String], environment: [String: String], terminal: some Terminal
  ) -> packtool.ExitStatus {
    let reads = Monitor<Set<EnvironmentVariable>>([])
    let variables = Environment(environment) { variable in reads.change { _ = $0.insert(variable) } }
    let session = Session(environment: variables, terminal: terminal, groups: CommandGroup.all)
    let status = run(bytes: words.map { Array($0.utf8) }, session: session)
    if let command = session.command(named: words.first ?? "")?.description {
      expectManual(of: command, toCover: reads.change { $0 }, status: status)
    }
    return status
  }

  /// Expects that the manual page of a command lists the variables that a run read, and its exit status.
  private static func expectManual(
    of command: CommandDescription, toCover reads: Set<EnvironmentVariable>, status: packtool.ExitStatus
  ) {
    let missing = reads.subtracting(command.variables.flatMap(\.variables))
    #expect(missing == [], "\(command.name) reads variables that it does not declare")
    #expect(command.exitStatuses.contains(status), "\(command.name) ends with a status that it does not have")
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
