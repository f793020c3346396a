import Foundation
import FoundationNetworking
import Support

@testable import OnDemand

/// A server that serves a built folder without a network.
///
/// Tests can change its responses.
///
/// The server behaves like an object store: it accepts requests for ranges without a validator, and its ETags
/// are not digests.
final class FolderServer: Transport, @unchecked Sendable {
  /// A response that a test can change before it is sent.
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: Data
    /// The error that ends the response early.
    var failure: URLError?
    /// Whether the response never ends.
    var isEndless = false
  }

  private let lock = NSLock()
  private var root: String
  private var bend: @Sendable (String, inout Answer) -> Void = { _, _ in }
  private var seen: [URLRequest] = []
  private var open = 0
  private var mostOpen = 0
  static let url = URL(string: "http://packs.example")!

  init(_ root: String) { self.root = root }

  /// The requests until now.
  var requests: [URLRequest] { lock.withLock { seen } }
  /// The requested paths until now.
  var paths: [String] { requests.map(Self.path) }
  /// The maximum number of requests that were open at the same time.
  var mostAtOnce: Int { lock.withLock { mostOpen } }

  /// Returns the path of a request in the way that S3 reads it: a plus stands for a space.
  static func path(_ request: URLRequest) -> String {
    let path = request.url.flatMap {
      URLComponents(url: $0, resolvingAgainstBaseURL: true)?.percentEncodedPath
    }
    return path?.dropFirst().replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
  }

  func serve(_ root: String) { lock.withLock { self.root = root } }
  func bend(_ bend: @escaping @Sendable (String, inout Answer) -> Void) { lock.withLock { self.bend = bend } }

  func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
    let (root, bend) = lock.withLock {
      seen.append(request)
      open += 1
      mostOpen = max(mostOpen, open)
      return (self.root, self.bend)
    }
    defer { lock.withLock { open -= 1 } }
    let path = Self.path(request)
    var answer = Self.answer(request, try? Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)")))
    bend(path, &answer)
    if answer.status == 0, let failure = answer.failure { throw failure }
    if answer.status == 0 && answer.isEndless { return try await Task.sleep(for: .seconds(86_400)) }
    let head = HTTPURLResponse(
      url: request.url!, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)!
    try receiver.receive(head)
    var rest = answer.body
    while !rest.isEmpty {
      try Task.checkCancellation()
      await Task.yield()
      try receiver.receive(Data(rest.prefix(1 << 16)))
      rest = Data(rest.dropFirst(1 << 16))
    }
    if answer.isEndless { try await Task.sleep(for: .seconds(86_400)) }
    if let failure = answer.failure { throw failure }
  }

  private static func answer(_ request: URLRequest, _ body: Data?) -> Answer {
    guard let body else { return Answer(status: 404, headers: [:], body: Data()) }
    let tag = "\"etag-\(SHA256Digest.hex(of: body).prefix(8))-2\""
    if request.value(forHTTPHeaderField: "If-None-Match") == tag {
      return Answer(status: 304, headers: ["ETag": tag], body: Data())
    }
    let range = request.value(forHTTPHeaderField: "Range")?.dropFirst("bytes=".count).dropLast()
    let condition = request.value(forHTTPHeaderField: "If-Range")
    guard let start = range.flatMap({ Int($0) }), condition == nil || condition == tag else {
      return Answer(status: 200, headers: ["Content-Length": "\(body.count)", "ETag": tag], body: body)
    }
    if start >= body.count { return Answer(status: 416, headers: [:], body: Data()) }
    return Answer(
      status: 206,
      headers: ["Content-Range": "bytes \(start)-\(body.count - 1)/\(body.count)", "ETag": tag],
      body: body.dropFirst(start))
  }
}

extension URLError {
  /// An error that can be temporary (`passing`), and an error that is permanent (`unreachable`).
  static let passing = URLError(.networkConnectionLost)
  static let unreachable = URLError(.cannotConnectToHost)
}

extension OnDemandError {
  /// The library's error for a server that cannot be reached.
  static let serverIsAway = OnDemandError.unreachable(UnderlyingError(URLError.unreachable))
}

extension PackStore {
  /// Makes a request for the tags and begins it.
  ///
  /// When the function returns, the packs are stored.
  @discardableResult func begin(_ tags: [String]) async throws -> ResourceRequest {
    let request = request(for: tags)
    try await request.beginAccessing()
    return request
  }

  /// Checks for an update and applies it immediately.
  ///
  /// Returns nil if the store already has the server's release.
  @discardableResult func takeUpdate() async throws -> Update? {
    let update = try await checkForUpdate()
    try await update?.apply(.immediately)
    return update
  }
}

extension PackStore.Options {
  /// Uses a server that needs no network, and makes all waits very short.
  mutating func use(_ server: FolderServer) {
    transport = server
    // The limits are very long, because on a busy machine, other tests can delay a test longer than an app
    // would wait for a server.
    patience = 1_000_000
    transferPatience = 1_000_000
    jitter = { 1 }
    volume = { _ in nil }
    wait = { _ in try await Task.sleep(for: .milliseconds(1)) }
  }
}
