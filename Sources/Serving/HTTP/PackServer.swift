#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import CMicroHTTP
package import Play
import System

/// A web server for one built folder.
///
/// libmicrohttpd's threads read requests and send responses. Another thread resumes suspended connections.
package final class PackServer {
  /// The address of the server, and settings for its responses.
  package struct Settings: Sendable {
    package var address = IPAddress.loopback
    /// The port; 0 for any free port.
    package var port: UInt16 = 0
    /// Additional host names that the server answers to.
    package var names: [String] = []
    package var network: NetworkProfile?
    /// The number of seconds after which the connection of a request that gets no response is closed.
    package var longestSilence = 300.0
    package var login: Login?
    package var certificate: CertificateText?
    package var faults: [Fault] = []
    package var allowedOrigin: String?
    package var log: RequestLog?

    package init() {}
  }

  /// The error that is thrown if libmicrohttpd does not start.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The URLs of the folder, each with a slash at its end.
  ///
  /// There is one URL for each address of the machine at which the server listens.
  package let urls: [String]
  let service: Service
  private let daemon: OpaquePointer
  private let timerThread: Threads
  private let secrets: LibraryTexts?

  /// The maximum number of connections at the same time.
  ///
  /// Further connections must wait.
  private static let maxConnections = 2048
  /// The maximum size in bytes of a connection's headers and buffers.
  private static let maxHeaderSize = 16 << 10
  /// The number of seconds without activity after which a connection is closed.
  private static let idleTimeout = 30
  /// The TLS versions that GnuTLS can use.
  ///
  /// RFC 8996 deprecates all versions before 1.2.
  private static let priorities = "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1:-VERS-DTLS-ALL"

  /// Starts a server for a release.
  package init(_ release: LiveRelease, settings: Settings) throws {
    let service = Service(release, settings: settings)
    let socket = try ListeningSocket(settings.address, port: settings.port)
    let port = socket.port
    let addresses = settings.address.isAny ? settings.address.ofMachine : []
    let scheme = settings.certificate == nil ? "http" : "https"
    urls = (addresses.isEmpty ? [settings.address] : addresses).map { "\(scheme)://\($0.urlText):\(port)/" }
    secrets = settings.certificate.map { LibraryTexts([$0.chain, $0.key, Self.priorities]) }
    var flags =
      MHD_USE_AUTO_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_TURBO.rawValue
    if settings.address.isIPv6 { flags |= MHD_USE_IPv6.rawValue }
    if secrets != nil { flags |= MHD_USE_TLS.rawValue }
    let context = Unmanaged.passUnretained(service).toOpaque()
    var options = Self.options(socket.release(), context: context, secrets: secrets)
    let daemon = options.withUnsafeMutableBufferPointer { options in
      withVaList([Int32(MHD_OPTION.ARRAY.rawValue), options.baseAddress!, Int32(MHD_OPTION.END.rawValue)]) {
        MHD_start_daemon_va(flags, 0, nil, nil, answerExchange, context, $0)
      }
    }
    // libmicrohttpd does not close the socket after every failure. This does not matter, because the process
    // ends after any failure.
    guard let daemon else {
      let reason =
        secrets == nil ? "" : "; check that the certificate and the key are PEM files that belong together"
      throw Failure(description: "the server cannot be started\(reason)")
    }
    self.service = service
    self.daemon = daemon
    timerThread = Threads(numbered: 0..<1) { _ in service.timer.run() }
  }

  private static func options(
    _ socket: Int32, context: UnsafeMutableRawPointer, secrets: LibraryTexts?
  ) -> [MHD_OptionItem] {
    func option(
      _ option: MHD_OPTION, value: Int, pointer: UnsafeMutableRawPointer? = nil
    ) -> MHD_OptionItem {
      MHD_OptionItem(option: option, value: value, ptr_value: pointer)
    }
    let kinds: [MHD_OPTION] = [.HTTPS_MEM_CERT, .HTTPS_MEM_KEY, .HTTPS_PRIORITIES]
    return [
      option(.LISTEN_SOCKET, value: Int(socket)),
      option(.THREAD_POOL_SIZE, value: max(2, min(8, availableProcessors()))),
      option(.CONNECTION_LIMIT, value: maxConnections),
      option(.CONNECTION_TIMEOUT, value: idleTimeout),
      option(.CONNECTION_MEMORY_LIMIT, value: maxHeaderSize),
      option(.STRICT_FOR_CLIENT, value: 1),
      option(.URI_LOG_CALLBACK, value: unsafeBitCast(beginExchange, to: Int.self), pointer: context),
      option(.NOTIFY_COMPLETED, value: unsafeBitCast(endExchange, to: Int.self), pointer: nil),
      // libmicrohttpd must not decode targets, because `RequestPath` does.
      option(.UNESCAPE_CALLBACK, value: unsafeBitCast(leaveEscapes, to: Int.self), pointer: nil),
    ] + zip(kinds, secrets?.texts ?? []).map { option($0, value: 0, pointer: $1) } + [option(.END, value: 0)]
  }

  /// Closes all connections and the port.
  ///
  /// Call this function only once.
  package func stop() {
    service.timer.end()
    timerThread.join()
    MHD_stop_daemon(daemon)
  }
}

