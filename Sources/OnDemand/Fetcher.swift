import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gets files of the server into the store's folder, each proved by its digest.
extension PackStore {
  private func get(_ path: String, headers: [String: String], into taker: AnswerTaker) async throws {
    guard let url = server.appending(published: path) else { throw wrong("\"\(path)\" makes no URL") }
    var request = URLRequest(url: url)
    request.allHTTPHeaderFields = options.headers.merging(headers) { $1 }
    try await options.transport(request, taker)
  }

  func data(_ path: String, atMost most: Int) async throws -> Data {
    let data = Locked(Data())
    // Bytes that drip in, each within the session's patience, would otherwise never end.
    let end = Date(timeIntervalSinceNow: options.patience)
    let taker = AnswerTaker { answer in
      if answer.statusCode != 200 { throw refusal(answer.statusCode) }
    } take: { part in
      if Date() > end { throw URLError(.networkConnectionLost) }
      try data.withLock { data in
        if data.count + part.count > most { throw wrong("it has more than \(most) bytes") }
        data.append(part)
      }
    }
    try await get(path, headers: ["Cache-Control": "no-cache"], into: taker)
    return data.withLock { $0 }
  }

  /// The pack's files in a folder that is to be made, by its patch if it has one, else by its archive.
  func fetch(_ pack: Catalog.Pack, number: Int, into staged: URL) async throws {
    let file = pack.files[0]
    let ending = URL(fileURLWithPath: file.path).pathExtension
    let container = file.path.contains(".tar.") ? "tar.\(ending)" : "folder"
    if ending != "zip" { throw OnDemandError.unsupportedContainer(pack: pack.id, container: container) }
    let place = folder.download(file.digest.hex)
    do {
      try await download(file, of: number, to: place)
      #if Patches
        if pack.patch != nil {
          return try applyPatch(place, pack: pack, sources: folder.filesByDigest(), into: staged)
        }
      #endif
      try PackMaker.unpack(place, pack: pack, into: staged)
    } catch OnDemandError.damaged(_, let reason) {
      folder.remove(download: file.digest.hex)
      throw wrong(reason)
    }
  }

  /// A whole file, of which what came before is not asked for again.
  private func download(_ file: PublishedFile, of pack: Int, to place: URL) async throws {
    let writer = try FileWriter(place, goesOn: true)
    if writer.size > file.size { try writer.restart() }
    let progress = { @Sendable [self] in
      perform { core in if core.job == pack { core.schedule.receive(writer.size, pack: pack) } }
    }
    progress()
    if writer.size < file.size {
      var headers = ["Accept-Encoding": "identity"]
      if writer.size > 0 {
        headers["Range"] = "bytes=\(writer.size)-"
        headers["If-Range"] = "\"\(file.digest.hex)\""
      }
      defer { progress() }
      let taker = AnswerTaker {
        try self.begin(writer, with: $0, file: file)
      } take: { part in
        let before = writer.size
        if before + Int64(part.count) > file.size {
          throw wrong("its server sent more than \(file.size) bytes")
        }
        try writer.write(part)
        if writer.size >> 17 > before >> 17 { progress() }
      }
      try await get(file.path, headers: headers, into: taker)
      if writer.size < file.size { throw URLError(.networkConnectionLost) }
    }
    if try writer.finish() != file.digest.hex { throw wrong("its digest is another one") }
  }

  /// Looks whether an answer goes on with a file, or begins it anew.
  private func begin(_ writer: FileWriter, with answer: HTTPURLResponse, file: PublishedFile) throws {
    switch answer.statusCode {
    case 206:
      let range = "bytes \(writer.size)-\(file.size - 1)/\(file.size)"
      if writer.size == 0 || answer.value(forHTTPHeaderField: "Content-Range") != range {
        throw wrong("its server sent another range than \(range)")
      }
    case 200:
      let length = answer.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
      if let length, length != file.size {
        throw wrong("its server says that it has \(length) bytes, not \(file.size)")
      }
      try writer.restart()
    case 416: throw wrong("its server has no such range")
    default: throw refusal(answer.statusCode)
    }
  }
}

private func refusal(_ status: Int) -> any Error {
  let isBusy = status == 408 || status == 429 || status >= 500
  return isBusy ? URLError(.badServerResponse) : OnDemandError.refused(pack: nil, status: status)
}

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
  settings.timeoutIntervalForRequest = Transfers.patience
  let queue = DirectQueue()
  queue.maxConcurrentOperationCount = 1
  return URLSession(configuration: settings, delegate: transfers, delegateQueue: queue)
}()

/// Fetches by HTTP.
@Sendable func fetchByHTTP(_ request: URLRequest, into taker: AnswerTaker) async throws {
  let task = session.dataTask(with: request)
  let steps = transfers.begin(task, taker: taker)
  Task { await transfers.watch(task) }
  defer {
    transfers.finish(task, error: nil)
    // Never on the session's own thread, for which it would wait.
    DispatchQueue.global().async { task.cancel() }
  }
  task.resume()
  for try await _ in steps {}
  try Task.checkCancellation()
}

/// The transfers that are under way, and what the session tells of them.
private final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
  private struct Transfer {
    let taker: AnswerTaker
    /// Of a stream without elements, which ends with the transfer.
    let end: AsyncThrowingStream<Void, any Error>.Continuation
    var isAnswered = false
  }

  /// Seconds without a byte, and to the head of an answer.
  static let patience = 30.0

  private let running = Locked<[URLSessionTask: Transfer]>([:])

  func begin(_ task: URLSessionTask, taker: AnswerTaker) -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream { end in running.withLock { $0[task] = Transfer(taker: taker, end: end) } }
  }

  private func deliver(_ task: URLSessionTask, part: (AnswerTaker) throws -> Void) {
    do {
      try running.withLock { running in
        running[task]?.isAnswered = true
        if let taker = running[task]?.taker { try part(taker) }
      }
    } catch {
      finish(task, error: error)
    }
  }

  /// No call reaches the taker after it.
  func finish(_ task: URLSessionTask, error: (any Error)?) {
    running.withLock { $0.removeValue(forKey: task) }?.end.finish(throwing: error)
  }

  /// Ends what does not get to the head of an answer: an endless row of interim answers, or the body of a redirect,
  /// which the session gathers in memory without telling of it.
  func watch(_ task: URLSessionTask) async {
    var redirected = 0.0
    for _ in 0..<Int(Self.patience * 20) {
      try? await Task.sleep(nanoseconds: 50_000_000)
      if running.withLock({ $0[task]?.isAnswered != false }) { return }
      #if canImport(FoundationNetworking)
        if task.response == nil && task.countOfBytesExpectedToReceive != 0 { redirected += 0.05 }
        if redirected > 0.5 { return finish(task, error: wrong("it sends a redirect without an end")) }
      #endif
    }
    finish(task, error: URLError(.timedOut))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let answer = response as? HTTPURLResponse, answer.statusCode >= 200 {
      deliver(dataTask) { try $0.begin(answer) }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    deliver(dataTask) { try $0.take(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    finish(task, error: error.map { $0 as? URLError ?? URLError(.unknown) })
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
