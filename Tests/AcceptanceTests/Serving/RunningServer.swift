import Foundation
import Support
import Testing

@testable import packtool

/// A `packtool serve` process.
///
/// It ends when this object is released.
final class RunningServer {
  /// The lines that the server printed at its start.
  let lines: [String]
  private let process = Process()
  private let errors: String

  /// Starts the server with some arguments, and waits until it has printed its address.
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
    // The server prints all lines in one write.
    lines = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  deinit { end() }

  var url: String { lines.count > 1 ? lines[1] : "" }

  var said: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Ends the server with SIGTERM and returns its exit status.
  @discardableResult
  func end() -> Int32 {
    if process.isRunning { process.terminate() }
    process.waitForEnd()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }
}
