import Foundation
import Support
import Testing

/// Returns the path of the built packtool, for tests that run it as a separate process.
func packtoolProgram() throws -> String {
  let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  return try #require(
    [bundle.path, "\(packageFolder)/.build/debug"].map { "\($0)/packtool" }
      .first { FileManager.default.isExecutableFile(atPath: $0) })
}
