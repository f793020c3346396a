/// Failures of the run itself.
///
/// Machine-readable reports, such as JSON, contain them as findings. Otherwise they are lines on standard
/// error.
extension Check {
  package static let runChecks: [Check] = [
    wrongCommandLine, linkEscapesCheckout, machineFailure, interruptedRun,
  ]

  package static let wrongCommandLine = runFailure(
    "wrong-command-line", summary: "the command line, or a variable of the environment, is wrong",
    explanation:
      "The run ended with status 2 before its work. `packtool help COMMAND` lists the flags of a command.")
  package static let linkEscapesCheckout = runFailure(
    "link-escapes-checkout", summary: "an input file is a symlink that leads out of the checkout",
    explanation:
      "A checkout may come from a stranger, as that of a pull request does, and findings quote what they are about. So "
      + "packtool does not read a file that a symlink inside of a working tree of Git, Mercurial or Subversion leads to "
      + "outside of that. Put the file into the checkout, or name the file that the symlink leads to.")
  package static let machineFailure = runFailure(
    "machine-failure", summary: "a file could not be read or written, or memory ran out",
    explanation:
      "The run ended with status 3. The message names the file and the reason of the system, such as a full disk. The "
      + "build before is as it was.")
  package static let interruptedRun = runFailure(
    "interrupted-run", summary: "a signal ended the run",
    explanation:
      "The run ended by the signal. Temporary files were removed, and the build before is as it was.")
}
