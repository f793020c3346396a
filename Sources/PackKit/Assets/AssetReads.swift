import System

/// Counts the bytes of assets that a run reads and hashes, on any thread.
package final class AssetReads: Sendable {
  /// Bytes so far.
  package struct Count: Sendable, Hashable {
    package var read: Int64 = 0
    /// Bytes whose SHA-256 was computed.
    package var hashed: Int64 = 0
  }

  private let state = Monitor(Count())

  package init() {}

  /// The bytes so far.
  package var count: Count { state.change { $0 } }

  /// Adds bytes that were read.
  package func addRead(_ bytes: Int64) { state.change { $0.read = $0.read.saturatingSum(with: bytes) } }

  /// Adds bytes that were hashed.
  package func addHashed(_ bytes: Int64) { state.change { $0.hashed = $0.hashed.saturatingSum(with: bytes) } }
}
