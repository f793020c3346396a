import Glibc

/// Writes to a file past memory, on a thread of its own: who makes the bytes waits only for a disk that is slower.
final class WriteBehind: Sendable {
  private struct State {
    /// What the thread writes, or has written.
    var buffer = WriteBuffer()
    var offset: Int64 = 0
    var isWriting = false
    /// Why the last write failed.
    var failure: SystemError?
    var isEnding = false
  }

  private let state = Monitor(State())
  private let thread: Threads

  /// Starts the thread for an open file; nil where the file system cannot write so, or there are no more threads.
  init?(_ descriptor: Int32, path: String) {
    if !DirectWriting.begin(descriptor) { return nil }
    thread = Threads(0..<1) { [state] _ in
      while let (buffer, offset) = Self.next(of: state) {
        let failure = Self.failure(of: descriptor, path: path, buffer, at: offset)
        state.change {
          $0.isWriting = false
          $0.failure = failure
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
    try finish()
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

  /// Waits until all is written.
  func finish() throws(SystemError) {
    if let failure = state.wait({ $0.isWriting ? nil : .some($0.failure) }) { throw failure }
  }

  /// Ends the thread once it has written what it was given.
  func end() {
    state.change { $0.isEnding = true }
    thread.join()
  }

  private static func next(of state: Monitor<State>) -> (WriteBuffer, Int64)? {
    state.wait { state -> (WriteBuffer, Int64)?? in
      if state.isWriting { return (state.buffer, state.offset) }
      return state.isEnding ? .some(nil) : nil
    }
  }

  private static func failure(
    of descriptor: Int32, path: String, _ buffer: WriteBuffer, at offset: Int64
  ) -> SystemError? {
    do throws(SystemError) {
      try Interruption.check()
    } catch {
      return error
    }
    let isWritten = buffer.withBytes { bytes in
      if writeAll(bytes, to: descriptor, at: offset) { return true }
      // A file system that promised more than it holds takes them as any others.
      guard errno == EINVAL else { return false }
      DirectWriting.end(descriptor)
      return writeAll(bytes, to: descriptor, at: offset)
    }
    return isWritten ? nil : SystemError("write", path)
  }
}
