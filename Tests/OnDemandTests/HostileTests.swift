import Foundation
import Published
import Support
import Testing

@testable import OnDemand

/// What a server may send: nothing wrong is ever seen, and what is right comes in the end.
@Suite struct HostileTests {
  /// How many answers are bent; `PACKTOOL_HOSTILE` is another number.
  private static let count =
    ProcessInfo.processInfo.environment["PACKTOOL_HOSTILE"].flatMap { Int($0) } ?? sample(20, of: 200)

  @Test func answersOfEveryKindEndInTheRightFilesOrAnError() async throws {
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
      if dice.withLock({ $0.chance(20) }) { _ = try? await store.update() }
      store.setSpace(dice.withLock { $0.chance(50) } ? 0 : 1_000_000)
      store.setSpace(1_000_000)
    }
    #expect(refused > Self.count / 20)
    site.server.bend { _, _ in }
    // Nobody signed the index, so one with a changed byte may have been taken.
    _ = try await store.update()
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

  @Test func archivesThatLieAreRefused() async throws {
    let plain = RawZip.Entry("a/b", "text")
    try await expect(RawZip([plain]), nil)
    try await expect(RawZip([plain, RawZip.Entry("b", "more", isDeflated: true)]), nil)
    for path in ["../x", "/x", "a/../../x", "a//b", ".", "", "a/", "a\\b", "a\u{0}b", "a/./b"] {
      try await expect(RawZip([RawZip.Entry(path, "text")]), "no path within a pack")
    }
    // Windows alone takes it for a path elsewhere.
    try await expect(RawZip([RawZip.Entry("C:x", "text")]), nil)
    try await expect(RawZip([RawZip.Entry("a/b", "/etc/passwd", mode: 0o120777)]), "no plain file")
    try await expect(RawZip([plain, plain]), "comes twice or out of order")
    try await expect(RawZip([RawZip.Entry("b", "x"), RawZip.Entry("a", "x")]), "comes twice or out of order")
    try await expect(RawZip([RawZip.Entry("a", "text", size: 3, isDeflated: true)]), "longer than it says")
    try await expect(RawZip([RawZip.Entry("a", "text", size: 5, isDeflated: true)]), "shorter than it says")
    try await expect(RawZip([RawZip.Entry("a", "text", size: 5)]), "two sizes")
    try await expect(RawZip([RawZip.Entry("a", "x"), RawZip.Entry("a/b", "x")]), "two of its paths are one")
    let text = String(repeating: "x", count: sample(2_000_000, of: 50_000_000))
    let bomb = RawZip.Entry("a", text, size: 10, isDeflated: true)
    try await expect(RawZip([bomb]), "longer than it says")
    try await expect(RawZip([RawZip.Entry("a", "text", localName: "b")]), "another name or place")
    try await expect(RawZip([plain], fileCount: 2), "not those of the index")
    try await expect(RawZip([plain, RawZip.Entry("c", "d")], fileCount: 1), "more files or bytes")
    try await expect(RawZip([plain], size: 3), "more files or bytes")
    try await expect(RawZip([plain], digest: String(repeating: "0", count: 64)), "not those of the index")
    for cut in [0, 10, 21, 60] { try await expect(RawZip([plain], cut: cut), "") }
  }

  /// Any byte may be any other: what comes out is the same files, or an error.
  @Test func archivesThatAreChangedAreRefused() throws {
    let zip = RawZip([RawZip.Entry("a/b", "text"), RawZip.Entry("c", "more more more", isDeflated: true)])
    var dice = Dice(seed: 3)
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path("zip"))
    for number in 0..<sample(40, of: 400) {
      var bytes = zip.bytes
      for _ in 0...dice.below(3) { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
      try bytes.write(to: file)
      let out = URL(fileURLWithPath: folder.path("out \(number)"))
      try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
      guard (try? PackMaker.unpack(file, zip.pack, into: out)) != nil else { continue }
      #expect(try folder.read("out \(number)/files/c") == Data("more more more".utf8))
      #expect(try folder.read("out \(number)/files/a/b") == Data("text".utf8))
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.allSatisfy { $0 == "zip" || $0.hasPrefix("out ") })
  }

