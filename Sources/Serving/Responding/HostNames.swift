import Findings

/// The names by which a server is asked; whoever uses another one came here by a name that somebody else made lead here.
package struct HostNames: Sendable {
  private var names: Set<String>
  private let address: IPAddress

  /// The names of a server at an address, and further ones.
  package init(_ address: IPAddress, and names: [String] = []) {
    self.address = address
    self.names = Set(names.map { $0.lowercased() })
    if address.isLoopback || address.isAny { self.names.insert("localhost") }
  }

  /// Whether a `Host` header, with or without a port, names this server.
  package func accept(_ header: String) -> Bool {
    guard let host = Self.host(of: header) else { return false }
    if names.contains(host) { return true }
    guard let asked = IPAddress(host) else { return false }
    // By an address nobody comes here unknowingly.
    return asked == address || address.isAny || (address.isLoopback && asked.isLoopback)
  }

  /// The host of a header, in lower case and without port and brackets; nil where it is none.
  package static func host(of header: String) -> String? {
    var host = header[...]
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let port = host[host.index(after: end)...]
      host = host[host.index(after: host.startIndex)..<end]
      return isPort(port) && IPAddress(String(host))?.isIPv6 == true ? host.lowercased() : nil
    }
    if let colon = host.firstIndex(of: ":") {
      guard isPort(host[colon...]) else { return nil }
      host = host[..<colon]
    }
    return host.isEmpty ? nil : host.lowercased()
  }

  /// Whether a text is empty, or a colon and digits.
  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty
      || (text.utf8.first == UInt8(ascii: ":") && text.utf8.count <= 6
        && text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }
}
