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
  private let process: TestProcess
  private let errors: String

  /// Starts the server with some arguments, and waits until it has printed its address.
  init(_ words: [String], in folder: TemporaryFolder) throws {
    errors = folder.path("server-errors")
    process = try TestProcess(
      packtoolProgram(), ["serve"] + words, output: folder.path("server-output"), errors: errors)
    // The server prints all lines in one write.
    var output = Data()
    let process = process
    try blockUntil("the server has printed its address") {
      output = try folder.read("server-output")
      return !output.isEmpty || !process.isRunning
    }
    lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  deinit { end() }

  var url: String { lines.count > 1 ? lines[1] : "" }

  var said: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Ends the server with SIGTERM and returns its exit status.
  @discardableResult
  func end() -> Int32 {
    process.signal(SIGTERM)
    return process.waitForEnd().shellStatus
  }
}
