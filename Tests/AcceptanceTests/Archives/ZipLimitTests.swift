@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

/// Tests archives near the sizes above which a zip needs zip64 fields.
@Suite(.enabled(if: isInstalled("python3"))) struct ZipLimitTests {
  private let folder: TemporaryFolder
  private let archive: ZipReading

  init() throws {
    folder = try TemporaryFolder()
    archive = ZipReading(folder, "test.zip")
  }

  @Test(arguments: [65_534, 65_535, 70_000])
  func `archives of many entries`(count: Int) throws {
    var zip = try ZipWriter(in: folder)
    for number in 0..<count { try zip.add("\(number)", [], .stored) }
    _ = try zip.finish()
    let lines = try archive.entries(readingContents: false)
    #expect(lines.count == count)
    #expect(lines.last?.hasPrefix("\(count - 1)|stored|0|") == true)
    let bytes = try folder.bytes(of: "test.zip").suffix(42)
    #expect(bytes.starts(with: [0x50, 0x4b, 6, 7]) == (count >= 65_535), "the locator of zip64's end")
    let names = (0..<count).map { Array("\($0)".utf8)[...] }
    var layout = StrictZipReader(try InputFile(archive.path))
    try layout.checkEntries(count: count) { StrictZipReader.Expected(name: names[$0], size: 0) }
    guard count == 70_000 else { return }
    for command in [["unzip", "-Z1"], ["bsdtar", "-tf"], ["7zz", "t", "-bb1"]] where isInstalled(command[0]) {
      // With a fixed time zone, bsdtar does not look up the system's time zone for each entry.
      let listing = try run(command[0], command.dropFirst() + [archive.path], environment: ["TZ": "UTC"])
      #expect(listing.status == 0 && listing.errors == "")
      #expect(listing.output.contains("69999\n"), "\(command)")
    }
  }

  /// Writes zeros in blocks of 1 MiB.
  ///
  /// The block is compressed only once and written many times.
  private func writeZeros(_ count: Int64, behind zip: inout ZipWriter) throws {
    let zeros = Content.zeros.bytes(1 << 20)
    var deflater = Deflater(level: 12)
    var last = ByteBuffer()
    _ = deflater.compress(zeros.span.bytes, maxCompressedSize: 1 << 20, into: &last)
    var block = last
    block.reopenDeflateStream(from: 0)
    var checksum = Checksum()
    try zip.beginEntry(name: "zeros", method: .deflated, size: count << 20)
    for number in 1...count {
      checksum.update(zeros.span.bytes)
      try (number == count ? last : block).withBytes { try zip.append(block: $0) }
    }
    try zip.endEntry(checksum: checksum)
  }

  @Test(arguments: sample(2, of: [4091, 4096, 5120] as [Int64]))
  func `a deflated entry of about and above 4 GiB`(mebibytes: Int64) throws {
    var zip = try ZipWriter(in: folder)
    try zip.add("before", [1], .stored)
    try writeZeros(mebibytes, behind: &zip)
    try zip.add("behind", [2], .stored)
    _ = try zip.finish()
    var layout = StrictZipReader(try InputFile(archive.path))
    let entries = [("before", 1), ("zeros", mebibytes << 20), ("behind", 1)].map { name, size in
      StrictZipReader.Expected(name: Array(name.utf8)[...], size: size)
    }
    try layout.checkEntries(count: 3) { entries[$0] }
    let lines = try archive.entries(readingContents: false)
    #expect(
      lines.map { $0.split(separator: "|").prefix(3).joined(separator: " ") } == [
        "before stored 1", "zeros deflated \(mebibytes << 20)", "behind stored 1",
      ])
    for command in [["unzip", "-Z", "-l"], ["bsdtar", "-tvf"], ["7zz", "l"]] where isInstalled(command[0]) {
      let listing = try run(command[0], command.dropFirst() + [archive.path])
      #expect(listing.status == 0 && listing.errors == "")
      #expect(listing.output.contains(" \(mebibytes << 20) "), "\(command)")
    }
    if isInstalled("unzip") {
      let behind = try run("unzip", ["-tqq", archive.path, "before", "behind"])
      #expect(behind.status == 0 && behind.errors == "")
    }
  }

  /// Tests an entry that begins after 5 GiB.
  ///
  /// These 5 GiB are only a hole in a sparse file. packtool writes the headers, and Python writes the end
  /// records.
  @Test func `an entry that begins behind 4 GiB`() throws {
    let content = Content.text.bytes(1000)
    for offset in [0xffff_fffe, 0xffff_ffff, 5 << 30] as [Int64] {
      var entry = ZipEntry(
        name: "far", method: .stored, size: 1000, compressedSize: 1000, checksum: Checksum(of: content))
      entry.offset = offset
      var local = ByteBuffer()
      var central = ByteBuffer()
      let time = ZipTime(secondsSince1970: 0)
      entry.appendLocalHeader(to: &local, modified: time)
      entry.appendCentralHeader(to: &central, modified: time)
      try folder.write("local", Data(local.array() + content))
      try folder.write("central", Data(central.array()))
      let script = """
        import struct, sys, zipfile
        offset = int(sys.argv[1])
        local, central = open('local', 'rb').read(), open('central', 'rb').read()
        file = open('far.zip', 'wb')
        file.seek(offset)
        file.write(local + central)
        start, end = offset + len(local), offset + len(local) + len(central)
        file.write(struct.pack('<4sQ2H2L4Q', b'PK\\x06\\x06', 44, 45, 45, 0, 0, 1, 1, len(central), start))
        file.write(struct.pack('<4sLQL', b'PK\\x06\\x07', 0, end, 1))
        file.write(struct.pack('<4s4H2LH', b'PK\\x05\\x06', 0, 0, 1, 1, len(central), 0xffffffff, 0))
        file.close()
        archive = zipfile.ZipFile('far.zip')
        info = archive.getinfo('far')
        assert info.header_offset == offset, info.header_offset
        assert archive.read('far') == local[-1000:]
        print(info.extract_version, len(info.extra), 'same')
        """
      let far = offset >= 0xffff_ffff
      #expect(try folder.python(script, ["\(offset)"]) == (far ? "45 12 same\n" : "10 0 same\n"))
      guard isInstalled("unzip") else { continue }
      #expect(try run("unzip", ["-tqq", folder.path("far.zip")]).status == 0)
    }
  }

  /// This test writes 5 GB and takes a minute, so it runs only if PACKTOOL_SLOW_TESTS is set.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["PACKTOOL_SLOW_TESTS"] != nil))
  func `a stored entry of 4 GiB with another behind it`() throws {
    var zip = try ZipWriter(in: folder)
    let zeros = Content.zeros.bytes(1 << 24)
    var checksum = Checksum()
    try zip.beginEntry(name: "zeros", method: .stored, size: 1 << 32)
    for _ in 0..<256 {
      checksum.update(zeros.span.bytes)
      try zip.append(block: zeros.span.bytes)
    }
    try zip.endEntry(checksum: checksum)
    try zip.add("far", [1, 2, 3], .stored)
    let written = try zip.finish()
    #expect(written.digest == (try InputFile(archive.path).digest()))
    #expect(try archive.entries().last == zipLine("far", .stored, [1, 2, 3]))
    try archive.isWhole()
  }

  @Test func `sizes from 4 GiB less a byte on are kept in 64 bits`() {
    func header(size: Int64, compressedSize: Int64) -> Int {
      let entry = ZipEntry(
        name: "n", method: .deflated, size: size, compressedSize: compressedSize, checksum: Checksum())
      var header = ByteBuffer()
      entry.appendLocalHeader(to: &header, modified: ZipTime(secondsSince1970: 0))
      return header.count - 31
    }
    #expect(header(size: 0xffff_fffe, compressedSize: 0xffff_fffe) == 0)
    #expect(header(size: 0xffff_ffff, compressedSize: 1) == 20)
    #expect(header(size: 1, compressedSize: 0xffff_ffff) == 20)
  }
}
