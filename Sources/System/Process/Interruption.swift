#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// A request to end the process: Ctrl-C, or a signal from another process.
///
/// A signal reaches the whole process, so there is one global state. Operations on files check this state and
/// fail with EINTR if a signal was received.
package enum Interruption {
  private static let pending = Atomic<Int32>(0)
  private static let isIgnored = Atomic(false)

  /// From this call on, SIGINT, SIGTERM and SIGHUP make packtool stop its work with an error.
  ///
  /// A second signal ends the process immediately.
  package static func listen() {
    var listened = sigset_t()
    sigemptyset(&listened)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      // A signal that the process ignored from the start, for example because of `nohup`, stays ignored.
      if sigaction(number, nil, &old) == 0, isIgnoring(old) { continue }
      var action = sigaction()
      action.handler = { number in
        Interruption.pending.store(number, ordering: .relaxed)
      }
      // SA_RESTART is not set, because a signal must end the wait for a lock.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
      sigaddset(&listened, number)
    }
    // The parent may have started this process from a thread that blocks these signals. In this case, the
    // signals are also blocked in this process, although nobody intended that.
    pthread_sigmask(SIG_UNBLOCK, &listened, nil)
  }

  /// The signal that was received; nil if no signal was received.
  package static var signal: Int32? {
    let number = pending.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Throws if a signal has been received.
  package static func check() throws(SystemError) {
    if pending.load(ordering: .relaxed) != 0 && !isIgnored.load(ordering: .relaxed) {
      throw SystemError(during: "go on", path: "", code: EINTR)
    }
  }

  /// From this call on, signals no longer interrupt file operations.
  ///
  /// This function is called for the clean-up and at the end of a publication.
  package static func ignore() { isIgnored.store(true, ordering: .relaxed) }

  package static var cause: String {
    switch pending.load(ordering: .relaxed) {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "a signal"
    }
  }

  /// Ends the process with the signal.
  ///
  /// The parent process then sees the cause.
  package static func end(by number: Int32) -> Never {
    resetSignalHandler(of: number)
    kill(getpid(), number)
    ThisProcess.end(128 + number)
  }
}

func isIgnoring(_ action: sigaction) -> Bool {
  // SIG_IGN is the number 1 instead of a function.
  unsafeBitCast(action.handler, to: Int.self) == 1
}

extension SystemError {
  /// Whether a signal caused the error, and not a failure.
  package var isInterruption: Bool { code == EINTR }
}

/// Restores the default action of a signal, which ends the process.
private func resetSignalHandler(of number: Int32) { signal(number, SIG_DFL) }
