/// How a run of the tool ends.
enum ExitStatus: Int32 {
  /// Done, with warnings or without.
  case done = 0
  case inputHasErrors = 1
  case usage = 2
  /// The machine failed: reading, writing or memory.
  case machineFailed = 3
}
