#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// This process and its environment.
package enum ThisProcess {
  /// Makes room for small allocations of this thread, for which the C library would ask the system page by page.
  package static func reserveMemory(forBytes size: Int) {
    UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16).deallocate()
  }

  /// The words of the command line behind the program's name, byte for byte.
  package static var arguments: [[UInt8]] {
    // Swift reads them from /proc, which is not everywhere.
    let words =
      CommandLine.argc > 0
      ? UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) : Platform.startWords
    return words.dropFirst().compactMap { word in
      word.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// The environment variables; the first one of each name.
  package static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(text[..<equals])
        if variables[name] == nil { variables[name] = String(text[text.index(after: equals)...]) }
      }
      next += 1
    }
    return variables
  }

  /// Seconds of a monotonic clock.
  package static var seconds: Double { seconds(of: CLOCK_MONOTONIC) }

  /// Processor seconds that this process has used.
  package static var processorSeconds: Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// Processor seconds that this thread has used.
  package static var threadSeconds: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func seconds(of clock: clockid_t) -> Double { Double(nanoseconds(of: clock)) / 1e9 }

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time of day, in nanoseconds since 1970.
  package static var time: Int64 { nanoseconds(of: CLOCK_REALTIME) }

  /// Rests for some seconds, or until a signal.
  package static func rest(seconds: Double) {
    var time = timespec(seconds: seconds)
    nanosleep(&time, nil)
  }

  /// Allows this process as many open files as its user may have.
  package static func raiseFileLimit() {
    var limit = rlimit()
    getrlimit(openFileLimit, &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(openFileLimit, &limit)
  }

  /// The modification time of a file that is written now, in nanoseconds since 1970.
  package static var fileTime: Int64 { nanoseconds(of: Platform.fileClock) }

  /// Changes the current folder, which all threads share.
  package static func enter(_ folder: String) throws(SystemError) {
    if chdir(folder) != 0 { throw SystemError(during: "enter", path: folder) }
  }
}

/// The process's settings, made before any work.
extension ThisProcess {
  /// Opens /dev/null for each closed standard stream, so that no other file gets its descriptor.
  package static func openClosedStreams() {
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The lowest free descriptor is the stream's, since those below it are open.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Makes writes to a closed pipe and beyond the file size limit fail with an error instead of ending the process.
  package static func ignoreSignalsOfWrites() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
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
      new.handler = { endByCrash($0) }
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

  /// Gives signal handlers a stack of their own, since the main thread's may be what could not grow.
  private static func useOwnStackForSignals() {
    let size = 1 << 16
    guard let memory = malloc(size) else { return }
    var stack = stack_t()
    stack.ss_sp = memory
    stack.ss_size = size
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
