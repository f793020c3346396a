@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

@Suite struct TarWriterTests {
  static let filters = ["tar.gz", "tar.zst"]
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Names near the limits of an old header (100 bytes) and a newer header (255 bytes), and names in other
  /// scripts.
  static let files: [(name: String, content: [UInt8])] = [
    ("a", Array("one".utf8)), ("empty", []), (String(repeating: "n", count: 99), [1]),
    (String(repeating: "o", count: 100), [2]), (String(repeating: "p", count: 101), [3]),
    ("folder/" + String(repeating: "q", count: 248), [4]),
    ("folder/" + String(repeating: "r", count: 249), [5]),
    (String(repeating: "deeper-and-deeper/", count: 20) + "file", [6]), ("été/Größe.txt", [7]),
    ("e\u{301}te\u{301}/decomposed", [8]), ("日本語/ファイル🎮.png", [9]),
    ("日本語/" + String(repeating: "é", count: 120), [10]), ("-n", [11]), ("a b\"c'd*?", [12]),
    ("block", Content.text.bytes(512)), ("z", Content.half.bytes(300_000)),
  ]

  private func writeArchive(
    _ name: String, modified: Int64 = 951_827_697, _ files: [(name: String, content: [UInt8])] = files
  ) throws -> WrittenFile {
    try writeTar(to: folder.path(name), modified: modified, files)
  }

