import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server's response to a request for a small file.
struct FetchedData: Sendable {
  /// The body of the response.
  ///
  /// The body is nil if the server answered that the file still has the known ETag.
  var data: Data?
  var tag: String?
  let server: URL
}

/// Sends requests to the servers.
extension PackStore {
  /// Downloads a small file from the first server that has the file.
  func data(
    _ path: String, atMost limit: Int, unless known: SavedState.IndexTag? = nil
  ) async throws -> FetchedData {
    let servers = view(\.servers)
    for server in servers.dropLast() {
      do {
        return try await data(path, from: server, atMost: limit, unless: known)
      } catch let error as CancellationError {
        throw error
      } catch {}
    }
    return try await data(path, from: servers[servers.count - 1], atMost: limit, unless: known)
  }

  private func data(
    _ path: String, from server: URL, atMost limit: Int, unless known: SavedState.IndexTag?
  ) async throws -> FetchedData {
    let fetched = Locked(FetchedData(data: Data(), server: server))
    let tag = known.flatMap { $0.server == server.absoluteString ? $0.tag : nil }
    var headers = ["Cache-Control": "no-cache"]
    headers["If-None-Match"] = tag
    // Without this time limit, a download could last forever. A server can send one byte at a time, and is
    // then never silent for too long.
    let end = Date(timeIntervalSinceNow: options.silenceLimit * 4)
    let receiver = ResponseReceiver { answer in
      if answer.statusCode == 304 && tag != nil { return fetched.withLock { $0.data = nil } }
      if answer.statusCode != 200 { throw refusal(answer) }
      if answer.isPage { throw URLError(.badServerResponse) }
      fetched.withLock { $0.tag = answer.value(forHTTPHeaderField: "ETag") }
    } onData: { part in
      if Date() > end { throw URLError(.timedOut) }
      try fetched.withLock { fetched in
        guard let count = fetched.data?.count else { return }
        if count + part.count > limit { throw wrong("it is larger than \(limit) bytes") }
        fetched.data?.append(part)
      }
    }
    try await get(path, from: server, headers: headers, into: receiver)
    return fetched.withLock { $0 }
  }

  /// Downloads a whole file.
  ///
  /// If some of its bytes are already on the disk, resumes after these bytes.
  func download(_ plan: StoreState.Plan, to place: URL) async throws {
    let file = plan.file
    let writer = try FileWriter(place, start: .resumed)
    if writer.size > file.size { try writer.restart() }
    let lastByte = Locked(options.now())
    let progress = { @Sendable [self] in
      let time = lastByte.withLock { $0 }
      note { $0.receive(writer.size, plan: plan, at: time) }
    }
    progress()
    if writer.size < file.size {
      defer { progress() }
      // The request asks for the bytes without content encoding. The header `Range` does not need `If-Range`:
      // the file's name contains a digest, and the digest of all bytes is checked at the end.
      var headers = ["Accept-Encoding": "identity"]
      if writer.size > 0 { headers["Range"] = "bytes=\(writer.size)-" }
      let receiver = ResponseReceiver {
        try self.begin(writer, with: $0, file: file)
      } onData: { part in
        let before = writer.size
        if before + Int64(part.count) > file.size {
          throw wrong("the server sent more than \(file.size) bytes")
        }
        lastByte.withLock { $0 = self.options.now() }
        try writer.write(part)
        if writer.size >> 17 > before >> 17 { progress() }
        // All bytes have arrived, so the transfer ends without waiting for anything that the server may still
        // send.
        if writer.size == file.size { throw DownloadIsWhole() }
      }
      do {
        try await get(file.path, from: plan.server, headers: headers, into: receiver)
      } catch is DownloadIsWhole {}
      if writer.size < file.size { throw URLError(.networkConnectionLost) }
    }
    if try writer.finish() != file.digest.hex { throw wrong("its digest does not match the index") }
  }

  /// Decides whether a response continues a partial download or starts the download again.
  private func begin(_ writer: FileWriter, with answer: HTTPURLResponse, file: ServerFile) throws {
    switch answer.statusCode {
    case 206:
      let range = ContentRange(answer.value(forHTTPHeaderField: "Content-Range") ?? "")
      if writer.size == 0 || range?.first != writer.size || range?.total.map({ $0 == file.size }) == false {
        throw wrong("the server did not continue the download at byte \(writer.size)")
      }
    case 200 where answer.isPage: throw URLError(.badServerResponse)
    case 200:
      let length = answer.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
      if let length, length != file.size {
        throw wrong("the server reports a size of \(length) bytes, not \(file.size)")
      }
      try writer.restart()
    case 416: throw wrong("the server does not have the rest of the file")
    default: throw refusal(answer)
    }
  }
}

