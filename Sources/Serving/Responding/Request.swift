import System

/// The parts of a request that the response depends on.
package struct Request: Sendable {
  package var method: String
  /// The target of the request, byte for byte.
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
  /// The origin of the page that makes the request, and the page's relation to this server, as reported by
  /// the browser.
  package var origin: String?
  package var fetchSite: String?
  /// Whether two programs could interpret the request differently, for example because a header's name ends
  /// with a space.
  package var isMalformed = false
  /// Whether the request announces a body.
  package var hasBody = false
  /// The number of the request.
  ///
  /// The first request after the start of the server has the number 1.
  package var number = 1

  package init(_ method: String, target: [UInt8]) {
    self.method = method
    self.target = target
  }

  /// Whether the request does not come from a page of another site.
  var isOwn: Bool {
    if let fetchSite, fetchSite != "same-origin" && fetchSite != "none" { return false }
    guard let origin, let host = hosts.first else { return origin == nil }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}

/// A name and a password that requests must contain.
///
/// The login contains only digests of the name and the password. Comparing digests always takes the same
/// time.
package struct Login: Sendable {
  package let name: String
  private let nameDigest: Digest
  private let passwordDigest: Digest

  package init(name: String, password: String) {
    self.name = name
    nameDigest = Self.digest(of: name)
    passwordDigest = Self.digest(of: password)
  }

  /// Whether a request's credentials are this name and password.
  package func accepts(_ credentials: Credentials) -> Bool {
    let isName = Self.digest(of: credentials.name) == nameDigest
    let isPassword = Self.digest(of: credentials.password) == passwordDigest
    return isName && isPassword
  }

  private static func digest(of text: String) -> Digest { SHA256.digest(of: text.utf8Span.span.bytes) }
}

/// The name and password of a request.
package struct Credentials: Sendable {
  package let name: String
  package let password: String
}

extension Credentials {
  /// Reads an `Authorization` header with the scheme Basic; nil for any other header.
  package init?(authorization value: String) {
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      // libmicrohttpd's own parser does not accept "basic" in lower case, cuts a password at a zero byte, and
      // hides a second login.
      let bytes = Base64.bytes(of: parts[1].drop { $0 == " " }),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    self.init(name: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
  }
}
