/// The answer to a request, before any byte of it is sent.
package struct Response: Sendable {
  /// The body.
  package enum Body: Sendable {
    case nothing
    /// A text of packtool's own.
    case text(String)
    /// Some bytes of a file.
    case file(ServedFile, Range<Int64>)
    /// The debug gauge of the table.
    case gauge
    /// The gauge's state, as long as somebody looks.
    case events
  }

  package let status: Int
  /// The headers that neither its file nor every answer has.
  package let ownHeaders: [ResponseHeader]
  package var body = Body.nothing
  /// Whether the connection ends with this answer.
  package var closes = false
  /// Bytes of the body after which the connection is cut on purpose.
  package var cut: Int64?

  package init(_ status: Int, headers: [ResponseHeader] = [], body: Body = .nothing) {
    self.status = status
    ownHeaders = headers
    self.body = body
  }

  /// An answer that says why there is no other.
  static func refusal(_ status: Int, reason: String, headers: [ResponseHeader] = []) -> Response {
    Response(
      status,
      headers: headers + [
        ResponseHeader("Content-Type", value: "text/plain; charset=utf-8"),
        ResponseHeader("Cache-Control", value: "no-store"),
      ],
      body: .text(reason + "\n"))
  }

  /// A page or a stream of packtool's own.
  static func own(_ type: String, body: Body) -> Response {
    Response(
      200,
      headers: [
        ResponseHeader("Content-Type", value: type), ResponseHeader("Cache-Control", value: "no-store"),
      ], body: body)
  }

  /// Whether it is a whole file as every request for it gets it, so that connections can share it.
  var isWholeFile: Bool {
    guard case .file(let file, let range) = body else { return false }
    return (status == 200 || status == 304) && cut == nil && !closes && range == 0..<file.size
  }

  /// Bytes of the body; nil where that is open.
  var length: Int64? {
    switch body {
    case .nothing: 0
    case .text(let text): Int64(text.utf8.count)
    case .file(_, let range): Int64(range.count)
    case .gauge, .events: nil
    }
  }
}
