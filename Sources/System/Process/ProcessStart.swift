import Glibc
import Synchronization

/// The process's settings, made before any work.
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

  /// Makes a crash end the process at once, unless the user asked for a backtrace by `SWIFT_BACKTRACE`; one for want
  /// of memory is told and ends with status 3, like every failure of the machine.
  ///
  /// Swift's own handlers stop all threads and start another program: out of memory, one waited 120 s for a thread
  /// that never stopped, and held the lock on the output.
  package static func endAtCrashes() {
    if getenv("SWIFT_BACKTRACE") != nil { return }
    useOwnStackForSignals()
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      var old = sigaction()
      // A signal that the parent process has set to be ignored stays so.
      guard sigaction(number, nil, &old) == 0, !isIgnoring(old) else { continue }
      var new = sigaction()
      new.__sigaction_handler.sa_handler = { endByCrash($0) }
      new.sa_flags = SA_ONSTACK
      sigaction(number, &new, nil)
    }
  }

  /// Makes a library's exit for lack of memory print a message and end with status 3: libarchive exits with 1, the status
  /// for mistakes that were found.
  package static func endAtExits() {
    atexit { if !isEnding.load(ordering: .relaxed) { ThisProcess.endForWantOfMemory() } }
  }

  /// Ends the process.
  package static func end(_ status: Int32) -> Never {
    isEnding.store(true, ordering: .relaxed)
    exit(status)
  }

  /// A pointer from a C library; a null pointer ends the process as out of memory.
  package static func allocated<Pointer>(_ pointer: Pointer?) -> Pointer {
    if let pointer { return pointer }
    endForWantOfMemory()
  }

  /// Ends the process with a message, and without allocating; what a build has staged is for the next to remove.
  package static func endForWantOfMemory() -> Never {
    let message: StaticString =
      "packtool: error: there is not enough memory; raise what \"ulimit -v\" allows, or use fewer threads by \"-j\"\n"
    _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    _exit(3)
  }

  /// Whether a signal is ignored.
  private static func isIgnoring(_ action: sigaction) -> Bool {
    // SIG_IGN is the number 1 instead of a function.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
  }

  /// Gives signal handlers a stack of their own, since the main thread's may be what could not grow.
  private static func useOwnStackForSignals() {
    let size = 1 << 16
    guard let memory = malloc(size) else { return }
    var stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: size)
    sigaltstack(&stack, nil)
  }
}

/// Ends the process from a signal handler, where nothing may allocate.
private func endByCrash(_ number: Int32) {
  // Swift and C++ end the process by a trap or an abort when an allocation fails. Whether that was the reason is seen
  // by asking for memory now: no limit that leaves half a gigabyte makes packtool fail.
  let probe = 1 << 29
  let memory = mmap(nil, probe, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  if memory == MAP_FAILED && number != SIGQUIT { ThisProcess.endForWantOfMemory() }
  // The default action follows as soon as the handler returns.
  signal(number, SIG_DFL)
  raise(number)
}

/// Whether packtool itself ends the process.
private let isEnding = Atomic(false)
