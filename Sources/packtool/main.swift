import System

ThisProcess.openClosedStreams()
ThisProcess.endAtCrashes()
ThisProcess.ignoreClosedPipes()
ThisProcess.ignoreFileSizeSignal()
ThisProcess.keepFreedMemory()
Interruption.listen()
let status = Tool.run(
  bytes: ThisProcess.arguments, environment: ThisProcess.environment, terminal: SystemTerminal())
// The parent process must see that a signal ended the process, not a failure.
if status == .machineFailed, let signal = Interruption.signal { Interruption.end(by: signal) }
ThisProcess.end(status.rawValue)
