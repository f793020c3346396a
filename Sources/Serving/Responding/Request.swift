/// What a request says, as far as an answer depends on it.
package struct Request: Sendable {
  package var method: String
  /// The target, byte for byte.
  package var target: [UInt8]
  package var hosts: [String] = []
  package var ranges: [String] = []
  package var ifRange: String?
  /// All `If-None-Match` headers.
  package var ifNoneMatch: [String] = []
  package var credentials: Credentials?
  /// Whether it says that a body follows.
  package var hasBody = false
  /// Counted from 1 over the life of the server.
  package var number = 1

  package init(_ method: String, _ target: [UInt8]) {
    self.method = method
    self.target = target
  }
}
