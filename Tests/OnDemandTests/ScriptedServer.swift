import Foundation

/// A server in this process with its own port.
///
/// A test specifies the server's responses.
final class ScriptedServer: Sendable {
  /// A step on a connection: sending bytes, or waiting until the other side closes it.
  enum Step: Sendable {
    case send(Data)
    case waitForEnd
    /// Sends a string after 10 milliseconds.
    case sendLater(String)
    /// Sends a string again and again until the other side closes the connection, or the test disconnects it.
    case sendUntilEnd(String)

    static func send(_ text: String) -> Step { .send(Data(text.utf8)) }
    /// Makes a response with a body.
    static func answer(_ status: Int, _ headers: [String] = [], _ body: String = "") -> Step {
      let lines =
        ["HTTP/1.1 \(status) x", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
      return .send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
  }

  /// A request.
  ///
  /// `lines` contains the request line and the headers.
  struct Request: Sendable {
    let lines: [String]
    /// The target in the request line.
    var target: String { lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? "" }

    /// Returns the value of a header.
    func header(_ name: String) -> String? {
      lines.dropFirst().first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
  }

  let port: UInt16
  private let listener: Int32
  private let seen = SeenRequests()

  /// The requests until now.
  ///
  /// A lock protects them.
  private final class SeenRequests: @unchecked Sendable {
    private let lock = NSLock()
    private var requests: [Request] = []
    private var endless: [Int32] = []
    private var isDisconnected = false

    func add(_ request: Request) { lock.withLock { requests.append(request) } }
    var all: [Request] { lock.withLock { requests } }

    /// Registers a connection with an endless response, or returns `false` after `disconnect()`.
    func addEndless(_ connection: Int32) -> Bool {
      lock.withLock {
        if !isDisconnected { endless.append(connection) }
        return !isDisconnected
      }
    }
    func removeEndless(_ connection: Int32) { lock.withLock { endless.removeAll { $0 == connection } } }
    func disconnect() {
      lock.withLock {
        isDisconnected = true
        for connection in endless { shutdown(connection, Int32(SHUT_RDWR)) }
      }
    }
  }

  init(_ script: @escaping @Sendable (Request) -> [Step]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(listener, name, size) + listen(listener, 64) + getsockname(listener, name, &size)
      }
    }
    if listener < 0 || code != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    (self.listener, port) = (listener, UInt16(bigEndian: name.sin_port))
    Thread.detachNewThread { [seen] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread.detachNewThread { Self.answer(connection, script, seen) }
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The requests until now.
  var requests: [Request] { seen.all }

  /// Ends all `sendUntilEnd` steps, those of later requests as well.
  func disconnect() { seen.disconnect() }

  func url(_ path: String = "", host: String = "127.0.0.1") -> URL {
    URL(string: "http://\(host):\(port)\(path)")!
  }

  private static func answer(_ connection: Int32, _ script: (Request) -> [Step], _ seen: SeenRequests) {
    defer { close(connection) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    var head = ""
    while !head.contains("\r\n\r\n") {
      let count = recv(connection, &bytes, bytes.count, 0)
      if count <= 0 { return }
      head += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    let request = Request(lines: head.components(separatedBy: "\r\n").filter { !$0.isEmpty })
    seen.add(request)
    for step in script(request) {
      switch step {
      case .sendLater(let text):
        usleep(10_000)
        let data = Data(text.utf8)
        let sent = data.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if sent < data.count { return }
      case .send(let data):
        let sent = data.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if sent < data.count { return }
      case .sendUntilEnd(let text):
        if !seen.addEndless(connection) { return }
        defer { seen.removeEndless(connection) }
        let data = Data(text.utf8)
        while data.withUnsafeBytes({ send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 {}
        return
      case .waitForEnd: while recv(connection, &bytes, bytes.count, 0) > 0 {}
      }
    }
    shutdown(connection, Int32(SHUT_WR))
    // Read all bytes from the client. Otherwise, the kernel could discard the response when the connection
    // closes.
    while recv(connection, &bytes, bytes.count, 0) > 0 {}
  }
}
