package import Foundation
import System

/// Another program that a test has started.
///
/// It is ended when this object is released.
///
/// Foundation's `Process` is not used, because on Linux a test may wait forever for its end: `Process` waits
/// until a socket is closed that the program passes on to the processes that it starts.
package final class TestProcess: Sendable {
  /// The way in which a program ended.
  package enum Ending: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)

    /// The exit status as a shell reports it: 128 plus the number of a signal that ended the program.
    package var shellStatus: Int32 {
      switch self {
      case .status(let status): status
      case .signal(let signal): 128 + signal
      }
    }
  }

  package let id: pid_t
  private let ending = Monitor<Ending?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path, or its name on the search path.
  ///   - arguments: the arguments after the name.
  ///   - folder: the folder in which it runs; nil for the folder of the test.
  ///   - environment: variables in addition to those of the test.
  ///   - output: the file for its output; nil if nobody reads it.
  ///   - errors: the file for its messages; nil if nobody reads them.
  ///   - blockedSignals: the signals that are blocked until the program unblocks them.
  /// - Throws: if it cannot be started.
  package init(
    _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:],
    output: String? = nil, errors: String? = nil, blockedSignals: [Int32] = []
  ) throws {
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var words = [programPath(of: program, in: variables) ?? program] + arguments
    if let folder {
      // A shell changes the folder, because Swift cannot call the C library's function that sets the folder of
      // a new process.
      words = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder] + words
    }

    var actions = noSpawnActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (stream, file) in [(1, output), (2, errors)] {
      posix_spawn_file_actions_addopen(
        &actions, Int32(stream), file ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }

    // The signals are set, because some threads of a test run block signals.
    var (attributes, blocked) = (noSpawnAttributes, sigset_t())
    sigemptyset(&blocked)
    for signal in blockedSignals { sigaddset(&blocked, signal) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let wordPointers = words.map { strdup($0) } + [nil]
    let variablePointers = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in wordPointers + variablePointers { free(text) } }
    var started: pid_t = 0
    let code = posix_spawn(&started, words[0], &actions, &attributes, wordPointers, variablePointers)
    guard code == 0 else { throw SystemError(during: "run", path: words[0], code: code) }
    id = started
  }

  deinit {
    if isRunning {
      signal(SIGKILL)
      waitForEnd()
    }
  }

  package var isRunning: Bool { look(options: WNOHANG) == nil }

  package func signal(_ number: Int32) { kill(id, number) }

  /// Waits until the program has ended, and returns the way in which it ended.
  @discardableResult
  package func waitForEnd() -> Ending {
    while true { if let ending = look(options: 0) { return ending } }
  }

  /// Returns the way in which the program ended; nil if it has not ended.
  private func look(options: Int32) -> Ending? {
    ending.change { ending in
      var status: Int32 = 0
      // The system tells the status only once.
      if ending == nil, waitpid(id, &status, options) == id {
        let signal = status & 0x7f
        ending = signal == 0 ? .status((status >> 8) & 0xff) : .signal(signal)
      }
      return ending
    }
  }
}

#if canImport(Darwin)
  private var noSpawnActions: posix_spawn_file_actions_t? { nil }
  private var noSpawnAttributes: posix_spawnattr_t? { nil }
#else
  private var noSpawnActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  private var noSpawnAttributes: posix_spawnattr_t { posix_spawnattr_t() }
#endif

/// Returns the path of a program, given by a path or by its name; nil if there is no such program on the search
/// path.
func programPath(of program: String, in variables: [String: String]) -> String? {
  if program.contains("/") { return program }
  let folders = (variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
  return folders.lazy.map { "\($0)/\(program)" }.first { path in
    var isFolder: ObjCBool = false
    return access(path, X_OK) == 0 && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
