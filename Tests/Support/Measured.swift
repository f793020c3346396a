import Foundation

/// A program that was run to its end, and what it took.
package struct Measured: Sendable {
  package let result: ProgramResult
  /// Seconds of work, of all its threads.
  package let seconds: Double
  /// The most memory that it had at once, in MiB.
  package let memory: Int

  /// Whether programs can be measured here, and bounds are those of programs: sanitizers take several times as much.
  package static let isPossible = isInstalled("python3") && !isSanitized

  /// Why tests are skipped that need it.
  package static let hindrance = "needs python3, and a program without sanitizers"

  /// Runs a program in a folder.
  ///
  /// Its memory is that of a process which a small one starts: the kernel counts the memory of whoever starts a process.
  package init(_ program: String, _ arguments: [String], in folder: TemporaryFolder) throws {
    let script = """
      import os, subprocess, sys
      child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL)
      _, status, usage = os.wait4(child.pid, 0)
      with open(sys.argv[1], "w") as file:
        print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, file=file)
      status = os.waitstatus_to_exitcode(status)
      sys.exit(status if status >= 0 else 128 - status)
      """
    let usage = "usage-\(UUID())"
    result = try run("python3", ["-c", script, usage, program] + arguments, in: folder.path)
    let words = String(decoding: try folder.read(usage), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    try FileManager.default.removeItem(atPath: folder.path(usage))
    seconds = Double(words.first ?? "") ?? .infinity
    memory = Int(words.last ?? "") ?? .max
  }
}
