import Synchronization

/// Memory for copies of short files that are asked for; the first that ask get it.
final class CopyMemory: Sendable {
  private let room = Atomic(8 << 20)

  /// The longest file that is copied: longer ones the kernel sends faster from the file.
  private static let longestCopy = 32 << 10

  /// Memory for one copy, until the end of this value.
  struct Share: ~Copyable {
    fileprivate let memory: CopyMemory
    fileprivate let count: Int

    deinit { memory.room.add(count, ordering: .relaxed) }
  }

  /// Memory for a copy of some bytes; nil where there is none.
  func share(of count: Int) -> Share? {
    if count > Self.longestCopy { return nil }
    if room.subtract(count, ordering: .relaxed).newValue >= 0 { return Share(memory: self, count: count) }
    room.add(count, ordering: .relaxed)
    return nil
  }
}
