#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends requests with `URLSession`.
///
/// It is the default transport of all stores.
public final class URLSessionTransport: Transport {
  /// The transport that all stores share.
  ///
  /// So the stores also share connections.
  public static let shared = URLSessionTransport()

  private let session: WatchedSession

  /// Creates a transport that gives its session some seconds to react to a call.
  init(reactionSeconds: Double = 5) { session = WatchedSession(reactionSeconds: reactionSeconds) }

  /// Sends a request over HTTP.
  ///
  /// A redirect is passed to the receiver like any other response.
  public func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
    let transfer = Transfer(receiver: receiver)
    session.start(transfer, with: request)
    defer { session.end(transfer, error: nil) }
    for try await _ in transfer.steps {}
    try Task.checkCancellation()
  }
}

/// One transfer, from the request to the end of the response.
private final class Transfer: Sendable {
  private struct State {
    /// `nil` until the session has made the task.
    var task: URLSessionTask?
    var isAnswered = false
    var hasEnded = false
    /// Whether the session has finished its work for the transfer.
    var isReleased = false
  }

  let receiver: ResponseReceiver
  /// A stream that has no elements, and ends when the transfer ends.
  let steps: AsyncThrowingStream<Void, any Error>
  private let continuation: AsyncThrowingStream<Void, any Error>.Continuation
  private let state = Locked(State())

  init(receiver: ResponseReceiver) {
    self.receiver = receiver
    (steps, continuation) = AsyncThrowingStream.makeStream()
  }

  var task: URLSessionTask? { state.withLock { $0.task } }
  /// Whether the transfer is running and still waits for its final response.
  var isUnanswered: Bool { state.withLock { !$0.isAnswered && !$0.hasEnded } }
  var isReleased: Bool { state.withLock { $0.isReleased } }

  /// Returns whether the transfer has not ended, so that its receiver gets the answer.
  func takeAnswer() -> Bool {
    state.withLock { state in
      state.isAnswered = true
      return !state.hasEnded
    }
  }

  func release() { state.withLock { $0.isReleased = true } }

  /// Returns whether the task has to be started.
  ///
  /// A transfer that ended before its task existed does not start.
  func take(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      state.task = task
      return !state.hasEnded
    }
  }

  /// Ends the stream, and returns whether it had not ended before.
  func end(error: (any Error)?) -> Bool {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { continuation.finish(throwing: error) }
    return isFirst
  }
}

/// A session and its running transfers.
///
/// On systems other than Apple's, all sessions of a process have one thread, which reads the network and also makes,
/// starts and cancels tasks. A fast server that sends a redirect with an endless body, or interim responses without
/// end, occupies that thread until the server stops: sessions collect such bytes without reporting them, and do
/// nothing else while bytes are ready. No request can prevent this. So Swift's tasks never wait for the session, and
/// while its thread is occupied, transfers fail as if the network were down.
private final class WatchedSession: Sendable {
  private struct State {
    var transfers: [ObjectIdentifier: Transfer] = [:]
    var isOccupied = false
  }

  private let reactionSeconds: Double
  private let state = Locked(State())
  private let receivers = Receivers()
  private let session: URLSession
  /// The queue for calls that wait for the session's thread.
  ///
  /// It is serial, so that an occupied session blocks one thread at most.
  private let callQueue = DispatchQueue(label: "OnDemand.URLSessionTransport.calls")
  /// A queue that depends neither on the threads of Swift's tasks nor on the session's thread.
  private let watchQueue = DispatchQueue(label: "OnDemand.URLSessionTransport.watch")

