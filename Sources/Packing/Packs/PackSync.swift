import System

/// Syncs finished packs to the disk while others are made.
final class PackSync: Sendable {
  private struct State {
    var waiting: [String] = []
    var isClosed = false
    var failure: SystemError?
  }

  /// The threads only wait for the disk, which can choose its order among several requests.
  private static let threadCount = 8

  private let state: Monitor<State>
  private let threads: Threads

  init() {
    let state = Monitor(State())
    self.state = state
    threads = Threads(0..<Self.threadCount) { _ in Self.work(at: state) }
  }

  func add(_ path: String) { state.change { $0.waiting.append(path) } }

  /// Waits until all packs would survive a power failure.
  func finish() throws(SystemError) {
    state.change { $0.isClosed = true }
    // Also on this thread, since the system may not have started any other.
    Self.work(at: state)
    threads.join()
    if let failure = state.change({ $0.failure }) { throw failure }
  }

  /// Drops the remaining packs after a failure.
  func abandon() {
    state.change {
      $0.waiting = []
      $0.isClosed = true
    }
    threads.join()
  }

  private static func work(at state: Monitor<State>) {
    while let path = next(of: state) {
      do throws(SystemError) {
        try FileOperations.syncAndRelease(path)
      } catch {
        state.change {
          $0.failure = $0.failure ?? error
          $0.waiting = []
        }
      }
    }
  }

  /// Waits for the next pack; nil once there are no more.
  private static func next(of state: Monitor<State>) -> String? {
    state.wait(until: { !$0.waiting.isEmpty || $0.isClosed }) { $0.waiting.popLast() }
  }
}
