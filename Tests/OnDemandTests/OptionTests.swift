import Foundation
import Testing

@testable import OnDemand

/// Tests the default options, and values that are computed without a store.
@Suite struct OptionTests {
  @Test func `the default clock counts microseconds since 1970`() {
    let before = Date().timeIntervalSince1970
    let now = Double(PackStore.Options().now()) / 1_000_000
    #expect(before - 1 < now && now < Date().timeIntervalSince1970 + 1)
  }

  @Test func `the default jitter is a fifth`() {
    let factors = (0..<1000).map { _ in PackStore.Options().jitter() }
    #expect(factors.allSatisfy { (0.8...1.2).contains($0) })
    #expect(factors.contains { $0 < 0.9 } && factors.contains { $0 > 1.1 })
  }

  @Test func `a pause of less than nothing ends at once`() async throws {
    for seconds in [-1, -0.0, 0] { try await PackStore.Options().wait(seconds) }
    let task = Task { try await PackStore.Options().wait(1000) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a patience has limits`() {
    var options = PackStore.Options()
    let usual = options.patience
    for (patience, expected) in [
      (.nan, usual), (-1, 0), (0, 0), (0.5, 0.5), (3_000_000_000, 3_000_000_000),
      (3_000_000_001, 3_000_000_000), (.infinity, 3_000_000_000),
    ] as [(Double, Double)] {
      options.patience = patience
      #expect(options.limited.patience == expected && options.limited.silenceLimit == expected)
    }
    options.transferPatience = 7
    #expect(options.silenceLimit == 7)
  }

  @Test func `a volume keeps a twentieth free, but not more than 256 MB`() throws {
    let sizes: [Int64] = [0, 19, 20, 5_120_000_000 - 20, 5_120_000_000, 5_120_000_020, 1 << 50]
    #expect(
      sizes.map { Volume(free: 1, size: $0).keptFree } == [
        0, 0, 1, 255_999_999, 256_000_000, 256_000_000, 256_000_000,
      ])
    let volume = try #require(Volume(of: FileManager.default.temporaryDirectory))
    #expect(volume.free >= 0 && volume.free <= volume.size && volume.size > 0)
    #expect(Volume(of: URL(fileURLWithPath: "/none/such")) == nil)
  }

  @Test func `progress is never less than before, and never more than everything`() {
    let half = ResourceProgress(bytes: 5, total: 10)
    #expect(half.bytes == 5 && half.total == 10 && half.fraction == 0.5)
    // The total grows, but the fraction does not go back.
    let larger = ResourceProgress(bytes: 4, total: 100, after: half)
    #expect(larger.bytes == 5 && larger.total == 100 && larger.fraction == 0.5)
    let further = ResourceProgress(bytes: 75, total: 100, after: larger)
    #expect(further.bytes == 75 && further.total == 100 && further.fraction == 0.75)
    let smaller = ResourceProgress(bytes: 3, total: 50, after: further)
    #expect(smaller.bytes == 75 && smaller.total == 75 && smaller.fraction == 1)
    for empty in [ResourceProgress(bytes: 0, total: 0), ResourceProgress(bytes: 0, total: 0, after: half)] {
      #expect(empty.fraction == 1 && empty.total == empty.bytes)
    }
    #expect(ResourceProgress(bytes: 0, total: 1).fraction == 0)
  }

  @Test func `each byte of a path is encoded, unless all servers read it alike`() throws {
    let server = try #require(URL(string: "http://a.example/b/"))
    let plain = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~".utf8)
    for byte in UInt8(1)...0x7F where byte != UInt8(ascii: "/") {
      let text = String(UnicodeScalar(byte))
      let hex = String(format: "%%%02X", Int(byte))
      let expected = "http://a.example/b/x" + (plain.contains(byte) ? text : hex)
      #expect(server.appending(published: "x\(text)")?.absoluteString == expected)
    }
    let url = URL(string: "http://a.example")?.appending(published: "é/1")
    #expect(url?.absoluteString == "http://a.example/%C3%A9/1")
  }
}
