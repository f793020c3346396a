import System

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

  package init(_ method: String, target: [UInt8]) {
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

/// A name and a password, of which only digests are kept, so that comparing takes the same time whatever is sent.
package struct Login: Sendable {
  package let name: String
  private let nameDigest: Digest
  private let passwordDigest: Digest

  package init(name: String, password: String) {
    self.name = name
    nameDigest = Self.digest(of: name)
    passwordDigest = Self.digest(of: password)
  }

  /// Whether these are the name and the password.
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
  /// Reads the value of an `Authorization` header of the scheme Basic; nil for any other.
  package init?(authorization value: String) {
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      // Not by libmicrohttpd, which takes no "basic" in lower case, ends a password at a zero, and hides a second login.
      let bytes = Base64.bytes(of: parts[1].drop { $0 == " " }),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    self.init(name: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
  }
}
