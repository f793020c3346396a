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

  deinit { server.stop() }

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

  init(_ port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let socket = descriptor
    let code = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if code != 0 { throw SystemError(during: "connect to", path: "port \(port)") }
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

/// Computes a SHA-256, for comparison with other programs.
enum TestDigest {
  static func hex(of bytes: [UInt8]) -> String { SHA256.digest(of: bytes.span.bytes).hex }
}
