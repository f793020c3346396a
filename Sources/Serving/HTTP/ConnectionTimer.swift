import CMicroHTTP
import System

/// Suspends connections until a certain time.
///
/// One thread resumes all of them.
final class ConnectionTimer: Sendable {
  private struct Rest: Comparable {
    let end: Double
    let connection: UInt

    static func < (first: Rest, second: Rest) -> Bool { first.end < second.end }
  }

  private struct State {
    var rests = BinaryHeap<Rest>()
    var isOver = false
  }

  private let state = Monitor(State())

  /// Suspends a connection until a certain time.
  ///
  /// Call this function in a callback for the connection. Returns false if the server is stopping.
  func suspend(_ connection: OpaquePointer, until end: Double) -> Bool {
    state.change { state in
      if state.isOver { return false }
      MHD_suspend_connection(connection)
      state.rests.insert(Rest(end: end, connection: UInt(bitPattern: connection)))
      return true
    }
  }

  /// Resumes connections until the server stops.
  ///
  /// One thread runs this function.
  func run() {
    while let connection = next() { MHD_resume_connection(connection) }
  }

  /// Resumes all connections.
  ///
  /// From then on, no connection can be suspended.
  func end() { state.change { $0.isOver = true } }

  /// Waits until the next connection must be resumed, and returns it.
  ///
  /// Returns nil when the server is stopping and no connection is suspended.
  private func next() -> OpaquePointer? {
    let found: UInt? = state.wait(wakingAt: { $0.isOver ? nil : $0.rests.least?.end }) { state -> UInt?? in
      if let least = state.rests.least, state.isOver || least.end <= ThisProcess.seconds {
        state.rests.removeLeast()
        return .some(least.connection)
      }
      return state.isOver ? .some(nil) : nil
    }
    return found.flatMap { OpaquePointer(bitPattern: $0) }
  }
}
