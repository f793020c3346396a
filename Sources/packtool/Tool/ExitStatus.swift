import Formats
import Model
import Packing
import Pipeline
import System

/// The exit status of a run.
enum ExitStatus: Int32, CaseIterable {
  /// The run succeeded, with or without warnings.
  case done = 0
  case inputHasErrors = 1
  case usage = 2
  /// Reading or writing failed because of the system, or memory ran out.
  case machineFailed = 3

  /// The status of a run that reported these findings.
  init(of findings: Findings) { self = findings.hasErrors ? .inputHasErrors : .done }

  /// The status in the list of exit statuses, for the manual and the page about exit statuses.
  var row: HelpRow {
    let meaning =
      switch self {
      case .done: "success; there may be warnings"
      case .inputHasErrors: "the input has errors"
      case .usage: "the command line is wrong, or an environment variable has a wrong value"
      case .machineFailed: "a file could not be read or written, or memory ran out"
      }
    return HelpRow("\(rawValue)", text: meaning)
  }

  /// The last row of the list: a run that a signal ended has no status of its own.
  static let signalRow = HelpRow(
    "130, 143 and so on",
    text: "a signal ended packtool. Shells show 128 plus the number of the signal: 130 for Ctrl-C, 143 for "
      + "SIGTERM")
}

// Handles errors that end a run. Each error is reported and has an exit status.
extension Session {
  func status(after error: any Error) -> ExitStatus {
    switch error {
    case let error as SystemError where error.isClosedPipe: return .done
    case let mistake as FlagMistake: return refuse(mistake.message)
    case let mistake as ReplacedInput: return refuse(mistake.description)
    case let error as InterruptedBuild:
      interrupt("; temporary files were removed, and \(quoted(error.path)) is unchanged")
    case let error as SystemError where error.isInterruption: interrupt("")
    case let error as SystemError where error.leavesCheckout: return refuse(error)
    case let error as SystemError where error.isFullDisk:
      reportError("\(FullDisk(error, outputPath: error.path))", check: .machineFailure)
    default: reportError(Self.words(on: error), check: .machineFailure)
    }
    return .machineFailed
  }

  /// Returns the message about a failure of the machine.
  private static func words(on error: any Error) -> String {
    guard let refused = (error as? SystemError)?.refusedFolder else { return "\(error)" }
    return
      "cannot create the folder \(quoted(refused.path)): \(refused.reason); choose another folder with -o"
  }

  /// Reports an input file that is outside a checkout.
  ///
  /// The path of the file leads through a symlink inside the checkout.
  private func refuse(_ error: SystemError) -> ExitStatus {
    guard let reports else {
      reportError("\(error)")
      return .inputHasErrors
    }
    let findings = Findings(
      manifestPath: "", sources: nil, diagnostics: [Diagnostic(refusing: error)].compactMap(\.self))
    reports.add(findings)
    if let format = reports.outputs.onStandardError, !format.isDocument {
      let screen = Screen(width: nil, isColored: false, showsAll: showsAll)
      writeToStandardError(format.output(of: findings, on: screen, base: reports.base))
    }
    return .inputHasErrors
  }

  private func interrupt(_ more: String) {
    let message = "interrupted by \(Interruption.cause)\(more)"
    fail("\(message)", message: message, check: .interruptedRun)
    // The signal is ignored from here on, because the findings so far must still be written.
    Interruption.ignore()
  }
}
