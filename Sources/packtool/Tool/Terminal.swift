import System

/// The two output streams of a command, which may be a terminal.
protocol Terminal: Sendable {
  func write(_ text: String, to stream: StandardStream) throws(SystemError)
  /// Writes bytes, which need not be text.
  func write(_ bytes: ByteBuffer, to stream: StandardStream) throws(SystemError)
  func isScreen(_ stream: StandardStream) -> Bool
  /// The width in characters; nil if the stream is no terminal.
  func width(of stream: StandardStream) -> Int?
}

/// The streams of this process.
struct SystemTerminal: Terminal {
  func write(_ text: String, to stream: StandardStream) throws(SystemError) {
    try stream.write(text)
  }

  func write(_ bytes: ByteBuffer, to stream: StandardStream) throws(SystemError) {
    try stream.write(bytes)
  }

  func isScreen(_ stream: StandardStream) -> Bool { stream.isTerminal }

  func width(of stream: StandardStream) -> Int? { stream.width }
}
