import Foundation
import Model
import Pipeline
import Play
@testable import Serving
import System
import Support
import Testing

/// Tests how the server sends the bodies of files.
///
/// The server copies small files to memory, and the kernel sends large files directly.
@Suite(.serialized, .noHang) struct BodyTests {
  /// Reads from a connection until this number of bytes has arrived.
  ///
  /// The headers of the responses are included.
  private func read(_ count: Int, from client: borrowing TCPClient) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let part = client.read(count - bytes.count)
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  private func request(_ path: String) -> [UInt8] {
    Array("GET /\(ServedSite.encoded(path)) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
  }

  /// The last bytes of a body must be sent immediately, even if they do not fill a packet.
  ///
  /// Otherwise the kernel would wait for 200 ms.
  @Test(.enabled(if: Platform.countsTransfers, "all bodies are sent piece by piece without"))
  func `ends of long files do not wait`() throws {
    let site = try ServedSite(.folder)
    let path = try #require(site.release.table.paths.first { $0.hasSuffix("é.txt") })
    let file = try #require(site.release.table[RequestPath(decoded: path)])
    let whole = try site.get(ServedSite.encoded(path))
    #expect(whole.body.count == 70_000 && file.whole.change { $0?.isFile } == true)
    let client = try TCPClient(site.port)
    var shortest = Double.infinity
    for _ in 0..<20 {
      let begun = ThisProcess.seconds
      client.write(request(path))
      let answer = try #require(Answer(read(200 + 70_000, from: client)))
      let rest = read(70_000 - answer.body.count, from: client)
      #expect(answer.body + rest == whole.body)
      shortest = min(shortest, ThisProcess.seconds - begun)
    }
    // If the kernel waited, each response would take at least 200 ms. On a busy machine, some of them can take that
    // long for other reasons.
    #expect(shortest < 0.19)
  }

  @Test(.enabled(if: Platform.countsTransfers, "all bodies are sent piece by piece without"))
  func `short files are copies`() throws {
    let site = try ServedSite(.folder)
    let path = try #require(site.release.table.paths.first { $0.hasSuffix("1.bin") })
    #expect(try site.get(ServedSite.encoded(path)).body == site.published(path))
    let file = try #require(site.release.table[RequestPath(decoded: path)])
    #expect(file.whole.change { $0?.isFile } == false)
    #expect(
      try site.get(ServedSite.encoded(path), "Range: bytes=7-8").body == Array(site.published(path)[7...8]))
  }

  /// If a download is interrupted, the log contains the number of bytes that arrived at the client, not the
  /// number that the kernel accepted.
  @Test func `broken downloads are counted`() throws {
    let folder = try TemporaryFolder()
    var settings = PackServer.Settings()
    settings.log = try RequestLog(folder.path("log")) { _ in }
    let site = try ServedSite(.zip, settings)
    try site.built.site.write("a/1.bin", Sample.noise(30_000_000))
    try site.rebuild()
    let pack = try #require(site.release.table.paths.first { $0.contains(".A-") })
    do {
      let client = try TCPClient(site.port)
      for _ in 0..<3 {
        client.write(Array("HEAD /index.json HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        #expect(Answer(client.read(4096))?.status == 200)
      }
      client.write(request(pack))
      #expect(read(1_000_000, from: client).count == 1_000_000)
    }
    let bytes = try lastSize(in: folder)
    // When the connection ends, the last segments are possibly not acknowledged yet. So the exact number is
    // not known.
    #expect((1..<29_000_000).contains(bytes), "\(bytes)")
  }

  /// Returns the number of bytes of the last body in a log, as soon as the log contains it.
  private func lastSize(in folder: TemporaryFolder) throws -> Int {
    var last: [String: Any] = [:]
    try blockUntil("the log contains the body") {
      let line = String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n").last
      last = try JSONSerialization.jsonObject(with: Data((line ?? "{}").utf8)) as? [String: Any] ?? [:]
      return last["bytes"] as? Int ?? 0 > 0
    }
    return try #require(last["bytes"] as? Int)
  }

  /// The piece that is already on its way when a client leaves must be the last one.
  ///
  /// At 8,000 bits per second, a piece of 256 bytes takes 256 ms.
  @Test func `a client that leaves does not take up the network`() throws {
    let folder = try TemporaryFolder()
    var settings = PackServer.Settings()
    settings.network = NetworkProfile(bitsPerSecond: 8_000, latencyMicroseconds: 0)
    settings.log = try RequestLog(folder.path("log")) { _ in }
    let site = try ServedSite(.folder, settings)
    let path = try #require(site.release.table.paths.first { $0.hasSuffix("é.txt") })
    let begun = ThisProcess.seconds
    var received = 0
    do {
      let client = try TCPClient(site.port)
      client.write(request(path))
      var bytes: [UInt8] = []
      while Answer(bytes)?.body.isEmpty != false {
        let part = client.read(4096)
        if part.isEmpty { break }
        bytes += part
      }
      received = Answer(bytes)?.body.count ?? 0
    }
    // On a busy machine, the client can be late. The server sends more pieces until the client leaves.
    let pieces = Int((ThisProcess.seconds - begun) / 0.256)
    #expect(received >= 256 && received <= 256 * pieces)
    let sent = try lastSize(in: folder)
    #expect(sent >= 512 && sent <= 256 * (pieces + 1))
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

  @Test func `memory for copies is bounded`() {
    let memory = CopyMemory()
    let long = Held(100_000, of: memory)
    #expect(long == nil)
    // In the second round, the memory that the first round has released is reserved again.
    for _ in 0..<2 {
      var all: [Held] = []
      while all.count < 1000, let held = Held(32 << 10, of: memory) { all.append(held) }
      #expect(all.count == 256)
    }
  }
}
