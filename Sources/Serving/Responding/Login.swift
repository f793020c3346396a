import System

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

/// What a request gives as its name and password.
package struct Credentials: Sendable {
  package let name: String
  package let password: String

  package init(name: String, password: String) {
    self.name = name
    self.password = password
  }
}
