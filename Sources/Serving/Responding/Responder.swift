import Archiving
import Formats
import System

/// Decides the response to a request.
///
/// The result depends only on the responder's values, the table and the request. The responder neither reads
/// nor writes files.
package struct Responder: Sendable {
  /// The host names that the server answers to.
  package var hosts: HostNames
  /// The user who can access the server; nil if everybody can access the server.
  package var login: Login?
  /// The failures that the server causes on purpose.
  package var faults: [Fault] = []
  /// The origin whose pages may read responses; nil if only the server's own pages may read them.
  package var allowedOrigin: String?

  /// Returns the response to a request.
  package func response(to request: Request, from table: ServedTable) -> Response {
    var response = answer(to: request, from: table)
    // The next data on the connection might be the rest of the request's body, so the connection is closed.
    if request.hasBody || request.isMalformed { response.closes = true }
    return response
  }

  /// Returns all headers of a response.
  ///
  /// The headers are not a part of the response, because most responses share their headers with an earlier
  /// response.
  package func headers(of response: Response) -> [ResponseHeader] {
    var headers = response.ownHeaders
    func add(_ name: String, value: String) { headers.append(ResponseHeader(name, value: value)) }
    if case .file(let file, _) = response.body {
      // Shared caches must not store files for which a client needs a password.
      let caching = file.caching.header
      add("Cache-Control", value: login == nil ? caching : caching.replacing("public", with: "private"))
      add("Accept-Ranges", value: "bytes")
      if let coding = file.coding { add("Content-Encoding", value: coding.rawValue) }
      if file.coding != nil || !file.variants.isEmpty { add("Vary", value: "Accept-Encoding") }
      if let tag = file.entityTag { add("ETag", value: tag) }
      add("Content-Type", value: file.type)
    }
    add("X-Content-Type-Options", value: "nosniff")
    if let allowedOrigin {
      add("Access-Control-Allow-Origin", value: allowedOrigin)
      add("Access-Control-Expose-Headers", value: "Content-Length, Content-Range, ETag")
    } else {
      add("Cross-Origin-Resource-Policy", value: "same-origin")
    }
    if response.closes { add("Connection", value: "close") }
    return headers
  }

  private func answer(to request: Request, from table: ServedTable) -> Response {
    let target = RequestTarget(request.target)
    if let refusal = refusal(of: request, target: target) { return refusal }
    let path: RequestPath
    do throws(RequestPath.Mistake) {
      path = try RequestPath(target.path)
    } catch {
      return .refusal(400, reason: "the path \(error.rawValue)")
    }
    if let file = table[path] {
      // Ranges always refer to uncompressed bytes, because clients could not resume an interrupted download
      // otherwise.
      let isPlain = file.variants.isEmpty || !request.ranges.isEmpty
      let sent = isPlain ? file : file.variant(forAcceptEncoding: request.acceptedCodings)
      return answer(with: sent, to: request)
    }
    if path == .gauge { return .own("text/html; charset=utf-8", body: .gauge) }
    if path == .events {
      // This check is needed because any web page could make this request. Each page that listens uses up one
      // of the few places for listeners.
      guard request.isOwn || (allowedOrigin != nil && request.origin == allowedOrigin) else {
        return .refusal(403, reason: "only the page at / can read the events")
      }
      return .own("text/event-stream", body: .events)
    }
    return .refusal(404, reason: "no file is published at this path")
  }

  /// Returns the response that refuses a request for a reason other than its path; nil if the request is
  /// acceptable.
  private func refusal(of request: Request, target: RequestTarget) -> Response? {
    if request.isMalformed { return .refusal(400, reason: "the request line or a header is malformed") }
    guard request.hosts.count == 1 else {
      return .refusal(
        400,
        reason: request.hosts.isEmpty
          ? "the request has no Host header" : "the request has several Host headers")
    }
    let host = target.authority ?? request.hosts[0]
    guard hosts.accept(host) else {
      return .refusal(
        421, reason: "this server does not have the name \(quoted(host)); add names with \"--name\"")
    }
    if request.method == "OPTIONS", allowedOrigin != nil {
      return Response(
        204,
        headers: [
          ResponseHeader("Access-Control-Allow-Methods", value: "GET, HEAD"),
          ResponseHeader("Access-Control-Allow-Headers", value: "*, Authorization"),
        ])
    }
    if let login, request.credentials.map(login.accepts) != true {
      return .refusal(
        401, reason: "a user name and a password are required",
        headers: [ResponseHeader("WWW-Authenticate", value: "Basic realm=\"packtool\", charset=\"UTF-8\"")])
    }
    if request.method != "GET" && request.method != "HEAD" {
      return .refusal(
        405, reason: "the server answers only GET and HEAD",
        headers: [ResponseHeader("Allow", value: "GET, HEAD")])
    }
    return request.hasBody ? .refusal(400, reason: "a request for a file must not have a body") : nil
  }

  private func answer(with file: ServedFile, to request: Request) -> Response {
    let faults = faults.filter { $0.hits(file.path, number: request.number) }
    for fault in faults {
      switch fault.kind {
      case .missing: return .refusal(404, reason: "this path fails because of \"--fail\"")
      case .unavailable:
        return .refusal(
          503, reason: "this request fails because of \"--fail\"",
          headers: [ResponseHeader("Retry-After", value: "1")])
      case .cut: continue
      }
    }
    if !request.ifNoneMatch.isEmpty, request.ifNoneMatch.have(entityTag: file.entityTag) {
      // The response has the headers of the whole file, but no body.
      return Response(304, body: .file(file, 0..<file.size))
    }
    var response = body(of: file, request: request)
    response.cut = faults.compactMap(\.cut).min()
    return response
  }

  private func body(of file: ServedFile, request: Request) -> Response {
    // A range is sent only if the file is the same, because a client must not combine bytes of two versions
    // of a file.
    let isSame = request.ifRange == nil || request.ifRange == file.entityTag
    switch request.method == "GET" && isSame ? ByteRange(request.ranges, of: file.size) : .whole {
    case .whole: return Response(200, body: .file(file, 0..<file.size))
    case .part(let range):
      let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
      return Response(
        206, headers: [ResponseHeader("Content-Range", value: place)], body: .file(file, range))
    case .unsatisfiable:
      return .refusal(
        416, reason: "the file has \(file.size) bytes",
        headers: [ResponseHeader("Content-Range", value: "bytes */\(file.size)")])
    }
  }
}

extension [String] {
  /// Whether the conditional headers contain an entity tag, whether or not it is marked as weak.
  func have(entityTag tag: String?) -> Bool {
    guard let tag else { return false }
    return contains { header in
      header == "*"
        || header.split(separator: ",").contains { part in
          let part = part.drop { $0 == " " || $0 == "\t" }
          let plain = part.hasPrefix("W/") ? part.dropFirst(2) : part
          return plain.prefix { $0 != " " && $0 != "\t" } == tag
        }
    }
  }
}