  /// Unpacks an archive by way of a store; an error has these words.
  private func expect(_ zip: RawZip, _ words: String?) async throws {
    let folder = try TemporaryFolder()
    try folder.write("packs/x.zip", zip.bytes)
    try folder.write("index.json", zip.index)
    let site = try StoreSite(folder.path)
    let store = try await site.updated()
    do {
      try await store.request(for: ["T"]).beginAccessing()
      #expect(words == nil)
    } catch {
      guard case .damaged(_, let reason) = error else { throw error }
      #expect(words != nil && (words == "" || reason.contains(words ?? "")), "\(reason)")
    }
    await store.close()
    let left = try FileManager.default.subpathsOfDirectory(atPath: site.url.path)
    #expect(words == nil || !left.contains { $0.hasPrefix("packs/") || $0.hasPrefix("staging/") }, "\(left)")
  }
}

/// A zip that says what a test wants it to say, with an index that has it.
private struct RawZip {
  struct Entry {
    let path: String
    let data: Data
    let size: Int
    let isDeflated: Bool
    let mode: UInt32
    let localName: String

    init(
      _ path: String, _ text: String, size: Int? = nil, isDeflated: Bool = false, mode: UInt32 = 0o100644,
      localName: String? = nil
    ) {
      (self.path, data, self.isDeflated, self.mode) = (path, Data(text.utf8), isDeflated, mode)
      self.size = size ?? data.count
      self.localName = localName ?? path
    }

    var packed: Data {
      get throws { isDeflated ? try (data as NSData).deflated : data }
    }
  }

  let bytes: Data
  let index: Data
  let pack: Catalog.Pack

  init(_ entries: [Entry], fileCount: Int? = nil, size: Int? = nil, digest: String? = nil, cut: Int? = nil) {
    var (body, directory) = (Data(), Data())
    for entry in entries {
      let packed = (try? entry.packed) ?? Data()
      let method: UInt16 = entry.isDeflated ? 8 : 0
      let place = UInt32(body.count)
      body.add(0x0403_4b50 as UInt32, 20 as UInt16, 0x800 as UInt16, method, 0 as UInt32, 0 as UInt32)
      body.add(UInt32(packed.count), UInt32(entry.size), UInt16(entry.localName.utf8.count), 0 as UInt16)
      body += Data(entry.localName.utf8) + packed
      directory.add(
        0x0201_4b50 as UInt32, 0x314 as UInt16, 20 as UInt16, 0x800 as UInt16, method, 0 as UInt32)
      directory.add(0 as UInt32, UInt32(packed.count), UInt32(entry.size), UInt16(entry.path.utf8.count))
      directory.add(0 as UInt32, 0 as UInt32, entry.mode << 16, place)
      directory += Data(entry.path.utf8)
    }
    var all = body + directory
    all.add(0x0605_4b50 as UInt32, 0 as UInt32, UInt16(entries.count), UInt16(entries.count))
    all.add(UInt32(directory.count), UInt32(body.count), 0 as UInt16)
    bytes = all.prefix(cut ?? all.count)
    let lines = entries.map { "\(SHA256Digest.hex(of: $0.data)) \($0.data.count) \($0.path)\n" }.joined()
    let digest = digest ?? SHA256Digest.hex(of: Data(lines.utf8))
    let archive = SHA256Digest.hex(of: bytes)
    let size = size ?? entries.reduce(0) { $0 + $1.size }
    let count = fileCount ?? entries.count
    index = Data(
      """
      {"formatVersion": 1, "packs": [{"id": "p", "tags": ["T"], "size": \(size), "fileCount": \(count),
      "digest": "sha256:\(digest)",
      "archive": {"path": "packs/x.zip", "size": \(bytes.count), "digest": "sha256:\(archive)"}}]}
      """.utf8)
    pack = Catalog.Pack(
      id: "p", tags: ["T"], size: Int64(size), fileCount: Int64(count),
      digest: PublishedDigest(rawValue: "sha256:\(digest)")!,
      archive: PublishedFile(
        path: "packs/x.zip", size: Int64(bytes.count), digest: PublishedDigest(rawValue: "sha256:\(archive)")!
      ))
  }
}

extension Data {
  fileprivate mutating func add(_ numbers: any FixedWidthInteger...) {
    for number in numbers { addOne(number) }
  }

  private mutating func addOne(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

extension NSData {
  /// Raw deflate, by Python's zlib.
  fileprivate var deflated: Data {
    get throws {
      let folder = try TemporaryFolder()
      try folder.write("in", self as Data)
      let script = """
        import zlib; c = zlib.compressobj(9, zlib.DEFLATED, -15)
        open("out", "wb").write(c.compress(open("in", "rb").read()) + c.flush())
        """
      _ = try run("python3", ["-c", script], in: folder.path)
      return try folder.read("out")
    }
  }
}