  @Test func `a level that gzip does not have is an error`() throws {
    let path = folder.path("test.tar.gz")
    #expect(throws: ArchiveError.self) {
      _ = try TarWriter(OutputFile(creating: path), filter: .gzip(level: 10), modifiedSeconds: 0)
    }
    _ = try TarWriter(OutputFile(creating: "\(path).2"), filter: .gzip(level: 9), modifiedSeconds: 0)
  }

  @Test(.enabled(if: isInstalled("python3") && isInstalled("zstd")), arguments: filters)
  func `every field is what it should be`(filter: String) throws {
    let written = try writeArchive("test.\(filter)")
    #expect(
      written == WrittenFile(size: written.size, digest: sha256(try folder.bytes(of: "test.\(filter)"))))
    if filter == "tar.zst" {
      try run("zstd", ["-qdo", folder.path("test.tar"), folder.path("test.tar.zst")])
    }
    let script = """
      import hashlib, sys, tarfile
      archive = tarfile.open(sys.argv[1])
      for member in archive:
        assert member.isreg() and not member.issparse() and not member.pax_headers
        assert (member.mode, member.uid, member.gid, member.uname, member.gname) == (0o644, 0, 0, '', '')
        assert (member.mtime, member.linkname) == (951827697, ''), member.mtime
        digest = hashlib.sha256(archive.extractfile(member).read()).hexdigest()
        sys.stdout.buffer.write(b'%s|%d|%s\\n' % (member.name.encode(), member.size, digest.encode()))
      """
    let name = filter == "tar.zst" ? "test.tar" : "test.tar.gz"
    let lines = try folder.python(script, [name]).split(separator: "\n").map { Array($0.utf8) }
    #expect(
      lines == Self.files.map { Array("\($0.name)|\($0.content.count)|\(sha256($0.content).hex)".utf8) })
  }

  @Test(arguments: filters, ["C", "C.UTF-8"])
  func `files come out under their names in every locale`(filter: String, locale: String) throws {
    _ = try writeArchive("test.\(filter)")
    let wanted = Dictionary(uniqueKeysWithValues: Self.files.map { (Array($0.name.utf8), Data($0.content)) })
    for program in ["bsdtar", "tar"] where isInstalled(program) {
      try FileManager.default.createDirectory(atPath: folder.path(program), withIntermediateDirectories: true)
      let result = try run(
        program, ["-xf", folder.path("test.\(filter)"), "-C", folder.path(program)],
        environment: ["LC_ALL": locale])
      #expect(result.status == 0 && result.errors == "", "\(program): \(result.errors)")
      let files = try folder.files(below: program).map { (Array($0.utf8), $1) }
      #expect(Dictionary(uniqueKeysWithValues: files) == wanted, "\(program)")
    }
  }

  @Test(.enabled(if: isInstalled("bsdtar")), arguments: filters)
  func `a listing shows no owner and the time in UTC`(filter: String) throws {
    _ = try writeArchive("test.\(filter)", [("a", [1, 2]), ("b", [])])
    let result = try run(
      "bsdtar", ["-tvf", folder.path("test.\(filter)")], environment: ["TZ": "UTC", "LC_ALL": "C"])
    #expect(
      result.output == """
        -rw-r--r--  0 0      0           2 Feb 29  2000 a
        -rw-r--r--  0 0      0           0 Feb 29  2000 b

        """)
  }

  @Test(arguments: filters)
  func `an archive without entries is one`(filter: String) throws {
    _ = try writeArchive("test.\(filter)", [])
    for program in ["bsdtar", "tar"] where isInstalled(program) {
      let result = try run(program, ["-tf", folder.path("test.\(filter)")])
      #expect(result.status == 0 && result.output == "" && result.errors == "")
    }
  }

  @Test func `the gzip header has neither time nor name`() throws {
    _ = try writeArchive("test.tar.gz")
    let header = try folder.bytes(of: "test.tar.gz").prefix(8)
    #expect(header == [0x1f, 0x8b, 8, 0, 0, 0, 0, 0])
  }

  /// Runs in a separate process, because the time zone and the locale apply to the whole process.
  @Test(.mostlyWaits, arguments: filters)
  func `the bytes are the same in another zone and locale`(filter: String) async throws {
    let here = try writeArchive("here.\(filter)")
    let path = folder.path("there.\(filter)")
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("TZ", "Asia/Kathmandu", 1)
      tzset()
      try #require(setlocale(LC_ALL, "C.UTF-8") != nil)
      _ = try writeTar(to: path, modified: 951_827_697, TarWriterTests.files)
    }
    #expect(try folder.read("there.\(filter)") == folder.read("here.\(filter)"))
    #expect(here.size > 0)
  }

  @Test(arguments: [0, 1, 315_532_800, 951_827_697, 8_589_934_591, 8_589_934_592, Int64.max])
  func `times are kept up to the last that a header holds`(seconds: Int64) throws {
    _ = try writeArchive("test.tar.gz", modified: seconds, [("a", [])])
    try run("tar", ["-xf", folder.path("test.tar.gz"), "-C", folder.path])
    let status = try FileOperations.status(of: folder.path("a"), symlinks: .notFollowed)
    // Eleven octal digits can express times until the year 2242.
    #expect(status.modified == min(seconds, 8_589_934_591) * 1_000_000_000)
  }

  @Test func `more bytes than were announced are an error`() throws {
    var tar = try TarWriter(
      OutputFile(creating: folder.path("x")), filter: .gzip(level: 6), modifiedSeconds: 0)
    try tar.beginEntry(name: "a", size: 3)
    try tar.append(block: ([1, 2] as [UInt8]).span.bytes)
    #expect(throws: ArchiveError.self) { try tar.append(block: ([3, 4] as [UInt8]).span.bytes) }
  }

  @Test func `an archive that is dropped half-way harms nothing`() throws {
    for filter in [TarFilter.gzip(level: 1), .zstandard(.fast)] {
      let path = folder.path("\(filter)")
      var tar = try TarWriter(OutputFile(creating: path), filter: filter, modifiedSeconds: 0)
      try tar.beginEntry(name: "a", size: 1_000_000)
      try tar.append(block: Content.random.bytes(500_000).span.bytes)
    }
  }

  @Test(.mostlyWaits, arguments: filters)
  func `a failed write is reported with the message of the kernel`(filter: String) async throws {
    let path = folder.path("x.\(filter)")
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFileSize(to: 100_000)
      let content = (1...20).flatMap { Content.random.bytes(1 << 16, seed: $0) }
      let cause = SystemError(during: "write", path: path, code: EFBIG)
      #expect(throws: ArchiveError(action: "write", path: path, reason: cause.reason, cause: cause)) {
        try writeTar(to: path, modified: 0, [("a", content)])
      }
    }
  }

  /// Runs in a separate process, so that no other test affects its memory.
  @Test(.mostlyWaits) func `memory does not grow with the number of entries`() async {
    let path = folder.path("x.tar.zst")
    await #expect(processExitsWith: .success) { [path = path as String] in
      var tar = try TarWriter(OutputFile(creating: path), filter: .zstandard(.fast), modifiedSeconds: 0)
      var before = 0
      for number in 0..<40_000 {
        if number == 20_000 { before = largestMemory() }
        try tar.beginEntry(name: "\(number)", size: 0)
      }
      #expect(largestMemory() - before < 4_000_000)
      _ = try tar.finish()
    }
  }

  /// A failed write must be reported immediately, because the end of the archive may be gigabytes away.
  @Test(.mostlyWaits, arguments: filters)
  func `a write that fails is reported immediately`(filter: String) async throws {
    let path = folder.path("x.\(filter)")
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFileSize(to: 100_000)
      let filter: TarFilter =
        path.hasSuffix("gz") ? .gzip(level: 1) : .zstandard(ZstandardSettings(level: 1, windowLog: 19))
      var tar = try TarWriter(OutputFile(creating: path), filter: filter, modifiedSeconds: 0)
      try tar.beginEntry(name: "a", size: 100 << 20)
      #expect(throws: ArchiveError.self) {
        for seed in 0..<100 as Range<UInt64> {
          try tar.append(block: Content.random.bytes(1 << 16, seed: seed).span.bytes)
        }
      }
    }
  }

  /// libarchive itself writes zeros for bytes of an entry that were not written.
  @Test(.enabled(if: isInstalled("bsdtar") && isWhole, "8 GB in the nightly run"))
  func `a size that octal digits cannot hold`() throws {
    let path = folder.path("test.tar.zst")
    var tar = try TarWriter(OutputFile(creating: path), filter: .zstandard(.fast), modifiedSeconds: 0)
    try tar.beginEntry(name: "huge", size: 8 << 30)
    _ = try tar.finish()
    #expect(try run("bsdtar", ["-tvf", path]).output.contains(" 8589934592 "))
  }
}

/// Writes an archive.
///
/// Its file name extension specifies the format.
@discardableResult
func writeTar(
  to path: String, modified: Int64, _ files: [(name: String, content: [UInt8])]
) throws -> WrittenFile {
  let filter: TarFilter =
    path.hasSuffix("gz") ? .gzip(level: 6) : .zstandard(ZstandardSettings(level: 3, windowLog: 21))
  var tar = try TarWriter(OutputFile(creating: path), filter: filter, modifiedSeconds: modified)
  for (name, content) in files {
    try tar.beginEntry(name: name, size: Int64(content.count))
    for start in stride(from: 0, to: content.count, by: 100_000) {
      try tar.append(block: content.span.extracting(start..<min(start + 100_000, content.count)).bytes)
    }
  }
  return try tar.finish()
}

extension ZstandardSettings {
  fileprivate static let fast = ZstandardSettings(level: 1, windowLog: 19)
}
