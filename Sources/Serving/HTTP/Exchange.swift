#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import CMicroHTTP
import Formats
import Model
import Pipeline
import System

/// A request and its response.
///
/// libmicrohttpd calls the functions of this type on only one thread at a time.
final class Exchange {
  let service: Service
  let target: [UInt8]
  /// The address, in libmicrohttpd's memory, at which the target ends.
  let targetEnd: UInt
  /// Whether the target in the request line contains a zero byte.
  var isMalformed = false
  /// The number of bytes of the body that were sent: of a body in pieces, or of a whole page.
  private var sent: Int64 = 0
  /// The next piece of the body, and the time at which it arrives over the simulated network.
  private var piece: (count: Int, arrival: Double)?
  /// The time when the next bytes can be sent, in seconds.
  ///
  /// At first, this is the time when the body can start.
  private var ready: Double
  private let begun: Double
  private var request: Request?
  private var response: Response?
  private var table: ServedTable?
  private var hasRested = false
  private var wasCalled = false
  /// The number of bytes that the kernel had sent on the connection before this response; nil if the kernel
  /// does not copy the body from a file.
  private var sentBefore: Int64?

  /// The maximum number of bytes that are read with one call.
  ///
  /// It is the size of a TLS record, and also the buffer size of a connection.
  private static let maxPieceSize = 1 << 14
  /// The maximum number of characters that a log line contains of each text that the client sent.
  private static let maxTextSize = 2000

  init(_ service: Service, target: [UInt8], targetEnd end: UInt) {
    self.service = service
    self.target = target
    targetEnd = end
    begun = ThisProcess.seconds
    ready = begun
  }

  /// Answers the request.
  ///
  /// If the network has a latency, the function first suspends the connection. Afterwards, libmicrohttpd
  /// calls the function again.
  func answer(_ method: String, on connection: OpaquePointer) -> MHD_Result {
    let response = response ?? decide(method, connection: connection)
    self.response = response
    // The first call comes before the body of the request. If the response were queued in the first call, the
    // connection would end.
    if !wasCalled && !response.closes {
      wasCalled = true
      return .YES
    }
    if let network = service.network, network.losesAll {
      if hasRested { return .NO }
      hasRested = true
      return service.timer.suspend(connection, until: begun + network.longestSilence) ? .YES : .NO
    }
    if let network = service.network, !hasRested {
      hasRested = true
      let sent = Platform.transfer(of: connection_socket(connection))?.sent ?? 0
      ready = network.firstByte(ofRequestAt: begun, afterSending: sent)
      if service.timer.suspend(connection, until: ready) { return .YES }
    }
    guard let queued = shared(response, on: connection) else { return .NO }
    if queued.isFile, hasBody(response) {
      sentBefore = Platform.transfer(of: connection_socket(connection))?.sent
    }
    return queued.queue(response.status, on: connection)
  }

  private func decide(_ method: String, connection: OpaquePointer) -> Response {
    var request = Request(method, target: target)
    request.isMalformed = isMalformed
    request.readHeaders(of: connection)
    request.number = service.count()
    let table = service.release.table
    let response = service.responder.response(to: request, from: table)
    self.table = table
    self.request = request
    if case .events = response.body, service.listeners.change({ $0 }) >= Service.maxListeners {
      return .refusal(
        503, reason: "too many pages are reading the events",
        headers: [ResponseHeader("Retry-After", value: "10")])
    }
    return response
  }

