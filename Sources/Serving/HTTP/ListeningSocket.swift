import CLibrary
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
    let descriptor = socket(family, streamSocket, 0)
    if descriptor < 0 { throw SystemError("open a socket at", place) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var one: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
    // An address of version 6 that stands for all would else take those of version 4 along.
    if address.isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, size) }
    if address.isLoopback { Platform.sendAtOnce(on: descriptor) }
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
    // The family and the port are at the same places in the names of both versions.
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(address.isIPv6 ? AF_INET6 : AF_INET)
    name.sin6_port = port.bigEndian
    let size = address.isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    return withUnsafeMutableBytes(of: &name) { name in
      UnsafeMutableRawBufferPointer(rebasing: name[address.offsetInName...]).copyBytes(from: address.bytes)
      let start = name.assumingMemoryBound(to: sockaddr.self).baseAddress
      return CLibrary.bind(descriptor, start, socklen_t(size)) == 0
    }
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
