import Glibc

/// What a process of the tool sets right before its work.
extension ThisProcess {
  /// Opens /dev/null in place of standard streams that are closed: the next file would be taken for them.
  package static func openClosedStreams() {
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is the stream's, for those below it are open.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Lets a write beyond the limit on the size of files fail like any other instead of ending the process.
  package static func ignoreFileSizeSignal() {
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Lets a crash end the process at once, unless the user asked for a backtrace by `SWIFT_BACKTRACE`.
  ///
  /// Swift's own handlers stop all threads and start another program meanwhile: without memory one waited 120 s for a
  /// thread that never stopped, and held the lock of the output.
  package static func endAtCrashes() {
    if getenv("SWIFT_BACKTRACE") != nil { return }
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      var old = sigaction()
      if sigaction(number, nil, &old) == 0, isFunction(old) { signal(number, SIG_DFL) }
    }
  }

  /// Whether a signal calls a function, and is not ignored from the start.
  private static func isFunction(_ action: sigaction) -> Bool {
    // SIG_DFL and SIG_IGN are the numbers 0 and 1 in the place of one.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) > 1
  }
}
