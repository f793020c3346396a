/// The memory that threads use together, of which they wait for their parts.
package final class MemoryBudget: Sendable {
  private let used = Monitor<Int64>(0)
  private let capacity: Int64

  /// A budget of some bytes.
  package init(of capacity: Int64) { self.capacity = capacity }

  /// Runs `body` once there are `bytes` left, which it has until it ends; alone if it needs more than all of the budget.
  package func use<Result, Failure: Error>(
    byteCount bytes: Int64, while body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    used.wait(until: { $0 == 0 || $0 + bytes <= capacity }) { $0 += bytes }
    defer { used.change { $0 -= bytes } }
    return try body()
  }
}
