import CMicroHTTP
import Synchronization
import System

/// The state that all exchanges of a server share.
final class Service: Sendable {
  let release: LiveRelease
  let responder: Responder
  let network: LinkShaper?
  let log: RequestLog?
  /// Whether bodies are sent piece by piece, since the kernel cannot copy them from files by itself, or would not say how
  /// much of them arrived.
  let streams: Bool
  let timer = ConnectionTimer()
  /// Where copies of files are.
  let memory = CopyMemory()
  /// How many gauges are open.
  let listeners = Monitor(0)
  private let requests = Atomic(0)

  /// The most gauges that may be open.
  static let maxListeners = 16

  init(_ release: LiveRelease, settings: PackServer.Settings) {
    self.release = release
    responder = Responder(
      hosts: HostNames(settings.address, and: settings.names), login: settings.login, faults: settings.faults,
      allowedOrigin: settings.allowedOrigin)
    network = settings.network.map(LinkShaper.init)
    log = settings.log
    streams = network != nil || settings.certificate != nil || !Platform.countsTransfers
  }

  /// The number of a new request.
  func count() -> Int { requests.add(1, ordering: .relaxed).newValue }
}

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
  func rest(_ connection: OpaquePointer, until end: Double) -> Bool {
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
