import Foundation
import Testing

/// Returns the path of the built packtool, for tests that run it as a separate process.
package func packtoolProgram() throws -> String { try builtProduct("packtool") }

/// Returns the path of a program, library or folder that was built with the tests.
package func builtProduct(_ name: String) throws -> String {
  let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  return try #require(
    [bundle.path, "\(packageFolder)/.build/debug"].map { "\($0)/\(name)" }
      .first { FileManager.default.fileExists(atPath: $0) })
}
