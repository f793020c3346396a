import System

/// What a command can say something to: two streams, which may be shown on a screen.
protocol Terminal: Sendable {
  func write(_ text: String, to stream: StandardStream) throws(SystemError)
  /// Writes bytes that need not be text.
  func write(_ bytes: ByteBuffer, to stream: StandardStream) throws(SystemError)
  func isScreen(_ stream: StandardStream) -> Bool
  /// Characters in a line; nil where the stream is no screen.
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
