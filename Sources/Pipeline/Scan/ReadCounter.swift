import Synchronization

/// Counts the bytes of assets that a run reads and hashes, on any thread.
package final class ReadCounter: Sendable {
  /// Numbers of bytes.
  package struct Count: Sendable, Equatable {
    /// The number of bytes that were read.
    package let read: Int64
    /// The number of bytes whose SHA-256 was computed.
    package let hashed: Int64

    package init(read: Int64, hashed: Int64) {
      self.read = read
      self.hashed = hashed
    }
  }

  // The counters are atomic and have no lock, because every thread changes them for each file.
  private let read = Atomic<Int64>(0)
  private let hashed = Atomic<Int64>(0)

  package init() {}

  /// The numbers of bytes so far.
  package var count: Count {
    Count(read: read.load(ordering: .relaxed), hashed: hashed.load(ordering: .relaxed))
  }

  /// Adds bytes that were read.
  package func addRead(_ bytes: Int64) { read.wrappingAdd(bytes, ordering: .relaxed) }

  /// Adds bytes that were hashed.
  package func addHashed(_ bytes: Int64) { hashed.wrappingAdd(bytes, ordering: .relaxed) }
}
