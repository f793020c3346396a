@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

/// Tests that tars are compared byte for byte with the tars that packtool writes.
@Suite struct StrictTarReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let longName = "folder/" + String(repeating: "n", count: 120)
  private static let files: [(name: String, content: [UInt8])] = [
    ("a", Array("one".utf8)), (longName, [1, 2]), ("empty", []), ("last", Content.text.bytes(513)),
  ]

  /// Returns an uncompressed tar of the files.
  private func tar() throws -> [UInt8] {
    try writeTar(to: folder.path("made.tar.gz"), modified: 951_827_696, Self.files)
    let source = ArchiveSource(
      try InputFile(folder.path("made.tar.gz")), format: .tar(.gzip), maxUncompressedBytes: .max)
    var bytes: [UInt8] = []
    while case let block = try source.nextBlock(), !block.isEmpty { bytes += block }
    return bytes
  }

  /// A mistake that the reader found in a tar.
  ///
  /// `number` is the number of complete files before the mistake.
  private struct Found {
    let number: Int
    let reason: String
  }

  private func mistake(inTar tar: [UInt8], behind tail: [UInt8] = []) throws -> Found? {
    try mistake(inFile: Deflater.gzip(tar.span.bytes, level: 1).array() + tail, .tar(.gzip))
  }

  private func mistake(inFile bytes: [UInt8], _ format: ArchiveReader.Format) throws -> Found? {
    try folder.write("changed", Data(bytes))
    var number = 0
    do throws(ArchiveFormatError) {
      var layout = try StrictTarReader(folder.path("changed"), format: format)
      for (name, content) in Self.files {
        try layout.beginEntry(name: Array(name.utf8)[...], size: Int64(content.count))
        var read: [UInt8] = []
        try layout.readBlocks { block in
          block.withUnsafeBytes { read += $0 }
          return true
        }
        if read != content { throw ArchiveFormatError("other contents") }
        number += 1
      }
      try layout.finish()
      return nil
    } catch {
      return Found(number: number, reason: error.reason)
    }
  }

  /// Returns the number of complete files before an offset.
  ///
  /// Headers, long names and padding belong to their file.
  private func wholeFiles(before place: Int) -> Int {
    var end = 0
    for (number, file) in Self.files.enumerated() {
      end += 512 + (file.content.count + 511) / 512 * 512
      if file.name.utf8.count > 100 { end += 1024 }
      if place < end { return number }
    }
    return Self.files.count
  }

  @Test func `every byte is what it must be`() throws {
    let tar = try tar()
    #expect(try mistake(inTar: tar) == nil)
    for place in stride(from: 0, to: tar.count, by: 19) {
      var changed = tar
      changed[place] ^= place % 2 == 0 ? 1 : 0xff
      #expect(try mistake(inTar: changed)?.number == wholeFiles(before: place), "byte \(place)")
    }
  }

  @Test func `no block more and none less`() throws {
    let tar = try tar()
    for place in stride(from: 0, to: tar.count, by: 512) {
      var changed = tar
      changed.removeSubrange(place..<place + 512)
      #expect(try mistake(inTar: changed) != nil, "without the block at \(place)")
      changed = tar
      changed.insert(contentsOf: tar[place..<place + 512], at: place)
      #expect(try mistake(inTar: changed) != nil, "the block at \(place) twice")
      #expect(try mistake(inTar: Array(tar[..<place])) != nil, "\(place) bytes")
    }
    let zeros = [UInt8](repeating: 0, count: 512)
    for more in [[0], zeros, zeros + zeros, [1]] { #expect(try mistake(inTar: tar + more)?.number == 4) }
    #expect(try mistake(inTar: tar.dropLast()) != nil)
  }

  @Test func `nothing stands behind the stream`() throws {
    let tar = try tar()
    for tail in [[0], [0x1f, 0x8b], Deflater.gzip(RawSpan(), level: 1).array()] {
      #expect(try mistake(inTar: tar, behind: tail)?.number == 4)
    }
    try writeTar(to: folder.path("made.tar.zst"), modified: 951_827_696, Self.files)
    let whole = try folder.bytes(of: "made.tar.zst")
    #expect(try mistake(inFile: whole, .tar(.zstandard)) == nil)
    for tail in [[0], [0x28, 0xb5, 0x2f, 0xfd], whole] {
      #expect(try mistake(inFile: whole + tail, .tar(.zstandard))?.number == 0)
    }
  }

  @Test func `all files have one time`() throws {
    try writeTar(to: folder.path("other.tar.gz"), modified: 951_827_697, Self.files)
    let source = ArchiveSource(
      try InputFile(folder.path("other.tar.gz")), format: .tar(.gzip), maxUncompressedBytes: .max)
    let other = Array(try source.nextBlock())
    let tar = try tar()
    #expect(try mistake(inTar: Array(tar[..<1024]) + other[1024...])?.number == 1)
    #expect(try mistake(inTar: other) == nil)
  }

  @Test(arguments: ["0000000000x", "00000000008", "0000000000 "])
  func `a time has octal digits`(time: String) throws {
    let content = Array("one".utf8)
    func tar(_ time: String) -> [UInt8] {
      let headers = Self.files.map { name, content in
        TarHeader(name: Array(name.utf8)[...], size: Int64(content.count), time: Array(time.utf8)).bytes
      }
      return headers[0] + content + [UInt8](repeating: 0, count: 509)
    }
    // The file after the first file is missing.
    #expect(try mistake(inTar: tar("00000000007"))?.number == 1)
    let ended = try mistake(inTar: tar("00000000007") + [UInt8](repeating: 0, count: 1024))
    #expect(ended?.number == 1 && ended?.reason == "the archive ends before this entry")
    #expect(try mistake(inTar: tar(time))?.number == 0)
  }

  @Test func `large sizes are binary numbers`() {
    func field(_ size: Int64) -> [UInt8] {
      Array(TarHeader(name: [65], size: size, time: Array("0".utf8)).bytes[TarHeader.sizeField])
    }
    #expect(field(0) == Array("00000000000".utf8) + [0])
    #expect(field(1 << 33 - 1) == Array("77777777777".utf8) + [0])
    #expect(field(1 << 33) == [0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0])
    #expect(field(1 << 34 + 5) == [0x80, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 5])
  }

  /// The stream is not compressed.
  ///
  /// Its first 256 KiB are decompressed in one piece, which ends in the block with the index 511. That block
  /// is the second header, or the padding after the first file.
  @Test(arguments: [1, 511 * 512 - 512, 511 * 512 - 511]) func `parts may be in several pieces`(size: Int)
    throws
  {
    let contents = [Content.random.bytes(size), [7], Content.random.bytes(300_000)]
    let names = ["a", Self.longName, "c"].map { Array($0.utf8)[...] }
    var tar: [UInt8] = []
    for (name, content) in zip(names, contents) {
      if name.count > 100 {
        tar += TarHeader(longName: name.count).bytes + name
        tar += [UInt8](repeating: 0, count: 512 - name.count)
      }
      tar += TarHeader(name: name, size: Int64(content.count), time: Array("00000000007".utf8)).bytes
      tar += content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
    tar += [UInt8](repeating: 0, count: 1024)
    try folder.write("x.tar.gz", Data(Deflater.gzip(tar.span.bytes, level: 0).array()))
    var layout = try StrictTarReader(folder.path("x.tar.gz"), format: .tar(.gzip))
    for (name, content) in zip(names, contents) {
      try layout.beginEntry(name: name, size: Int64(content.count))
      var read: [UInt8] = []
      try layout.readBlocks { block in
        block.withUnsafeBytes { read += $0 }
        return true
      }
      #expect(read == content)
    }
    try layout.finish()
  }

  @Test func `a body that wants no more is not called again`() throws {
    try writeTar(to: folder.path("x.tar.gz"), modified: 0, [("a", Content.random.bytes(1_000_000))])
    var layout = try StrictTarReader(folder.path("x.tar.gz"), format: .tar(.gzip))
    try layout.beginEntry(name: Array("a".utf8)[...], size: 1_000_000)
    var count = 0
    try layout.readBlocks { _ in
      count += 1
      return false
    }
    #expect(count == 1)
  }
}

/// Tests the checks of the compressed stream that contains a tar.
@Suite struct StreamFormTests {
  private func mistake(_ bytes: [UInt8], _ format: ArchiveReader.Format) throws -> String? {
    var buffer = ByteBuffer()
    buffer.append(bytes.span.bytes)
    return try format.tarCompression?.mistake(in: InputFile(holding: buffer, name: "test"))
  }

  @Test func `a gzip header has neither flags nor time`() throws {
    let whole = Deflater.gzip(([1, 2, 3] as [UInt8]).span.bytes, level: 6).array()
    #expect(try mistake(whole, .tar(.gzip)) == nil)
    for place in 3..<8 {
      for bit in 0..<8 {
        var changed = whole
        changed[place] ^= 1 << bit
        #expect(try mistake(changed, .tar(.gzip)) != nil, "bit \(bit) of byte \(place)")
      }
    }
    // Writers can choose the bytes for the compression effort and the system. Wrong bytes at the beginning
    // are found when the stream is decompressed.
    for place in [0, 1, 2, 8, 9] {
      var changed = whole
      changed[place] ^= 4
      #expect(try mistake(changed, .tar(.gzip)) == nil)
    }
    #expect(try mistake(Array(whole[..<9]), .tar(.gzip)) == nil)
  }

  /// A Zstandard frame as RFC 8878 describes it: its descriptor, the rest of its header, and its blocks.
  private struct Frame {
    var descriptor: UInt8
    var header: [UInt8]
    var blocks: [UInt8]
    var tail: [UInt8] = []
    var bytes: [UInt8] { [0x28, 0xb5, 0x2f, 0xfd, descriptor] + header + blocks + tail }
  }

  private static let raw: [UInt8] = [0x10, 0, 0, 7, 7], lastRaw: [UInt8] = [0x11, 0, 0, 7, 7]
  /// Blocks that are decompressed to 100,000 copies of one byte.
  private static let repeated: [UInt8] = [0x02, 0x35, 0x0c, 7], lastRepeated: [UInt8] = [0x03, 0x35, 0x0c, 7]

  private static let frames: [Frame] = [
    Frame(descriptor: 0x20, header: [2], blocks: lastRaw),
    Frame(descriptor: 0x00, header: [0x50], blocks: raw + lastRaw),
    Frame(descriptor: 0x40, header: [0x50, 1, 2], blocks: lastRepeated),
    Frame(descriptor: 0x80, header: [0x50, 1, 2, 3, 4], blocks: repeated + lastRaw),
    Frame(descriptor: 0xc0, header: [0x50, 1, 2, 3, 4, 5, 6, 7, 8], blocks: raw + lastRepeated),
    Frame(descriptor: 0x60, header: [1, 2], blocks: lastRaw),
    Frame(descriptor: 0xe0, header: [1, 2, 3, 4, 5, 6, 7, 8], blocks: lastRaw),
    Frame(descriptor: 0x24, header: [2], blocks: lastRaw, tail: [1, 2, 3, 4]),
    Frame(descriptor: 0x04, header: [0x50], blocks: raw + repeated + lastRaw, tail: [1, 2, 3, 4]),
    Frame(descriptor: 0x20, header: [0], blocks: [1, 0, 0]),
  ]

  @Test(arguments: frames.indices) func `a tar is in one Zstandard frame and nothing else`(number: Int) throws
  {
    let frame = Self.frames[number]
    #expect(try mistake(frame.bytes, .tar(.zstandard)) == nil)
    for count in frame.bytes.indices {
      #expect(try mistake(Array(frame.bytes[..<count]), .tar(.zstandard)) != nil, "\(count) bytes")
    }
    for more in [[0], [0, 0, 0, 0], frame.bytes, [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]] {
      #expect(
        try mistake(frame.bytes + more, .tar(.zstandard))
          == "there are bytes after the end of the Zstandard frame")
      #expect(try mistake(more + frame.bytes, .tar(.zstandard)) != nil)
    }
    for dictionary in 1...3 as ClosedRange<UInt8> {
      var changed = frame
      changed.descriptor |= dictionary
      #expect(try mistake(changed.bytes, .tar(.zstandard)) == "the Zstandard frame needs a dictionary")
    }
  }
}

