import CLibrary
import CMicroHTTP
import System

/// The library's server: threads that read requests and send answers.
final class HTTPDaemon {
  private let daemon: OpaquePointer
  private let certificate: CertificateMemory?

  /// Connections at one time; further ones wait.
  static let mostConnections: UInt32 = 2048
  /// Bytes that a connection's headers and buffers may take.
  static let longestHeaders = 16 << 10
  /// Seconds after which a connection ends on which nothing happens.
  static let patience: UInt32 = 30

  /// Starts answering on a socket; nil where that fails.
  init?(
    _ socket: consuming ListeningSocket, isIPv6: Bool, _ service: Service, _ certificate: CertificateText?
  ) {
    let certificate = certificate.map(CertificateMemory.init)
    self.certificate = certificate
    let descriptor = socket.take()
    let context = Unmanaged.passUnretained(service).toOpaque()
    let threads = UInt32(max(2, min(8, availableProcessors())))
    var options = [
      Self.option(.LISTEN_SOCKET, Int(descriptor)),
      Self.option(.THREAD_POOL_SIZE, Int(threads)),
      Self.option(.CONNECTION_LIMIT, Int(Self.mostConnections)),
      Self.option(.CONNECTION_TIMEOUT, Int(Self.patience)),
      Self.option(.CONNECTION_MEMORY_LIMIT, Self.longestHeaders),
      Self.option(.STRICT_FOR_CLIENT, 1),
      Self.option(.URI_LOG_CALLBACK, unsafeBitCast(beginExchange, to: Int.self), context),
      Self.option(.NOTIFY_COMPLETED, unsafeBitCast(endExchange, to: Int.self), nil),
      // Targets are decoded in one place, behind the library.
      Self.option(.UNESCAPE_CALLBACK, unsafeBitCast(leaveEscapes, to: Int.self), nil),
    ]
    if let certificate {
      options.append(Self.option(.HTTPS_MEM_CERT, 0, certificate.chain))
      options.append(Self.option(.HTTPS_MEM_KEY, 0, certificate.key))
      options.append(Self.option(.HTTPS_PRIORITIES, 0, certificate.priorities))
    }
    options.append(Self.option(.END, 0))
    var flags =
      MHD_USE_AUTO_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_TURBO.rawValue
    if isIPv6 { flags |= MHD_USE_IPv6.rawValue }
    if certificate != nil { flags |= MHD_USE_TLS.rawValue }
    let daemon = options.withUnsafeMutableBufferPointer { options in
      withVaList([Int32(MHD_OPTION.ARRAY.rawValue), options.baseAddress!, Int32(MHD_OPTION.END.rawValue)]) {
        MHD_start_daemon_va(flags, 0, nil, nil, answerExchange, context, $0)
      }
    }
    // Not every failure of the library closes the socket, and some do; the process ends after any.
    guard let daemon else { return nil }
    self.daemon = daemon
  }

  /// Ends all connections; no connection may rest.
  func stop() { MHD_stop_daemon(daemon) }

  private static func option(
    _ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
  ) -> MHD_OptionItem {
    MHD_OptionItem(option: option, value: value, ptr_value: pointer)
  }
}

private typealias Context = UnsafeMutableRawPointer

/// Begins an exchange with the target of a request, as it was sent.
private let beginExchange: @convention(c) (Context?, UnsafePointer<CChar>?, OpaquePointer?) -> Context? = {
  context, target, _ in
  guard let context, let target else { return nil }
  let service = Unmanaged<Service>.fromOpaque(context).takeUnretainedValue()
  let bytes = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
  let end = UInt(bitPattern: target) + UInt(bytes.count)
  // The library would keep each argument of a query in the connection's memory, and with some hundred of them it gives no
  // answer. Nothing here has a query, so the library sees an empty one.
  if let query = bytes.firstIndex(of: UInt8(ascii: "?")) {
    UnsafeMutablePointer(mutating: target)[query + 1] = 0
  }
  return Unmanaged.passRetained(Exchange(service, target: bytes, end: end)).toOpaque()
}

/// Answers a request; called again for what follows the headers, and after a rest.
private let answerExchange:
  @convention(c) (
    Context?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
    UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Context?>?
  ) -> MHD_Result = { _, connection, _, method, version, _, size, exchange in
    guard let connection, let method, let exchange = exchange?.pointee else { return .NO }
    // What follows an answer that is queued already is a body, which nobody reads.
    if let size, size.pointee > 0 {
      size.pointee = 0
      return .YES
    }
    let begun = Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
    // The version follows the target in the library's memory: behind a zero that is not its end there is more of it.
    let isWhole = UInt(bitPattern: version) == begun.targetEnd + 1
    return begun.answer(String(cString: method), isWhole: isWhole, on: connection)
  }

private let endExchange:
  @convention(c) (Context?, OpaquePointer?, UnsafeMutablePointer<Context?>?, MHD_RequestTerminationCode) ->
    Void = {
      _, connection, exchange, code in
      guard let connection, let pointer = exchange?.pointee else { return }
      exchange?.pointee = nil
      let ended = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
      ended.end(isComplete: code == .REQUEST_TERMINATED_COMPLETED_OK, connection)
    }

/// Leaves a text as it is; its length.
private let leaveEscapes: @convention(c) (Context?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
  _, _, text in text.map { strlen($0) } ?? 0
}

/// A certificate chain and its key, in PEM.
package typealias CertificateText = (chain: String, key: String)

/// The same where the library reads it.
final class CertificateMemory {
  let chain: UnsafeMutableRawPointer
  let key: UnsafeMutableRawPointer
  /// The versions of TLS that GnuTLS may agree on: none before 1.2, which are deprecated by RFC 8996.
  let priorities = UnsafeMutableRawPointer(
    ThisProcess.allocated(strdup("NORMAL:-VERS-TLS1.0:-VERS-TLS1.1:-VERS-DTLS-ALL")))

  init(_ text: CertificateText) {
    chain = UnsafeMutableRawPointer(ThisProcess.allocated(strdup(text.chain)))
    key = UnsafeMutableRawPointer(ThisProcess.allocated(strdup(text.key)))
  }

  deinit {
    free(chain)
    free(key)
    free(priorities)
  }
}

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
    return name.withMemoryRebound(to: sockaddr.self, capacity: 1) { CLibrary.bind(descriptor, $0, size) == 0 }
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
