/// Failures of the run itself.
///
/// Machine-readable reports, such as JSON, contain them as findings. Without such a report, packtool prints
/// them to standard error.
extension Check {
  package static let runChecks: [Check] = [
    wrongCommandLine, linkEscapesCheckout, machineFailure, interruptedRun,
  ]

  package static let wrongCommandLine = runFailure(
    "wrong-command-line", summary: "the command line, or an environment variable, is wrong",
    explanation:
      "packtool ended with exit status 2 before it did anything. `packtool help COMMAND` lists the flags of "
      + "a command.")
  package static let linkEscapesCheckout = runFailure(
    "link-escapes-checkout", summary: "an input file is a symlink that leads out of the checkout",
    explanation:
      "A checkout can come from a stranger, for example from a pull request, and findings quote parts of "
      + "files. So packtool does not follow a symlink out of a Git, Mercurial or Subversion working tree. "
      + "Put the file into the checkout, or name the file that the symlink points to.")
  package static let machineFailure = runFailure(
    "machine-failure", summary: "a file could not be read or written, or packtool ran out of memory",
    explanation:
      "packtool ended with exit status 3. The message names the file and the system's reason, such as a full "
      + "disk. The previous build is unchanged.")
  package static let interruptedRun = runFailure(
    "interrupted-run", summary: "a signal ended the run",
    explanation:
      "A signal ended the run. packtool removed its temporary files, and the previous build is unchanged.")
}
