@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

@Suite struct ZipWriterTests {
  private let folder: TemporaryFolder
  private let archive: ZipReading

  init() throws {
    folder = try TemporaryFolder()
    archive = ZipReading(folder, "test.zip")
  }

  @Test func `an archive without entries is 22 bytes`() throws {
    let zip = try ZipWriter(in: folder)
    let written = try zip.finish()
    #expect(written.size == 22)
    #expect(try folder.bytes(of: "test.zip") == [0x50, 0x4b, 5, 6] + Array(repeating: 0, count: 18))
    #expect(written.digest == sha256(try folder.bytes(of: "test.zip")))
  }

  @Test(.enabled(if: isInstalled("python3")))
  func `entries of every sort are read by others`() throws {
    var zip = try ZipWriter(in: folder)
    let text = Content.text.bytes(100_000)
    let random = Content.random.bytes(300_000)
    let zeros = Content.zeros.bytes(70_000)
    let half = Content.half.bytes(250_000)
    try zip.add("empty", [], .stored)
    try zip.add("a/stored", random, .stored)
    try zip.add("a/deflated", text, .deflated)
    try zip.add("one byte", [7], .stored)
    try zip.add("b/blocks", text, .deflated, inBlocksOf: 30_000)
    try zip.add("b/blocks of mixed content", half, .deflated, inBlocksOf: 65_536)
    try zip.add("b/one block", zeros, .deflated, inBlocksOf: 70_000)
    try zip.add("b/stored blocks", random, .stored, inBlocksOf: 99_999)
    try zip.add("b/no block", [], .stored, inBlocksOf: 1)
    try zip.add("z", text, .stored)
    let written = try zip.finish()

    let lines = [
      zipLine("empty", .stored, []), zipLine("a/stored", .stored, random),
      zipLine("a/deflated", .deflated, text), zipLine("one byte", .stored, [7]),
      zipLine("b/blocks", .deflated, text), zipLine("b/blocks of mixed content", .deflated, half),
      zipLine("b/one block", .deflated, zeros), zipLine("b/stored blocks", .stored, random),
      zipLine("b/no block", .stored, []), zipLine("z", .stored, text),
    ]
    #expect(try archive.entries() == lines)
    try archive.isWhole()
    let bytes = try folder.bytes(of: "test.zip")
    #expect(written.size == Int64(bytes.count))
    #expect(written.digest == sha256(bytes), "of the file after its headers were patched")
  }

  @Test(.enabled(if: isInstalled("python3")))
  func `one empty file is an archive`() throws {
    var zip = try ZipWriter(in: folder)
    try zip.add("empty", [], .stored)
    _ = try zip.finish()
    #expect(try archive.entries() == [zipLine("empty", .stored, [])])
    try archive.isWhole()
  }

  /// Names that a user could have.
  ///
  /// The folders of the last name have 360 bytes.
  static let names = [
    "été/Größe.txt", "e\u{301}te\u{301}/decomposed", "日本語/ファイル.png", "🎮/👩‍👩‍👧.json",
    "a b/c'd\"e$f`g", "-n", "--", "~", "*?[x]", String(repeating: "n", count: 255),
    String(repeating: "deeper-and-deeper/", count: 20) + "file",
  ]

  @Test(.enabled(if: isInstalled("python3") && isInstalled("bsdtar")))
  func `names are UTF-8 for every reader`() throws {
    var zip = try ZipWriter(in: folder)
    for name in Self.names { try zip.add(name, Array(name.utf8), .stored) }
    _ = try zip.finish()
    #expect(try archive.entries() == Self.names.map { zipLine($0, .stored, Array($0.utf8)) })
    let listing = try run("bsdtar", ["-tf", archive.path], environment: ["LC_ALL": "C.UTF-8"])
    #expect(listing.output.split(separator: "\n").map(String.init) == Self.names)
  }

  @Test(.enabled(if: isInstalled("unzip")), arguments: ["C", "C.UTF-8"])
  func `files come out under their names`(locale: String) throws {
    var zip = try ZipWriter(in: folder)
    // Info-ZIP's unzip writes names in the character set of the locale, so only ASCII names are used with the
    // locale "C".
    let names = locale == "C" ? Self.names.filter { $0.utf8.allSatisfy { $0 < 128 } } : Self.names
    for name in names { try zip.add(name, Array(name.utf8), .deflated) }
    _ = try zip.finish()
    let result = try run(
      "unzip", ["-q", archive.path, "-d", folder.path("out")], environment: ["LC_ALL": locale])
    #expect(result.status == 0 && result.errors == "")
    #expect(Set(try folder.files(below: "out").keys) == Set(names))
  }

