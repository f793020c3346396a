import System

ThisProcess.openClosedStreams()
ThisProcess.endAtCrashes()
ThisProcess.ignoreClosedPipes()
ThisProcess.ignoreFileSizeSignal()
ThisProcess.keepFreedMemory()
Interruption.listen()
let status = Tool.run(
  Array(CommandLine.arguments.dropFirst()), environment: ThisProcess.environment, terminal: SystemTerminal())
// Whoever waits for the process is to see that it was a signal that ended it, not a failure.
if status == .machineFailed, let signal = Interruption.signal { Interruption.end(by: signal) }
ThisProcess.end(status.rawValue)
