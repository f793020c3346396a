@testable import Archiving
import Support
@testable import System
import Testing

/// Tests frames that have old contents as their prefix.
///
/// Patches consist of such frames.
@Suite struct ZstandardFrameTests {
  private static let settings = ZstandardSettings(level: 3, windowLog: 23)

  private func buffer(_ bytes: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.append(bytes.span.bytes)
    return buffer
  }

  /// Returns the frame for contents.
  ///
  /// The encoder gets the contents in pieces of one mebibyte.
  private func frame(_ content: [UInt8], prefix: [UInt8]) throws -> [UInt8] {
    var frame: [UInt8] = []
    var place = 0
    try patchFrame(
      ofSize: Int64(content.count), settings: Self.settings, prefix: buffer(prefix), pathInMessages: "test"
    ) {
      buffer in
      let end = min(place + 1 << 20, content.count)
      buffer.append(content.span.extracting(place..<end).bytes)
      place = end
    } write: { bytes in
      bytes.withUnsafeBytes { frame += $0 }
    }
    #expect(place == content.count)
    return frame
  }

  private struct Decoded {
    var end: ZstandardDecoder.End
    var content: [UInt8]
  }

  private func decoded(_ frame: [UInt8], size: Int, prefix: [UInt8], step: Int = 100_000) -> Decoded {
    var content: [UInt8] = []
    let end = ZstandardDecoder.decode(uncompressedSize: Int64(size), prefix: buffer(prefix)) { decoder in
      for start in stride(from: 0, to: frame.count, by: step) {
        let part = frame.span.extracting(start..<min(start + step, frame.count)).bytes
        if !decoder.append(part, take: { $0.withUnsafeBytes { content += $0 } }) { return }
      }
    }
    return Decoded(end: end, content: content)
  }

  @Test func `what fails while a frame is written ends the writing`() throws {
    let error = SystemError(during: "write", path: "test", code: SystemError.truncated)
    #expect(throws: error) {
      try patchFrame(ofSize: 3, settings: Self.settings, prefix: buffer([]), pathInMessages: "test") {
        $0.append([1, 2, 3])
      } write: { _ throws(SystemError) in
        throw error
      }
    }
  }

  @Test(arguments: [0, 1, 2, 3]) func `a piece is asked for until all bytes are there`(size: Int64) throws {
    var calls = 0
    var frame: [UInt8] = []
    try patchFrame(ofSize: size, settings: Self.settings, prefix: buffer([]), pathInMessages: "test") {
      calls += 1
      $0.append(UInt8(calls))
    } write: { bytes in
      bytes.withUnsafeBytes { frame += $0 }
    }
    #expect(calls == size)
    let found = decoded(frame, size: Int(size), prefix: [])
    #expect(found.end == .whole && found.content == (0..<UInt8(size)).map { $0 + 1 })
  }

  @Test func `the smaller of a body and its gzip stream is sent`() {
    #expect(ContentCoding.sentSize(of: [1, 2, 3]) == 3)
    let zeros = [UInt8](repeating: 0, count: 5000)
    let size = ContentCoding.gzip.compressed(zeros.span.bytes).count
    #expect(size < 100 && ContentCoding.sentSize(of: zeros) == Int64(size))
  }

  @Test func `what fails while a frame is read ends the reading`() throws {
    struct Failure: Error, Equatable {}
    let frame = try frame([1, 2, 3], prefix: [])
    #expect(throws: Failure()) {
      try ZstandardDecoder.decode(uncompressedSize: 3, prefix: buffer([])) { decoder throws(Failure) in
        _ = decoder.append(frame.span.bytes) { _ in }
        throw Failure()
      }
    }
  }

  @Test(arguments: [0, 1, 1000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5 << 19])
  func `contents of any size come back`(size: Int) throws {
    let old = Content.random.bytes(size, seed: 3)
    var content = old
    if size > 500 { content[500] ^= 1 }
    for prefix in [old, []] {
      let frame = try frame(content, prefix: prefix)
      let found = decoded(frame, size: size, prefix: prefix)
      #expect(found.end == .whole && found.content == content)
      if size >= 1000 && !prefix.isEmpty { #expect(frame.count < size / 2) }
    }
  }

  @Test func `an unexpected frame is reported`() throws {
    let content = Content.text.bytes(5000)
    let old = Content.text.bytes(5000, seed: 2)
    let whole = try frame(content, prefix: old)
    for step in [1, 100_000] {
      func end(_ frame: [UInt8], _ size: Int = 5000, _ prefix: [UInt8] = old) -> ZstandardDecoder.End {
        decoded(frame, size: size, prefix: prefix, step: step).end
      }
      #expect(end(whole) == .whole)
      #expect(end(whole, 4999) == .tooLong)
      #expect(end(whole, 5001) == .damaged)
      #expect(end(Array(whole.dropLast())) == .damaged)
      #expect(end([]) == .damaged)
      #expect(end([], 0) == .damaged)
      #expect(end(whole + [0]) == .tooLong)
      #expect(end(whole + whole) == .tooLong)
      #expect(end([0] + whole) == .damaged)
      #expect(end(whole, 5000, []) == .damaged)
    }
  }
}
