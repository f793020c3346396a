#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs another program in a folder, using a shell, and waits until it ends.
package enum ChildProcess {
  package struct Result: Sendable {
    /// The exit status.
    ///
    /// If a signal ended the program, the status is 128 plus the number of the signal.
    package let status: Int32
    /// The last bytes that the program wrote to standard output or standard error.
    package let output: String
  }

  private struct Started {
    let id: pid_t
    /// The end of the pipe from which the program's output is read.
    let output: Int32
  }

  private static let maxOutput = 1 << 16

  /// A lock under which programs are started.
  private static let starts = Monitor<Void>(())

  /// Looks for a program in the folders of a search path, and returns the program's path; nil if no folder
  /// contains the program.
  package static func path(of program: String, in searchPath: String) -> String? {
    searchPath.split(separator: ":").lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program, given by its absolute path.
  ///
  /// Throws if the program cannot be started.
  package static func run(
    _ program: String, _ arguments: [String], in folder: String, environment: [String: String]
  ) throws(SystemError) -> Result {
    try Interruption.check()
    // A shell changes the folder, because Swift cannot call the C library's function that sets the folder of
    // a new process.
    let words = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder, program] + arguments
    // A program that another thread starts before `openPipe` has set FD_CLOEXEC would inherit the pipe. The output
    // would then only end together with that program.
    let child = try starts.change { _ throws(SystemError) in
      let pipe = try openPipe()
      defer { close(pipe.writing) }
      let variables = environment.map { "\($0.key)=\($0.value)" }
      guard let id = start(words, environment: variables, output: pipe.writing) else {
        let error = SystemError(during: "run", path: program)
        close(pipe.reading)
        throw error
      }
      return Started(id: id, output: pipe.reading)
    }
    defer { close(child.output) }
    let output = read(child.output)
    var status: Int32 = 0
    _ = retrying { Int(waitpid(child.id, &status, 0)) }
    try Interruption.check()
    let signal = status & 0x7f
    return Result(status: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: output)
  }

  private static func openPipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    if pipe(&ends) != 0 { throw SystemError(during: "create a pipe for", path: "another program") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Starts a program whose output streams lead to a pipe.
  ///
  /// On failure, sets `errno` and returns nil.
  private static func start(_ words: [String], environment: [String], output: Int32) -> pid_t? {
    var actions = noActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    let words = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    errno = posix_spawn(&child, "/bin/sh", &actions, nil, words, variables)
    return errno == 0 ? child : nil
  }

  /// Reads a stream to its end and returns its last bytes.
  private static func read(_ descriptor: Int32) -> String {
    var kept: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = retrying { block.withUnsafeMutableBytes { readSystemCall(descriptor, into: $0) } }
      if count <= 0 { break }
      kept += block[..<count]
      if kept.count > 2 * maxOutput { kept.removeFirst(kept.count - maxOutput) }
    }
    return String(decoding: kept.suffix(maxOutput), as: UTF8.self)
  }
}
