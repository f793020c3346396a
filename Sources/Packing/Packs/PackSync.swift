import System

/// Brings finished packs to the disk while others are made: the disk works beside the processors.
final class PackSync: Sendable {
  private struct State {
    var waiting: [String] = []
    var isClosed = false
    var failure: SystemError?
  }

  /// They only wait for the disk; more of them than it needs let it choose its order.
  private static let threadCount = 8

  private let state: Monitor<State>
  private let threads: Threads

  init() {
    let state = Monitor(State())
    self.state = state
    threads = Threads(0..<Self.threadCount) { _ in Self.work(at: state) }
  }

  /// Takes on a pack that will not be written to any more.
  func add(_ path: String) {
    state.change { $0.waiting.append(path) }
  }

  /// Waits until all packs would outlast a power failure.
  func finish() throws(SystemError) {
    state.change { $0.isClosed = true }
    // Not left to the threads alone: the system may have given none.
    Self.work(at: state)
    threads.join()
    if let failure = state.change({ $0.failure }) { throw failure }
  }

  /// Lets go of packs that nobody wants any more.
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

  /// The next pack, as soon as there is one; nil once there will be none.
  private static func next(of state: Monitor<State>) -> String? {
    state.wait(until: { !$0.waiting.isEmpty || $0.isClosed }) { $0.waiting.popLast() }
  }
}
