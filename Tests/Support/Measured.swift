import Foundation

/// The result of a program that was run to its end, and the time and memory that it used.
package struct Measured: Sendable {
  package let result: ProgramResult
  /// The processor time of all threads of the program in seconds.
  package let seconds: Double
  /// The maximum memory that the program used, in MiB.
  package let memory: Int

  /// Whether programs can be measured here.
  ///
  /// With a sanitizer, a program uses several times as much time and memory, so the limits of tests do not
  /// apply.
  package static let isPossible = isInstalled("python3") && !isSanitized

  /// The reason why tests that measure programs are skipped.
  package static let hindrance = "needs python3, and a program without sanitizers"

  /// Runs a program in a folder and measures it.
  ///
  /// A small Python process starts the program, because the kernel includes the memory of the process that
  /// starts the program.
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
