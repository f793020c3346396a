import Foundation
import Model
import Pipeline
import Testing

/// The output and the exit status of a program.
package struct ProgramResult: Sendable {
  /// The exit status as a shell reports it: 128 plus the number of a signal that ended the program.
  package let status: Int32
  package let output: String
  package let errors: String
}

/// Runs another program to its end.
///
/// - Parameters:
///   - program: its path, or its name on the search path.
///   - arguments: the arguments after the name.
///   - folder: the folder in which it runs.
///   - environment: variables in addition to those of the test.
/// - Returns: its output and its exit status. A program that hangs is killed.
/// - Throws: if it cannot be started.
@discardableResult
package func run(
  _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:]
) throws -> ProgramResult {
  // Modules that a test adds belong to the Python on the search path.
  let program = program == "python3" && environment["PYTHONPATH"] == nil ? pythonProgram : program
  // The streams are files, because another process that the program starts could keep a pipe open.
  let streams = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
  let (output, errors) = ("\(streams).output", "\(streams).errors")
  defer { for file in [output, errors] { unlink(file) } }
  let process = try TestProcess(
    program, arguments, in: folder, environment: environment, output: output, errors: errors)
  let watch = DispatchWorkItem {
    Issue.record("\(program) has not ended after \(patience) seconds: \(arguments)")
    process.signal(SIGKILL)
  }
  watchQueue.asyncAfter(deadline: .now() + patience, execute: watch)
  let status = process.waitForEnd().shellStatus
  watch.cancel()
  return ProgramResult(status: status, output: try text(ofFile: output), errors: try text(ofFile: errors))
}

private func text(ofFile path: String) throws -> String {
  String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
}

/// Whether a program is on this machine's search path.
package func isInstalled(_ program: String) -> Bool {
  let path = programPath(of: program, in: ProcessInfo.processInfo.environment)
  return path.map { access($0, X_OK) == 0 } ?? false
}

/// The top folder of the package.
package let packageFolder = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
