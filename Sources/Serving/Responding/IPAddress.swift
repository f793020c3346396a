#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Formats
import System

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable {
  /// The address as 4 or 16 bytes.
  package let bytes: [UInt8]

  package static let loopback = IPAddress(bytes: [127, 0, 0, 1])

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads an address such as `127.0.0.1` or `::1`, without brackets; nil for any other string.
  package init?(_ text: String) {
    if text.utf8.contains(0) { return nil }
    var address = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &address) == 1 {
      bytes = Array(address.prefix(4))
    } else if inet_pton(AF_INET6, text, &address) == 1 {
      bytes = address
    } else {
      return nil
    }
  }

  package var isIPv6: Bool { bytes.count == 16 }

  /// Whether only this machine can reach the address.
  package var isLoopback: Bool { isIPv6 ? bytes == Array(repeating: 0, count: 15) + [1] : bytes[0] == 127 }

  /// Whether the address stands for all addresses of this machine.
  package var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Whether the address is an IPv6 address from fe80::/10, which can only be used together with the name of an interface.
  var isLinkLocal: Bool { isIPv6 && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 }

  /// The addresses of this machine's network interfaces, with the same IP version as this address.
  var ofMachine: [IPAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    if getifaddrs(&list) != 0 { return [] }
    defer { freeifaddrs(list) }
    var found: [IPAddress] = []
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
      guard let name = entry?.pointee.ifa_addr else { continue }
      // The family is read from the bytes. The type `sockaddr` cannot be used, because it depends on the
      // order in which files are compiled which module declares the type.
      guard family(ofAddress: UnsafeRawPointer(name)) == (isIPv6 ? AF_INET6 : AF_INET) else { continue }
      let space = UnsafeRawBufferPointer(start: UnsafeRawPointer(name) + offsetInName, count: bytes.count)
      let address = IPAddress(bytes: Array(space))
      if !address.isLoopback && !address.isLinkLocal { found.append(address) }
    }
    return found
  }

  /// The offset of the address in a socket address of this IP version.
  var offsetInName: Int { isIPv6 ? 8 : 4 }

  package var text: String {
    var space = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &space, socklen_t(space.count))
    return String(decoding: space.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The address in the notation of URLs.
  package var urlText: String { isIPv6 ? "[\(text)]" : text }
}
