import Glibc

/// Writes to a file with O_DIRECT on a thread of its own, so that the producer waits only when the disk is slower.
final class WriteBehind: Sendable {
  private struct State {
    /// The buffer that the thread is writing, or has written.
    var buffer = WriteBuffer()
    var offset: Int64 = 0
    var isWriting = false
    /// Why a write failed.
    var failure: SystemError?
    var isEnding = false
  }

  private let state = Monitor(State())
  private let thread: Threads
  private let descriptor: Int32

  /// Starts the thread for an open file; nil if the file system does not support O_DIRECT, or no thread can be
  /// started.
  init?(_ descriptor: Int32, path: String) {
    if !DirectWriting.begin(descriptor) { return nil }
    self.descriptor = descriptor
    thread = Threads(0..<1) { [state] _ in
      while let (buffer, offset) = Self.next(of: state) {
        let result = Result { () throws(SystemError) in
          try Self.write(buffer, at: offset, to: descriptor, path: path)
        }
        state.change {
          $0.isWriting = false
          if case .failure(let error) = result { $0.failure = error }
        }
      }
    }
    if !thread.areRunning {
      DirectWriting.end(descriptor)
      return nil
    }
  }

  /// Hands a buffer to the thread once the previous one is written, and replaces it by an empty one.
  func write(_ buffer: inout WriteBuffer, at offset: Int64) throws(SystemError) {
    try waitForLast()
    buffer = state.change { state in
      defer {
        state.buffer = buffer
        state.offset = offset
        state.isWriting = true
      }
      return state.buffer
    }
    buffer.clear()
  }

  /// Ends the thread after its last write; the file is back to writing through the page cache then.
  func end() throws(SystemError) {
    state.change { $0.isEnding = true }
    thread.join()
    DirectWriting.end(descriptor)
    try waitForLast()
  }

  private func waitForLast() throws(SystemError) {
    if let failure = state.wait(until: { !$0.isWriting }, { $0.failure }) { throw failure }
  }

  private static func next(of state: Monitor<State>) -> (WriteBuffer, Int64)? {
    state.wait(until: { $0.isWriting || $0.isEnding }) { state in
      state.isWriting ? (state.buffer, state.offset) : nil
    }
  }

  private static func write(
    _ buffer: WriteBuffer, at offset: Int64, to descriptor: Int32, path: String
  ) throws(SystemError) {
    try Interruption.check()
    let isWritten = buffer.withBytes { bytes in
      if writeAll(bytes, to: descriptor, at: offset) { return true }
      // A file system that reports O_DIRECT but refuses a write gets the bytes through the page cache.
      guard errno == EINVAL else { return false }
      DirectWriting.end(descriptor)
      return writeAll(bytes, to: descriptor, at: offset)
    }
    if !isWritten { throw SystemError("write", path) }
  }
}
