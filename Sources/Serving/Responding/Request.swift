/// The parts of a request on which an answer depends.
package struct Request: Sendable {
  package var method: String
  /// The target, byte for byte.
  package var target: [UInt8]
  package var hosts: [String] = []
  package var ranges: [String] = []
  package var ifRange: String?
  /// All `Accept-Encoding` headers.
  package var acceptedCodings: [String] = []
  /// All `If-None-Match` headers.
  package var ifNoneMatch: [String] = []
  package var credentials: Credentials?
  var authorizations = 0
  /// The page that asks, as browsers say it: its origin, and how near it is to this server.
  package var origin: String?
  package var fetchSite: String?
  /// Whether programs may read it in two ways, such as a header whose name has a blank at its end.
  package var isMalformed = false
  /// Whether it says that a body follows.
  package var hasBody = false
  /// Counted from 1 over the life of the server.
  package var number = 1

  package init(_ method: String, _ target: [UInt8]) {
    self.method = method
    self.target = target
  }

  /// Whether no page of another site asks.
  var isOwn: Bool {
    if let fetchSite, fetchSite != "same-origin" && fetchSite != "none" { return false }
    guard let origin, let host = hosts.first else { return origin == nil }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}
