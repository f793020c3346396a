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
  // Modules that a test adds belong to the Python on the search path.
  let program = program == "python3" && environment["PYTHONPATH"] == nil ? pythonProgram : program
  let process = Process()
  let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  if let path = path(of: program, in: variables) {
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
  } else {
    // It reports the missing program, or finds a path that is relative to the folder.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
  }
  process.environment = variables
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
  process.waitForEnd()
  return ProgramResult(
    status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
    errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
}

extension Process {
  /// Waits until the process has ended.
  ///
  /// `waitUntilExit` often notices this only after 50 ms.
  package func waitForEnd() { while isRunning { usleep(200) } }
}

/// Whether a program is on this machine's search path.
package func isInstalled(_ program: String) -> Bool {
  path(of: program, in: ProcessInfo.processInfo.environment) != nil
}

/// Returns the absolute path of a program, given by an absolute path or by its name; nil if there is no such
/// program on the search path.
private func path(of program: String, in variables: [String: String]) -> String? {
  if program.hasPrefix("/") { return access(program, X_OK) == 0 ? program : nil }
  if program.contains("/") { return nil }
  let folders = (variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
  return folders.lazy.map { "\($0)/\(program)" }.first { path in
    var isFolder: ObjCBool = false
    return access(path, X_OK) == 0 && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}

/// The top folder of the package.
package let packageFolder = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
