import Formats
import Model
import Pipeline
import Support
import System
import Testing

@testable import Serving

/// Tests the events that a page with a debug gauge gets.
@Suite(.serialized, .noHang) struct GaugeEventTests {
  @Test func `an event is sent for each change, and a comment after a silence`() {
    var events = GaugeEvents()
    func next(_ figures: String, at time: Double) -> String {
      String(decoding: events.next(Array(figures.utf8), at: time), as: UTF8.self)
    }
    #expect(next("a", at: 100) == "data: a\n\n")
    #expect(next("a", at: 100.25) == "" && next("a", at: 115) == "")
    #expect(next("a", at: 115.25) == ":\n\n")
    #expect(next("a", at: 115.5) == "" && next("a", at: 130.25) == "")
    #expect(next("b", at: 130.5) == "data: b\n\n")
    #expect(next("b", at: 145.5) == "" && next("b", at: 145.75) == ":\n\n")
    #expect(next("a", at: 145.75) == "data: a\n\n" && next("a", at: 145.75) == "")
  }

  /// Returns the bytes of a body that was sent in chunks.
  private func body(_ chunks: [UInt8]) -> String {
    var (rest, bytes): (ArraySlice<UInt8>, [UInt8]) = (chunks[...], [])
    while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
      let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) ?? 0
      bytes += rest.dropFirst(end - rest.startIndex + 2).prefix(size)
      rest = rest.dropFirst(end - rest.startIndex + size + 4)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func event(_ table: ServedTable) -> String {
    "data: \(String(decoding: GaugeFigures(table).json.line.array(), as: UTF8.self))\n\n"
  }

  private static let request = Array("GET /.packtool/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  /// Between two events, the server sends nothing.
  @Test func `the stream consists of events`() throws {
    let site = try ServedSite()
    let table = site.release.table
    var expected = event(table)
    let client = try TCPClient(site.port)
    client.write(Self.request)
    var bytes: [UInt8] = []
    func isHeard() -> Bool {
      bytes += client.read(4096)
      return body(Answer(bytes)?.body ?? []).utf8.count >= expected.utf8.count
    }
    try blockUntil("the first event arrives", isHeard)
    for tag in ["A", "C"] {
      let pack = try site.built.pack(tag)
      let before = event(table)
      #expect(try site.get(ServedSite.encoded(pack.archive.path)).status == 200)
      try blockUntil("the bytes are counted") { event(table) != before }
      expected += event(table)
      try blockUntil("the event arrives", isHeard)
    }
    #expect(body(Answer(bytes)?.body ?? []) == expected)
    #expect(Answer(bytes)?["Content-Type"] == "text/event-stream")
  }

  @Test func `sixteen pages can listen`() throws {
    let site = try ServedSite()
    let pages = try (0..<17).map { _ in try OpenClient(site.port) }
    func answer(_ page: OpenClient) -> Answer? {
      page.client.write(Self.request)
      return Answer(page.client.read(4096))
    }
    #expect(pages.prefix(16).map { answer($0)?.status } == Array(repeating: 200, count: 16))
    #expect(site.server.service.listeners.change { $0 } == 16)
    let refused = answer(pages[16])
    #expect(refused?.status == 503 && refused?["Retry-After"] == "10")
    // A page that ends its connection leaves its place to another page.
    pages[3].client.endWriting()
    try blockUntil("a place is free") { site.server.service.listeners.change { $0 } == 15 }
    #expect(answer(pages[16])?.status == 200)
  }
}