  @Test(.enabled(if: isInstalled("zipinfo")), arguments: ["UTC", "Asia/Kathmandu", "America/New_York"])
  func `unzip shows the time in UTC, a plain file of everyone, and the system`(zone: String) throws {
    var zip = try ZipWriter(in: folder)
    try zip.add("stored", [1], .stored)
    try zip.add("deflated", Content.zeros.bytes(5000), .deflated)
    _ = try zip.finish()
    let listing = try run("zipinfo", ["-l", "-T", archive.path], environment: ["TZ": zone])
    let lines = listing.output.split(separator: "\n").dropFirst(2).dropLast().map { $0.split(separator: " ") }
    #expect(lines.map { $0.first } == ["-rw-r--r--", "-rw-r--r--"])
    #expect(lines.map { $0[1...2].joined(separator: " ") } == ["1.0 unx", "2.0 unx"])
    #expect(lines.map { $0[6] } == ["stor", "defN"])
    #expect(lines.map { $0[7] } == ["20000229.123456", "20000229.123456"])
  }

  @Test func `the same entries make the same bytes, in blocks or not`() throws {
    let text = Content.text.bytes(10_000)
    for (name, size) in [("whole", 0), ("one block", 10_000), ("again", 0)] {
      var zip = try ZipWriter(in: folder, name)
      for path in ["a", "b"] {
        if size == 0 {
          try zip.add(path, text, .deflated)
        } else {
          try zip.add(path, text, .deflated, inBlocksOf: size)
        }
      }
      _ = try zip.finish()
    }
    #expect(try folder.read("whole") == folder.read("again"))
    #expect(try folder.read("whole") == folder.read("one block"))
  }

