import CMicroHTTP
import System

/// Lets connections rest until a time; one thread wakes them all.
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

  /// Lets a connection rest, from a callback for it; false where the server ends, so that there is no rest any more.
  func suspend(_ connection: OpaquePointer, until end: Double) -> Bool {
    state.change { state in
      if state.isOver { return false }
      MHD_suspend_connection(connection)
      state.rests.insert(Rest(end: end, connection: UInt(bitPattern: connection)))
      return true
    }
  }

  /// Wakes connections until the server ends; the work of a thread.
  func run() {
    while let connection = next() { MHD_resume_connection(connection) }
  }

  /// Wakes all connections, and lets none rest any more.
  func end() { state.change { $0.isOver = true } }

  /// The connection whose rest is over first; nil when the server ends and none is left.
  private func next() -> OpaquePointer? {
    let found: UInt? = state.wait(waking: { $0.isOver ? nil : $0.rests.least?.end }) { state -> UInt?? in
      if let least = state.rests.least, state.isOver || least.end <= ThisProcess.seconds {
        state.rests.removeLeast()
        return .some(least.connection)
      }
      return state.isOver ? .some(nil) : nil
    }
    return found.flatMap { OpaquePointer(bitPattern: $0) }
  }
}
