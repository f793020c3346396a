import CLinux
import Glibc

/// This process and its environment.
package enum ThisProcess {
  /// Makes a write to a closed pipe fail with an error instead of ending the process.
  package static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Keeps freed memory for later allocations.
  ///
  /// Each pack needs some buffers of a megabyte; returned to the system and mapped again, they cost a build of a
  /// million files in 1,000 packs 255,000 page faults.
  package static func keepFreedMemory() {
    let (trimThreshold, mapThreshold): (Int32, Int32) = (-1, -3)  // M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
    _ = mallopt(mapThreshold, 1 << 23)
    _ = mallopt(trimThreshold, 1 << 26)
  }

  /// Makes room for small allocations of this thread, for which the C library would ask the system page by page.
  package static func makeRoom(forBytes size: Int) {
    UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16).deallocate()
  }

  /// The words of the command line behind the program's name, byte for byte.
  package static var arguments: [[UInt8]] {
    // Swift reads them from /proc, which is not everywhere.
    let words =
      CommandLine.argc > 0
      ? UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) : startWords
    return words.dropFirst().compactMap { word in
      word.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// The words of the command line as the kernel puts them: their count, the words, a zero, then the environment.
  private static var startWords: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?> {
    let last = environ - 1
    var count = 0
    // No word is at an address as small as their count.
    while Int(bitPattern: last[-count - 1]) != count { count += 1 }
    return UnsafeBufferPointer(start: last - count, count: count)
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
    let whole = seconds.rounded(.down)
    var time = timespec(tv_sec: time_t(whole), tv_nsec: Int((seconds - whole) * 1e9))
    nanosleep(&time, nil)
  }

  /// Allows this process as many open files as its user may have.
  package static func raiseFileLimit() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// The modification time of a file that is written now, in nanoseconds since 1970.
  package static var fileTime: Int64 { nanoseconds(of: CLOCK_REALTIME_COARSE) }

  /// Changes the current folder, which all threads share.
  package static func enter(_ folder: String) throws(SystemError) {
    if chdir(folder) != 0 { throw SystemError("enter", folder) }
  }
}