  /// Makes the response for libmicrohttpd.
  ///
  /// Returns nil if there is not enough memory, or if no file descriptors are left.
  private func shared(_ response: Response, on connection: OpaquePointer) -> SharedResponse? {
    if response.isWholeFile, !service.streams, case .file(let file, let range) = response.body {
      return file.whole.change { known in
        if known == nil {
          let headers = service.responder.headers(of: response)
          known =
            SharedResponse(copyOf: file.descriptor, size: file.size, in: service.memory, headers: headers)
            ?? SharedResponse(file.descriptor, range: range, headers: headers)
        }
        return known
      }
    }
    let headers = service.responder.headers(of: response)
    switch response.body {
    case .nothing: return SharedResponse(text: [], headers: headers)
    case .text(let text): return SharedResponse(text: text.utf8, headers: headers)
    case .file(let file, let range):
      if !isStreamed(response) { return SharedResponse(file.descriptor, range: range, headers: headers) }
      let end = response.cut.map { min(range.upperBound, range.lowerBound.saturatingSum(with: $0)) }
      return SharedResponse(
        length: UInt64(range.count), longestPiece: Self.maxPieceSize, headers: headers
      ) {
        self.fill(
          $0, from: file, position: range.lowerBound + $1, upTo: end ?? range.upperBound, on: connection)
      }
    case .gauge:
      let page = gaugePage(of: table ?? service.release.table, path: service.release.path).bytes.array()
      sent = Int64(page.count)
      return SharedResponse(text: page, headers: headers)
    case .events:
      let stream = EventStream(on: connection, of: service)
      return SharedResponse(
        length: .max, longestPiece: EventStream.maxPieceSize, headers: headers
      ) { space, _ in stream.fill(space) }
    }
  }

  /// Fills a buffer with the next bytes of a body that is sent in pieces.
  ///
  /// Bodies are sent in pieces over a slow network, over TLS, or if a fault cuts them. The function returns 0
  /// if it suspended the connection.
  private func fill(
    _ space: UnsafeMutableRawBufferPointer, from file: ServedFile, position: Int64, upTo end: Int64,
    on connection: OpaquePointer
  ) -> Int {
    var room = min(Int64(space.count), end - position)
    if let network = service.network {
      let now = ThisProcess.seconds
      if piece == nil {
        // A client that has left must not take up the network of other clients.
        if isBroken(connection_socket(connection)) { return MHD_CONTENT_READER_END_WITH_ERROR }
        let count = network.piece(of: Int(room))
        piece = (count, network.transmit(byteCount: count, readyAt: ready, now: now))
      }
      if let piece {
        // Resuming a connection takes some microseconds, so the connection is not suspended for a shorter
        // time.
        if piece.arrival > now + 1e-4 {
          return service.timer.suspend(connection, until: piece.arrival)
            ? 0 : MHD_CONTENT_READER_END_WITH_ERROR
        }
        room = min(room, Int64(piece.count))
        ready = piece.arrival
      }
    }
    let count = retrying { pread(file.descriptor, space.baseAddress, Int(room), off_t(position)) }
    // A body ends here at a cut, or if the file was truncated after it was opened. If the body has no byte yet,
    // libmicrohttpd would keep the connection open until its timeout.
    if count <= 0 {
      shutdown(connection_socket(connection), Int32(SHUT_RDWR))
      return MHD_CONTENT_READER_END_WITH_ERROR
    }
    sent += Int64(count)
    if let piece { self.piece = count < piece.count ? (piece.count - count, piece.arrival) : nil }
    return count
  }

