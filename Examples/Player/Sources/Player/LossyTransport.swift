import Foundation
import OnDemand
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport that can lose everything, as the network "100% Loss" does.
///
/// A change of the network interrupts all transfers, but does not end them: each continues with its next byte as soon as
/// there is a network. If transfers failed instead, the store would download other packs until it tries again. A simulation
/// does not do this, because its requests do not fail on such a network.
final class LossyTransport: Transport {
  private struct State {
    var losesAll = false
    /// The number of changes of `losesAll`. A change interrupts all connections that were made before it.
    var changes = 0
  }

  private struct NetworkChange: Error {}

  private let state = Mutex(State())
  private let base = URLSessionTransport.shared

  /// Whether the network loses every response until the scenario changes the network.
  var losesAll: Bool {
    get { state.withLock { $0.losesAll } }
    set {
      state.withLock { state in
        if state.losesAll != newValue { state.changes += 1 }
        state.losesAll = newValue
      }
    }
  }

  func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
    let transfer = ResumedTransfer(request, receiver: receiver)
    while true {
      do { return try await connect(transfer) } catch is NetworkChange {}
    }
  }

  /// Sends a request for the rest of a transfer, or waits while the network loses everything.
  ///
  /// Throws `NetworkChange` when the network changes.
  private func connect(_ transfer: ResumedTransfer) async throws {
    let start = state.withLock { $0 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      if !start.losesAll { group.addTask { [base] in try await transfer.send(with: base) } }
      group.addTask {
        while self.state.withLock({ $0.changes }) == start.changes { try await Task.sleep(for: .milliseconds(1)) }
        throw NetworkChange()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// A response that arrives over one connection after another.
private final class ResumedTransfer: Sendable {
  private struct State {
    /// The number of connections until now. Only the newest connection passes anything on.
    var connections = 0
    var isAnswered = false
    var bytes: Int64 = 0
  }

  private let state = Mutex(State())
  private let request: URLRequest
  private let receiver: ResponseReceiver

  init(_ request: URLRequest, receiver: ResponseReceiver) { (self.request, self.receiver) = (request, receiver) }

  /// Sends the request over a new connection, for the bytes that have not arrived yet.
  func send(with transport: URLSessionTransport) async throws {
    let now = state.withLock { state in
      state.connections += 1
      return state
    }
    var rest = request
    if now.bytes > 0 { rest.setValue("bytes=\(firstByte + now.bytes)-", forHTTPHeaderField: "Range") }
    let part = ResponseReceiver { [self] answer in
      try state.withLock { state in
        if state.connections != now.connections { throw CancellationError() }
        if now.bytes > 0 && answer.statusCode != 206 { throw URLError(.networkConnectionLost) }
        if state.isAnswered { return }
        state.isAnswered = true
        try receiver.receive(answer)
      }
    } onData: { [self] data in
      try state.withLock { state in
        if state.connections != now.connections { throw CancellationError() }
        state.bytes += Int64(data.count)
        try receiver.receive(data)
      }
    }
    try await transport.send(rest, to: part)
  }

  /// The first byte that the request itself asks for.
  private var firstByte: Int64 {
    let range = request.value(forHTTPHeaderField: "Range") ?? ""
    return range.firstIndex(of: "=").flatMap { Int64(range[$0...].dropFirst().prefix { $0 != "-" }) } ?? 0
  }
}
