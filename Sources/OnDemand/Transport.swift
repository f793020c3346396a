import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes an answer while it comes, one call after another; what throws ends the transfer.
struct AnswerTaker: Sendable {
  let begin: @Sendable (HTTPURLResponse) throws -> Void
  let take: @Sendable (Data) throws -> Void
}

/// What fetches, the network or a test's: returns when all has been taken, and throws an `URLError` for what may go away
/// by itself.
typealias Transport = @Sendable (URLRequest, AnswerTaker) async throws -> Void

private let transfers = Transfers()

/// One session for all stores, which is bounded here where it is not by itself.
private let session: URLSession = {
  let settings = URLSessionConfiguration.ephemeral
  settings.urlCache = nil
  settings.httpCookieStorage = nil
  settings.urlCredentialStorage = nil
  settings.timeoutIntervalForRequest = Transfer.patience
  let queue = DirectQueue()
  queue.maxConcurrentOperationCount = 1
  return URLSession(configuration: settings, delegate: transfers, delegateQueue: queue)
}()

/// Fetches by HTTP.
@Sendable func fetchByHTTP(_ request: URLRequest, into taker: AnswerTaker) async throws {
  let task = session.dataTask(with: request)
  let transfer = Transfer(taker)
  transfers[task] = transfer
  let watch = Task { try await transfer.watch(task) }
  defer {
    watch.cancel()
    transfer.finish(nil)
    transfers[task] = nil
    // Never on the session's own thread, for which it would wait.
    DispatchQueue.global().async { task.cancel() }
  }
  task.resume()
  for try await _ in transfer.steps {}
  try Task.checkCancellation()
}

/// The transfers of a session that are under way, and what it tells of them.
private final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
  private let running = Locked<[Int: Transfer]>([:])

  subscript(_ task: URLSessionTask) -> Transfer? {
    get { running.withLock { $0[task.taskIdentifier] } }
    set { running.withLock { $0[task.taskIdentifier] = newValue } }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let answer = response as? HTTPURLResponse, answer.statusCode >= 200 {
      self[dataTask]?.deliver { try $0.begin(answer) }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    self[dataTask]?.deliver { try $0.take(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    self[task]?.finish(error.map { $0 as? URLError ?? URLError(.unknown) })
  }

  /// Follows a redirect within the server, and no other.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let urls = [task.originalRequest?.url, request.url]
    let isWithin = Set(urls.map { [$0?.scheme, $0?.host, $0?.port.map(String.init)] }).count == 1
    // Elsewhere than on Apple's systems a session traps at an answer about a task that is cancelled.
    if task.state == .running { completionHandler(isWithin ? request : nil) }
  }
}

/// A transfer that is under way, and ends once.
private final class Transfer: Sendable {
  /// Seconds without a byte, and to the head of an answer.
  static let patience = 30.0

  private let taker: Locked<(taker: AnswerTaker?, isAnswered: Bool)>
  /// Has no elements, and ends with the transfer.
  let (steps, end) = AsyncThrowingStream<Void, any Error>.makeStream()

  init(_ taker: AnswerTaker) { self.taker = Locked((taker, false)) }

  func deliver(_ part: (AnswerTaker) throws -> Void) {
    do {
      try taker.withLock { state in
        guard let taker = state.taker else { return }
        state.isAnswered = true
        try part(taker)
      }
    } catch {
      finish(error)
    }
  }

  /// No call reaches the taker after it.
  func finish(_ error: (any Error)?) {
    taker.withLock { $0.taker = nil }
    end.finish(throwing: error)
  }

  /// Ends what does not get to the head of an answer: an endless row of interim answers, or the body of a redirect,
  /// which the session gathers in memory without telling of it.
  func watch(_ task: URLSessionDataTask) async throws {
    var redirected = 0.0
    for _ in 0..<Int(Self.patience * 20) {
      try await Task.sleep(nanoseconds: 50_000_000)
      if taker.withLock({ $0.isAnswered }) { return }
      #if canImport(FoundationNetworking)
        if task.response == nil && task.countOfBytesExpectedToReceive != 0 { redirected += 0.05 }
        if redirected > 0.5 { return finish(wrong("it sends a redirect without an end")) }
      #endif
    }
    finish(URLError(.timedOut))
  }
}

/// Elsewhere than on Apple's systems, runs what the session delivers on the thread that reads the network, since a
/// session puts bytes into its queue as fast as they come, without an end to it.
private final class DirectQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  #endif
}

/// Of what says that the server cannot be reached at all.
let unreachableCodes: Set<URLError.Code> = [
  .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .dataNotAllowed,
  .internationalRoamingOff,
]
