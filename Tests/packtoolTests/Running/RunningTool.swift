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
    if let name = words.first, let command = ManualFacts.of(name, in: session) {
      let missing = reads.change { $0 }.subtracting(command.variables)
      #expect(missing == [], "\(name) reads variables that it does not declare")
      #expect(command.exitStatuses.contains(status), "\(name) ends with a status that it does not have")
    }
    return status
  }
}

/// The variables that a command reads, and its exit statuses, as its manual page lists them.
private struct ManualFacts {
  let variables: Set<EnvironmentVariable>
  let exitStatuses: [packtool.ExitStatus]

  // The facts are kept, because most tests run a command, and describing it takes longer than many runs.
  private static let known = Monitor<[String: ManualFacts?]>([:])

  /// Returns the facts of the command with a name; nil if there is no such command.
  static func of(_ name: String, in session: Session) -> ManualFacts? {
    if let facts = known.change({ $0[name] }) { return facts }
    let facts = session.command(named: name).map { command in
      let description = command.description
      return ManualFacts(
        variables: Set(description.variables.flatMap(\.variables)),
        exitStatuses: description.exitStatuses)
    }
    known.change { $0[name] = .some(facts) }
    return facts
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
