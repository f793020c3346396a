@testable import Archiving
@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests that a build cache is read exactly as it was written.
@Suite struct BuildRecordTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let key = SettingsKey([
    SettingsKey.Part(name: "packtool", value: "1"), SettingsKey.Part(name: "ä", value: ""),
  ])

  private static func stamp(_ number: Int64) -> FileStamp {
    FileStamp(
      modified: number, changed: -number,
      identity: FileIdentity(device: UInt64(number) + 1, inode: .max - UInt64(number)))
  }

  private static func digest(_ number: Int) -> Digest { sha256(Array("\(number)".utf8)) }

  /// A file of each kind: without a size in the pack, with one, and with an entry in a zip.
  private static func file(_ number: Int, size: Int64? = nil, entry: ArchivedEntry? = nil) -> BuildRecord.File
  {
    BuildRecord.File(
      size: Int64(number) << 33, stamp: stamp(Int64(number)),
      packed: PackedFile(digest: digest(number), entry: entry, packedSize: size),
      hasContentFinding: number % 2 == 1)
  }

  private static func entry(_ method: ZipEntry.Method, _ size: Int64, at offset: Int64) -> ArchivedEntry {
    ArchivedEntry(
      method: method, checksum: Checksum(of: [1, 2, 3]), compressedSize: size, dataOffset: offset)
  }

  private static func published(_ number: Int, size: Int64 = 5) -> PublishedFile {
    PublishedFile(path: "packs/\(number)", file: WrittenFile(size: size, digest: digest(number + 50)))
  }

  private static func pack(_ number: Int, size: Int64 = 5) -> BuildRecord.Pack {
    BuildRecord.Pack(
      published: PublishedPack(digest: digest(number + 70), archive: published(number, size: size)),
      stamp: stamp(Int64(number) + 100))
  }

  private static let files = [
    ("a/1", file(1)), ("a/é", file(2, size: 7)), ("", file(3, size: 0)),
    ("b", file(4, entry: entry(.stored, 0, at: 0))),
    ("c", file(5, entry: entry(.deflated, ByteSize.largestExact, at: ByteSize.largestExact))),
    ("d", file(6, size: ByteSize.largestExact)),
  ]

  private static let list = BuildRecord.List(published: published(9), stamp: stamp(200))

  /// Writes a cache with a pack of all files, and a pack without files.
  private func write(
    _ files: [(path: String, file: BuildRecord.File)] = Self.files,
    packs: [BuildRecord.Pack] = [Self.pack(0), Self.pack(1)], list: BuildRecord.List = Self.list
  ) throws -> [UInt8] {
    try FileOperations.remove(folder.path("staged"))
    var writer = try RecordWriter(
      creating: folder.path("staged"), head: BuildRecord.Head(key: Self.key, scanTime: -3, packCount: 2))
    writer.beginPack("one", fileCount: files.count)
    for (path, file) in files { try writer.add(file, at: path) }
    writer.beginPack("zwei ü", fileCount: 0)
    try writer.finish(withPacks: packs, list: list, at: folder.path("record"))
    #expect(try !FileOperations.exists(folder.path("staged")))
    return try folder.bytes(of: "record")
  }

  private func text(_ file: PublishedFile, _ stamp: FileStamp) -> String {
    "\(file.path) \(file.file.size) \(file.file.digest.hex) \(stamp)"
  }

  private func text(_ file: BuildRecord.File) -> String {
    let entry = file.packed.entry.map { "\($0)" } ?? "-"
    let size = file.packed.packedSize.map { "\($0)" } ?? "-"
    return "\(file.size) \(file.stamp) \(file.packed.digest.hex) \(entry) \(size) \(file.hasContentFinding)"
  }

  private func text(_ packs: [BuildRecord.Pack], _ list: BuildRecord.List) -> [String] {
    packs.map { "\($0.published.digest.hex) \(text($0.published.archive, $0.stamp))" }
      + [text(list.published, list.stamp)]
  }

  /// Returns everything in a cache as text.
  private func read(_ bytes: [UInt8]) throws -> [String] {
    var record = try RecordReader(BinaryReader(bytes))
    var found = ["\(record.head.key) \(record.head.scanTime) \(record.head.packCount)"]
    var path = ByteBuffer()
    let packs = try record.packs { record, identifier, count throws(BinaryReader.Damage) -> String in
      found.append("\(identifier) \(count)")
      for _ in 0..<count {
        let file = try record.file(path: &path)
        found.append("\(String(decoding: path.array(), as: UTF8.self)): \(text(file))")
      }
      return identifier
    }
    #expect(packs.map(\.value) == ["one", "zwei ü"])
    return found + text(packs.map(\.recorded), try record.end())
  }

  @Test func `what was written is read`() throws {
    let expected =
      ["\(Self.key) -3 2", "one 6"] + Self.files.map { "\($0.0): \(text($0.1))" } + ["zwei ü 0"]
      + text([Self.pack(0), Self.pack(1)], Self.list)
    let bytes = try write()
    #expect(try read(bytes) == expected)
    #expect(String(decoding: bytes.prefix(8), as: UTF8.self) == "packrd04")
    #expect(expected[2].hasSuffix("- - true") && expected[3].hasSuffix("- 7 false"))
  }

  @Test func `a cache of several blocks is whole`() throws {
    let files = (0..<1500).map { ("path/\($0)", Self.file($0, entry: Self.entry(.deflated, 3, at: 4))) }
    let bytes = try write(files)
    #expect(bytes.count > 2 << 16)
    #expect(try read(bytes).dropFirst(2).prefix(1500) == files.map { "\($0.0): \(text($0.1))" }[...])
  }

  @Test func `each missing byte is damage`() throws {
    let bytes = try write()
    for count in 0..<bytes.count {
      #expect(throws: BinaryReader.Damage.self) { try read(Array(bytes.prefix(count))) }
    }
    #expect(throws: BinaryReader.Damage.self) { try read(bytes + [0]) }
    for place in [0, 7, 9, bytes.count / 2, bytes.count - 1] {
      var changed = bytes
      changed[place] ^= 0x40
      #expect(throws: BinaryReader.Damage.self, "\(place)") { try read(changed) }
    }
  }

  @Test func `sizes have limits`() throws {
    for size in [-1, ByteSize.largestExact + 1] {
      for file in [
        Self.file(0, size: size), Self.file(0, entry: Self.entry(.stored, size, at: 0)),
        Self.file(0, entry: Self.entry(.stored, 0, at: size)),
      ] {
        let bytes = try write([("a", file)])
        #expect(throws: BinaryReader.Damage.self) { try read(bytes) }
      }
      let pack = try write(packs: [Self.pack(0, size: size), Self.pack(1)])
      #expect(throws: BinaryReader.Damage.self) { try read(pack) }
      let list = BuildRecord.List(published: Self.published(9, size: size), stamp: Self.stamp(1))
      let bytes = try write(list: list)
      #expect(throws: BinaryReader.Damage.self) { try read(bytes) }
    }
  }

  @Test func `the version is the first setting`() {
    let head = BuildRecord.Head(key: Self.key, scanTime: 0, packCount: 0)
    let newer = SettingsKey([SettingsKey.Part(name: "packtool", value: "2")] + Self.key.parts.dropFirst())
    let other = SettingsKey([Self.key.parts[0]])
    #expect(head.isWritten(byVersionOf: Self.key) && head.isWritten(byVersionOf: other))
    #expect(!head.isWritten(byVersionOf: newer))
  }

  @Test func `the cache of a folder is complete or is not used`() throws {
    let output = OutputFolder(folder.path)
    #expect(output.record == nil && output.recordedPacks.isEmpty)
    let bytes = try write()
    try folder.write(".packtool/record", Data(bytes))
    #expect(output.recordedPacks.map(\.archive.path) == ["packs/0", "packs/1"])
    try folder.write(".packtool/record", Data(bytes.dropLast()))
    #expect(output.recordedPacks.isEmpty)
    try FileOperations.rename(folder.path("record"), to: folder.path("moved"))
    try FileOperations.remove(folder.path(".packtool/record"))
    try folder.link(".packtool/record", to: folder.path("moved"))
    #expect(output.record == nil)
  }

  @Test func `settings that differ are in the order of the new ones`() {
    func key(_ parts: [(String, String)]) -> SettingsKey {
      SettingsKey(parts.map { SettingsKey.Part(name: $0.0, value: $0.1) })
    }
    let old = key([("a", "1"), ("b", "2"), ("gone", "3"), ("c", "4")])
    let new = key([("new", "5"), ("c", "6"), ("b", "2"), ("a", "7")])
    let changes = new.changes(since: old)
    #expect(changes.map(\.name) == ["new", "c", "a", "gone"])
    #expect(changes.map(\.old) == [nil, "4", "1", "3"] && changes.map(\.new) == ["5", "6", "7", nil])
    #expect(new.changes(since: new).isEmpty)
    for change in changes {
      for value in [change.old, change.new].compactMap(\.self) {
        #expect(change.words.contains("\"\(value)\"") && change.comparison.contains("\"\(value)\""))
      }
    }
  }
}

