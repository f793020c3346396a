import Foundation
import Model
import Pipeline

/// What a program that was run said and how it ended.
package struct ProgramResult: Sendable {
  package let status: Int32
  package let output: String
  package let errors: String
}

/// Runs another program to its end.
///
/// - Parameters:
///   - program: its path, or its name on the search path.
///   - arguments: what stands behind the name.
///   - folder: where it runs.
///   - environment: variables besides those of the test.
/// - Returns: what it said and its exit status.
/// - Throws: where it cannot be started.
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
  // One pipe is read while the other stream goes to a file: a full second pipe would make both wait.
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
