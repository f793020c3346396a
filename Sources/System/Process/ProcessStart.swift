import Glibc

/// What the tool sets for its process before it begins to work.
extension ThisProcess {
  /// Opens /dev/null for each closed standard stream, so that no other file gets its descriptor.
  package static func openClosedStreams() {
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The lowest free descriptor is the stream's, since those below it are open.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Makes a write beyond the file size limit fail with an error instead of ending the process.
  package static func ignoreFileSizeSignal() {
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Makes a crash end the process at once, unless the user asked for a backtrace by `SWIFT_BACKTRACE`.
  ///
  /// Swift's own handlers stop all threads and start another program: out of memory, one waited 120 s for a thread
  /// that never stopped, and held the lock on the output.
  package static func endAtCrashes() {
    if getenv("SWIFT_BACKTRACE") != nil { return }
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      var old = sigaction()
      if sigaction(number, nil, &old) == 0, isFunction(old) { signal(number, SIG_DFL) }
    }
  }

  /// Whether a signal has a handler function, rather than the default action or being ignored.
  private static func isFunction(_ action: sigaction) -> Bool {
    // SIG_DFL and SIG_IGN are the numbers 0 and 1 instead of a function.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) > 1
  }
}
