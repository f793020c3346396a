import System

struct SystemTerminal: Terminal {
  func write(_ text: String, to stream: StandardStream) throws(SystemError) { try stream.write(text) }

  func write(_ bytes: ByteBuffer, to stream: StandardStream) throws(SystemError) { try stream.write(bytes) }

  func isScreen(_ stream: StandardStream) -> Bool { stream.isTerminal }

  func width(of stream: StandardStream) -> Int? { stream.width }
}

ThisProcess.openClosedStreams()
ThisProcess.endAtCrashes()
ThisProcess.endAtExits()
ThisProcess.ignoreSignalsOfWrites()
Platform.keepFreedMemory()
Interruption.listen()
// The session is a global constant, so its memory is not freed before the process ends. The system then frees
// all memory of the process.
let session = Session(
  environment: ThisProcess.environment, terminal: SystemTerminal(), groups: CommandGroup.all)
let status = Tool.run(bytes: ThisProcess.arguments, session: session)
// The parent process must see that this process ended because of a signal, and not because of a failure.
if status == .machineFailed, let signal = Interruption.signal { Interruption.end(by: signal) }
ThisProcess.end(status.rawValue)
