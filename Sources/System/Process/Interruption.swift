import Glibc
import Synchronization

/// A wish from outside that the process end: Ctrl-C, or a signal from whoever runs it.
///
/// Signals reach the process, not a part of it, so there is one state for all; it is looked at by whatever reads
/// or writes files, which then fails as if the system had.
package enum Interruption {
  private static let pending = Atomic<Int32>(0)
  private static let isSettled = Atomic(false)

  /// From here on SIGINT, SIGTERM and SIGHUP let the work end by an error; a second one ends the process at once.
  package static func listen() {
    var listened = sigset_t()
    sigemptyset(&listened)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      // What was ignored from the start, as `nohup` does, stays ignored.
      if sigaction(number, nil, &old) == 0, isIgnored(old) { continue }
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        Interruption.pending.store(number, ordering: .relaxed)
      }
      // No SA_RESTART: who waits for a lock is to wake up.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
      sigaddset(&listened, number)
    }
    // Who starts others from a thread that blocks signals hands that on, by accident: nobody means to be deaf.
    pthread_sigmask(SIG_UNBLOCK, &listened, nil)
  }

  /// The signal that came; nil where none did.
  package static var signal: Int32? {
    let number = pending.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Throws once a signal has come.
  package static func check() throws(SystemError) {
    if pending.load(ordering: .relaxed) != 0 && !isSettled.load(ordering: .relaxed) {
      throw SystemError("go on", "", code: EINTR)
    }
  }

  /// Lets what must still be done be done: clearing up after an interruption, or the end of what cannot be undone.
  package static func settle() { isSettled.store(true, ordering: .relaxed) }

  /// The name of the signal that came.
  package static var cause: String {
    switch pending.load(ordering: .relaxed) {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "a signal"
    }
  }

  /// Ends the process by the signal, so that whoever waits for it sees what it died of.
  package static func end(by number: Int32) -> Never {
    Glibc.signal(number, SIG_DFL)
    kill(getpid(), number)
    exit(128 + number)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    // SIG_IGN is the number 1 in the place of a function.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}

extension SystemError {
  /// Whether nothing failed but a signal asked the process to end.
  package var isInterruption: Bool { code == EINTR }
}
