import Foundation
import Model
import Pipeline

/// The output and the exit status of a program.
package struct ProgramResult: Sendable {
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
/// - Returns: its output and its exit status.
/// - Throws: if it cannot be started.
@discardableResult
package func run(
  _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:]
) throws -> ProgramResult {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
  let output = Pipe()
  let errors = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  // One stream goes to a file while the other is read from a pipe. With two pipes, a full second pipe would
  // block the program.
  _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
  defer { try? FileManager.default.removeItem(at: errors) }
  process.standardOutput = output
  process.standardError = try FileHandle(forWritingTo: errors)
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return ProgramResult(
    status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
    errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
}

/// Whether a program is on this machine's search path.
package func isInstalled(_ program: String) -> Bool {
  ((try? run("which", [program]))?.status ?? 1) == 0
}

/// The top folder of the package.
package let packageFolder = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
