import CMicroHTTP
import Markup
import PackKit
import System

/// One request and its answer; the library calls it on one thread at a time.
final class Exchange {
  let service: Service
  let target: [UInt8]
  /// Bytes of the body that a stream has sent.
  var sent: Int64 = 0
  /// When the first byte of the body may leave, in seconds.
  private(set) var ready: Double
  private let begun: Double
  /// When the request came, in nanoseconds since 1970.
  private let time: Int64
  private var request: Request?
  private var response: Response?
  private var table: ServedTable?
  private var hasRested = false
  private var wasCalled = false
  /// What the kernel had sent on the connection before.
  private let counted: Int64

  init(_ service: Service, target: [UInt8], on connection: OpaquePointer) {
    self.service = service
    self.target = target
    begun = ThisProcess.seconds
    ready = begun
    time = ThisProcess.time
    counted = TransferCount(of: connection).sent
  }

  /// Answers, or lets the connection rest for the link's latency and is called again.
  func answer(_ method: String, on connection: OpaquePointer) -> MHD_Result {
    let response = response ?? decide(method, connection)
    self.response = response
    // The first call comes before a body, and an answer to it ends the connection.
    if !wasCalled && !response.closes {
      wasCalled = true
      return .YES
    }
    if let link = service.link, !hasRested {
      hasRested = true
      ready = begun + link.latency
      if service.alarm.rest(connection, until: ready) { return .YES }
    }
    guard let queued = shared(response, on: connection) else { return .NO }
    return queued.queue(response.status, on: connection)
  }

  private func decide(_ method: String, _ connection: OpaquePointer) -> Response {
    var request = Request(method, target)
    request.take(headersOf: connection)
    if service.responder.login != nil { request.credentials = Credentials(of: connection) }
    request.number = service.count()
    let table = service.release.table
    self.table = table
    self.request = request
    let response = service.responder.response(to: request, from: table)
    if case .events = response.body, service.listeners.change({ $0 }) >= Service.mostListeners {
      return .refusal(503, "too many gauges are open", [("Retry-After", "10")])
    }
    return response
  }

  /// The library's form of an answer; nil where memory or descriptors are short.
  private func shared(_ response: Response, on connection: OpaquePointer) -> SharedResponse? {
    var headers = response.headers
    if response.closes { headers.append(.init(name: "Connection", value: "close")) }
    switch response.body {
    case .nothing: return SharedResponse(text: [], headers)
    case .text(let text): return SharedResponse(text: text.utf8, headers)
    case .file(let file, let range):
      if service.streams || response.cut != nil {
        let stream = BodyStream(file, range, cut: response.cut, on: connection, for: self)
        return SharedResponse(
          length: UInt64(range.count), longestPiece: BodyStream.longestPiece, headers, fill: stream.fill)
      }
      guard response.isWholeFile, !response.closes else { return SharedResponse(file, range, headers) }
      return file.whole.change { known in
        known = known ?? SharedResponse(file, range, headers)
        return known
      }
    case .gauge:
      let page = GaugePage(table ?? service.release.table, path: service.release.path)
      headers.append(.init(name: "Content-Type", value: "text/html; charset=utf-8"))
      return SharedResponse(text: page.html.bytes.array(), headers)
    case .events:
      headers.append(.init(name: "Content-Type", value: "text/event-stream"))
      let stream = EventStream(on: connection, of: service)
      return SharedResponse(
        length: .max, longestPiece: EventStream.longestPiece, headers
      ) { space, _ in stream.fill(space) }
    }
  }

  /// Notes what came of it, once the answer is sent or the connection has ended.
  func end(isComplete: Bool, _ connection: OpaquePointer) {
    guard let request, let response, let table else { return }
    let hasBody = request.method != "HEAD" && response.status != 304
    let bytes = hasBody ? sentBytes(of: response, isComplete: isComplete, connection) : 0
    var entry = LogEntry(time: time, method: request.method, target: target, status: response.status)
    entry.range = request.ranges.first
    entry.bytes = bytes
    entry.microseconds = Int64((ThisProcess.seconds - begun) * 1e6)
    if case .file(let file, let range) = response.body {
      if bytes > 0 { file.fetched.change { $0.add(range.lowerBound..<range.lowerBound + bytes) } }
      entry.pack = file.pack.map { table.packs[$0] }
    }
    service.log?.write(entry)
  }

  private func sentBytes(of response: Response, isComplete: Bool, _ connection: OpaquePointer) -> Int64 {
    guard case .file(_, let range) = response.body else { return isComplete ? response.length ?? 0 : 0 }
    if service.streams || response.cut != nil { return sent }
    if isComplete { return Int64(range.count) }
    // Of what the kernel sent by itself only it knows how much arrived.
    let arrived = TransferCount(of: connection).acknowledged - counted - response.headerSize
    return max(0, min(Int64(range.count), arrived))
  }
}
