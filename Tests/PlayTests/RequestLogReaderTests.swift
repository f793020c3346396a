import Formats
@testable import Play
import Testing

/// Tests how the downloads in a log of `packtool serve` are read.
@Suite struct RequestLogReaderTests {
  private func line(
    _ second: Int, pack: String?, bytes: Int = 100, milliseconds: String = "2.5", tags: String = "[\"A\"]"
  ) -> String {
    let pack = pack.map { ", \"pack\": \"\($0)\"" } ?? ""
    return "{\"time\": \"2026-11-22T22:11:0\(second).250000Z\", \"bytes\": \(bytes), "
      + "\"milliseconds\": \(milliseconds), \"tags\": \(tags)\(pack)}"
  }

  private func read(_ lines: [String]) -> RequestLogReader {
    RequestLogReader(text: SourceText(path: "log", bytes: Array(lines.joined(separator: "\n").utf8)))
  }

  @Test func `downloads are in the order in which they began`() {
    let log = read([
      line(5, pack: "second"), "", "  \r", line(1, pack: "first", tags: "[]"), line(2, pack: nil, bytes: 7),
      line(3, pack: "nothing", bytes: 0), line(5, pack: "a"), "",
    ])
    #expect(log.diagnostics.isEmpty)
    #expect(log.downloads.map(\.pack) == ["first", "a", "second"])
    #expect(log.downloads.map(\.began) == [0, 4_000_000, 4_000_000])
    #expect(log.downloads.map(\.tags) == [[], ["A"], ["A"]])
    #expect(log.downloads.allSatisfy { $0.measured == 2500 && $0.bytes == 100 })
  }

  @Test(arguments: [
    "x", "{}", "[]", "{\"time\": 1}", "{\"time\": \"2026-11-22T22:11:01.250000Z\"}",
  ])
  func `other lines are warnings`(other: String) {
    let log = read([line(1, pack: "a"), other])
    #expect(log.downloads.count == 1)
    #expect(log.diagnostics.map(\.check) == [.logSyntax] && log.diagnostics.map(\.severity) == [.warning])
    #expect(log.diagnostics.map { $0.place.position?.line } == [2])
  }

  @Test func `a value out of range is a warning`() {
    for other in [
      line(1, pack: "a", bytes: -1), line(1, pack: "a", milliseconds: "-1"),
      line(1, pack: "a", milliseconds: "1e12"), line(1, pack: "a", tags: "[1]"),
      line(1, pack: "a", tags: "1"),
    ] {
      let log = read([line(2, pack: "b"), other])
      #expect(log.downloads.map(\.pack) == ["b"] && log.diagnostics.count == 1, "\(other)")
    }
  }

  @Test func `a log without downloads is an error`() {
    for lines in [[], [""], [line(1, pack: nil)]] {
      let log = read(lines)
      #expect(log.diagnostics.map(\.check) == [.logSyntax] && log.diagnostics.map(\.severity) == [.error])
    }
  }
}
