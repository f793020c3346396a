import Foundation
import Pipeline
import Support
import Testing

@testable import OnDemand

/// Tests the responses of a hostile server.
///
/// The app must never see wrong files. It must get the right files after the server sends the right
/// responses.
@Suite(.noHang, .mostlyWaits) struct HostileTests {
  /// The number of responses that the tests change.
  ///
  /// The environment variable `PACKTOOL_HOSTILE` overrides it.
  private static let count =
    ProcessInfo.processInfo.environment["PACKTOOL_HOSTILE"].flatMap { Int($0) } ?? sample(20, of: 2_000)

  @Test func `answers of every kind end in the right files or an error`() async throws {
    let built = try BuiltSite()
    let files = try built.filesByTag()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    let dice = Locked(Dice(seed: 1))
    let bent = Locked(0)
    site.server.bend { path, answer in
      bent.withLock { $0 += 1 }
      dice.withLock { dice in Self.bend(&answer, &dice) }
    }
    var refused = 0
    while bent.withLock({ $0 }) < Self.count {
      let tag = dice.withLock { $0.pick(["A", "B", "C", "D"]) }
      let request = store.request(for: [tag])
      do {
        try await request.beginAccessing()
        for (path, data) in files[tag] ?? [:] { #expect(try Data(contentsOf: store.url(for: path)) == data) }
      } catch { refused += 1 }
      request.endAccessing()
      if dice.withLock({ $0.chance(20) }) { _ = try? await store.takeUpdate() }
      store.setSpace(dice.withLock { $0.chance(50) } ? 0 : 1_000_000)
      store.setSpace(1_000_000)
    }
    #expect(refused > Self.count / 20)
    site.server.bend { _, _ in }
    // The index is not signed, so the store may have accepted an index in which a byte was changed.
    try await store.takeUpdate()
    try await store.request(for: files.keys).beginAccessing()
    await store.close()
  }

  private static func bend(_ answer: inout FolderServer.Answer, _ dice: inout Dice) {
    switch dice.below(12) {
    case 0: answer.status = dice.pick([204, 206, 301, 302, 400, 404, 416, 500, 503, 599, 999])
    case 1: answer.body = answer.body.prefix(dice.below(answer.body.count + 1))
    case 2: answer.body += Data(repeating: 7, count: 1 + dice.below(3_000_000))
    case 3 where !answer.body.isEmpty:
      answer.body[answer.body.startIndex + dice.below(answer.body.count)] ^= 1
    case 4: answer.headers["Content-Length"] = dice.pick(["0", "-1", "x", "99999999999999999999", "1"])
    case 5:
      let ranges = ["bytes 0-0/1", "bytes */5", "", "bytes 99-98/97", "bytes 0-99999999999999999999/9"]
      (answer.status, answer.headers["Content-Range"]) = (206, dice.pick(ranges))
    case 6: answer.body = Data()
    case 7: answer.failure = .passing
    case 8: (answer.failure, answer.status) = (.unreachable, 0)
    case 9: answer.body = Data((0..<dice.below(4000)).map { _ in UInt8(dice.below(256)) })
    default: break
    }
  }

  @Test func `archives that lie are refused`() async throws {
    let plain = RawZip.Entry("a/b", "text")
    try await expect(RawZip([plain]), nil)
    try await expect(RawZip([plain, RawZip.Entry("b", "more", isDeflated: true)]), nil)
    for path in [
      "../x", "/x", "a/../../x", "a//b", ".", "", "a/", "a\\b", "a\u{0}b", "a/./b",
      String(repeating: "../", count: 8) + "x",
    ] {
      try await expect(RawZip([RawZip.Entry(path, "text")]), "\"\(path)\" is not an allowed path in a pack")
    }
    // Only Windows would interpret this name as a path on another drive.
    try await expect(RawZip([RawZip.Entry("C:x", "text")]), nil)
    for mode: UInt32 in [0o120777, 0o040755, 0o010644, 0o140644] {
      let entry = RawZip.Entry("a/b", "/etc/passwd") { $0.mode = mode }
      try await expect(RawZip([entry]), "\"a/b\" is not a regular file")
    }
    // Programs that do not know the modes of files write the mode 0.
    try await expect(RawZip([RawZip.Entry("a/b", "text") { $0.mode = 0 }]), nil)
    try await expect(RawZip([plain, plain]), "\"a/b\" occurs twice, or is not in the order of the paths")
    let unordered = [RawZip.Entry("b", "x"), RawZip.Entry("a", "x")]
    try await expect(RawZip(unordered), "\"a\" occurs twice, or is not in the order of the paths")
    let short = RawZip.Entry("a", "text", size: 3, isDeflated: true)
    try await expect(RawZip([short]), "\"a\" is larger than its stated size")
    let long = RawZip.Entry("a", "text", size: 5, isDeflated: true)
    try await expect(RawZip([long]), "\"a\" is smaller than its stated size")
    try await expect(
      RawZip([RawZip.Entry("a", "text", size: 5)]), "\"a\" is not compressed, but its two sizes differ")
    let folded = [RawZip.Entry("a", "x"), RawZip.Entry("a/b", "x")]
    try await expect(RawZip(folded), "two of its paths are the same path on this file system")
    let text = String(repeating: "x", count: sample(2_000_000, of: 50_000_000))
    let bomb = RawZip.Entry("a", text, size: 10, isDeflated: true)
    try await expect(RawZip([bomb]), "\"a\" is larger than its stated size")
    let elsewhere = "the local header of \"a\" differs from its entry in the zip directory"
    try await expect(RawZip([RawZip.Entry("a", "text") { $0.localName = "b" }]), elsewhere)
    try await expect(RawZip([RawZip.Entry("a", "text") { $0.localMethod = 8 }]), elsewhere)
    try await expect(RawZip([RawZip.Entry("a", "text") { $0.offset = 1 }]), elsewhere)
    let other = "its contents do not match the index"
    try await expect(RawZip([plain], fileCount: 2), other)
    try await expect(RawZip([plain], size: 5), other)
    try await expect(RawZip([plain], digest: String(repeating: "0", count: 64)), other)
    let more = "it contains more files or bytes than the index states"
    try await expect(RawZip([plain, RawZip.Entry("c", "d")], fileCount: 1), more)
    try await expect(RawZip([plain], size: 3), more)
    for (cut, reason) in [
      (0, "the file is truncated"), (10, "the file is truncated"), (21, "the file is truncated"),
      (60, "it does not end with a zip end record"),
    ] {
      try await expect(RawZip([plain], cut: cut), reason)
    }
  }

  @Test func `headers that no pack has are refused`() async throws {
    let unknown = "\"a\" has an unknown flag or compression method"
    // Encrypted, patched, and unknown flags.
    for flag: UInt16 in [0x801, 0x820, 0x840, 0x808, 0x2800] {
      try await expect(RawZip([RawZip.Entry("a", "text") { $0.flags = flag }]), unknown)
    }
    for method: UInt16 in [1, 9, 12, 93] {
      try await expect(RawZip([RawZip.Entry("a", "text") { $0.method = method }]), unknown)
    }
    // The flags for the speed of deflate, and for a name that has only ASCII characters.
    for flag: UInt16 in [0, 2, 4, 6, 0x806] {
      try await expect(RawZip([RawZip.Entry("a", "text") { $0.flags = flag }]), nil)
    }
    let wrong = RawZip([RawZip.Entry("a", "text")]) { $0[35 + 3] = 9 }
    try await expect(wrong, "its zip directory is damaged")
    let entry = RawZip.Entry("a", "\u{7}\u{7}\u{7}\u{7}") { $0.method = 8 }
    try await expect(RawZip([entry]), "the compressed data of \"a\" is damaged")
  }

  @Test func `fields that other writers add are passed over`() async throws {
    let extra = Data([0xFE, 0xCA, 3, 0, 1, 2, 3])
    let entries = [
      RawZip.Entry("a", "text") { $0.localExtra = extra },
      RawZip.Entry("b", "more") { $0.comment = "a comment of an entry" },
      RawZip.Entry("c", "most", isDeflated: true),
    ]
    try await expect(RawZip(entries), nil)
  }

  @Test func `large numbers of zip64 are read`() async throws {
    let entries = ["a", "b", "c"].map { path in RawZip.Entry(path, "text of \(path)") { $0.isZip64 = true } }
    for isZip64 in [false, true] { try await expect(RawZip(entries, isZip64: isZip64), nil) }
    let plain = [RawZip.Entry("a", "text"), RawZip.Entry("b", "more")]
    try await expect(RawZip(plain, isZip64: true), nil)
    // Damage the signature of the zip64 record.
    let broken = RawZip(plain, isZip64: true) { $0[$0.count - 98] = 9 }
    try await expect(broken, "its zip64 record is missing")
    let huge = RawZip.Entry("a", "text") { ($0.isZip64, $0.packedSize) = (true, 1 << 43) }
    try await expect(RawZip([huge]), "\"a\" has a size or offset that is too large")
    let far = RawZip.Entry("a", "text") { ($0.isZip64, $0.offset) = (true, 1 << 30) }
    try await expect(RawZip([far]), "the file is truncated")
  }

  /// The reader reads contents in pieces.
  ///
  /// Test sizes near the size of a piece, and larger contents.
  @Test(arguments: [(1 << 18) - 1, 1 << 18, (1 << 18) + 1, 700_000], [false, true])
  func `long contents are read whole`(count: Int, isDeflated: Bool) async throws {
    var entry = RawZip.Entry("b", Sample.noise(count))
    entry.isDeflated = isDeflated
    try await expect(RawZip([RawZip.Entry("a", "x"), entry, RawZip.Entry("c", "y")]), nil)
  }

  /// Changes bytes of an archive.
  ///
  /// The result must be the same files or an error.
  @Test func `archives that are changed are refused`() throws {
    let zip = RawZip([RawZip.Entry("a/b", "text"), RawZip.Entry("c", "more more more", isDeflated: true)])
    var dice = Dice(seed: 3)
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path("zip"))
    var (taken, refused) = (0, 0)
    for number in 0..<sample(60, of: 400) {
      var bytes = zip.bytes
      for _ in 0...dice.below(3) { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
      try bytes.write(to: file)
      let out = URL(fileURLWithPath: folder.path("out \(number)"))
      try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
      do {
        try PackMaker.unpack(file, pack: zip.pack, into: out)
      } catch OnDemandError.damaged {
        refused += 1
        continue
      }
      taken += 1
      #expect(
        try folder.files(below: "out \(number)/files")
          == ["a/b": Data("text".utf8), "c": Data("more more more".utf8)])
    }
    // No reader uses the times, versions and checksums in an archive, so changed bytes in these fields are
    // not noticed.
    #expect(taken > 5 && refused > 20, "\(taken) taken, \(refused) refused")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.allSatisfy { $0 == "zip" || $0.hasPrefix("out ") })
  }

  /// Unpacks an archive with a store.
  ///
  /// If `reason` is not nil, unpacking must fail with this reason, and no files may remain.
  private func expect(
    _ zip: RawZip, _ reason: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("packs/x.zip", zip.bytes)
    try folder.write("index.json", zip.index)
    let site = try StoreSite(folder.path)
    let store = try await site.updated()
    let request = store.request(for: ["T"])
    do {
      try await request.beginAccessing()
      #expect(reason == nil, sourceLocation: sourceLocation)
    } catch {
      let expected = OnDemandError.damaged(pack: "p", reason: reason ?? "")
      #expect(error as? OnDemandError == expected, sourceLocation: sourceLocation)
    }
    await store.close()
    let left = try site.left()
    #expect(left.filter { $0.hasPrefix("partial/") } == [], sourceLocation: sourceLocation)
    #expect(left.contains { $0.hasPrefix("packs/") } == (reason == nil), sourceLocation: sourceLocation)
    // No file may be written outside of the store, even if a path in the archive leads there.
    let beside = try FileManager.default.contentsOfDirectory(atPath: site.folder.path)
    #expect(beside == ["store"], sourceLocation: sourceLocation)
  }
}
