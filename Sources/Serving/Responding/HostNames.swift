import System

/// The host names and addresses that the server answers to.
///
/// A request for another name can be a DNS rebinding attack.
package struct HostNames: Sendable {
  private var names: Set<String>
  private let address: IPAddress

  /// Makes the list of names for a server at an address, with additional names.
  package init(_ address: IPAddress, and names: [String] = []) {
    self.address = address
    self.names = Set(names.map { $0.lowercased() })
    if address.isLoopback || address.isAny { self.names.insert("localhost") }
  }

  /// Whether a `Host` header contains a name of this server, with or without a port.
  package func accept(_ header: String) -> Bool {
    guard let host = Self.host(of: header) else { return false }
    if names.contains(host) { return true }
    guard let asked = IPAddress(host) else { return false }
    // A request with an IP address as its host cannot be a DNS rebinding attack.
    return asked == address || address.isAny || (address.isLoopback && asked.isLoopback)
  }

  /// Returns the host of a header, in lower case, without port and brackets; nil if the header is invalid.
  package static func host(of header: String) -> String? {
    let text = header.utf8
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let host = String(header[text.index(after: text.startIndex)..<end])
      let isHost = isPort(text[text.index(after: end)...]) && IPAddress(host)?.isIPv6 == true
      return isHost ? host.lowercased() : nil
    }
    let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    return end == text.startIndex || !isPort(text[end...]) ? nil : header[..<end].lowercased()
  }

  /// Whether a string is empty, or is a colon followed by digits.
  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first else { return true }
    return first == UInt8(ascii: ":") && text.count <= 6 && text.dropFirst().allSatisfy(\.isDigit)
  }
}
