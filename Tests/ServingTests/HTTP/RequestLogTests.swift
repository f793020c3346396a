import Formats
import Foundation
import Model
import Pipeline
import Play
import Support
import System
import Testing

@testable import Serving

/// Tests the log, and which bytes of a pack count as downloaded.
@Suite(.serialized, .noHang) struct RequestLogTests {
  /// A response, and the facts of its line.
  private struct Case {
    let path: String
    var method = "GET"
    var header = "X-None: 0"
    let status: Int
    /// The number of bytes; nil for that of the body that has arrived.
    var bytes: Int64?
    var range: String?
    var pack: PublishedIndex.Pack?
  }

  @Test func `each response has a line`() throws {
    let logged = try LoggedSite()
    let site = logged.site
    let pack = try site.built.pack("A", "B")
    let path = ServedSite.encoded(pack.archive.path)
    let size = pack.archive.file.size
    let tag = "If-None-Match: \"\(pack.archive.file.digest.hex)\""
    let cases = [
      Case(path: path, method: "HEAD", status: 200, bytes: 0, pack: pack),
      Case(path: path, header: tag, status: 304, bytes: 0, pack: pack),
      Case(path: path, header: "Range: bytes=7-7", status: 206, bytes: 1, range: "bytes=7-7", pack: pack),
      Case(path: path, header: "Range: bytes=9-18", status: 206, bytes: 10, range: "bytes=9-18", pack: pack),
      Case(path: path, header: "Range: bytes=\(size)-", status: 416, range: "bytes=\(size)-"),
      Case(path: path, status: 200, bytes: size, pack: pack),
      Case(path: "index.json", status: 200, bytes: Int64(try site.published("index.json").count)),
      Case(path: "none?x", status: 404), Case(path: "none", method: "HEAD", status: 404, bytes: 0),
      Case(path: "index.json", method: "POST", status: 405), Case(path: "", status: 200),
    ]
    var fetched: [Int64?] = []
    for (number, each) in cases.enumerated() {
      let begun = Self.time(ThisProcess.time)
      let answer = try site.get(each.path, each.header, method: each.method)
      let line = try logged.lines(number + 1)[number]
      #expect(answer.status == each.status && line.status == each.status, "\(line)")
      #expect(line.bytes == each.bytes ?? Int64(answer.body.count) && line.range == each.range, "\(line)")
      #expect(line.bytes == answer.body.count, "\(line)")
      #expect(line.request == "\(each.method) /\(each.path)", "\(line)")
      #expect(line.pack == each.pack?.id && line.tags == each.pack?.tags ?? [], "\(line)")
      let end = ThisProcess.time - Int64(line.milliseconds * 1e6)
      #expect(line.milliseconds >= 0 && begun <= line.time && line.time <= Self.time(end), "\(line)")
      fetched.append(logged.fetchedSize(of: pack))
    }
    #expect(fetched == [0, 0, 1, 11, 11] + Array(repeating: size, count: 6))
  }

  /// Returns a time in nanoseconds in the notation of the log.
  private static func time(_ nanoseconds: Int64) -> String {
    let (seconds, fraction) = (nanoseconds / 1000).floored(by: 1_000_000)
    return UTCTime.text(ofSeconds: seconds, fraction: fraction, fractionDigits: 6)
  }

  /// The time in a line is that of the request, not that of the response.
  @Test func `a line has the time of the request`() throws {
    var settings = PackServer.Settings()
    settings.network = NetworkProfile(bitsPerSecond: 1_000_000_000, latencyMicroseconds: 300_000)
    let logged = try LoggedSite(.zip, settings)
    let begun = ThisProcess.time
    #expect(try logged.site.get("index.json").status == 200)
    let line = try #require(try logged.lines(1).first)
    let end = ThisProcess.time - Int64(line.milliseconds * 1e6)
    #expect(line.milliseconds >= 300, "the network delivers the response only after its latency")
    #expect(Self.time(begun) <= line.time && line.time <= Self.time(end), "\(line)")
  }

  /// A client can send a text as long as its headers.
  @Test func `long texts are shortened`() throws {
    let logged = try LoggedSite()
    let long = String(repeating: "é", count: 3000)
    let path = String(repeating: "a", count: 3000)
    #expect(try logged.site.get(path, "Range: \(long)").status == 404)
    let line = try #require(try logged.lines(1).first)
    #expect(line.request == "GET /\(path.prefix(1999))")
    #expect(line.range.map { $0 == long.prefix(2000) } == true)
  }