/// Thrown to end a transfer when all bytes of a download have arrived.
private struct DownloadIsWhole: Error {}

/// Thrown to end a transfer if a server redirects the client to another URL.
private struct Redirect: Error {
  let place: String?
  let status: Int
}

/// The range of bytes that the headers of a 206 response state.
private struct ContentRange {
  let first: Int64
  /// The size of the whole file; nil if the server does not state it.
  let total: Int64?

  init?(_ header: String) {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let first = parts[0].split(separator: "-").first.flatMap({ Int64($0) }) else {
      return nil
    }
    self.first = first
    total = Int64(parts[1])
    if total == nil && parts[1] != "*" { return nil }
  }
}

extension HTTPURLResponse {
  /// Whether the response is an HTML page, such as the login page of a hotel network.
  ///
  /// Until the user has logged in, such a network answers every request with its own page.
  fileprivate var isPage: Bool {
    value(forHTTPHeaderField: "Content-Type")?.lowercased().hasPrefix("text/html") == true
  }
}

private func refusal(_ answer: HTTPURLResponse) -> any Error {
  let status = answer.statusCode
  if status != 408 && status != 429 && status < 500 {
    return OnDemandError.refused(pack: nil, status: status)
  }
  return BusyServer(status: status, retryAfter: secondsToWait(answer))
}

/// The time in seconds that a response asks clients to wait, from `Retry-After`; nil if the header is missing
/// or invalid.
///
/// The value is a number of seconds or a date (RFC 9110, section 10.2.3). A date counts from the server's own
/// `Date`, because the clock of the device can be wrong.
func secondsToWait(_ answer: HTTPURLResponse, now: Date = Date()) -> Double? {
  guard let text = answer.value(forHTTPHeaderField: "Retry-After") else { return nil }
  if let seconds = Double(text) { return max(0, seconds) }
  let format = DateFormatter()
  format.locale = Locale(identifier: "en_US_POSIX")
  format.timeZone = TimeZone(identifier: "GMT")
  format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
  guard let date = format.date(from: text) else { return nil }
  let sent = answer.value(forHTTPHeaderField: "Date").flatMap(format.date(from:)) ?? now
  return max(0, date.timeIntervalSince(sent))
}

/// Sends one request and follows its redirects.
extension PackStore {
  /// The maximum number of redirects of one request.
  private static let maxRedirects = 5
  /// Headers that only the library itself can set.
  private static let ownHeaders: Set = ["range", "if-range", "if-none-match", "accept-encoding"]

  private func get(
    _ path: String, from server: URL, headers: [String: String], into receiver: ResponseReceiver
  ) async throws {
    guard let first = server.appending(published: path) else {
      throw wrong(
        "no valid URL can be made from the path \"\(path)\"")
    }
    if !["http", "https"].contains(first.scheme?.lowercased()) { throw URLError(.unsupportedURL) }
    var url = first
    for count in 0...Self.maxRedirects {
      do {
        return try await transfer(
          request(url, headers: headers, host: url.isSameServer(as: first) ? .own : .other), to: receiver)
      } catch let redirect as Redirect {
        guard count < Self.maxRedirects, let place = redirect.place,
          let next = URL(string: place, relativeTo: url)?.absoluteURL,
          next.isAllowed(afterRedirectFrom: first)
        else { throw OnDemandError.refused(pack: nil, status: redirect.status) }
        url = next
      }
    }
  }

  private enum Host {
    /// A server whose URL the app set.
    case own
    /// A server to which a redirect leads. It does not get the app's headers.
    case other
  }

  private func request(_ url: URL, headers: [String: String], host: Host) -> URLRequest {
    var request = URLRequest(url: url)
    let app =
      host == .own
      ? options.headers.filter { !Self.ownHeaders.contains($0.key.lowercased()) } : [:]
    request.allHTTPHeaderFields = app.merging(headers) { $1 }
    request.timeoutInterval = max(1, options.silenceLimit)
    request.allowsCellularAccess = options.allowsCellular
    #if !canImport(FoundationNetworking)
      request.allowsConstrainedNetworkAccess = options.allowsConstrained
    #endif
    return request
  }

