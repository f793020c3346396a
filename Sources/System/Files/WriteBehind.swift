import Glibc

/// Writes to a file past memory, on a thread of its own: who makes the bytes waits only for a disk that is slower.
final class WriteBehind: Sendable {
  private struct State {
    /// What the thread writes, or has written.
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

  /// Starts the thread for an open file; nil where the file system cannot write so, or there are no more threads.
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

  /// Has a buffer's bytes written once those before them are, and gives back an empty buffer in its place.
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

  /// Ends the thread once it has written what it was given; what comes then is written as to any other file.
  func end() throws(SystemError) {
    state.change { $0.isEnding = true }
    thread.join()
    DirectWriting.end(descriptor)
    try waitForLast()
  }

  private func waitForLast() throws(SystemError) {
    if let failure = state.wait({ $0.isWriting ? nil : .some($0.failure) }) { throw failure }
  }

  private static func next(of state: Monitor<State>) -> (WriteBuffer, Int64)? {
    state.wait { state -> (WriteBuffer, Int64)?? in
      if state.isWriting { return (state.buffer, state.offset) }
      return state.isEnding ? .some(nil) : nil
    }
  }

  private static func write(
    _ buffer: WriteBuffer, at offset: Int64, to descriptor: Int32, path: String
  ) throws(SystemError) {
    try Interruption.check()
    let isWritten = buffer.withBytes { bytes in
      if writeAll(bytes, to: descriptor, at: offset) { return true }
      // A file system that promised more than it holds takes them as any others.
      guard errno == EINVAL else { return false }
      DirectWriting.end(descriptor)
      return writeAll(bytes, to: descriptor, at: offset)
    }
    if !isWritten { throw SystemError("write", path) }
  }
}