  /// Whether a socket's connection was reset.
  ///
  /// A client that has only closed its sending direction can still receive the response.
  private func isBroken(_ socket: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Whether the body of a file is sent in pieces.
  private func isStreamed(_ response: Response) -> Bool {
    service.streams || response.cut != nil
  }

  /// The way in which an exchange ended.
  enum Ending {
    /// The whole response was sent.
    case complete
    /// The connection ended before the whole response was sent.
    case interrupted
  }

  /// Ends the exchange: records the number of bytes that were sent, and writes a line to the log.
  func end(_ ending: Ending, connection: OpaquePointer) {
    guard let response else { return }
    let bytes =
      hasBody(response) ? sentBytes(of: response, ending: ending, connection: connection) : 0
    if case .file(let file, let range) = response.body, bytes > 0 {
      file.fetched.change { $0.add(range.lowerBound..<range.lowerBound + bytes) }
    }
    if let log = service.log, let request { log.write(entry(for: request, response: response, bytes: bytes)) }
  }

  /// Makes the log's entry for a response.
  private func entry(for request: Request, response: Response, bytes: Int64) -> JSONText {
    let elapsed = ThisProcess.seconds - begun
    let time = ThisProcess.time - Int64(elapsed * 1e9)
    let (seconds, fraction) = (time / 1000).floored(by: 1_000_000)
    let place = if case .file(let file, _) = response.body { file.pack } else { Int?.none }
    let pack = place.flatMap { table?.packs[$0] }
    let target = String(decoding: target.prefix(Self.maxTextSize), as: UTF8.self)
    return .ordered([
      ("time", .string(UTCTime.text(ofSeconds: seconds, fraction: fraction, fractionDigits: 6))),
      ("request", .string("\(request.method.prefix(Self.maxTextSize)) \(target)")),
      ("range", request.ranges.first.map { .string(String($0.prefix(Self.maxTextSize))) } ?? .null),
      ("status", .integer(response.status)), ("bytes", .integer(bytes)),
      ("milliseconds", .real(Double(Int64(elapsed * 1e6)) / 1000)),
      ("pack", pack.map { .string($0.id) } ?? .null), ("tags", .strings(pack?.tags ?? [])),
    ])
  }

  private func sentBytes(of response: Response, ending: Ending, connection: OpaquePointer) -> Int64 {
    guard case .file(_, let range) = response.body else {
      return ending == .complete ? response.length ?? sent : 0
    }
    if isStreamed(response) { return sent }
    if ending == .complete { return Int64(range.count) }
    // If the kernel copies the body from a file, only the kernel knows how many bytes arrived.
    guard let sentBefore, let transfer = Platform.transfer(of: connection_socket(connection)) else {
      return 0
    }
    return Self.arrivedBytes(
      ofBody: Int64(range.count), headerSize: headerSize(of: response), before: sentBefore,
      acknowledged: transfer.acknowledged)
  }

  /// Computes how many bytes of a body have arrived at the client.
  ///
  /// - Parameters:
  ///   - size: the size of the body.
  ///   - headerSize: the size of the response's headers.
  ///   - before: the number of bytes that were sent on the connection before the response.
  ///   - acknowledged: the number of bytes that the client has acknowledged on the connection.
  /// - Returns: the number of bytes, at most `size`.
  static func arrivedBytes(
    ofBody size: Int64, headerSize: Int64, before: Int64, acknowledged: Int64
  ) -> Int64 {
    max(0, min(size, acknowledged - before - headerSize))
  }

  /// Returns the size of the headers in bytes, including the status, date and length that libmicrohttpd adds.
  private func headerSize(of response: Response) -> Int64 {
    service.responder.headers(of: response).reduce(80 + Int64("\(response.length ?? 0)".utf8.count)) {
      $0 + Int64($1.name.utf8.count + $1.value.utf8.count + 4)
    }
  }

  /// Whether the response has a body.
  private func hasBody(_ response: Response) -> Bool { request?.method != "HEAD" && response.status != 304 }
}

/// The stream of events for a debug gauge.
///
/// The server sends the numbers of downloaded bytes whenever they change.
final class EventStream {
  private let connection: OpaquePointer
  private let service: Service
  private var rest: ArraySlice<UInt8> = []
  private var events = GaugeEvents()

  /// The maximum number of bytes that are sent with one call.
  static let maxPieceSize = 4096
  /// The number of seconds between two checks for changes.
  private static let pause = 0.25

  init(on connection: OpaquePointer, of service: Service) {
    self.connection = connection
    self.service = service
    service.listeners.change { $0 += 1 }
  }

  deinit { service.listeners.change { $0 -= 1 } }

