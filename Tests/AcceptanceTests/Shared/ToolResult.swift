import Support
@testable import packtool

/// What a run of the tool gave back: its exit status, and what it wrote to both streams.
struct ToolResult {
  let status: packtool.ExitStatus
  let output: String
  let errors: String
}
