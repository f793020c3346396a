import Inspect
import Model
import Pipeline
@testable import Serving
import System
import Foundation
import Support
import Testing

/// Tests the server with real connections.
@Suite(.serialized, .noHang) struct ServerTests {
  @Test(arguments: Container.allCases) func `every file is served`(container: Container) throws {
    let site = try ServedSite(container)
    for path in site.release.table.paths {
      let answer = try site.get(ServedSite.encoded(path))
      let published = try site.published(path)
      #expect(answer.status == 200 && answer.body == published, "\(path)")
      let head = try site.get(ServedSite.encoded(path), method: "HEAD")
      #expect(head.body.isEmpty && head["Content-Length"] == "\(answer.body.count)")
    }
  }

  @Test func `ranges`() throws {
    let site = try ServedSite()
    let pack = try site.built.pack("A")
    let (path, bytes) = (ServedSite.encoded(pack.archive.path), try site.published(pack.archive.path))
    for range in [0..<1, 100..<3000, bytes.count - 5..<bytes.count] {
      let answer = try site.get(path, "Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)")
      #expect(answer.status == 206 && answer.body == Array(bytes[range]))
      #expect(
        answer["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)")
    }
    let beyond = try site.get(path, "Range: bytes=\(bytes.count)-")
    #expect(beyond.status == 416 && beyond["Content-Range"] == "bytes */\(bytes.count)")
    #expect(try site.get(path, "Range: bytes=0-1", "If-Range: \"other\"").body == bytes)
    let unchanged = try site.get(path, "If-None-Match: \"\(pack.archive.file.digest.hex)\"")
    #expect(unchanged.status == 304 && unchanged.body.isEmpty)
  }

