import Formats
import Model
import Packing
import Pipeline
@testable import Serving
import System
import Foundation
import Support
import Testing

/// A built folder with a server in this process, on a free port of the loopback address.
final class ServedSite {
  let built: BuiltSite
  let server: PackServer
  let release: LiveRelease
  /// The settings with which the folder was built.
  private let settings: TestSettings
  private let output: String
  private var isStopped = false

  init(_ container: Container = .zip, _ settings: PackServer.Settings = PackServer.Settings()) throws {
    (built, self.settings, output) = (try BuiltSite(container), .test(container), "out")
    (release, server) = try Self.serve(built.path, settings)
  }

  /// Makes a site in the `hosted` layout, for devices that stream packs.
  init(hosted prefix: String) throws {
    built = try BuiltSite()
    var layout = LayoutChoice(layout: .hosted)
    layout.urlPrefix = try PackURLPrefix(prefix)
    (settings, output) = (TestSettings(container: .zip, layout: layout), "hosted")
    _ = try built.site.request(into: output, settings).run(Policy())
    (release, server) = try Self.serve(built.site.folder.path(output), PackServer.Settings())
  }

  private static func serve(
    _ path: String, _ settings: PackServer.Settings
  ) throws -> (LiveRelease, PackServer) {
    let reading = try BuiltTable(path)
    let release = LiveRelease(path, table: try #require(reading.table), indexPath: reading.indexPath)
    return (release, try PackServer(release, settings: settings))
  }

  /// Builds again while the server serves the folder.
  func rebuild() throws { _ = try built.site.request(into: output, settings).run(Policy()) }

  /// Stops the server, which then closes all connections.
  func stop() {
    if !isStopped { server.stop() }
    isStopped = true
  }

  deinit { stop() }

  var port: UInt16 { UInt16(server.urls[0].split(separator: ":").last?.dropLast() ?? "") ?? 0 }

  /// Returns the URL of a pack.
  func url(of pack: PublishedIndex.Pack) -> String { server.urls[0] + Self.encoded(pack.archive.path) }

  /// Returns a path in the notation of URLs.
  static func encoded(_ path: String) -> String {
    path.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["/", ".", "-"])) ?? ""
  }

  /// Returns the file that a build published at a path.
  func published(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(built.path)/\(path)")))
  }

  /// Returns the response to a request.
  ///
  /// Each request has its own connection.
  func get(_ path: String, _ headers: String..., method: String = "GET") throws -> Answer {
    let lines = ["\(method) /\(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
    return try #require(try Answer(send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))))
  }

  /// Returns all bytes that the server sends until the connection ends or the time runs out.
  func send(_ bytes: [UInt8], seconds: Int = 10) throws -> [UInt8] {
    let client = try TCPClient(port)
    client.write(bytes)
    return client.readAll(seconds: seconds)
  }
}

/// A server's response.
struct Answer {
  let status: Int
  let headers: [String: String]
  let body: [UInt8]

  init?(_ bytes: [UInt8]) {
    guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    self.status = status
    headers = Dictionary(
      lines.dropFirst().compactMap { line in
        line.firstIndex(of: ":").map {
          (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
        }
      }
    ) { first, _ in first }
    body = Array(bytes[end.upperBound...])
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  subscript(header: String) -> String? { headers[header.lowercased()] }
}

/// A plain connection to the loopback address.
struct TCPClient: ~Copyable {
  private let descriptor: Int32

  init(_ port: UInt16, isIPv6: Bool = false) throws {
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let code = isIPv6 ? Self.connectIPv6(descriptor, port) : Self.connect(descriptor, port)
    if code != 0 { throw SystemError(during: "connect to", path: "port \(port)") }
  }

  private static func connect(_ socket: Int32, _ port: UInt16) -> Int32 {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func connectIPv6(_ socket: Int32, _ port: UInt16) -> Int32 {
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(AF_INET6)
    name.sin6_port = port.bigEndian
    withUnsafeMutableBytes(of: &name.sin6_addr) { $0[15] = 1 }
    return withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads up to `most` bytes.
  ///
  /// Returns fewer bytes if the connection ends or the time runs out.
  func read(_ most: Int, seconds: Int = 10) -> [UInt8] {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var bytes = [UInt8](repeating: 0, count: most)
    let count = recv(descriptor, &bytes, most, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// The state that a client finds after the bytes that it has read.
  enum End: Equatable {
    case bytes
    /// The server has closed or reset the connection.
    case closed
    /// The connection is open, and no byte has arrived.
    case silence
  }

  /// Waits until a byte arrives or the connection ends, at most for the given time.
  func next(seconds: Double) -> End {
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e6))
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
    if count > 0 { return .bytes }
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .silence : .closed
  }

  /// Ends the direction from the client to the server.
  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the end of the connection a reset, so that the server cannot send anything afterwards.
  func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Reads all bytes until the connection ends or the time runs out.
  func readAll(seconds: Int = 10) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let part = read(1 << 16, seconds: seconds)
      if part.isEmpty { return all }
      all += part
    }
  }
}

/// A served folder with a log.
final class LoggedSite {
  /// A line of the log.
  struct Line: Decodable, Equatable {
    let time: String
    let request: String
    let range: String?
    let status: Int
    let bytes: Int64
    let milliseconds: Double
    let pack: String?
    let tags: [String]
  }

  let site: ServedSite
  private let folder: TemporaryFolder

  init(_ container: Container = .zip, _ settings: PackServer.Settings = PackServer.Settings()) throws {
    folder = try TemporaryFolder()
    var settings = settings
    settings.log = try RequestLog(folder.path("log")) { Issue.record("\($0)") }
    site = try ServedSite(container, settings)
  }

  /// Returns the lines of the log as soon as there are as many.
  ///
  /// The server writes a line only after it has sent the response.
  func lines(_ count: Int) throws -> [Line] {
    var lines: [Substring] = []
    try blockUntil("the log has \(count) lines") {
      lines = String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n")
      return lines.count >= count
    }
    return try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  /// Returns the number of bytes of a pack that were downloaded.
  func fetchedSize(of pack: PublishedIndex.Pack) -> Int64? {
    let table = site.release.table
    return table.packs.firstIndex { $0.id == pack.id }.map { table.fetchedSizes[$0] }
  }
}

/// An open connection.
///
/// This is a class, because an array cannot contain noncopyable values.
final class OpenClient {
  let client: TCPClient

  init(_ port: UInt16) throws { client = try TCPClient(port) }
}

/// Computes a SHA-256, for comparison with other programs.
enum TestDigest {
  static func hex(of bytes: [UInt8]) -> String { SHA256.digest(of: bytes.span.bytes).hex }
}
