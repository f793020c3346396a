import Glibc
import System

/// A TCP socket on which connections arrive.
struct ListeningSocket: ~Copyable {
  private var descriptor: Int32
  /// The port, also where any was asked for.
  let port: UInt16

  /// How many connections wait at most before they are taken.
  private static let backlog: Int32 = 1024

  /// Listens at an address; at port 0 on any free port.
  init(_ address: IPAddress, port: UInt16) throws(SystemError) {
    let family = address.isIPv6 ? AF_INET6 : AF_INET
    let place = "\(address.urlText):\(port)"
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, flags, 0)
    if descriptor < 0 { throw SystemError("open a socket at", place) }
    var one: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
    // An address of version 6 that stands for all would else take those of version 4 along.
    if address.isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, size) }
    // A machine may be set to pace packets as wide networks need it; within the machine that only takes time.
    if address.isLoopback { setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, "reno", 4) }
    guard Self.bind(descriptor, address, port), listen(descriptor, Self.backlog) == 0,
      let port = Self.port(of: descriptor)
    else {
      let error = SystemError("listen at", place)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.port = port
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Hands the descriptor over to whoever closes it.
  consuming func take() -> Int32 {
    let taken = descriptor
    descriptor = -1
    return taken
  }

  private static func bind(_ descriptor: Int32, _ address: IPAddress, _ port: UInt16) -> Bool {
    if address.isIPv6 {
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: address.bytes) }
      return withUnsafePointer(to: &name) { isBound(descriptor, $0) }
    }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: address.bytes) }
    return withUnsafePointer(to: &name) { isBound(descriptor, $0) }
  }

  private static func isBound<Name>(_ descriptor: Int32, _ name: UnsafePointer<Name>) -> Bool {
    let size = socklen_t(MemoryLayout<Name>.size)
    return name.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, size) == 0 }
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    // The port is at the same place in the names of both versions.
    var name = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let code = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return code == 0 ? UInt16(bigEndian: name.sin6_port) : nil
  }
}
