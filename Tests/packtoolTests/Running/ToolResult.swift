import Support
@testable import packtool

/// The result of a run of packtool: its exit status, and its output to both streams.
struct ToolResult {
  let status: packtool.ExitStatus
  let output: String
  let errors: String
}
