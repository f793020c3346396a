import Support
@testable import packtool

/// The result of a run of packtool: the exit status, and the output to standard output and standard error.
struct ToolResult {
  let status: packtool.ExitStatus
  let output: String
  let errors: String
}