/// A certificate chain and its key, in PEM format.
package struct CertificateText: Sendable {
  package let chain: String
  package let key: String

  package init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }
}

/// Copies of strings, as C strings for libmicrohttpd.
private final class LibraryTexts {
  let texts: [UnsafeMutableRawPointer]

  init(_ texts: [String]) {
    self.texts = texts.map { UnsafeMutableRawPointer(ThisProcess.allocated(strdup($0))) }
  }

  deinit { for text in texts { free(text) } }
}

private typealias Context = UnsafeMutableRawPointer

/// Begins an exchange with the target of a request.
///
/// libmicrohttpd passes the target without any change.
private let beginExchange: @convention(c) (Context?, UnsafePointer<CChar>?, OpaquePointer?) -> Context? = {
  context, target, _ in
  guard let context, let target else { return nil }
  let service = Unmanaged<Service>.fromOpaque(context).takeUnretainedValue()
  let bytes = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
  let end = UInt(bitPattern: target) + UInt(bytes.count)
  // libmicrohttpd would store each argument of a query in the connection's memory. With several hundred
  // arguments, it would not answer. The server ignores queries, so libmicrohttpd gets an empty query.
  if let query = bytes.firstIndex(of: UInt8(ascii: "?")) {
    UnsafeMutablePointer(mutating: target)[query + 1] = 0
  }
  return Unmanaged.passRetained(Exchange(service, target: bytes, targetEnd: end)).toOpaque()
}

/// Answers a request.
///
/// libmicrohttpd also calls this function for data after the headers, and after a suspension.
private let answerExchange:
  @convention(c) (
    Context?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
    UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Context?>?
  ) -> MHD_Result = { _, connection, _, method, version, _, size, exchange in
    guard let connection, let method, let exchange = exchange?.pointee else { return .NO }
    // Data that arrives after a response was queued is a request body, which the server ignores.
    if let size, size.pointee > 0 {
      size.pointee = 0
      return .YES
    }
    let begun = Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
    // In memory, the HTTP version begins one byte after the target. Otherwise, the target contains a zero
    // byte before its real end.
    begun.isMalformed = UInt(bitPattern: version) != begun.targetEnd + 1
    return begun.answer(String(cString: method), on: connection)
  }

private let endExchange:
  @convention(c) (Context?, OpaquePointer?, UnsafeMutablePointer<Context?>?, MHD_RequestTerminationCode) ->
    Void = {
      _, connection, exchange, code in
      guard let connection, let pointer = exchange?.pointee else { return }
      exchange?.pointee = nil
      let ended = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
      ended.end(
        code == .REQUEST_TERMINATED_COMPLETED_OK ? .complete : .interrupted, connection: connection)
    }

/// Leaves a string unchanged and returns its length.
private let leaveEscapes: @convention(c) (Context?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
  _, _, text in text.map { strlen($0) } ?? 0
}

/// A TCP socket that accepts connections.
struct ListeningSocket: ~Copyable {
  private var descriptor: Int32
  /// The number of the port.
  ///
  /// If the caller requested any free port, this is the port that the system chose.
  let port: UInt16

  /// The maximum number of connections that wait to be accepted.
  private static let backlog: Int32 = 1024

  /// Listens at an address.
  ///
  /// Port 0 means any free port.
  init(_ address: IPAddress, port: UInt16) throws(SystemError) {
    let family = address.isIPv6 ? AF_INET6 : AF_INET
    let place = "\(address.urlText):\(port)"
    let descriptor = socket(family, streamSocket, 0)
    if descriptor < 0 { throw SystemError(during: "open a socket for", path: place) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var one: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
    // Without this option, the IPv6 address for all interfaces would also accept IPv4 connections.
    if address.isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, size) }
    if address.isLoopback { Platform.turnOffPacing(on: descriptor) }
    guard Self.bind(descriptor, address: address, port: port), listen(descriptor, Self.backlog) == 0,
      let port = Self.port(of: descriptor)
    else {
      let error = SystemError(during: "listen on", path: place)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.port = port
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Passes the descriptor to the caller.
  ///
  /// The caller must close it.
  consuming func release() -> Int32 {
    let released = descriptor
    descriptor = -1
    return released
  }

  private static func bind(_ descriptor: Int32, address: IPAddress, port: UInt16) -> Bool {
    // The family and the port have the same offsets in the socket addresses of IPv4 and IPv6.
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(address.isIPv6 ? AF_INET6 : AF_INET)
    name.sin6_port = port.bigEndian
    let size = address.isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    return withUnsafeMutableBytes(of: &name) { name in
      UnsafeMutableRawBufferPointer(rebasing: name[address.offsetInName...]).copyBytes(from: address.bytes)
      let start = name.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bindSystemCall(descriptor, address: start, size: size) == 0
    }
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    // The port has the same offset in the socket addresses of IPv4 and IPv6.
    var name = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let code = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return code == 0 ? UInt16(bigEndian: name.sin6_port) : nil
  }
}
