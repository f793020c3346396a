@testable import Archiving
@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests that a damaged build cache makes builds slower, but never changes the published files.
@Suite struct DamagedRecordTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
  private static let record = "out/.packtool/record"

  private func site(_ settings: TestSettings = .test(.zip)) throws -> ScanSite {
    let site = try ScanSite("a/1", "a/2", "b/3")
    site.waitForClockTick()
    try site.build(Self.rules, settings)
    return site
  }

  /// Returns the bytes of a build cache with a valid checksum.
  private func sealed(_ bytes: Data) -> Data {
    var checksum = Checksum()
    let all = Array(bytes)
    checksum.update(all.span.bytes)
    return bytes + (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> ($0 * 8)) }
  }

  private func tags(_ result: BuildResult, of decision: (BuildDecision) -> Bool) -> [[String]] {
    let packs = result.release?.packs ?? []
    return zip(packs, result.decisions).filter { decision($1) }.map(\.0.tags)
  }

  @Test func `a record with a wrong checksum is none`() throws {
    let site = try site()
    let whole = try site.folder.read(Self.record)
    #expect(sealed(whole.dropLast(4)) == whole)
    for change in ["checksum", "byte behind", "byte less"] {
      var bytes = whole
      switch change {
      case "checksum": bytes[bytes.count - 1] ^= 1
      case "byte behind": bytes = sealed(bytes.dropLast(4) + [0])
      default: bytes = sealed(bytes.dropLast(5))
      }
      try site.folder.write(Self.record, bytes)
      let again = try site.build(Self.rules)
      #expect(again.decisions == [.write(.noRecord), .write(.noRecord)], "\(change): \(again.decisions)")
      #expect(try site.folder.read(Self.record).count == whole.count)
    }
  }

  /// Writes a build cache in which the digest of the file `a/1` differs from the content in the pack.
  private func forgeRecord(of site: ScanSite) throws {
    var forged = try site.folder.read(Self.record).dropLast(4)
    let digest = SHA256.digest(of: Array("a/1".utf8).span.bytes)
    let other = SHA256.digest(of: Array("a/2".utf8).span.bytes)
    func data(_ digest: Digest) -> Data {
      Data(
        stride(from: 0, to: 64, by: 2).map { place in
          let hex = Array(digest.hex)
          return UInt8(String(hex[place..<place + 2]), radix: 16) ?? 0
        })
    }
    let range = try #require(forged.range(of: data(digest)))
    forged.replaceSubrange(range, with: data(other))
    try site.folder.write(Self.record, sealed(Data(forged)))
  }

  @Test(arguments: [TestSettings.test(.zip), .test(.tarZstandard)])
  func `a pack whose record contradicts itself is written`(settings: TestSettings) throws {
    let site = try site(settings)
    let before = try site.published()
    try forgeRecord(of: site)
    try site.write("b/3", "changed")
    let again = try site.build(Self.rules, settings)
    #expect(tags(again) { $0 == .write(.recordDamaged) } == [["A"]], "\(again.decisions)")
    #expect(tags(again) { $0 == .write(.changed("b/3")) } == [["B"]])
    try site.write("b/3", "b/3")
    try site.build(Self.rules, settings)
    #expect(try site.published() == before)
  }

  /// Packing inspects the files of such a pack, so the decision must not report them as files of a kept pack.
  @Test func `contents of a pack whose record contradicts itself are reported once`() throws {
    let site = try ScanSite("a/1", "b/3")
    try site.write("a/2", Data([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))
    site.waitForClockTick()
    let first = try site.build(Self.rules)
    #expect(first.findings.map(\.check) == [.executableContent])
    try forgeRecord(of: site)
    try site.write("b/3", "changed")
    let again = try site.build(Self.rules)
    #expect(tags(again) { $0 == .write(.recordDamaged) } == [["A"]], "\(again.decisions)")
    #expect(again.findings == first.findings)
  }

  /// The times of a file prove that it is unchanged, unless the file changed shortly before the scan.
  @Test(
    arguments: [
      (1_000_000_000_000, 1_000, 1_000_000_001_000 + 20_000_000, false),
      (1_000_000_000_001, 1_000, 1_000_000_000_001 + 20_000_001, true),
      (1_000_000_000_001, 1_000, 1_000_000_000_001 + 20_000_000, false),
      (1_000_000_000_000, 1_000, 1_000_000_000_000 + 2_000_000_001, true),
      (1_000_000_000_000, 1_000, 1_000_000_000_000 + 2_000_000_000, false),
      (1_000, 1_000_000_000_001, 1_000_000_000_001 + 20_000_001, true),
      (1_000, 1_000_000_000_001, 1_000_000_000_001 + 20_000_000, false), (1_000, 1_000, .min, false),
    ] as [(Int64, Int64, Int64, Bool)])
  func `times prove what was changed well before the scan`(
    changed: Int64, modified: Int64, scan: Int64, isProof: Bool
  ) {
    func stamp(_ inode: UInt64 = 1) -> FileStamp {
      FileStamp(modified: modified, changed: changed, identity: FileIdentity(device: 1, inode: inode))
    }
    let file = BuildRecord.File(
      size: 1, stamp: stamp(), packed: PackedFile(digest: .zero, entry: nil), hasContentFinding: false)
    #expect(file.isProvenUnchanged(by: stamp(), scannedAt: scan) == isProof)
    #expect(!file.isProvenUnchanged(by: stamp(2), scannedAt: scan))
  }
}
