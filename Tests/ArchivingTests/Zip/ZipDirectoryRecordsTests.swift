@testable import Archiving
@testable import System
import Testing

/// Tests how the directory of a zip is found by the records at its end.
@Suite struct ZipDirectoryRecordsTests {
  private static let composed = Array("\u{e9}".utf8)
  private static let decomposed = Array("e\u{301}".utf8)

  /// A zip of two empty files.
  ///
  /// The name of the second file has two Unicode forms, so it shows whether the directory was read.
  private struct Zip {
    var bytes: [UInt8]
    let directory: Int
    let end: Int

    /// Creates the zip; with records for long numbers if `count` is large.
    init(count: Int = 2, firstOffset: Int64 = 0, extra: Bool = false, comment: [UInt8] = []) {
      var buffer = ByteBuffer()
      let time = ZipTime(secondsSince1970: 951_827_696)
      var first = ZipEntry(name: "a", method: .stored, size: 0, compressedSize: 0, checksum: Checksum())
      var second = ZipEntry(
        name: "e\u{301}", method: .stored, size: 0, compressedSize: 0, checksum: Checksum())
      first.offset = firstOffset
      first.hasLongSizes = extra
      first.appendLocalHeader(to: &buffer, modified: time)
      second.offset = Int64(buffer.count)
      second.appendLocalHeader(to: &buffer, modified: time)
      directory = buffer.count
      var header = ByteBuffer()
      first.appendCentralHeader(to: &header, modified: time)
      var changed = header.array()
      changed[32] = UInt8(comment.count)
      buffer.append((changed + comment).span.bytes)
      second.appendCentralHeader(to: &buffer, modified: time)
      end = buffer.count
      ZipEnd(entryCount: count, start: Int64(directory), size: Int64(end - directory)).append(to: &buffer)
      bytes = buffer.array()
    }

    /// Marks the numbers of the last record as long.
    mutating func markLong(start: Bool = true, size: Bool = true) {
      if size { bytes.replaceSubrange(bytes.count - 10..<bytes.count - 6, with: [255, 255, 255, 255]) }
      if start { bytes.replaceSubrange(bytes.count - 6..<bytes.count - 2, with: [255, 255, 255, 255]) }
    }
  }

  private func directory(_ bytes: [UInt8]) throws -> ZipDirectory {
    var buffer = ByteBuffer()
    buffer.append(bytes.span.bytes)
    return try ZipDirectory(of: InputFile(holding: buffer, name: "test.zip"))
  }

  private func isRead(_ bytes: [UInt8]) throws -> Bool {
    let directory = try directory(bytes)
    #expect(!directory.isTruncated)
    if directory.original(of: Self.composed) == Self.decomposed {
      #expect(directory.oddities == [])
      return true
    }
    #expect(directory.original(of: Self.composed) == Self.composed)
    #expect(directory.oddities.count == 1)
    return false
  }

  @Test func `each header is found behind the one before`() throws {
    for extra in [false, true] {
      for comment in [[], [1], Array(repeating: 7, count: 200)] as [[UInt8]] {
        #expect(try isRead(Zip(extra: extra, comment: comment).bytes))
      }
    }
  }

  @Test func `the first entry is at the front`() throws {
    for (offset, count) in [(0, 0), (1, 1), (30, 1)] as [(Int64, Int)] {
      let directory = try directory(Zip(firstOffset: offset).bytes)
      #expect(directory.oddities.count == count && directory.original(of: Self.composed) == Self.decomposed)
    }
  }

  @Test func `long numbers are in the record before`() throws {
    #expect(try isRead(Zip(count: 70_000).bytes))
    for (start, size) in [(true, true), (true, false), (false, true)] {
      var zip = Zip(count: 70_000)
      zip.markLong(start: start, size: size)
      #expect(try isRead(zip.bytes))
    }
  }

  /// The offsets in the long records of the changed bytes.
  @Test(arguments: [
    // The signatures, and the offset of the record: one byte off, after the end of the file, and negative.
    (0, [0]), (56, [0]), (64, [0]), (67, [1]), (71, [0xff]),
    // The size and the start of the directory: negative, and more than the file has.
    (40, [255, 255, 255, 255, 255, 255, 255, 255]), (48, [255, 255, 255, 255, 255, 255, 255, 255]),
    (47, [0x7f]), (55, [0x7f]), (43, [1]), (51, [1]),
  ]) func `damaged long records name no directory`(place: Int, change: [UInt8]) throws {
    var zip = Zip(count: 70_000)
    zip.markLong()
    zip.bytes.replaceSubrange(zip.end + place..<zip.end + place + change.count, with: change)
    #expect(try !isRead(zip.bytes))
  }

  @Test func `a directory ends in the file`() throws {
    let zip = Zip()
    let size = zip.end - zip.directory
    for (added, isWhole) in [(0, true), (22, true), (23, false)] {
      var bytes = zip.bytes
      bytes[zip.end + 12] = UInt8(size + added)
      #expect(try isRead(bytes) == isWhole, "\(added) bytes more")
    }
    // A record without a record before it cannot mark long numbers.
    var short = Array(zip.bytes[zip.end...])
    short.replaceSubrange(12..<20, with: Array(repeating: 255, count: 8))
    #expect(try !isRead(short))
  }

  @Test func `the last record alone is an empty zip`() throws {
    let record = [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18)
    let whole = try directory(record)
    #expect(!whole.isTruncated && whole.oddities == [])
    #expect(try directory(record.dropLast()).isTruncated)
  }

  @Test func `a comment has at most 65,535 bytes`() throws {
    var zip = Zip()
    zip.bytes.replaceSubrange(zip.bytes.count - 2..<zip.bytes.count, with: [255, 255])
    let comment = [UInt8](repeating: 7, count: 65_535)
    #expect(try isRead(zip.bytes + comment))
    #expect(try directory(zip.bytes + comment.dropLast()).isTruncated)
  }
}
