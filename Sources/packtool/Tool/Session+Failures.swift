import Findings
import Packing
import System

// How a run says why it failed: in the document of findings where standard error is one, else as a line.
extension Session {
  /// Reports why the tool cannot continue.
  func complain(_ message: String, _ check: Check = .wrongCommandLine) {
    fail("error: \(message)", message, check)
  }

  /// Reports a mistake in the command line or the environment.
  func refuse(_ mistake: UsageMistake) -> ExitStatus {
    complain(mistake.message)
    return .usage
  }

  /// Reports the error that ended a run.
  func status(after error: any Error) -> ExitStatus {
    switch error {
    case let error as SystemError where error.isClosedPipe: return .done
    case let error as InterruptedBuild:
      interrupt("; temporary files were removed, \(quoted(error.path)) is as it was before")
    case let error as SystemError where error.isInterruption: interrupt("")
    default: complain("\(error)", .machineFailure)
    }
    return .machineFailed
  }

  private func interrupt(_ more: String) {
    let message = "interrupted by \(Interruption.cause)\(more)"
    fail("\(message)", message, .interruptedRun)
    // The findings so far are still to be written.
    Interruption.ignore()
  }

  private func fail(_ line: PlainText, _ message: String, _ check: Check) {
    reports?.add(check, message)
    if reports?.outputs.isDocument != true { explain("\(Tool.name): \(line)\n") }
  }

  /// Runs a command whose findings go where its options say, also if it fails.
  func reporting(_ options: SharedOptions, _ body: (Session) throws -> ExitStatus) -> ExitStatus {
    let reports = FindingReports(options, environment)
    var session = self
    session.reports = reports
    var status: ExitStatus
    do { status = try body(session) } catch { status = session.status(after: error) }
    do {
      try reports.writeFiles(session)
    } catch {
      let failed = session.status(after: error)
      if failed != .done { status = failed }
    }
    reports.writeDocument(session)
    return status
  }
}