  /// Returns the response to a request whose connection the server cuts.
  private func cut(_ site: ServedSite, _ path: String, _ header: String = "X-None: 0") throws -> Answer {
    let client = try TCPClient(site.port)
    client.write(Array("GET /\(path) HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n\r\n".utf8))
    let answer = try #require(Answer(client.readAll()))
    #expect(client.next(seconds: 0.001) == .closed)
    return answer
  }

  @Test(arguments: [0, 1, 1000]) func `a cut ends the connection, and counts the bytes before it`(count: Int)
    throws
  {
    var settings = PackServer.Settings()
    settings.faults = [try Fault("cut:\(count):*.zip")]
    let logged = try LoggedSite(.zip, settings)
    let pack = try logged.site.built.pack("A")
    let bytes = try logged.site.published(pack.archive.path)
    let path = ServedSite.encoded(pack.archive.path)
    let whole = try cut(logged.site, path)
    #expect(whole["Content-Length"] == "\(bytes.count)" && whole.body == Array(bytes.prefix(count)))
    #expect(try logged.lines(1).map(\.bytes) == [Int64(count)])
    let part = try cut(logged.site, path, "Range: bytes=100-")
    #expect(part.status == 206 && part.body == Array(bytes.dropFirst(100).prefix(count)))
    #expect(try logged.lines(2).map(\.bytes) == [Int64(count), Int64(count)])
    let short = try logged.site.get(path, "Range: bytes=5-7")
    #expect(short.body == Array(bytes[5..<min(8, 5 + count)]) && short["Content-Length"] == "3")
    _ = try logged.lines(3)
    #expect(logged.fetchedSize(of: pack) == [0: 0, 1: 3, 1000: 1100][count])
  }

  /// A fault that cuts nothing makes the server send the body in pieces.
  @Test func `a file that was truncated ends the connection`() throws {
    var settings = PackServer.Settings()
    settings.faults = [try Fault("cut:1 GB:*.zip")]
    let logged = try LoggedSite(.zip, settings)
    let pack = try logged.site.built.pack("A")
    let bytes = try logged.site.published(pack.archive.path)
    let path = ServedSite.encoded(pack.archive.path)
    #expect(try logged.site.get(path).body == bytes)
    #expect(truncate("\(logged.site.built.path)/\(pack.archive.path)", 100) == 0)
    #expect(try cut(logged.site, path).body == Array(bytes.prefix(100)))
    #expect(try logged.lines(2).map(\.bytes) == [Int64(bytes.count), 100])
    #expect(truncate("\(logged.site.built.path)/\(pack.archive.path)", 0) == 0)
    #expect(try cut(logged.site, path).body == [])
    #expect(try logged.lines(3).map(\.bytes) == [Int64(bytes.count), 100, 0])
  }

  @Test func `the bytes that arrived are those after the headers`() {
    func arrived(_ acknowledged: Int64) -> Int64 {
      Exchange.arrivedBytes(ofBody: 1000, headerSize: 200, before: 50, acknowledged: acknowledged)
    }
    #expect(
      [0, 50, 249, 250, 251, 1249, 1250, 1251, 9000].map(arrived) == [0, 0, 0, 0, 1, 999, 1000, 1000, 1000])
  }

  @Test func `only the first failure of a log is reported`() throws {
    let errors = Monitor<[SystemError]>([])
    let log = try RequestLog("/dev/full") { error in errors.change { $0.append(error) } }
    for _ in 0..<3 { log.write(.integer(1)) }
    #expect(errors.change { $0 } == [SystemError(during: "write", path: "/dev/full", code: ENOSPC)])
  }

  @Test func `lines are added to a log`() throws {
    let folder = try TemporaryFolder()
    try folder.write("log", "before\n")
    let log = try RequestLog(folder.path("log")) { Issue.record("\($0)") }
    log.write(.ordered([("a", .integer(1)), ("b", .strings(["c", "d"]))]))
    log.write(.string("e\nf"))
    #expect(
      String(decoding: try folder.read("log"), as: UTF8.self)
        == "before\n{\"a\": 1, \"b\": [\"c\", \"d\"]}\n\"e\\nf\"\n")
  }

  /// Runs in a separate process, whose files cannot grow beyond 2,500,000 bytes.
  @Test(.mostlyWaits) func `half a line is a failure`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log")
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFileSize(to: 2_500_000)
      let errors = Monitor<[SystemError]>([])
      let log = try RequestLog(path) { error in errors.change { $0.append(error) } }
      let half = String(repeating: "a", count: 1_500_000)
      log.write(.string(half))
      #expect(errors.change { $0 } == [])
      log.write(.string(half))
      #expect(errors.change { $0 } == [SystemError(during: "write", path: path, code: ENOSPC)])
    }
  }
}
