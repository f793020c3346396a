import Support
@testable import System
@testable import packtool

/// A terminal that keeps the output of a command, so that tests can check it.
final class CapturedTerminal: Terminal {
  private let texts = Monitor<[StandardStream: String]>([:])
  private let isScreen: Bool

  init(isScreen: Bool = false) {
    self.isScreen = isScreen
  }

  var output: String { texts.change { $0[.output] ?? "" } }
  var errors: String { texts.change { $0[.error] ?? "" } }

  func write(_ text: String, to stream: StandardStream) throws(SystemError) {
    texts.change { $0[stream, default: ""] += text }
  }

  func write(_ bytes: ByteBuffer, to stream: StandardStream) throws(SystemError) {
    try write(String(decoding: bytes.array(), as: UTF8.self), to: stream)
  }

  func isScreen(_ stream: StandardStream) -> Bool { isScreen }

  func width(of stream: StandardStream) -> Int? { isScreen ? 80 : nil }
}

/// Runs a command line in this process.
func runTool(
  _ arguments: String..., environment: [String: String] = [:], isScreen: Bool = false
) -> ToolResult {
  let terminal = CapturedTerminal(isScreen: isScreen)
  let status = Tool.run(arguments, environment: environment, terminal: terminal)
  return ToolResult(status: status, output: terminal.output, errors: terminal.errors)
}
