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

  private let transfers = Transfers()
  private let session: URLSession

  private init() {
    let settings = URLSessionConfiguration.ephemeral
    settings.urlCache = nil
    settings.httpCookieStorage = nil
    settings.urlCredentialStorage = nil
    settings.httpMaximumConnectionsPerHost = 64
    let queue = DirectQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: settings, delegate: transfers, delegateQueue: queue)
  }

  /// Sends a request over HTTP.
  ///
  /// A redirect is passed to the receiver like any other response.
  public func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
    let task = session.dataTask(with: request)
    let steps = transfers.begin(task, receiver: receiver)
    let watch = Task { await transfers.watch(task, patience: request.timeoutInterval) }
    defer {
      watch.cancel()
      transfers.finish(task, error: nil)
      // The transfer is never cancelled on the session's own thread, because `cancel()` would wait for that
      // thread.
      waitingQueue.async { task.cancel() }
    }
    task.resume()
    for try await _ in steps {}
    try Task.checkCancellation()
  }
}

/// The running transfers, and the session's callbacks for them.
private final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
  private struct Transfer {
    let receiver: ResponseReceiver
    /// The continuation of a stream that has no elements.
    ///
    /// The stream ends when the transfer ends.
    let end: AsyncThrowingStream<Void, any Error>.Continuation
    var isAnswered = false
  }

  private let running = Locked<[URLSessionTask: Transfer]>([:])

  func begin(_ task: URLSessionTask, receiver: ResponseReceiver) -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream { end in running.withLock { $0[task] = Transfer(receiver: receiver, end: end) } }
  }

  private func deliver(_ task: URLSessionTask, part: (ResponseReceiver) throws -> Void) {
    let receiver = running.withLock { running in
      running[task]?.isAnswered = true
      return running[task]?.receiver
    }
    guard let receiver else { return }
    do { try part(receiver) } catch { finish(task, error: error) }
  }

  /// Ends a transfer.
  ///
  /// The receiver of the transfer gets no more data.
  func finish(_ task: URLSessionTask, error: (any Error)?) {
    running.withLock { $0.removeValue(forKey: task) }?.end.finish(throwing: error)
  }

  /// Ends a transfer that never gets a final response.
  ///
  /// This happens if a server sends interim responses without end, or a redirect with an endless body. The
  /// session collects the body of a redirect in memory without reporting it.
  func watch(_ task: URLSessionTask, patience: Double) async {
    var redirected = 0.0
    for _ in 0..<Int(min(patience, 86_400) * 20) {
      if (try? await Task.sleep(nanoseconds: 50_000_000)) == nil { return }
      if running.withLock({ $0[task]?.isAnswered != false }) { return }
      #if canImport(FoundationNetworking)
        if task.response == nil && task.countOfBytesExpectedToReceive != 0 { redirected += 0.05 }
        if redirected > 0.5 { return finish(task, error: wrong("its redirect response does not end")) }
      #endif
    }
    finish(task, error: URLError(.timedOut))
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
    finish(task, error: error.map { $0 as? URLError ?? URLError(.unknown) })
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
