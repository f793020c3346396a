/// The response to a request, before any of its bytes are sent.
package struct Response: Sendable {
  /// The body of a response.
  package enum Body: Sendable {
    case nothing
    /// Text that packtool writes itself.
    case text(String)
    /// A range of the bytes of a file.
    case file(ServedFile, Range<Int64>)
    /// The page with the debug gauge of the table.
    case gauge
    /// The events with the state of the gauge. They are sent as long as a page listens.
    case events
  }

  package let status: Int
  /// The headers that only this response has.
  ///
  /// Headers that all responses have, or that all responses for a file have, are not included.
  package let ownHeaders: [ResponseHeader]
  package var body = Body.nothing
  /// Whether the server closes the connection after this response.
  package var closes = false
  /// The number of bytes of the body after which the server cuts the connection on purpose; nil if it does
  /// not.
  package var cut: Int64?

  package init(_ status: Int, headers: [ResponseHeader] = [], body: Body = .nothing) {
    self.status = status
    ownHeaders = headers
    self.body = body
  }

  /// Makes a response that explains why the request failed.
  static func refusal(_ status: Int, reason: String, headers: [ResponseHeader] = []) -> Response {
    Response(
      status,
      headers: headers + [
        ResponseHeader("Content-Type", value: "text/plain; charset=utf-8"),
        ResponseHeader("Cache-Control", value: "no-store"),
      ],
      body: .text(reason + "\n"))
  }

  /// Makes a response with packtool's own page or event stream.
  static func own(_ type: String, body: Body) -> Response {
    Response(
      200,
      headers: [
        ResponseHeader("Content-Type", value: type), ResponseHeader("Cache-Control", value: "no-store"),
      ], body: body)
  }

  /// Whether the body is a whole file, and the headers are the same for all requests.
  ///
  /// If so, connections can share the response.
  var isWholeFile: Bool {
    guard case .file(let file, let range) = body else { return false }
    return (status == 200 || status == 304) && cut == nil && !closes && range == 0..<file.size
  }

  /// The size of the body in bytes; nil if it is not known.
  var length: Int64? {
    switch body {
    case .nothing: 0
    case .text(let text): Int64(text.utf8.count)
    case .file(_, let range): Int64(range.count)
    case .gauge, .events: nil
    }
  }
}
