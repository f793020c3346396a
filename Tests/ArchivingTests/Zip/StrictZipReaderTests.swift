@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

/// Tests the checks of zips that packtool does in addition to libarchive: it compares a zip with the bytes
/// that packtool writes.
@Suite struct StrictZipReaderTests {
  /// Writes an archive of a stored, a deflated and an empty file with ZipWriter.
  private func written() throws -> (bytes: [UInt8], entries: [ArchivedEntry]) {
    let folder = try TemporaryFolder()
    var zip = try ZipWriter(in: folder)
    try zip.add("deflated", Content.text.bytes(300), .deflated)
    try zip.add("empty", [], .stored)
    try zip.add("stored", Array("stored bytes".utf8), .stored)
    _ = try zip.finish()
    let bytes = try folder.bytes(of: "test.zip")
    return (bytes, try check(bytes, Self.expected))
  }

  private static let expected = [("deflated", 300), ("empty", 0), ("stored", 12)] as [(String, Int64)]

  @discardableResult
  private func check(_ bytes: [UInt8], _ expected: [(String, Int64)]) throws -> [ArchivedEntry] {
    var buffer = ByteBuffer()
    buffer.append(bytes.span.bytes)
    var layout = StrictZipReader(try InputFile(holding: buffer, name: "test.zip"))
    return try layout.checkEntries(count: expected.count) {
      StrictZipReader.Expected(name: Array(expected[$0].0.utf8)[...], size: expected[$0].1)
    }
  }

  private func mistake(_ bytes: [UInt8], _ expected: [(String, Int64)] = expected) throws
    -> ArchiveFormatError?
  {
    do {
      try check(bytes, expected)
      return nil
    } catch let mistake as ArchiveFormatError {
      return mistake
    }
  }

  @Test func `entries are found where they are`() throws {
    let (bytes, entries) = try written()
    #expect(entries.map(\.method) == [.deflated, .stored, .stored])
    #expect(entries.map(\.compressedSize)[1...] == [0, 12])
    let last = entries[2]
    #expect(bytes[Int(last.dataOffset)...].prefix(12) == Array("stored bytes".utf8)[...])
    #expect(entries[1].dataOffset == 30 + 8 + entries[0].compressedSize + 30 + 5)
    #expect(entries[0].checksum == Checksum(of: Content.text.bytes(300)))
  }

  /// The end of a zip with many entries names a record before it, for which a short file has no room.
  @Test(arguments: [22, 23, 50, 77]) func `a short file has no second record at its end`(size: Int) throws {
    let end: [UInt8] =
      [0x50, 0x4b, 5, 6, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff] + Array(repeating: 0, count: 10)
    let found = try mistake(Array(repeating: 0, count: size - end.count) + end, [])
    #expect(found != nil && found?.cause == nil)
  }

  /// Returns the records at the end of a zip that has nothing else.
  private func endRecords(count: Int, start: Int64 = 0, size: Int64 = 0) -> [UInt8] {
    var buffer = ByteBuffer()
    ZipEnd(entryCount: count, start: start, size: size).append(to: &buffer)
    return buffer.array()
  }

  @Test func `records at the end have room for the directory that they name`() throws {
    #expect(try mistake(endRecords(count: 0), []) == nil)
    // The records fill the whole file, so the first entry is looked for in them.
    let many = Array(repeating: ("a", 0 as Int64), count: 65_535)
    let whole = endRecords(count: 65_535)
    #expect(whole.count == 98)
    #expect(try mistake(whole, many)?.entry == 0)
    for (start, size) in [(1, -1), (-1, 1), (99, 0), (0, 99)] as [(Int64, Int64)] {
      let found = try mistake(endRecords(count: 65_535, start: start, size: size), many)
      #expect(found != nil && found?.entry == nil && found?.cause == nil, "\(size) bytes at \(start)")
    }
    var far = whole
    let highest = Array(repeating: 255, count: 7) + [127 as UInt8]
    far.replaceSubrange(40..<56, with: highest + highest)
    let found = try mistake(far, many)
    #expect(found != nil && found?.entry == nil && found?.cause == nil)
    let (bytes, _) = try written()
    let twice = try mistake(bytes + bytes.suffix(22))
    #expect(twice != nil && twice?.entry == nil)
  }

