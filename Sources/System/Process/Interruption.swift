#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// A request to end the process: Ctrl-C, or a signal from the caller.
///
/// Signals reach the whole process, so there is one global state; operations on files check it and fail with
/// EINTR.
package enum Interruption {
  private static let pending = Atomic<Int32>(0)
  private static let isIgnored = Atomic(false)

  /// From here on SIGINT, SIGTERM and SIGHUP end the work by an error; a second signal ends the process at once.
  package static func listen() {
    var listened = sigset_t()
    sigemptyset(&listened)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      // A signal that was ignored from the start, as by `nohup`, stays ignored.
      if sigaction(number, nil, &old) == 0, isIgnoring(old) { continue }
      var action = sigaction()
      action.handler = { number in
        Interruption.pending.store(number, ordering: .relaxed)
      }
      // No SA_RESTART: a signal must end the wait for a lock.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
      sigaddset(&listened, number)
    }
    // A parent that starts processes from a thread that blocks signals passes the block on, which is never
    // intended.
    pthread_sigmask(SIG_UNBLOCK, &listened, nil)
  }

  /// The signal that was received; nil for none.
  package static var signal: Int32? {
    let number = pending.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Throws once a signal has been received.
  package static func check() throws(SystemError) {
    if pending.load(ordering: .relaxed) != 0 && !isIgnored.load(ordering: .relaxed) {
      throw SystemError(during: "go on", path: "", code: EINTR)
    }
  }

  /// From here on signals no longer interrupt file operations: for clean-up, and for the end of a publication.
  package static func ignore() { isIgnored.store(true, ordering: .relaxed) }

  /// The name of the received signal.
  package static var cause: String {
    switch pending.load(ordering: .relaxed) {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "a signal"
    }
  }

  /// Ends the process by the signal, so that its parent sees the cause.
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
  /// Whether the cause is a signal, not a failure.
  package var isInterruption: Bool { code == EINTR }
}

/// Has a signal end the process again.
private func resetSignalHandler(of number: Int32) { signal(number, SIG_DFL) }
