/// A memory budget that threads share.
///
/// Each thread waits until the memory that it needs is available.
package final class MemoryBudget: Sendable {
  private let used = Monitor<Int64>(0)
  private let capacity: Int64

  /// Creates a budget of `capacity` bytes.
  package init(of capacity: Int64) { self.capacity = capacity }

  /// Runs `body` when `bytes` bytes of the budget are free, and reserves these bytes until `body` returns.
  ///
  /// A `body` that needs more than the whole budget runs alone.
  package func use<Result, Failure: Error>(
    byteCount bytes: Int64, while body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    used.wait(until: { $0 == 0 || $0 + bytes <= capacity }) { $0 += bytes }
    defer { used.change { $0 -= bytes } }
    return try body()
  }
}