  @Test func `a mark of long numbers without long numbers is a mistake`() throws {
    let (bytes, _) = try written()
    let directory = Int(Array(bytes.suffix(22)).little32(at: 16))
    for range in [20..<24, 24..<28, 20..<28, 42..<46] {
      var changed = bytes
      for place in range { changed[directory + place] = 0xff }
      let found = try mistake(changed)
      #expect(found?.entry == 0 && found?.cause == nil, "\(range)")
    }
  }

  /// The file has a hole instead of the contents, so it needs hardly any room on the disk.
  @Test func `entries behind four gibibytes are found`() throws {
    let folder = try TemporaryFolder()
    var first = ZipEntry(
      name: "e\u{301}", method: .stored, size: 5 << 30, compressedSize: 5 << 30,
      checksum: Checksum(value: 7))
    var second = ZipEntry(
      name: "b", method: .stored, size: 3, compressedSize: 3, checksum: Checksum(value: 8))
    first.offset = 0
    second.offset = first.localHeaderSize + 5 << 30
    let time = HandmadeZip.time
    var end = ByteBuffer()
    second.appendLocalHeader(to: &end, modified: time)
    end.append([1, 2, 3])
    let start = second.offset + Int64(end.count)
    first.appendCentralHeader(to: &end, modified: time)
    second.appendCentralHeader(to: &end, modified: time)
    let size = second.offset + Int64(end.count) - start
    ZipEnd(entryCount: 2, start: start, size: size).append(to: &end)
    let path = folder.path("far.zip")
    try folder.write("far.zip", Data(first.localHeader(modified: time).array()))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seek(toOffset: UInt64(second.offset))
    try file.write(contentsOf: Data(end.array()))
    try file.close()
    var reader = StrictZipReader(try InputFile(path))
    let names = [first.name, second.name].map { Array($0.utf8) }
    let sizes: [Int64] = [5 << 30, 3]
    let found = try reader.checkEntries(count: 2) {
      StrictZipReader.Expected(name: names[$0][...], size: sizes[$0])
    }
    #expect(
      found == [
        ArchivedEntry(
          method: .stored, checksum: Checksum(value: 7), compressedSize: 5 << 30, dataOffset: 30 + 3 + 20),
        ArchivedEntry(
          method: .stored, checksum: Checksum(value: 8), compressedSize: 3,
          dataOffset: 30 + 3 + 20 + 5 << 30 + 31),
      ])
    let directory = try ZipDirectory(of: InputFile(path))
    #expect(directory.oddities.isEmpty && !directory.isTruncated)
    #expect(directory.original(of: Array("\u{e9}".utf8)) == names[0])
  }

  @Test func `the front of an archive can be all of it`() throws {
    func front(_ bytes: [UInt8], _ name: String) throws -> [UInt8]? {
      var buffer = ByteBuffer()
      buffer.append(bytes.span.bytes)
      var layout = StrictZipReader(try InputFile(holding: buffer, name: "test.zip"))
      return try layout.firstEntry(named: name, limit: 3)
    }
    func header(_ name: String, _ size: Int64) -> [UInt8] {
      ZipEntry(name: name, method: .stored, size: size, compressedSize: size, checksum: Checksum())
        .localHeader(modified: HandmadeZip.time).array()
    }
    #expect(try front(header("", 0), "") == [])
    #expect(throws: ArchiveFormatError.self) { try front(header("", 0).dropLast(), "") }
    // An extra field of two bytes is between the name and the contents.
    var extra = header("name", 3) + [9, 9, 1, 2, 3]
    extra[28] = 2
    #expect(try front(extra, "name") == [1, 2, 3])
    #expect(throws: ArchiveFormatError.self) { try front(extra.dropLast(), "name") }
  }

  /// Only bytes outside of the contents are tested here.
  ///
  /// Other code compares contents with their checksums.
  @Test func `every byte outside of contents is what it must be`() throws {
    let (bytes, entries) = try written()
    var contents = IndexSet()
    for entry in entries where entry.compressedSize > 0 {
      contents.insert(integersIn: Int(entry.dataOffset)..<Int(entry.dataOffset + entry.compressedSize))
    }
    for place in bytes.indices where !contents.contains(place) {
      for change in [1, 0x80, 0xff] as [UInt8] {
        var changed = bytes
        changed[place] ^= change
        #expect(try mistake(changed) != nil, "byte \(place)")
      }
    }
  }

  @Test func `no byte more and none less`() throws {
    let (bytes, _) = try written()
    for place in bytes.indices {
      var changed = bytes
      changed.remove(at: place)
      #expect(try mistake(changed) != nil, "without byte \(place)")
      changed = bytes
      changed.insert(bytes[place], at: place)
      #expect(try mistake(changed) != nil, "byte \(place) twice")
      let cut = try mistake(Array(bytes[..<place]))
      #expect(cut != nil && cut?.cause == nil, "\(place) bytes")
    }
    #expect(try mistake(bytes + [0]) != nil)
    #expect(try mistake([0] + bytes) != nil)
  }

  @Test func `the list has the same files`() throws {
    let (bytes, _) = try written()
    let all = Self.expected
    #expect(try mistake(bytes, Array(all.dropLast())) != nil)
    #expect(try mistake(bytes, all + [("more", 0)]) != nil)
    #expect(try mistake(bytes, [all[0], ("Empty", 0), all[2]])?.entry == 1)
    #expect(try mistake(bytes, [all[0], all[1], ("stored", 13)])?.entry == 2)
  }

  /// Mistakes that cannot be made by changing a single byte.
  ///
  /// Each has the entry at which it is reported.
  private static let mistakes: [OddZip] = [
    OddZip("bytes before the first entry", at: 0) { $0.entries[0].before = [0] },
    OddZip("bytes between entries", at: 1) { $0.entries[1].before = [0] },
    OddZip("bytes before the directory", at: nil) { $0.beforeDirectory = [0] },
    OddZip("the directory in another order", at: 0) { $0.directory = [1, 0] },
    OddZip("an entry twice in the directory", at: 1) { $0.directory = [0, 0] },
    OddZip("an entry more in the directory", at: nil) { $0.directory = [0, 1, 1] },
    OddZip("bytes that reach into the directory", at: 1) { $0.entries[1].header.compressedSize += 1 },
    OddZip("bytes that reach far behind the file", at: 1) { $0.entries[1].header.compressedSize = 1 << 31 },
    OddZip("more bytes than numbers hold", at: 1) { $0.entries[1].header.compressedSize = .max - 100 },
    OddZip("less than no bytes", at: 1) { $0.entries[1].header.compressedSize = -1 },
    OddZip("a time of its own", at: 1) { $0.entries[1].modified = ZipTime(secondsSince1970: 951_827_698) },
    OddZip("a checksum of no bytes", at: 1) {
      $0.entries[1] = HandmadeZip.Entry("b", [])
      $0.entries[1].header.checksum = Checksum(value: 1)
    },
  ]

  @Test(arguments: mistakes) fileprivate func `mistakes in the order of parts`(odd: OddZip) throws {
    var zip = HandmadeZip()
    #expect(try mistake(zip.bytes, [("a", 3), ("b", 4)]) == nil)
    odd.change(&zip)
    let found = try #require(try mistake(zip.bytes, [("a", 3), ("b", zip.entries[1].header.size)]))
    #expect(found.entry == odd.entry, "\(found.reason)")
  }

  @Test func `each mistake has its own reason`() throws {
    func reason(_ change: (inout HandmadeZip) -> Void) throws -> String? {
      var zip = HandmadeZip()
      change(&zip)
      return try mistake(zip.bytes, [("a", 3), ("b", zip.entries[1].header.size)])?.reason
    }
    #expect(try reason { _ in } == nil)
    #expect(
      try reason { $0.entries[1].header.compressedSize += 1 } == "the entry's data overlaps the zip directory"
    )
    #expect(
      try reason { $0.beforeDirectory = [0] } == "there are bytes between the entries and the zip directory")
    // libarchive does not compare the checksum of an empty file; unzip, 7zz and Python compare it.
    #expect(
      try reason {
        $0.entries[1] = HandmadeZip.Entry("b", [])
        $0.entries[1].header.checksum = Checksum(value: 1)
      } == "the entry is empty, but its CRC-32 is not 0")
    #expect(try reason { $0.directory = [0, 1, 1] } == "the zip directory has 3 entries, but the list has 2")
    // The mistake is also found if the directory seems to reach to the end of the file.
    var zip = HandmadeZip().bytes
    zip[zip.count - 10] += 22
    #expect(try mistake(zip, [("a", 3)])?.reason == "the zip directory has 2 entries, but the list has 1")
  }

  /// packtool writes large files with long sizes, even if they are small after compression.
  @Test func `headers may have long sizes`() throws {
    var zip = HandmadeZip()
    zip.entries[0].header.hasLongSizes = true
    let a: (String, Int64) = ("a", 3)
    let b: (String, Int64) = ("b", 4)
    let entries = try check(zip.bytes, [a, b])
    #expect(entries.map(\.compressedSize) == [3, 4])
    let offsets: [Int64] = [51, 51 + 3 + 31]
    #expect(entries.map(\.dataOffset) == offsets)
    #expect(try mistake(zip.bytes, [("a", 4), b])?.entry == 0)
  }

  @Test func `the front is a stored entry of a name`() throws {
    func front(_ named: String, _ limit: Int, _ change: (inout HandmadeZip) -> Void = { _ in }) throws
      -> [UInt8]?
    {
      var zip = HandmadeZip()
      change(&zip)
      var buffer = ByteBuffer()
      buffer.append(zip.bytes.span.bytes)
      var layout = StrictZipReader(try InputFile(holding: buffer, name: "test.zip"))
      return try layout.firstEntry(named: named, limit: limit)
    }
    #expect(try front("a", 3) == [1, 2, 3])
    #expect(try front("a", 2) == nil)
    #expect(try front("b", 3) == nil)
    #expect(try front("a", 3) { $0.entries[0].before = [0] } == nil)
    #expect(try front("a", 3) { $0.entries[0].method = .deflated } == nil)
    #expect(throws: ArchiveFormatError.self) {
      try front("a", .max) { $0.entries[0].header.compressedSize = 1 << 20 }
    }
  }

  /// Sizes and offsets that do not fit into 32 bits are stored in 64 bits.
  ///
  /// The largest 32-bit number is also stored in 64 bits, because it marks such values.
  @Test(arguments: [(0xffff_fffe, false), (0xffff_ffff, true), (1 << 32, true)] as [(Int64, Bool)])
  func `large numbers have room`(number: Int64, isLong: Bool) {
    var entry = ZipEntry(
      name: "a", method: .stored, size: number, compressedSize: number, checksum: Checksum())
    #expect(entry.hasLongSizes == isLong)
    #expect(entry.localHeaderSize == (isLong ? 51 : 31))
    #expect(entry.localHeader(modified: HandmadeZip.time).count == (isLong ? 51 : 31))
    entry = ZipEntry(name: "a", method: .deflated, size: 0, compressedSize: number, checksum: Checksum())
    #expect(entry.hasLongSizes == isLong)
    entry = ZipEntry(name: "a", method: .stored, size: number)
    #expect(entry.hasLongSizes == isLong)
    entry = ZipEntry(name: "a", method: .stored, size: 0, compressedSize: 0, checksum: Checksum())
    entry.offset = number
    var header = ByteBuffer()
    entry.appendCentralHeader(to: &header, modified: HandmadeZip.time)
    #expect(header.count == (isLong ? 47 + 12 : 47))
    #expect(header.array()[6] == (isLong ? 45 : 10), "the version that a reader needs")
    for end in [ZipEnd(entryCount: 1, start: number, size: 0), ZipEnd(entryCount: 1, start: 0, size: number)]
    {
      var record = ByteBuffer()
      end.append(to: &record)
      #expect(record.count == (isLong ? 98 : 22))
    }
  }

  @Test(arguments: [(65_534, 22), (65_535, 98), (65_536, 98)])
  func `many entries are counted in 64 bits`(count: Int, size: Int) {
    var record = ByteBuffer()
    ZipEnd(entryCount: count, start: 0, size: 0).append(to: &record)
    #expect(record.count == size)
  }

  /// If deflate cannot compress its input, its output can be larger than the input.
  @Test(arguments: [(4_290_675_595, false), (4_290_675_596, true)] as [(Int64, Bool)])
  func `deflated files have room before their size is known`(size: Int64, isLong: Bool) {
    #expect(ZipEntry(name: "a", method: .deflated, size: size).hasLongSizes == isLong)
    #expect(!ZipEntry(name: "a", method: .stored, size: size).hasLongSizes)
  }
}

