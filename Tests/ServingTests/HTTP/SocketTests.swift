import Foundation
import Model
import Pipeline
import Support
import System
import Testing

@testable import Serving

/// Tests the sockets at which a server listens, and the responses that it makes of files.
@Suite(.serialized, .noHang) struct SocketTests {
  /// Returns the name of the congestion control of a socket.
  private func congestionControl(of socket: Int32) -> String {
    var name = [UInt8](repeating: 0, count: 16)
    var size = socklen_t(name.count)
    getsockopt(socket, Int32(IPPROTO_TCP), TCP_CONGESTION, &name, &size)
    return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Pacing only helps on connections that leave the machine.
  @Test(.enabled(if: Platform.countsTransfers, "other systems have no such setting"))
  func `connections within the machine are not paced`() throws {
    let local = try ListeningSocket(.loopback, port: 0).release()
    let any = try ListeningSocket(try #require(IPAddress("0.0.0.0")), port: 0).release()
    defer { for socket in [local, any] { close(socket) } }
    #expect(congestionControl(of: local) == "reno")
    let usual = try String(contentsOfFile: "/proc/sys/net/ipv4/tcp_congestion_control", encoding: .utf8)
    #expect("\(congestionControl(of: any))\n" == usual)
  }

  @Test func `a listening socket does not block, and programs do not inherit it`() throws {
    let socket = try ListeningSocket(.loopback, port: 0).release()
    defer { close(socket) }
    #expect(fcntl(socket, F_GETFL) & O_NONBLOCK != 0 && fcntl(socket, F_GETFD) & FD_CLOEXEC != 0)
    #expect(accept(socket, nil, nil) == -1)
  }

  @Test func `a port belongs to one server`() throws {
    let first = try ListeningSocket(.loopback, port: 0)
    let port = first.port
    #expect(port > 0)
    let error = #expect(throws: SystemError.self) { _ = try ListeningSocket(.loopback, port: port).port }
    #expect(error?.isInUse == true && error?.path == "127.0.0.1:\(port)")
    _ = first.port
    let foreign = try #require(IPAddress("192.0.2.200"))
    #expect(throws: SystemError.self) { _ = try ListeningSocket(foreign, port: 0).port }
  }

  /// Runs in a separate process, in which no other test opens files.
  @Test(.mostlyWaits) func `a socket that cannot listen is closed`() async {
    await #expect(processExitsWith: .success) {
      func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      let first = try ListeningSocket(.loopback, port: 0)
      let port = first.port
      let before = try openFiles()
      for _ in 0..<10 {
        let other = try? ListeningSocket(.loopback, port: port).port
        #expect(other == nil)
        _ = try ListeningSocket(.loopback, port: 0).port
      }
      #expect(try openFiles() == before)
      _ = first.release()
    }
  }

  /// The system remembers the connections of a server for a minute.
  ///
  /// Another program might get the port as soon as it is free, so try several ports.
  @Test func `the port of a server is free again when it has stopped`() throws {
    let isFree = try (0..<3).contains { _ in
      let site = try ServedSite()
      let port = site.port
      #expect(try site.get("index.json").status == 200)
      site.stop()
      return (try? ListeningSocket(.loopback, port: port).port) == port
    }
    #expect(isFree)
  }

  @Test(.enabled(if: hasIPv6, "no IPv6 here")) func `a server of IPv6 answers`() throws {
    var settings = PackServer.Settings()
    settings.address = try #require(IPAddress("::1"))
    let site = try ServedSite(.zip, settings)
    #expect(site.server.urls == ["http://[::1]:\(site.port)/"])
    let client = try TCPClient(site.port, isIPv6: true)
    client.write(Array("GET /index.json HTTP/1.1\r\nHost: [::1]:1\r\nConnection: close\r\n\r\n".utf8))
    let answer = try #require(Answer(client.readAll()))
    #expect(try answer.status == 200 && answer.body == site.published("index.json"))
  }

  private static let hasIPv6 =
    IPAddress("::1").flatMap { address in try? ListeningSocket(address, port: 0).port } != nil

  @Test func `a server at all addresses has a URL for each`() throws {
    var settings = PackServer.Settings()
    settings.address = try #require(IPAddress("0.0.0.0"))
    settings.names = ["Build.local"]
    let site = try ServedSite(.zip, settings)
    let addresses = settings.address.ofMachine.map(\.text)
    let expected = addresses.isEmpty ? ["0.0.0.0"] : addresses
    #expect(site.server.urls == expected.map { "http://\($0):\(site.port)/" })
    for (name, status) in [("build.local", 200), ("192.0.2.99", 200), ("other.local", 421)] {
      let client = try TCPClient(site.port)
      client.write(Array("HEAD /index.json HTTP/1.1\r\nHost: \(name)\r\n\r\n".utf8))
      #expect(Answer(client.read(4096))?.status == status, "\(name)")
    }
  }

  @Test(.enabled(if: isInstalled("openssl") && isInstalled("python3"), "needs openssl and python3"))
  func `a server with a certificate answers over HTTPS`() throws {
    let folder = try TemporaryFolder()
    let words = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-subj",
      "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem",
    ]
    let made = try run("openssl", words, in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let texts = try ["cert.pem", "key.pem"].map { String(decoding: try folder.read($0), as: UTF8.self) }
    var settings = PackServer.Settings()
    settings.certificate = CertificateText(chain: texts[0], key: texts[1])
    let site = try ServedSite(.folder, settings)
    #expect(site.server.urls == ["https://127.0.0.1:\(site.port)/"])
    let path = try #require(site.release.table.paths.first { $0.hasSuffix("é.txt") })
    let script = """
      import http.client, ssl, sys
      context = ssl.create_default_context(cafile="cert.pem")
      connection = http.client.HTTPSConnection("127.0.0.1", int(sys.argv[1]), context=context)
      connection.request("GET", sys.argv[2])
      version = connection.sock.version()
      answer = connection.getresponse()
      open("body", "wb").write(answer.read())
      print(answer.status, answer.version, version)
      """
    let read = try run(
      "python3", ["-c", script, "\(site.port)", "/\(ServedSite.encoded(path))"], in: folder.path)
    #expect(read.output == "200 11 TLSv1.3\n", "\(read.errors)")
    #expect(try Array(folder.read("body")) == site.published(path))
    let file = try #require(site.release.table[RequestPath(decoded: path)])
    #expect(file.whole.change { $0 == nil }, "the bytes are encrypted, so the kernel cannot copy the file")
    for other in [CertificateText(chain: "none", key: "none"), CertificateText(chain: texts[0], key: "none")]
    {
      settings.certificate = other
      #expect(throws: PackServer.Failure.self) { try PackServer(site.release, settings: settings) }
    }
  }

  private func reserved(_ memory: CopyMemory) -> Int {
    var shares: [Held] = []
    while shares.count < 1000, let share = Held(32 << 10, of: memory) { shares.append(share) }
    return shares.count
  }

  /// Holds a share of the memory for copies.
  ///
  /// This is a class, because an array cannot contain noncopyable values.
  private final class Held {
    private let share: CopyMemory.Share

    init?(_ size: Int, of memory: CopyMemory) {
      guard let share = memory.share(of: size) else { return nil }
      self.share = share
    }
  }

  @Test func `a response is a copy of a whole short file`() throws {
    let memory = CopyMemory()
    let folder = try TemporaryFolder()
    try folder.write("a", Data(repeating: 1, count: 1000))
    let file = open(folder.path("a"), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(SharedResponse(copyOf: file, size: 1001, in: memory, headers: []) == nil)
    #expect(SharedResponse(copyOf: file, size: 32_769, in: memory, headers: []) == nil)
    #expect(SharedResponse(copyOf: -1, size: 10, in: memory, headers: []) == nil)
    #expect(SharedResponse(-1, range: 0..<10, headers: []) == nil)
    #expect(reserved(memory) == 256)
    do {
      let copies = try [0, 999, 1000].map {
        try #require(SharedResponse(copyOf: file, size: $0, in: memory, headers: []))
      }
      #expect(copies.allSatisfy { !$0.isFile })
      #expect(reserved(memory) == 255)
    }
    #expect(reserved(memory) == 256)
    #expect(SharedResponse(file, range: 0..<10, headers: [])?.isFile == true)
    #expect(SharedResponse(text: [], headers: [])?.isFile == false)
  }

  /// Runs in a separate process, so that no other test uses memory at the same time.
  @Test(.mostlyWaits) func `the memory of responses is given back`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a", Data(repeating: 1, count: 32_000))
    let path = folder.path("a")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let (file, memory) = (open(path, O_RDONLY | O_CLOEXEC), CopyMemory())
      let isFreed = givesMemoryBack {
        #expect(SharedResponse(copyOf: file, size: 32_001, in: memory, headers: []) == nil)
        #expect(SharedResponse(copyOf: file, size: 32_000, in: memory, headers: []) != nil)
      }
      #expect(isFreed)
    }
  }
}