  /// The index is sent compressed to clients that accept compressed responses.
  ///
  /// The client may send several headers with the codings that it accepts.
  @Test(
    arguments: [
      (["gzip"], "gzip"), (["br", "x, GZIP;q=0.5"], "gzip"), (["gzip;q=0"], nil), (["identity"], nil),
      ([], nil),
      (["q=1;gzip"], nil),
    ] as [([String], String?)])
  func `a coding is sent to those that take it`(codings: [String], expected: String?) throws {
    let site = try ServedSite()
    let headers = codings.map { "Accept-Encoding: \($0)" }
    let lines = ["GET /index.json HTTP/1.1", "Host: 127.0.0.1:\(site.port)", "Connection: close"] + headers
    let answer = try #require(
      try Answer(site.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))))
    #expect(answer.status == 200 && answer["Content-Encoding"] == expected)
    #expect((try answer.body == site.published("index.json")) == (expected == nil))
  }

  /// Two servers can use the same port at two addresses.
  ///
  /// Each server answers only at its own address.
  @Test func `a server listens at its address alone`() throws {
    let built = try BuiltSite()
    let table = try #require(try BuiltTable(built.path).table)
    let indexPath = "\(built.path)/index.json"
    var settings = PackServer.Settings()
    settings.address = try #require(IPAddress("127.0.0.2"))
    let first = try PackServer(
      LiveRelease(built.path, table: table, indexPath: indexPath), settings: settings)
    defer { first.stop() }
    let port = try #require(UInt16(first.urls[0].split(separator: ":").last?.dropLast() ?? ""))
    #expect(first.urls == ["http://127.0.0.2:\(port)/"])
    settings.address = try #require(IPAddress("127.0.0.3"))
    settings.port = port
    let second = try PackServer(
      LiveRelease(built.path, table: table, indexPath: indexPath), settings: settings)
    defer { second.stop() }
    #expect(second.urls == ["http://127.0.0.3:\(port)/"])
  }

  @Test func `connections are kept`() throws {
    let site = try ServedSite()
    let client = try TCPClient(site.port)
    let request = Array("HEAD /index.json HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    for _ in 0..<5 {
      client.write(request)
      #expect(Answer(client.read(4096))?.status == 200)
    }
    // If a client sends several requests together, the server answers them one after another.
    client.write(request + request + request)
    var text = ""
    while text.matches(of: #/HTTP/1.1 200/#).count < 3 {
      let part = client.read(4096)
      if part.isEmpty { break }
      text += String(decoding: part, as: UTF8.self)
    }
    #expect(text.matches(of: #/HTTP/1.1 200/#).count == 3)
  }

  /// The server must never read the body of a request as a second request.
  @Test(arguments: [
    "GET /index.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 44\r\n\r\n",
    "GET /index.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET /index.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n",
    "GET /index.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
    "GET /index.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "GET /index.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n",
    "POST /index.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 44\r\n\r\n",
  ])
  func `nothing is smuggled`(front: String) throws {
    let site = try ServedSite()
    let answered = try site.send(
      Array((front + "GET / HTTP/1.1\r\nHost: localhost\r\nX-Pad: abcd\r\n\r\n").utf8))
    let text = String(decoding: answered, as: UTF8.self)
    #expect(text.matches(of: #/HTTP/1\.1 /#).count == 1 && !text.contains("<html"), "\(text.prefix(300))")
  }

  /// Malformed requests, and the possible statuses of the responses.
  ///
  /// libmicrohttpd answers some of these requests itself, and passes the others on to packtool.
  static let nonsense: [(text: String, statuses: [Int?])] = [
    ("\r\n\r\n", [nil]), ("GET\r\n\r\n", [nil, 400]), ("GET /index.json\r\n\r\n", [400]),
    ("GET  HTTP/1.1\r\nHost: localhost\r\n\r\n", [400]),
    ("GET /../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", [404]),
    ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", [404]),
    ("\0\0\0\0\r\n\r\n", [nil, 400]),
    ("GET /index.json\0.zip HTTP/1.1\r\nHost: evil.com\r\n\r\n", [400]),
    ("GET /index.json\0.zip HTTP/1.1\r\nHost: localhost\r\n\r\n", [400]),
    ("GET /packs HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\n\r\n", [400]),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [nil, 400, 505]),
  ]

  @Test(arguments: nonsense) func `nonsense gets no file`(text: String, statuses: [Int?]) throws {
    let site = try ServedSite()
    let client = try TCPClient(site.port)
    client.write(Array(text.utf8))
    // If the server is allowed to stay silent, wait for one second. If it must answer, wait as long as a busy
    // machine needs.
    let status = Answer(client.read(4096, seconds: statuses.contains(nil) ? 1 : 60))?.status
    #expect(statuses.contains(status), "\(status ?? 0)")
    #expect(try site.get("index.json").status == 200)
  }

  @Test func `long headers are refused`() throws {
    let site = try ServedSite()
    for header in [
      "X: \(String(repeating: "a", count: 100_000))", String(repeating: "A: b\r\n", count: 20_000) + "C: d",
    ] {
      #expect([431, 413].contains(try site.get("index.json", header).status))
    }
    let path = String(repeating: "a", count: 100_000)
    #expect(try site.get(path).status == 414)
    // Headers that are a little shorter are accepted.
    #expect(try site.get("index.json", "X: \(String(repeating: "a", count: 10_000))").status == 200)
  }

  /// The conditions of two `If-Range` headers cannot be met at the same time.
  @Test func `of two conditions none holds`() throws {
    let site = try ServedSite()
    let pack = try site.built.pack("A")
    let path = ServedSite.encoded(pack.archive.path)
    let tag = "If-Range: \"\(pack.archive.file.digest.hex)\""
    #expect(try site.get(path, "Range: bytes=0-1", tag).status == 206)
    for other in ["If-Range: \"x\"", tag] {
      #expect(try site.get(path, "Range: bytes=0-1", other, tag).status == 200)
      #expect(try site.get(path, "Range: bytes=0-1", tag, other).status == 200)
    }
    // A request with two `Origin` headers does not count as a request from the server's own pages.
    let own = "Origin: http://127.0.0.1:\(site.port)"
    #expect(try site.get(".packtool/events", own, "Origin: http://evil.com").status == 403)
    let client = try TCPClient(site.port)
    client.write(
      Array("GET /.packtool/events HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n".utf8))
    #expect(Answer(client.read(4096))?.status == 200)
  }

  @Test func `a log that cannot be opened is an error`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SystemError.self) { try RequestLog(folder.path) { _ in } }
    #expect(throws: SystemError.self) { try RequestLog(folder.path("none/log")) { _ in } }
  }

  /// An IPv4 socket and an IPv6 socket can have the same port.
  ///
  /// So a server for IPv6 must not accept IPv4 connections.
  @Test(.enabled(if: hasIPv6, "no IPv6 here"))
  func `a server of IPv6 leaves the port of IPv4 to others`() throws {
    let (six, four) = (try #require(IPAddress("::")), try #require(IPAddress("0.0.0.0")))
    var isFree = false
    // Another program might use the port for IPv4, so try several ports.
    for _ in 0..<50 where !isFree {
      let socket = try ListeningSocket(six, port: 0)
      if let other = try? ListeningSocket(four, port: socket.port) { isFree = other.port == socket.port }
    }
    #expect(isFree)
  }

  private static let hasIPv6 =
    IPAddress("::1").flatMap { address in try? ListeningSocket(address, port: 0).port } != nil

  @Test func `passwords`() throws {
    var settings = PackServer.Settings()
    settings.login = Login(name: "dev", password: "geheim:é")
    let site = try ServedSite(.zip, settings)
    let token = Data("dev:geheim:é".utf8).base64EncodedString()
    #expect(try site.get("index.json", "Authorization: Basic \(token)").status == 200)
    // The name of the scheme is case-insensitive, and a zero byte does not end a password.
    #expect(try site.get("index.json", "Authorization: bASIC \(token)").status == 200)
    let longer = Data("dev:geheim:é\0x".utf8).base64EncodedString()
    #expect(try site.get("index.json", "Authorization: Basic \(longer)").status == 401)
    let three = ["Basic \(token)", "Basic \(token)", "Basic \(token)"].map { "Authorization: \($0)" }
    #expect(try site.get("index.json", three[0], three[1], three[2]).status == 401)
    let two = ["Basic \(token)", "Basic \(token)"].map { "Authorization: \($0)" }
    #expect(try site.get("index.json", two[0], two[1]).status == 401)
    let refused = try site.get("index.json")
    #expect(refused.status == 401 && refused["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
    for header in ["Basic", "Basic !!!!", "Basic ZGV2", "Bearer \(token)", "Basic \(token)x"] {
      #expect(try site.get("index.json", "Authorization: \(header)").status == 401, "\(header)")
    }
  }

  @Test func `many arguments are answered`() throws {
    let site = try ServedSite()
    let query = (0..<500).map { "\($0)=1" }.joined(separator: "&")
    #expect(try site.get("index.json?\(query)").status == 200)
    #expect(try site.get("nothing?\(query)").status == 404)
  }

  /// Pages of other sites are not allowed to listen.
  ///
  /// When a listener closes its connection, its place becomes free for another listener.
  @Test func `places of gauges`() throws {
    let site = try ServedSite()
    for header in ["Origin: http://evil.com", "Sec-Fetch-Site: cross-site"] {
      #expect(try site.get(".packtool/events", header).status == 403)
    }
    let request = Array("GET /.packtool/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    for _ in 0..<16 {
      let client = try TCPClient(site.port)
      client.write(request)
      #expect(Answer(client.read(4096))?.status == 200)
    }
    let begun = ThisProcess.seconds
    try blockUntil("a place is free") {
      let client = try TCPClient(site.port)
      client.write(request)
      return Answer(client.read(4096))?.status == 200
    }
    // The server checks each listener's connection four times per second. Without these checks, the place
    // would become free only after 15 seconds.
    #expect(ThisProcess.seconds - begun < 14)
  }

  @Test func `cuts end the connection`() throws {
    var settings = PackServer.Settings()
    settings.faults = [try Fault("cut:1000:*.zip")]
    let site = try ServedSite(.zip, settings)
    let pack = try site.built.pack("A")
    let answer = try site.get(ServedSite.encoded(pack.archive.path))
    #expect(answer["Content-Length"] == "\(pack.archive.file.size)" && answer.body.count == 1000)
  }

  /// A plus in a URL can be written in two ways, and both lead to the same pack.
  ///
  /// The log contains the target as the client sent it.
  @Test func `a pack with a plus in its name is logged`() throws {
    let folder = try TemporaryFolder()
    var settings = PackServer.Settings()
    settings.log = try RequestLog(folder.path("log")) { _ in }
    let site = try ServedSite(.zip, settings)
    let pack = try site.built.pack("A", "B")
    #expect(pack.archive.path.contains("A+B"))
    let encoded = ServedSite.encoded(pack.archive.path)
    #expect(encoded.contains("A%2BB") && !encoded.contains("+"))
    for target in [encoded, encoded.replacing("%2B", with: "+")] {
      #expect(try site.get(target).status == 200)
    }
    var lines: [Substring] = []
    // The server writes the line of a response only after it has sent the response, so wait for the lines.
    try blockUntil("the log has both lines") {
      lines = String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n")
      return lines.count == 2
    }
    struct Line: Decodable, Equatable {
      let request: String
      let status: Int
      let bytes: Int64
      let pack: String?
      let tags: [String]
    }
    let read = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    let expected = [encoded, encoded.replacing("%2B", with: "+")].map { target in
      Line(
        request: "GET /\(target)", status: 200, bytes: pack.archive.file.size, pack: pack.id,
        tags: ["A", "B"])
    }
    #expect(Set(read.map(\.request)) == Set(expected.map(\.request)))
    #expect(expected.allSatisfy(read.contains) && read.count == 2, "\(lines)")
  }

  /// The gauge's page contains only escaped text.
  ///
  /// A page that listens to events receives the number of fetched bytes.
  @Test func `gauge`() throws {
    let folder = try TemporaryFolder()
    var settings = PackServer.Settings()
    settings.log = try RequestLog(folder.path("log")) { _ in }
    let site = try ServedSite(.zip, settings)
    let page = try site.get("")
    #expect(page.status == 200 && page.text.contains("connect-src 'self'"))
    var line = ""
    // The server writes the line only after it has sent the response, so wait for the line.
    try blockUntil("the log has the line") {
      line = String(decoding: try folder.read("log"), as: UTF8.self)
      return !line.isEmpty
    }
    #expect(line.contains("\"bytes\": \(page.body.count),"), "\(line)")
    let client = try TCPClient(site.port)
    client.write(Array("GET /.packtool/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    var heard = ""
    func hear(_ text: String) -> Bool {
      for _ in 0..<20 where !heard.contains(text) {
        heard += String(decoding: client.read(4096), as: UTF8.self)
      }
      return heard.contains(text)
    }
    #expect(hear("\"fetched\": [0, 0, 0, 0]"))
    let pack = try site.built.pack("A")
    _ = try site.get(ServedSite.encoded(pack.archive.path))
    #expect(hear("\"fetched\": [\(pack.archive.file.size), 0, 0, 0]"))
  }
}