/// Tests the record of patches.
@Suite struct PatchRecordTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let olds = ["one", "two", "three"].map { sha256(Array($0.utf8)) }

  /// Returns a pair, and the file of its patch, which exists.
  private func patch(of pack: String, from old: Digest, _ text: String) throws -> PublishedFile {
    let bytes = Array(text.utf8)
    let path = PublishedNames.patchPath(ofPack: pack, fromIndex: old, patchDigest: sha256(bytes))
    try folder.write(path, text)
    return PublishedFile(path: path, file: WrittenFile(size: Int64(bytes.count), digest: sha256(bytes)))
  }

  private func pair(_ pack: String, _ old: Digest) -> PatchRecord.Pair {
    PatchRecord.Pair(from: old, pack: pack, contents: sha256(Array(pack.utf8)))
  }

  @Test func `patches are written in the order of releases and packs, and are read again`() throws {
    let output = OutputFolder(folder.path)
    try FileOperations.makeFolder(output.recordFolder)
    let (first, second) = (
      "com.example.A-\(Self.olds[0].hex.prefix(32))", "com.example.B-\(Self.olds[1].hex.prefix(32))"
    )
    var record = PatchRecord("maker")
    var pairs: [PatchRecord.Pair: PublishedFile?] = [:]
    for old in Self.olds {
      for pack in [second, first] {
        let file = try patch(of: pack, from: old, "patch of \(pack) from \(old.hex)")
        record.add(pair(pack, old), patch: file)
        pairs[pair(pack, old)] = .some(file)
      }
    }
    record.add(pair("useless", Self.olds[0]), patch: nil)
    try record.write(to: output)
    let text = try folder.read(".packtool/patches")
    let json = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    #expect(json["maker"] as? String == "maker")
    let entries = try #require(json["patches"] as? [[String: Any]])
    let sorted = Self.olds.sorted { $0.hex < $1.hex }
    let expected = sorted.flatMap { old in
      [first, second].map { [old.prefixed, $0] } + (old == Self.olds[0] ? [[old.prefixed, "useless"]] : [])
    }
    #expect(entries.map { [$0["from"] as? String ?? "", $0["pack"] as? String ?? ""] } == expected)
    let read = try PatchRecord(in: output, maker: "maker")
    #expect(Set(read.patches.keys) == Set(pairs.keys).union([pair("useless", Self.olds[0])]))
    for (pair, file) in pairs {
      #expect(try #require(read.patches[pair]) == file)
    }
    #expect(try #require(read.patches[pair("useless", Self.olds[0])]) == nil)
    #expect(try PatchRecord(in: output, maker: "other").patches.isEmpty)
    // A patch that is gone or damaged is made again.
    let gone = try #require(pairs[pair(first, Self.olds[1])] ?? nil)
    try FileOperations.removeFile(folder.path(gone.path))
    let damaged = try #require(pairs[pair(second, Self.olds[2])] ?? nil)
    try folder.write(damaged.path, "x")
    let rest = try PatchRecord(in: output, maker: "maker").patches
    #expect(
      Set(rest.keys)
        == Set(read.patches.keys).subtracting([pair(first, Self.olds[1]), pair(second, Self.olds[2])]))
  }

  /// Only the name that packtool gives to a patch is accepted, because another path could lead anywhere.
  @Test func `entries that contradict themselves are not used`() throws {
    let output = OutputFolder(folder.path)
    let pack = "com.example.A-\(Self.olds[0].hex.prefix(32))"
    let file = try patch(of: pack, from: Self.olds[0], "patch")
    try folder.write("elsewhere", "patch")
    func entry(_ change: (inout [String: Any]) -> Void) throws -> Int {
      var members: [String: Any] = [
        "from": Self.olds[0].prefixed, "pack": pack, "contents": Self.olds[1].prefixed, "path": file.path,
        "size": 5, "digest": file.file.digest.prefixed,
      ]
      change(&members)
      let json: [String: Any] = ["maker": "m", "patches": [members]]
      try folder.write(".packtool/patches", try JSONSerialization.data(withJSONObject: json))
      return try PatchRecord(in: output, maker: "m").patches.count
    }
    #expect(try entry { _ in } == 1)
    #expect(try entry { $0["path"] = "elsewhere" } == 0 && entry { $0["size"] = 6 } == 0)
    #expect(try entry { $0["size"] = nil } == 0 && entry { $0["digest"] = nil } == 0)
    #expect(try entry { $0["from"] = "x" } == 0 && entry { $0["pack"] = 1 } == 0)
    #expect(try entry { $0["contents"] = nil } == 0 && entry { $0["path"] = nil } == 1)
    #expect(try entry { $0["from"] = Self.olds[2].prefixed } == 0)
    try folder.write(".packtool/patches", "{")
    #expect(try PatchRecord(in: output, maker: "m").patches.isEmpty)
  }
}
