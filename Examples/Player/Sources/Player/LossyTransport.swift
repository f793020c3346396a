import Foundation
import OnDemand
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport that can lose everything, as the network "100% Loss" does.
final class LossyTransport: Transport {
  private struct State {
    var losesAll = false
    /// The number of changes of `losesAll`. A change ends all requests that were sent before it.
    var changes = 0
  }

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
    let start = state.withLock { $0 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      if !start.losesAll { group.addTask { [base] in try await base.send(request, to: receiver) } }
      group.addTask {
        while self.state.withLock({ $0.changes }) == start.changes { try await Task.sleep(for: .milliseconds(1)) }
        throw URLError(.networkConnectionLost)
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