  /// Sends a request.
  ///
  /// The request ends if no byte of the body arrives for `Options.patience` seconds.
  private func transfer(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
    let gate = TransferGate(receiver) { [self] in note { $0.markServerKnown() } }
    let (ends, end) = AsyncStream<Result<Void, any Error>>.makeStream()
    let task = Task { [transport = options.transport] in
      do {
        try await transport.send(request, to: gate.receiver)
        end.yield(.success(()))
      } catch {
        end.yield(.failure(error))
      }
    }
    let watch = Task { [patience = options.silenceLimit] in
      while true {
        try await Task.sleep(nanoseconds: UInt64(max(0.01, min(1, patience / 20)) * 1_000_000_000))
        if gate.silence > max(patience, 0.02) { end.yield(.failure(URLError(.timedOut))) }
      }
    }
    defer {
      gate.close()
      task.cancel()
      watch.cancel()
    }
    for await result in ends {
      // If the receiver threw an error, throw this error, even if the transport reports another error or no
      // error.
      if let failure = gate.failure { throw failure }
      return try result.get()
    }
    throw CancellationError()
  }
}

/// Passes data from a transport to a receiver, and records errors and times.
///
/// After the gate is closed, it passes no more data.
private final class TransferGate: Sendable {
  private struct State {
    var isOpen = true
    var failure: (any Error)?
    var lastByte = DispatchTime.now().uptimeNanoseconds
    var pieces = PieceCounter()
  }

  private let state = Locked(State())
  private let target: ResponseReceiver
  private let markServerKnown: @Sendable () -> Void

  init(_ target: ResponseReceiver, markServerKnown: @escaping @Sendable () -> Void) {
    (self.target, self.markServerKnown) = (target, markServerKnown)
  }

  var receiver: ResponseReceiver {
    ResponseReceiver { answer in
      try self.pass {
        self.markServerKnown()
        if (300...399).contains(answer.statusCode) && answer.statusCode != 304 {
          throw Redirect(place: answer.value(forHTTPHeaderField: "Location"), status: answer.statusCode)
        }
        try self.target.receive(answer)
      }
    } onData: { data in
      if data.isEmpty { return }
      try self.pass {
        try self.state.withLock { try $0.pieces.add(data.count) }
        try self.target.receive(data)
      }
    }
  }

  /// The error that the receiver threw, or the error that says that the body has too many pieces.
  var failure: (any Error)? { state.withLock { $0.failure } }
  /// Seconds since the last byte of the body.
  ///
  /// Before the first byte of the body, these are the seconds since the headers arrived or since the request
  /// started.
  var silence: Double {
    state.withLock { Double(DispatchTime.now().uptimeNanoseconds - $0.lastByte) / 1_000_000_000 }
  }

  func close() { state.withLock { $0.isOpen = false } }

  /// Runs `work`, which passes data to the receiver, unless the transfer has ended.
  private func pass(_ work: () throws -> Void) throws {
    try state.withLock { state in
      if !state.isOpen { throw state.failure ?? CancellationError() }
      state.lastByte = DispatchTime.now().uptimeNanoseconds
    }
    do {
      try work()
    } catch {
      state.withLock { state in
        state.isOpen = false
        state.failure = state.failure ?? error
      }
      throw error
    }
  }
}

/// Counts the pieces in which a body arrives.
///
/// Each piece needs memory in the system's transport, even if it is small.
struct PieceCounter {
  private var pieces = 0
  private var bytes = 0

  /// Adds a piece, and throws an error if there are too many pieces for so few bytes.
  mutating func add(_ count: Int) throws {
    pieces += 1
    bytes += count
    if pieces > 20_000 + bytes / 64 { throw wrong("the server sends the file in too many small pieces") }
  }
}

extension URL {
  private var effectivePort: Int? { port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""] }

  /// Whether two URLs have the same scheme, host and port.
  fileprivate func isSameServer(as other: URL) -> Bool {
    scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
      && effectivePort == other.effectivePort
  }

  /// Whether the store follows a redirect from a server to this URL.
  ///
  /// HTTPS is always allowed. HTTP is allowed only if the redirecting server is on this machine.
  fileprivate func isAllowed(afterRedirectFrom server: URL) -> Bool {
    switch scheme?.lowercased() {
    case "https": host != nil
    case "http":
      host != nil && server.scheme?.lowercased() == "http"
        && ["localhost", "127.0.0.1", "::1", "[::1]"].contains(server.host?.lowercased())
    default: false
    }
  }
}
