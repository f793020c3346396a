import Glibc

/// Bytes to be written, in memory aligned for O_DIRECT; used by one thread at a time.
final class WriteBuffer: @unchecked Sendable {
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  deinit { free(memory) }

  /// Calls `body` with the bytes.
  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try body(UnsafeRawBufferPointer(start: memory, count: count).bytes)
  }

  func append(_ bytes: RawSpan) {
    if bytes.isEmpty { return }
    if count + bytes.byteCount > capacity { grow(to: count + bytes.byteCount) }
    bytes.withUnsafeBytes { (memory! + count).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    count += bytes.byteCount
  }

  func clear() { count = 0 }

  private func grow(to size: Int) {
    var room = max(capacity, DirectWriting.alignment)
    while room < size { room *= 2 }
    var larger: UnsafeMutableRawPointer?
    precondition(posix_memalign(&larger, DirectWriting.alignment, room) == 0, "out of memory")
    if count > 0 { larger!.copyMemory(from: memory!, byteCount: count) }
    free(memory)
    memory = larger
    capacity = room
  }
}