  /// Runs in a separate process, in which files cannot grow.
  ///
  /// The number of bytes before a call decides whether this call writes to the disk.
  @Test(.mostlyWaits) func `a write that fails is reported by the call that made it`() async {
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let content: [UInt8] = [1, 2, 3]
      var buffer = ByteBuffer()
      buffer.append(content.span.bytes)
      func step(_ number: Int, of zip: inout ZipWriter) throws {
        switch number {
        case 0: try zip.add("a", content, .stored)
        case 1:
          var digest = SHA256()
          let entry = ZipEntry(
            name: "b", method: .stored, size: 3, compressedSize: 3, checksum: Checksum(of: content))
          _ = try zip.append(entry, payload: content.span.bytes, addingTo: &digest)
        case 2: try zip.append(stored: "c", bytes: buffer)
        case 3: try zip.appendFolder(named: "d")
        case 4: try zip.beginEntry(name: "e", method: .stored, size: 3)
        case 5: try zip.append(block: content.span.bytes)
        default: try zip.endEntry(checksum: Checksum(of: content))
        }
      }
      let stepCount = 7
      let noise = Content.random.bytes(1 << 18)
      /// Returns the number of the first step that fails or writes to the disk.
      func firstStep(behind count: Int, in name: String) throws -> Int {
        var zip = try ZipWriter(
          OutputFile(creating: "\(path)/\(name)"), modified: ZipTime(secondsSince1970: 951_827_696))
        try zip.add("noise", Array(noise[..<count]), .stored)
        for number in 0..<stepCount {
          do { try step(number, of: &zip) } catch { return number }
          let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
          if attributes[.size] as? Int != 0 { return number }
        }
        return stepCount
      }
      // The largest count, together with the header, is the maximum number of bytes that are collected before
      // a write.
      let counts = stride(from: (1 << 18) - 300, to: (1 << 18) - 35, by: 3)
      let writing = try counts.map { try firstStep(behind: $0, in: "whole\($0)") }
      limitFileSize(to: 0)
      let failing = try counts.map { try firstStep(behind: $0, in: "cut\($0)") }
      #expect(failing == writing)
      #expect(Set(writing) == Set(0..<stepCount))
    }
  }

  /// The digest of an entry that is written in blocks is computed from the file.
  @Test func `an entry whose bytes are gone from the file does not end`() throws {
    var zip = try ZipWriter(in: folder)
    try zip.beginEntry(name: "a", method: .stored, size: 300_000)
    try zip.append(block: Content.random.bytes(300_000).span.bytes)
    try #require(truncate(archive.path, 0) == 0)
    let error = #expect(throws: SystemError.self) { try zip.endEntry(checksum: Checksum()) }
    #expect(error?.path == archive.path)
  }

  @Test func `the facts of an entry that is written are returned`() throws {
    var zip = try ZipWriter(in: folder)
    let content: [UInt8] = [1, 2, 3]
    let checksum = Checksum(of: content)
    let entry = ZipEntry(name: "ab", method: .stored, size: 3, compressedSize: 3, checksum: checksum)
    #expect(
      try zip.append(entry, payload: content.span.bytes)
        == ArchivedEntry(method: .stored, checksum: checksum, compressedSize: 3, dataOffset: 32))
    var digest = SHA256()
    #expect(
      try zip.append(entry, payload: content.span.bytes, addingTo: &digest)
        == ArchivedEntry(method: .stored, checksum: checksum, compressedSize: 3, dataOffset: 67))
    #expect(digest.finish() == sha256(content))
    try zip.beginEntry(name: "c", method: .deflated, size: 9)
    try zip.append(block: content.span.bytes)
    try zip.append(block: content.span.bytes)
    #expect(
      try zip.endEntry(checksum: checksum)
        == ArchivedEntry(method: .deflated, checksum: checksum, compressedSize: 6, dataOffset: 101))
    try zip.appendFolder(named: "d")
    var buffer = ByteBuffer()
    buffer.append(content.span.bytes)
    try zip.append(stored: "e", bytes: buffer, nameEncoding: .ascii)
    let written = try zip.finish()
    let bytes = try folder.bytes(of: "test.zip")
    #expect(written == WrittenFile(size: Int64(bytes.count), digest: sha256(bytes)))
    // The folder's header comes after the six bytes at 101, and the header of "e" after it.
    #expect(bytes[107..<111] == [0x50, 0x4b, 3, 4] && bytes[137..<139] == [0x64, 0x2f])
    #expect(bytes[139..<143] == [0x50, 0x4b, 3, 4] && bytes[145..<147] == [0, 0])
    #expect(Array(bytes[153..<157]).little32(at: 0) == checksum.value)
    #expect(bytes[169..<173] == [0x65, 1, 2, 3])
    #expect(bytes[173..<177] == [0x50, 0x4b, 1, 2])
    #expect(Array(bytes.suffix(22)).little16(at: 10) == 5)
  }

  @Test func `a file that is there is not written over`() throws {
    try folder.write("test.zip", "mine")
    #expect(throws: SystemError(during: "create", path: archive.path, code: EEXIST)) {
      _ = try ZipWriter(in: folder)
    }
    #expect(try folder.read("test.zip") == Data("mine".utf8))
  }

  /// Sizes and offsets that do not fit into 32 bits, and counts that do not fit into 16 bits, need an
  /// additional record before the usual end record (APPNOTE, sections 4.3.14 to 4.3.16).
  @Test(arguments: [
    (65_534, 100, 200, false), (65_535, 100, 200, true), (3, 0xffff_fffe, 200, false),
    (3, 0xffff_ffff, 200, true), (3, 100, 0xffff_fffe, false), (3, 100, 0xffff_ffff, true),
    (70_000, 5 << 32, 3 << 33, true),
  ])
  func `the records at the end have every number in its place`(
    count: Int, size: Int64, start: Int64, isLong: Bool
  ) {
    var buffer = ByteBuffer()
    ZipEnd(entryCount: count, start: start, size: size).append(to: &buffer)
    let bytes = buffer.array()
    #expect(bytes.count == 22 + (isLong ? 76 : 0))
    if isLong {
      #expect(bytes.little32(at: 0) == ZipFields.zip64EndSignature && bytes.little64(at: 4) == 44)
      #expect([16, 20].map { bytes.little32(at: $0) } == [0, 0])
      #expect([24, 32, 40, 48].map { bytes.little64(at: $0) } == [Int64(count), Int64(count), size, start])
      #expect(bytes.little32(at: 56) == ZipFields.zip64LocatorSignature && bytes.little32(at: 60) == 0)
      #expect(bytes.little64(at: 64) == start + size && bytes.little32(at: 72) == 1)
    }
    let end = Array(bytes.suffix(22))
    #expect(end.little32(at: 0) == ZipFields.endSignature)
    #expect([4, 6, 20].map { end.little16(at: $0) } == [0, 0, 0])
    #expect([8, 10].map { end.little16(at: $0) } == Array(repeating: UInt16(clamping: count), count: 2))
    #expect([12, 16].map { end.little32(at: $0) } == [UInt32(clamping: size), UInt32(clamping: start)])
  }
}