/// A mistake, and the entry at which it is reported.
private struct OddZip: CustomTestStringConvertible {
  let testDescription: String
  let entry: Int?
  let change: @Sendable (inout HandmadeZip) -> Void

  init(_ name: String, at entry: Int?, _ change: @escaping @Sendable (inout HandmadeZip) -> Void) {
    testDescription = name
    self.entry = entry
    self.change = change
  }
}

/// A zip of two stored files whose parts a test can change.
///
/// The headers of the zip always agree with each other.
private struct HandmadeZip {
  struct Entry {
    var header: ZipEntry
    var data: [UInt8]
    var before: [UInt8] = []
    var modified = HandmadeZip.time
    var method: ZipEntry.Method {
      get { header.method }
      set {
        header = ZipEntry(
          name: header.name, method: newValue, size: header.size, compressedSize: header.compressedSize,
          checksum: header.checksum)
      }
    }

    init(_ name: String, _ data: [UInt8]) {
      let size = Int64(data.count)
      header = ZipEntry(
        name: name, method: .stored, size: size, compressedSize: size, checksum: Checksum(of: data))
      self.data = data
    }
  }

  static let time = ZipTime(secondsSince1970: 951_827_696)

  var entries = [Entry("a", [1, 2, 3]), Entry("b", [4, 5, 6, 7])]
  var beforeDirectory: [UInt8] = []
  /// The entries that the directory contains.
  var directory = [0, 1]

  var bytes: [UInt8] {
    var buffer = ByteBuffer()
    var headers: [ZipEntry] = []
    for entry in entries {
      buffer.append(entry.before.span.bytes)
      var header = entry.header
      // These numbers do not fit into 32 bits, so they are stored in 64 bits.
      if !(0..<ZipFields.limit32).contains(header.compressedSize) { header.hasLongSizes = true }
      header.offset = Int64(buffer.count)
      headers.append(header)
      header.appendLocalHeader(to: &buffer, modified: entry.modified)
      buffer.append(entry.data.span.bytes)
    }
    buffer.append(beforeDirectory.span.bytes)
    let start = buffer.count
    for place in directory {
      headers[place].appendCentralHeader(to: &buffer, modified: entries[place].modified)
    }
    ZipEnd(entryCount: directory.count, start: Int64(start), size: Int64(buffer.count - start))
      .append(to: &buffer)
    return buffer.array()
  }
}
