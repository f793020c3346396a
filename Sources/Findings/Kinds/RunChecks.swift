/// Failures of a run itself, which documents of findings report in place of lines on standard error.
extension Check {
  package static let runChecks: [Check] = [wrongCommandLine, machineFailure, interruptedRun]

  package static let wrongCommandLine = runFailure(
    "wrong-command-line", "the command line, or a variable of the environment, is wrong",
    "The run ended with status 2 before its work. `packtool help COMMAND` lists the flags of a command.")
  package static let machineFailure = runFailure(
    "machine-failure", "a file could not be read or written, or memory ran out",
    "The run ended with status 3. The message names the file and the reason of the system, such as a full disk. The "
      + "build before is as it was.")
  package static let interruptedRun = runFailure(
    "interrupted-run", "a signal ended the run",
    "The run ended by the signal. Temporary files were removed, and the build before is as it was.")
}
