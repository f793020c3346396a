import Archiving

ThisProcess.ignoreClosedPipes()
let status = Tool.run(
  Array(CommandLine.arguments.dropFirst()), environment: ThisProcess.environment, terminal: SystemTerminal())
ThisProcess.end(status.rawValue)