  init(reactionSeconds: Double) {
    self.reactionSeconds = reactionSeconds
    let settings = URLSessionConfiguration.ephemeral
    settings.urlCache = nil
    settings.httpCookieStorage = nil
    settings.urlCredentialStorage = nil
    settings.httpMaximumConnectionsPerHost = 64
    let queue = DirectQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: settings, delegate: receivers, delegateQueue: queue)
    receivers.onEnd.withLock { $0 = { [weak self] in self?.end($0, error: $1) } }
  }

  func start(_ transfer: Transfer, with request: URLRequest) {
    let isOccupied = state.withLock { state in
      if !state.isOccupied { state.transfers[ObjectIdentifier(transfer)] = transfer }
      return state.isOccupied
    }
    if isOccupied { return _ = transfer.end(error: URLError(.networkConnectionLost)) }
    callQueue.async { [self] in
      let task = session.dataTask(with: request)
      receivers.add(transfer, for: task)
      if transfer.take(task) { task.resume() } else { cancel(task, of: transfer) }
    }
    check(transfer, until: .now() + min(max(request.timeoutInterval, 0), 86_400), redirected: 0)
  }

  /// Ends a transfer, and closes its connection.
  ///
  /// The receiver of the transfer gets no more data. Has no effect on a transfer that has ended.
  func end(_ transfer: Transfer, error: (any Error)?) {
    guard transfer.end(error: error) else { return }
    state.withLock { _ = $0.transfers.removeValue(forKey: ObjectIdentifier(transfer)) }
    if transfer.isReleased { return }
    // A transfer without a task is cancelled when the task exists.
    if let task = transfer.task { callQueue.async { [self] in cancel(task, of: transfer) } }
    watchQueue.asyncAfter(deadline: .now() + reactionSeconds) { [self] in
      if !transfer.isReleased { failTransfers() }
    }
  }

  private func cancel(_ task: URLSessionTask, of transfer: Transfer) {
    task.cancel()
    receivers.remove(task)
    transfer.release()
  }

  /// Ends all transfers, and refuses others until the session's thread reacts again.
  private func failTransfers() {
    let rest = state.withLock { state in
      state.isOccupied = true
      return Array(state.transfers.values)
    }
    for transfer in rest { end(transfer, error: URLError(.networkConnectionLost)) }
    callQueue.async { [self] in state.withLock { $0.isOccupied = false } }
  }

  /// Ends a transfer that never gets a final response.
  ///
  /// Looks at the transfer every 50 milliseconds until its final response begins. `redirected` is the number of
  /// seconds for which the transfer has received the body of a redirect.
  private func check(_ transfer: Transfer, until deadline: DispatchTime, redirected: Double) {
    watchQueue.asyncAfter(deadline: .now() + .milliseconds(50)) { [self] in
      if !transfer.isUnanswered { return }
      if .now() >= deadline { return end(transfer, error: URLError(.timedOut)) }
      var redirected = redirected
      #if canImport(FoundationNetworking)
        if let task = transfer.task, task.response == nil, task.countOfBytesExpectedToReceive != 0 {
          redirected += 0.05
        }
        if redirected > 0.5 { return end(transfer, error: wrong("its redirect response does not end")) }
      #endif
      check(transfer, until: deadline, redirected: redirected)
    }
  }
}

/// The session's callbacks for the running transfers.
private final class Receivers: NSObject, URLSessionDataDelegate, Sendable {
  /// Ends a transfer.
  let onEnd = Locked<@Sendable (Transfer, (any Error)?) -> Void>({ _, _ in })
  private let transfers = Locked<[URLSessionTask: Transfer]>([:])

  func add(_ transfer: Transfer, for task: URLSessionTask) { transfers.withLock { $0[task] = transfer } }
  func remove(_ task: URLSessionTask) { transfers.withLock { _ = $0.removeValue(forKey: task) } }

  private func end(_ transfer: Transfer, error: (any Error)?) { onEnd.withLock { $0 }(transfer, error) }

  private func deliver(_ task: URLSessionTask, part: (ResponseReceiver) throws -> Void) {
    guard let transfer = transfers.withLock({ $0[task] }), transfer.takeAnswer() else { return }
    do { try part(transfer.receiver) } catch { end(transfer, error: error) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let answer = response as? HTTPURLResponse, answer.statusCode >= 200 {
      deliver(dataTask) { try $0.receive(answer) }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    deliver(dataTask) { try $0.receive(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let transfer = transfers.withLock({ $0.removeValue(forKey: task) }) else { return }
    transfer.release()
    end(transfer, error: error.map { $0 as? URLError ?? URLError(.unknown) })
  }

  /// Does not follow redirects.
  ///
  /// The library follows them itself, because it decides which headers each host gets.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // The handler is called only for running tasks. In Foundation for Linux and Windows, a session crashes if
    // the handler is called for a cancelled task.
    if task.state == .running { completionHandler(nil) }
  }
}

/// An operation queue that runs the session's callbacks on the thread that reads the network.
///
/// On systems other than Apple's, a session adds data to its queue as fast as it arrives, without limit. This
/// queue runs each callback immediately, so it always stays empty.
private final class DirectQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  #endif
}
