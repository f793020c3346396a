/// How a run ended, as scripts see it.
enum ExitStatus: Int32 {
  /// Done, with warnings or without.
  case done = 0
  /// The input has errors.
  case inputHasErrors = 1
  /// The command line is wrong.
  case usage = 2
  /// The machine failed: reading, writing or memory.
  case machineFailed = 3
}
