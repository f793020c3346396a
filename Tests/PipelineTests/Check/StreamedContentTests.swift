import Formats
import Model
@testable import Pipeline
import System
import Testing

/// Tests that the finding for a file does not depend on the sizes of the chunks that the check receives.
@Suite struct StreamedContentTests {
  private static let certificates = String(
    repeating: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", count: 1000)
  private static let key = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIA==\n"
  private static let files: [(bytes: [UInt8], check: String?)] = [
    ([], nil), (Array("short".utf8), nil), (Array(key.utf8), "secret-key"),
    (Array((certificates + key).utf8), "secret-key"), (Array(certificates.utf8), nil),
    (Array("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n".utf8), "lfs-pointer"),
    (Array("\u{feff}version https://hawser.github.com/spec/v1\n".utf8), "lfs-pointer"),
    ([0x7f, 0x45, 0x4c, 0x46] + Array(repeating: 0, count: 100_000), "executable-content"),
    (Array(repeating: 0x20, count: 2_000_000), nil),
  ]

  @Test func `only the beginning of a file is its head`() {
    var content = StreamedContent()
    content.append(Array(repeating: UInt8(ascii: "x"), count: 600).span.bytes)
    let program: [UInt8] = [0x7f, 0x45, 0x4c, 0x46] + Array(repeating: 0, count: 600)
    content.append(program.span.bytes)
    #expect(content.finish(size: 1_204) == nil)
    content.append(program.span.bytes)
    #expect(content.finish(size: 604)?.check.id == "executable-content")
  }

  /// The bytes "PE" count only in the first MiB, the last place being four bytes before its end.
  @Test(arguments: [
    (1 << 16, true), (1 << 20 - 4, true), (1 << 20 - 3, false), (1 << 20, false), (3 << 19, false),
  ]) func `the first MiB is kept`(offset: Int, isFound: Bool) {
    var bytes = Array("MZ".utf8) + Array(repeating: 0, count: 3 << 20 - 2)
    for place in 0..<4 { bytes[60 + place] = UInt8(truncatingIfNeeded: offset >> (8 * place)) }
    (bytes[offset], bytes[offset + 1]) = (0x50, 0x45)
    for step in [1 << 20, 3 << 20] {
      var content = StreamedContent()
      for start in stride(from: 0, to: bytes.count, by: step) {
        content.append(bytes[start..<start + step].span.bytes)
      }
      #expect((content.finish(size: Int64(bytes.count)) != nil) == isFound, "\(step)")
    }
  }

  @Test(arguments: [1, 100, 511, 512, 513, 1 << 16, 1 << 21]) func `pieces change nothing`(step: Int) {
    var content = StreamedContent()
    for (bytes, check) in Self.files where bytes.count < 300 * step {
      for start in stride(from: 0, to: bytes.count, by: step) {
        content.append(bytes[start..<min(bytes.count, start + step)].span.bytes)
      }
      #expect(content.finish(size: Int64(bytes.count))?.check.id == check, "\(bytes.prefix(40)) by \(step)")
    }
  }
}
