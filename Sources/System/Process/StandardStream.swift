#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One of the two standard streams that a command writes to.
package enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  package func write(_ text: String) throws(SystemError) { try write(text.utf8Span.span.bytes) }

  package func write(_ bytes: ByteBuffer) throws(SystemError) {
    try bytes.withBytes { bytes throws(SystemError) in try write(bytes) }
  }

  private func write(_ bytes: RawSpan) throws(SystemError) {
    if !writeAll(bytes, to: rawValue) {
      throw SystemError(during: "write to", path: self == .output ? "standard output" : "standard error")
    }
  }

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The terminal's width in characters; nil if the stream is not a terminal.
  package var width: Int? {
    var size = winsize()
    guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