  /// Fills a buffer with the next bytes of the stream.
  ///
  /// Returns 0 if it suspended the connection.
  func fill(_ space: UnsafeMutableRawBufferPointer) -> Int {
    // When a page is closed or reloaded, its connection ends. The server checks for this, so that it can free
    // the connection immediately.
    if isClosed { return MHD_CONTENT_READER_END_WITH_ERROR }
    if rest.isEmpty {
      let figures = GaugeFigures(service.release.table).json.line.array()
      rest = events.next(figures, at: ThisProcess.seconds)[...]
    }
    if rest.isEmpty {
      let isResting = service.timer.suspend(connection, until: ThisProcess.seconds + Self.pause)
      return isResting ? 0 : MHD_CONTENT_READER_END_WITH_ERROR
    }
    let part = rest.prefix(space.count)
    space.copyBytes(from: part)
    rest = rest.dropFirst(part.count)
    return part.count
  }

  /// Whether the page has closed its connection.
  private var isClosed: Bool {
    var byte: UInt8 = 0
    let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
    return recv(connection_socket(connection), &byte, MemoryLayout<UInt8>.size, flags) == 0
  }
}

/// The events that a page with a debug gauge gets.
struct GaugeEvents {
  private var lastFigures: [UInt8] = []
  private var lastSentTime = 0.0

  /// The number of seconds without a change after which a comment is sent.
  ///
  /// If the page has closed the connection, sending the comment fails, and the server notices.
  private static let silence = 15.0

  /// Returns the bytes to send at a time in seconds; empty if there is nothing to send.
  mutating func next(_ figures: [UInt8], at now: Double) -> [UInt8] {
    var event: [UInt8] = []
    if figures != lastFigures {
      event = Array("data: ".utf8) + figures + Array("\n\n".utf8)
    } else if now - lastSentTime > Self.silence {
      event = Array(":\n\n".utf8)
    } else {
      return []
    }
    lastFigures = figures
    lastSentTime = now
    return event
  }
}

extension Request {
  /// Reads the headers that can change the response.
  mutating func readHeaders(of connection: OpaquePointer) {
    withUnsafeMutablePointer(to: &self) { request in
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { request, _, name, nameSize, value, valueSize in
          request!.assumingMemoryBound(to: Request.self).pointee.readHeader(
            UnsafeRawBufferPointer(start: name, count: nameSize),
            value: UnsafeRawBufferPointer(start: value, count: valueSize))
          return .YES
        }, request)
    }
  }

  /// Reads one header.
  mutating func readHeader(_ name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    // Most headers have other names, so the bytes of a name are compared instead of copying the name.
    func isNamed(_ other: StaticString) -> Bool {
      name.count == other.utf8CodeUnitCount
        && name.indices.allSatisfy { name[$0] | 0x20 == other.utf8Start[$0] | 0x20 }
    }
    func text() -> String { String(decoding: value, as: UTF8.self) }
    if name.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) || value.contains(0) { isMalformed = true }
    if isNamed("Host") {
      hosts.append(text())
    } else if isNamed("Range") {
      ranges.append(text())
    } else if isNamed("If-Range") {
      // If there are two `If-Range` headers, their conditions cannot both be met.
      ifRange = ifRange == nil ? text() : ""
    } else if isNamed("Accept-Encoding") {
      acceptedCodings.append(text())
    } else if isNamed("If-None-Match") {
      ifNoneMatch.append(text())
    } else if isNamed("Authorization") {
      // Two `Authorization` headers count as no credentials.
      credentials = authorizations == 0 ? Credentials(authorization: text()) : nil
      authorizations += 1
    } else if isNamed("Origin") {
      origin = origin == nil ? text() : ""
    } else if isNamed("Sec-Fetch-Site") {
      fetchSite = text()
    } else if isNamed("Transfer-Encoding") {
      hasBody = true
    } else if isNamed("Content-Length") {
      if text() != "0" { hasBody = true }
    }
  }
}
