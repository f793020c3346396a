import Foundation

/// Renames and deletes files in a store's folder.
///
/// The changes are made one after another, in the order in which they were added.
final class NameChanges: Sendable {
  /// The queue that makes the changes.
  ///
  /// Tests suspend this queue.
  let queue = DispatchQueue(label: "packtool.OnDemand.names")
  private let waiters = Locked(0)

  /// The number of callers that wait in `finish`.
  var waiterCount: Int { waiters.withLock { $0 } }

  func add(_ change: @escaping @Sendable () -> Void) { queue.async(execute: change) }

  /// Waits until all changes that were added before this call have been made.
  func finish() async {
    waiters.withLock { $0 += 1 }
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    waiters.withLock { $0 -= 1 }
  }
}
