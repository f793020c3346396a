#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

package enum ThisProcess {
  /// Reserves memory for small allocations of this thread.
  ///
  /// Otherwise, the C library would request the memory page by page.
  package static func reserveMemory(forBytes size: Int) {
    UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16).deallocate()
  }

  /// The arguments after the program's name, byte for byte.
  package static var arguments: [[UInt8]] {
    // Swift would read the arguments from /proc, which may not be mounted.
    let words =
      CommandLine.argc > 0
      ? UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) : Platform.startWords
    return words.dropFirst().compactMap { word in
      word.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// The environment variables.
  ///
  /// If a name occurs more than once, the first value is used.
  package static var environment: Environment {
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
    return Environment(variables)
  }

  /// The time of a monotonic clock, in seconds.
  package static var seconds: Double { seconds(of: CLOCK_MONOTONIC) }

  /// The processor time that this process has used, in seconds.
  package static var processorSeconds: Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// The processor time that this thread has used, in seconds.
  package static var threadSeconds: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func seconds(of clock: clockid_t) -> Double { Double(nanoseconds(of: clock)) / 1e9 }

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time of day, in nanoseconds since 1970.
  package static var time: Int64 { nanoseconds(of: CLOCK_REALTIME) }

  /// Sleeps for some seconds, or until a signal arrives.
  package static func sleep(seconds: Double) {
    var time = timespec(seconds: seconds)
    nanosleep(&time, nil)
  }

  /// Raises this process's limit for open files to the maximum that the user may set.
  package static func raiseFileLimit() {
    var limit = rlimit()
    getrlimit(openFileLimit, &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(openFileLimit, &limit)
  }

  /// The modification time that a file would get if it were written now, in nanoseconds since 1970.
  package static var fileTime: Int64 { nanoseconds(of: Platform.fileClock) }

  /// Changes the current directory, which all threads share.
  package static func enter(_ folder: String) throws(SystemError) {
    if chdir(folder) != 0 { throw SystemError(during: "enter", path: folder) }
  }
}

/// Settings of the process that are made before any work begins.
extension ThisProcess {
  /// Opens /dev/null for each standard stream that is closed.
  ///
  /// Otherwise, another file would get the stream's descriptor.
  package static func openClosedStreams() {
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The new file gets the lowest free descriptor. This is the stream's descriptor, because all lower
      // descriptors are open.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Makes writes fail with an error if a pipe is closed or if a file would exceed the file size limit.
  ///
  /// Without this setting, such writes end the process.
  package static func ignoreSignalsOfWrites() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Makes the process end immediately if it crashes, unless the user requests a backtrace with
  /// `SWIFT_BACKTRACE`.
  ///
  /// If it crashes because there is too little memory, it prints a message and ends with status 3, as after
  /// every failure of the machine.
  ///
  /// Swift's own handlers stop all threads and start another program. When memory was short, one of these
  /// handlers waited 120 s for a thread that never stopped, and in the meantime the output stayed locked.
  package static func endAtCrashes() {
    if getenv(EnvironmentVariable.backtrace.rawValue) != nil { return }
    useOwnStackForSignals()
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      var old = sigaction()
      // If the parent process set a signal to be ignored, it stays ignored.
      guard sigaction(number, nil, &old) == 0, !isIgnoring(old) else { continue }
      var new = sigaction()
      new.handler = { endByCrash($0) }
      new.sa_flags = SA_ONSTACK
      sigaction(number, &new, nil)
    }
  }

  /// If a library exits because memory is short, packtool prints a message and ends with status 3.
  ///
  /// libarchive exits with status 1, which for packtool means that it found mistakes in the input.
  package static func endAtExits() {
    atexit { if !isEnding.load(ordering: .relaxed) { ThisProcess.endOutOfMemory() } }
  }

  package static func end(_ status: Int32) -> Never {
    isEnding.store(true, ordering: .relaxed)
    exit(status)
  }

  /// Returns a pointer that a C library allocated.
  ///
  /// If the pointer is null, ends the process with the message that memory is short.
  package static func allocated<Pointer>(_ pointer: Pointer?) -> Pointer {
    if let pointer { return pointer }
    endOutOfMemory()
  }

  /// Prints a message and ends the process, without allocating memory.
  ///
  /// The next build removes the files that this process has staged.
  package static func endOutOfMemory() -> Never {
    let message: StaticString =
      "packtool: error: not enough memory; raise the limit of \"ulimit -v\", or use fewer threads with \"-j\"\n"
    _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    _exit(3)
  }

  /// Makes signal handlers run on a separate stack.
  ///
  /// A separate stack is needed because a process can crash when the stack of the main thread cannot grow any
  /// more.
  private static func useOwnStackForSignals() {
    let size = 1 << 16
    guard let memory = malloc(size) else { return }
    var stack = stack_t()
    stack.ss_sp = memory
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }
}

/// Ends the process after a crash.
///
/// It is a signal handler, so it must not allocate memory.
private func endByCrash(_ number: Int32) {
  // Swift and C++ end the process with a trap or an abort if an allocation fails. To find out whether this
  // was the cause, the function requests half a gigabyte of memory. packtool never lacks memory while half a
  // gigabyte is free.
  let probe = 1 << 29
  let memory = mmap(nil, probe, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  if memory == MAP_FAILED && number != SIGQUIT { ThisProcess.endOutOfMemory() }
  // The signal is blocked until this handler returns. Then the system performs the signal's default action,
  // which ends the process.
  signal(number, SIG_DFL)
  raise(number)
}

/// Whether packtool itself ends the process.
private let isEnding = Atomic(false)