/// Tests reading with libarchive.
///
/// libarchive accepts more forms of archives than packtool writes.
@Suite struct ArchiveReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func entries(of bytes: [UInt8], _ format: ArchiveReader.Format) throws -> [ArchiveReader.Entry] {
    try folder.write("archive", Data(bytes))
    var reader = try ArchiveReader(
      InputFile(folder.path("archive")), format: format, maxUncompressedBytes: 1 << 30)
    var entries: [ArchiveReader.Entry] = []
    while let entry = try reader.nextEntry() {
      entries.append(entry)
      try reader.readBlocks { _ in true }
    }
    return entries
  }

  @Test(arguments: [1, 1000, 65_535]) func `names have up to 65,535 bytes`(length: Int) throws {
    let name = String(repeating: "n", count: length)
    var zip = try ZipWriter(in: folder)
    try zip.add(name, [1], .stored)
    _ = try zip.finish()
    let found = try entries(of: folder.bytes(of: "test.zip"), .zip)
    #expect(found.map(\.name) == [Array(name.utf8)])
    try writeTar(to: folder.path("test.tar.gz"), modified: 0, [(name, [1])])
    #expect(try entries(of: folder.bytes(of: "test.tar.gz"), .tar(.gzip)).map(\.name) == [Array(name.utf8)])
    try writeTar(to: folder.path("long.tar.gz"), modified: 0, [(String(repeating: "n", count: 65_536), [1])])
    #expect(throws: ArchiveError.self) { try entries(of: folder.bytes(of: "long.tar.gz"), .tar(.gzip)) }
  }

  /// The file has 1,536 bytes, but only 512 of them are stored.
  ///
  /// GNU tar writes a file with holes in this way.
  @Test func `a file has no holes`() throws {
    var header = TarHeader(name: Array("holes".utf8)[...], size: 512, time: Array("00000000000".utf8)).bytes
    header[TarHeader.typeField.lowerBound] = UInt8(ascii: "S")
    for (place, number) in [(386, 512), (398, 512), (410, 1536), (422, 0), (483, 1536)] {
      let digits = String(number, radix: 8)
      let text = String(repeating: "0", count: 11 - digits.count) + digits
      header.replaceSubrange(place..<place + 11, with: text.utf8)
    }
    header.replaceSubrange(148..<156, with: repeatElement(UInt8(ascii: " "), count: 8))
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    header.replaceSubrange(
      148..<155, with: Array((String(repeating: "0", count: 6 - sum.count) + sum).utf8) + [0])
    let tar = header + Content.text.bytes(512) + [UInt8](repeating: 0, count: 1024)
    let error = #expect(throws: ArchiveError.self) {
      try entries(of: Deflater.gzip(tar.span.bytes, level: 1).array(), .tar(.gzip))
    }
    #expect(error?.reason == "an entry is a sparse file")
  }

  @Test(
    arguments: [
      ([0x1f, 0x8b, 8, 0xff, 1, 2, 3], .tar(.gzip)),
      ([0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff], .tar(.zstandard)),
    ] as [([UInt8], ArchiveReader.Format)])
  func `what cannot be unpacked is not opened`(bytes: [UInt8], format: ArchiveReader.Format) throws {
    try folder.write("archive", Data(bytes))
    #expect(throws: ArchiveError.self) {
      _ = try ArchiveReader(InputFile(folder.path("archive")), format: format, maxUncompressedBytes: 1 << 20)
    }
  }

  @Test func `reading leaves the locale of its thread`() throws {
    try writeTar(to: folder.path("x.tar.gz"), modified: 0, [("a", [1])])
    var reader = try ArchiveReader(
      InputFile(folder.path("x.tar.gz")), format: .tar(.gzip), maxUncompressedBytes: 1 << 20)
    let before = uselocale(nil)
    #expect(try reader.nextEntry() != nil)
    #expect(uselocale(nil) == before)
  }

  /// Runs in a separate process, because the signal would end the test run.
  @Test(.mostlyWaits, arguments: ["x.tar.gz", "x.tar.zst"]) func `a signal ends reading`(name: String)
    async throws
  {
    try writeTar(to: folder.path(name), modified: 0, [("a", [1, 2, 3])])
    let path = folder.path(name)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let format: ArchiveReader.Format = path.hasSuffix("gz") ? .tar(.gzip) : .tar(.zstandard)
      _ = try ArchiveSource(InputFile(path), format: format, maxUncompressedBytes: .max).nextBlock()
      Interruption.listen()
      // The signal is sent to this thread. A signal to the process could reach another thread, and could
      // arrive later.
      raise(SIGTERM)
      let error = #expect(throws: ArchiveError.self) {
        try ArchiveSource(InputFile(path), format: format, maxUncompressedBytes: .max).nextBlock()
      }
      #expect(error?.cause?.isInterruption == true)
    }
  }

  @Test func `only so many bytes are unpacked`() throws {
    try writeTar(to: folder.path("x.tar.gz"), modified: 0, [("a", Content.zeros.bytes(1_000_000))])
    func read(maxBytes: Int64) throws {
      var reader = try ArchiveReader(
        InputFile(folder.path("x.tar.gz")), format: .tar(.gzip), maxUncompressedBytes: maxBytes)
      while try reader.nextEntry() != nil { try reader.readBlocks { _ in true } }
    }
    try read(maxBytes: 1_002_048)
    #expect(throws: ArchiveError.self) { try read(maxBytes: 500_000) }
  }

  @Test func `files are distinguished from folders and links`() throws {
    guard isInstalled("tar") else { return }
    try folder.write("in/a", "1")
    try folder.link("in/b", to: "a")
    try FileManager.default.linkItem(atPath: folder.path("in/a"), toPath: folder.path("in/c"))
    try run("tar", ["-czf", folder.path("x.tar.gz"), "--sort=name", "-C", folder.path, "in"])
    let found = try entries(of: folder.bytes(of: "x.tar.gz"), .tar(.gzip))
    #expect(found.map { String(decoding: $0.name, as: UTF8.self) } == ["in/", "in/a", "in/b", "in/c"])
    #expect(found.map(\.isFile) == [false, true, false, false])
  }
}
