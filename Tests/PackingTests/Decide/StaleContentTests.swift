@testable import Archiving
@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests that a build cache never causes a build to publish outdated contents.
@Suite struct StaleContentTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]

  /// A file time with a fraction of a second, and a file time without a fraction.
  private static let fine: Int64 = 1_700_000_000_123_456_789, whole: Int64 = 1_700_000_000_000_000_000

  /// The times of a file, the time of the scan, and whether unchanged times of the file prove that its
  /// content is unchanged.
  private struct Times: Sendable {
    let modified: Int64
    let changed: Int64
    let scan: Int64
    let proves: Bool
  }

  private static let times = [
    // A clock with a resolution of 4 or 10 ms might assign the same time to a later change.
    Times(modified: fine, changed: fine, scan: fine + 20_000_001, proves: true),
    Times(modified: fine, changed: fine, scan: fine + 20_000_000, proves: false),
    Times(modified: fine, changed: fine, scan: fine + 1_000_000, proves: false),
    Times(modified: fine, changed: fine, scan: fine, proves: false),
    Times(modified: fine, changed: fine, scan: fine - 1, proves: false),
    Times(modified: fine - 1_000_000_000, changed: fine, scan: fine + 1_000_000, proves: false),
    Times(modified: fine, changed: fine - 1_000_000_000, scan: fine + 1_000_000, proves: false),
    Times(modified: fine - 1_000_000_000, changed: fine - 1_000_000_000, scan: fine, proves: true),
    // The clock has a resolution of one second, or of two seconds as on FAT.
    Times(modified: whole, changed: whole, scan: whole + 2_000_000_001, proves: true),
    Times(modified: whole, changed: whole, scan: whole + 2_000_000_000, proves: false),
    Times(modified: fine, changed: whole, scan: whole + 1_900_000_000, proves: false),
    // A manipulated cache can contain a scan time before all other times.
    Times(modified: .min, changed: .min, scan: .min, proves: false),
    Times(modified: .min, changed: .min + 1, scan: .min + 19_000_000, proves: false),
  ]

  @Test(arguments: times) private func `times prove a file once the clock has gone on`(times: Times) {
    func stamp(_ modified: Int64, _ changed: Int64, inode: UInt64 = 7) -> FileStamp {
      FileStamp(modified: modified, changed: changed, identity: FileIdentity(device: 3, inode: inode))
    }
    let same = stamp(times.modified, times.changed)
    let file = BuildRecord.File(
      size: 1, stamp: same, packed: PackedFile(digest: .zero), hasContentFinding: false)
    #expect(file.isProvenUnchanged(by: same, scannedAt: times.scan) == times.proves)
    for other in [
      stamp(times.modified &+ 1, times.changed), stamp(times.modified, times.changed &+ 1),
      stamp(times.modified, times.changed, inode: 8), .unknown,
    ] { #expect(!file.isProvenUnchanged(by: other, scannedAt: times.scan)) }
  }

  /// After the scan, the file changes back to the content that is in the pack.
  ///
  /// Such a file might change again, so it is reported.
  @Test func `a file that changes while it is compared is reported`() throws {
    let site = try ScanSite("a/1", "b/2")
    site.waitForClockTick()
    try site.build(Self.rules)
    try site.write("a/1", "A/1")
    let path = site.folder.path("Assets/a/1")
    let result = try site.build(Self.rules) {
      // The build must publish only scanned contents.
      usleep(30_000)
      try site.write("a/1", "a/1")
    }
    #expect(result.release == nil)
    #expect(result.findings.map(\.check) == [.fileChanged] && result.findings.map(\.place.path) == [path])
  }

  private func sealed(_ bytes: some Collection<UInt8>) -> Data {
    let checksum = Checksum(of: Array(bytes))
    return Data(bytes) + (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> ($0 * 8)) }
  }

  /// Another version of packtool may have other findings about the same files.
  @Test func `the record of another version is not used`() throws {
    let site = try ScanSite("a/1", "b/2")
    site.waitForClockTick()
    try site.build(Self.rules)
    let record = try site.folder.read("out/.packtool/record")
    let version = try #require(record.range(of: Data(packtoolVersion.utf8)))
    var other = record
    other[version.lowerBound] ^= 1
    try site.folder.write("out/.packtool/record", sealed(other.dropLast(4)))
    let result = try site.build(Self.rules)
    #expect(result.decisions == [.write(.noRecord), .write(.noRecord)])
    // First, the test shows that the original cache with a new checksum is valid.
    try site.folder.write("out/.packtool/record", sealed(record.dropLast(4)))
    #expect(try site.build(Self.rules).decisions.areAll(\.isKeep))
  }

  /// The changes to the files `a/2`, `a/4`, `a/6` and `a/8`, and the expected reason.
  private struct Change: Sendable {
    let reason: BuildDecision.Reason
    var removed: [String] = []
    var written: [String: String] = [:]
  }

  private static let changes = [
    Change(reason: .removed("a/2"), removed: ["a/2"]),
    Change(reason: .removed("a/4"), removed: ["a/4", "a/6"]),
    Change(reason: .removed("a/6"), removed: ["a/8", "a/6"]),
    Change(reason: .removed("a/8"), removed: ["a/8"]),
    Change(reason: .added("a/1"), written: ["a/1": "new"]),
    Change(reason: .added("a/3"), written: ["a/5": "new", "a/3": "new"]),
    Change(reason: .added("a/9"), written: ["a/9": "new"]),
    Change(reason: .added("a/3"), removed: ["a/2", "a/8"], written: ["a/3": "new"]),
    Change(reason: .changed("a/4"), written: ["a/4": "longer", "a/6": "longer"]),
    Change(reason: .changed("a/4"), written: ["a/4": "A/4", "a/6": "A/6"]),
    Change(reason: .changed("a/4"), written: ["a/4": "A/4", "a/6": "longer"]),
    Change(reason: .changed("a/4"), written: ["a/4": "longer", "a/6": "A/6"]),
    Change(reason: .changed("a/8"), removed: ["a/4"], written: ["a/8": "A/8"]),
    Change(reason: .added("a/1"), written: ["a/1": "new", "a/4": "A/4"]),
    Change(reason: .changed("a/4"), written: ["a/5": "new", "a/4": "A/4"]),
  ]

  @Test(arguments: changes) private func `the first difference is the reason`(change: Change) throws {
    let site = try ScanSite("a/2", "a/4", "a/6", "a/8", "b/1")
    site.waitForClockTick()
    try site.build(Self.rules)
    for path in change.removed { try FileOperations.removeFile(site.folder.path("Assets/\(path)")) }
    for (path, content) in change.written { try site.write(path, content) }
    let result = try site.build(Self.rules)
    #expect(result.decisions.filter { !$0.isKeep } == [.write(change.reason)])
    try site.build(Self.rules, into: "clean", usesCache: false)
    #expect(try site.published() == site.published("clean"))
  }

  /// Without an index, only the bytes of a pack prove that it is the recorded pack.
  @Test func `a pack that no index proves is read`() throws {
    let site = try ScanSite("a/1", "b/2")
    let built = try site.build(Self.rules)
    let output = OutputFolder(site.folder.path("out"))
    #expect(try output.damagedPacks == [])
    try FileOperations.removeFile(site.folder.path("out/index.json"))
    #expect(try output.damagedPacks == [])
    let pack = try #require(built.packs.first)
    let path = "out/\(pack.archive.path)"
    try site.folder.write(path, site.folder.read(path).flipped(at: 50))
    #expect(try output.damagedPacks.count == 1)
  }

  @Test func `a pack whose archive is not the index's is read`() throws {
    let site = try ScanSite("a/1", "b/2")
    let built = try site.build(Self.rules)
    let output = OutputFolder(site.folder.path("out"))
    let pack = try #require(built.packs.first)
    let digest = pack.archive.file.digest.hex
    let index = String(decoding: try site.folder.read("out/index.json"), as: UTF8.self)
    let other = String(digest.reversed())
    try site.folder.write("out/index.json", index.replacingOccurrences(of: digest, with: other))
    #expect(try output.damagedPacks == [])
    let path = "out/\(pack.archive.path)"
    try site.folder.write(path, site.folder.read(path).flipped(at: 50))
    #expect(try output.damagedPacks.count == 1)
  }

  /// The stamp of a pointer gives no information about the replaced file.
  ///
  /// packtool has not inspected this file.
  @Test func `pointers are recorded without stamps`() throws {
    let site = try ScanSite("a/1", "a/2", "b/2")
    site.waitForClockTick()
    try site.build(Self.rules)
    let content = try site.folder.read("Assets/a/2")
    try PointerKind.lfs.replace("Assets/a/2", content, in: site.folder)
    try site.write("b/2", "changed")
    _ = try site.manifest(Self.rules)
    var request = site.request()
    request.input.acceptsPointers = true
    let result = try request.run(Policy())
    #expect(result.decisions.map(\.isKeep) == [true, false])
    let built = OutputFolder(site.folder.path("out"))
    var record = try #require(built.record)
    var files: [String: BuildRecord.File] = [:]
    var path = ByteBuffer()
    _ = try record.packs { record, _, count throws(BinaryReader.Damage) in
      for _ in 0..<count {
        let file = try record.file(path: &path)
        files[String(decoding: path.array(), as: UTF8.self)] = file
      }
    }
    #expect(Set(files.keys) == ["a/1", "a/2", "b/2"])
    #expect(files["a/2"]?.stamp == .unknown && files["a/2"]?.hasContentFinding == true)
    #expect(files["a/1"]?.stamp != .unknown && files["a/1"]?.hasContentFinding == false)
    #expect(files["a/2"]?.packed.digest == sha256(Array(content)) && files["a/2"]?.size == 3)
    // After the file is restored, the build writes nothing.
    try site.write("a/2", "a/2")
    #expect(try site.build(Self.rules).decisions.areAll(\.isKeep))
  }

  @Test func `an archive holds its first entry and its last`() throws {
    let site = try ScanSite()
    for name in ["a/1", "a/2"] { try site.write(name, "a file") }
    let built = try site.build([.path("a", "A")])
    let archive = try site.folder.bytes(of: "out/\(try #require(built.packs.first).archive.path)")
    let old = try OldArchive(
      site.folder.path("out/\(try #require(built.packs.first).archive.path)"), modified: 1_000_000_000)
    var place = 0
    for name in ["a/1", "a/2"] {
      let entry = ArchivedEntry(
        method: .stored, checksum: Checksum(of: Array("a file".utf8)), compressedSize: 6,
        dataOffset: Int64(place + 30 + name.utf8.count))
      let file = AssetFile(path: name, size: 6, stamp: .unknown, tagSet: 0, destination: nil)
      #expect(archive[place...].starts(with: [0x50, 0x4b, 3, 4]))
      #expect(old.holds(entry, of: file), "\(name)")
      place += 30 + name.utf8.count + 6
    }
  }

  @Test func `bytes that an archive lacks are not copied`() throws {
    let site = try ScanSite()
    try site.write("a/text", Sample.text(20_000))
    let built = try site.build([.path("a", "A")])
    let archive = site.folder.path("out/\(try #require(built.packs.first).archive.path)")
    let size = try FileOperations.status(of: archive, symlinks: .notFollowed).size
    let old = try OldArchive(archive, modified: 1_000_000_000)
    let entry = ArchivedEntry(
      method: .stored, checksum: Checksum(), compressedSize: 200, dataOffset: size - 100)
    var buffer = ByteBuffer()
    try old.read(0..<100, of: entry, into: &buffer)
    #expect(buffer.count == 100)
    #expect(throws: SystemError(during: "copy from", path: archive, code: SystemError.truncated)) {
      try old.read(0..<101, of: entry, into: &buffer)
    }
  }

  /// The record is sorted by path, because the next build searches it by path.
  ///
  /// The order must not depend on hashing.
  @Test func `patches are recorded in one order`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let text = try site.site.folder.read("out/.packtool/patches")
    let record = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let packs = try #require(record["patches"] as? [[String: Any]]).compactMap { $0["pack"] as? String }
    #expect(packs.count == 5 && packs == packs.sorted { $0.precedesInBytes($1) })
  }
}
