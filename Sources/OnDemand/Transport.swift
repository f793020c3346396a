import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes an answer while it comes, one call after another; what throws ends the transfer.
struct AnswerTaker: Sendable {
  let begin: @Sendable (HTTPURLResponse) throws -> Void
  let take: @Sendable (Data) throws -> Void
}

/// What fetches: the network, or a test's.
protocol Transport: Sendable {
  /// Returns when all has been taken.
  func get(_ request: URLRequest, into taker: AnswerTaker) async throws
  func close()
}

/// Why a transfer ended early.
enum TransferFailure: Error, Equatable {
  /// The server cannot be reached at all.
  case unreachable
  /// What may go away by itself: a connection that broke, a server that is busy.
  case passing
  /// What the server will say again.
  case refused(status: Int)
  /// What the server sent cannot be right.
  case wrong(String)
}

/// HTTP by URLSession, which is bounded here where it is not by itself.
final class HTTPTransport: Transport {
  /// Kept for the next transfer, as each has one of its own while it is under way.
  private let idle = Locked<Connection?>(nil)

  func close() { idle.withLock { $0.take() }?.close() }

  func get(_ request: URLRequest, into taker: AnswerTaker) async throws {
    let connection = idle.withLock { $0.take() } ?? Connection()
    let watch = Task { try await connection.watch() }
    defer { watch.cancel() }
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { connection.start(request, taker, $0) }
      } onCancel: {
        connection.finish(CancellationError())
      }
    } catch {
      connection.abandon()
      throw error
    }
    watch.cancel()
    // It must not end the transfer after this one.
    _ = await watch.result
    connection.renew()
    let other = idle.withLock { idle in
      defer { idle = connection }
      return idle
    }
    other?.close()
  }
}

/// A session with the one transfer that it has at a time, until one is given up.
private final class Connection: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// Seconds without a byte, and to the head of an answer.
  private static let patience = 30.0

  private let lock = NSLock()
  private var task: URLSessionDataTask?
  private var taker: AnswerTaker?
  private var continuation: CheckedContinuation<Void, any Error>?
  private var isAnswered = false
  private var isFinished = false
  private let queue = HoldingQueue()
  private lazy var session: URLSession = {
    let settings = URLSessionConfiguration.ephemeral
    settings.urlCache = nil
    settings.httpCookieStorage = nil
    settings.urlCredentialStorage = nil
    settings.timeoutIntervalForRequest = Self.patience
    queue.maxConcurrentOperationCount = 1
    return URLSession(configuration: settings, delegate: self, delegateQueue: queue)
  }()

  func start(
    _ request: URLRequest, _ taker: AnswerTaker, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let task = session.dataTask(with: request)
    let isCancelled = lock.withLock {
      self.task = task
      if !isFinished { (self.taker, self.continuation) = (taker, continuation) }
      return isFinished
    }
    if isCancelled { return continuation.resume(throwing: CancellationError()) }
    task.resume()
  }

  /// Ends the transfer once; no call reaches the taker after it.
  func finish(_ error: (any Error)?) {
    let continuation = lock.withLock {
      defer { self.continuation = nil }
      (isFinished, taker) = (true, nil)
      return self.continuation
    }
    continuation?.resume(with: error.map(Result.failure) ?? .success(()))
  }

  func renew() { lock.withLock { (task, isAnswered, isFinished) = (nil, false, false) } }
  func close() { session.finishTasksAndInvalidate() }

  /// Cancels the transfer, never on the session's own thread, for which it would wait.
  ///
  /// Elsewhere than on Apple's systems a session traps where a transfer ends while it is cancelled; the last that it
  /// delivers is held back until that is over.
  func abandon() {
    queue.hold()
    DispatchQueue.global().async { [self] in
      task?.cancel()
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { [self] in
        queue.release()
        close()
      }
    }
  }

  /// Ends what does not get to the head of an answer: an endless row of interim answers, or the body of a redirect,
  /// which the session gathers in memory without telling of it.
  func watch() async throws {
    var redirected = 0.0
    for _ in 0..<Int(Self.patience * 20) {
      try await Task.sleep(nanoseconds: 50_000_000)
      let (task, isOver) = lock.withLock { (self.task, isAnswered || isFinished) }
      if isOver { return }
      #if canImport(FoundationNetworking)
        if let task, task.response == nil && task.countOfBytesExpectedToReceive != 0 { redirected += 0.05 }
        if redirected > 0.5 { return finish(TransferFailure.wrong("it sends a redirect without an end")) }
      #endif
    }
    finish(TransferFailure.passing)
  }
}

/// What the session delivers.
extension Connection {
  private func deliver(_ part: (AnswerTaker) throws -> Void) {
    do {
      try lock.withLock {
        guard let taker else { return }
        isAnswered = true
        try part(taker)
      }
    } catch {
      finish(error)
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let answer = response as? HTTPURLResponse, answer.statusCode >= 200 {
      deliver { try $0.begin(answer) }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    deliver { try $0.take(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    finish(error.map(TransferFailure.init))
  }

  /// Follows a redirect within the server, and no other.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let urls = [task.originalRequest?.url, request.url]
    let isWithin = Set(urls.map { [$0?.scheme, $0?.host, $0?.port.map(String.init)] }).count == 1
    // The session traps at an answer that it does not wait for: one too early, or of a task that was cancelled.
    if lock.withLock({ isFinished }) { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { completionHandler(isWithin ? request : nil) }
  }
}

/// Elsewhere than on Apple's systems, runs what the session delivers on the thread that reads the network, since a
/// session puts bytes into its queue as fast as they come, without an end to it.
private final class HoldingQueue: OperationQueue, @unchecked Sendable {
  private let held = Locked<[@Sendable () -> Void]?>(nil)

  func hold() { held.withLock { $0 = $0 ?? [] } }

  func release() { for block in held.withLock({ $0.take() }) ?? [] { block() } }

  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      let isHeld = held.withLock { held in
        held?.append(block)
        if let count = held?.count, count > 8 { held?.removeFirst() }
        return held != nil
      }
      if !isHeld { block() }
    }
  #endif
}

extension TransferFailure {
  fileprivate init(_ error: any Error) {
    let codes: [URLError.Code] = [
      .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .dataNotAllowed,
      .internationalRoamingOff,
    ]
    let code = (error as NSError).code
    self = codes.contains { $0.rawValue == code } ? .unreachable : .passing
  }
}
