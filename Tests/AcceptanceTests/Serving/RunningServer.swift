import Foundation
import Support
import Testing

@testable import packtool

/// `packtool serve` as a program, ended with this value.
final class RunningServer {
  /// What it printed at its start, line by line.
  let lines: [String]
  private let process = Process()
  private let errors: String

  /// Starts it with some words behind its name, and waits until it has said where it is.
  init(_ words: [String], in folder: TemporaryFolder) throws {
    errors = folder.path("server-errors")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try packtoolProgram())
    process.arguments = ["serve"] + words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    try process.run()
    // All is printed at once.
    lines = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  deinit { end() }

  var url: String { lines.count > 1 ? lines[1] : "" }

  var said: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Ends it by SIGTERM; its exit status.
  @discardableResult
  func end() -> Int32 {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }
}
