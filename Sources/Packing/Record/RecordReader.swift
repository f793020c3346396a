import Archiving
import Findings
import PackKit
import System

/// Reads a record front to back, so that one of any size takes little memory.
///
/// Only `end` shows whether the record is whole: nothing that was read before it may be used without it.
struct RecordReader {
  private var reader: BinaryReader
  let head: BuildRecord.Head

  init(_ reader: BinaryReader) throws(BinaryReader.Damage) {
    self.reader = reader
    guard try self.reader.integer() as UInt64 == RecordFormat.magic else { throw BinaryReader.Damage() }
    var parts: [SettingsKey.Part] = []
    for _ in 0..<(try self.reader.count(ofSize: 8)) {
      parts.append(SettingsKey.Part(name: try self.reader.text(), value: try self.reader.text()))
    }
    head = BuildRecord.Head(
      key: SettingsKey(parts), scanTime: try self.reader.integer(),
      packCount: try self.reader.count(ofSize: RecordFormat.smallestPack))
  }

  /// The identifier of the next pack and the count of its files, which follow.
  mutating func beginPack() throws(BinaryReader.Damage) -> (identifier: String, fileCount: Int) {
    (try reader.text(), try reader.count(ofSize: RecordFormat.smallestFile))
  }

  /// The next file of a pack; its path inside the pack replaces the contents of `path`.
  mutating func file(path: inout ByteBuffer) throws(BinaryReader.Damage) -> BuildRecord.File {
    path.clear()
    try reader.text(into: &path)
    let size: Int64 = try reader.integer()
    let stamp = try stamp()
    let digest = try reader.digest()
    let flags: UInt8 = try reader.integer()
    return BuildRecord.File(
      size: size, stamp: stamp, packed: try packed(digest, flags), hasContentFinding: flags & 1 != 0)
  }

  private mutating func packed(_ digest: Digest, _ flags: UInt8) throws(BinaryReader.Damage) -> PackedFile {
    if flags & 4 != 0 { return PackedFile(digest: digest, packedSize: try self.size()) }
    return PackedFile(digest: digest, entry: flags & 2 != 0 ? try entry() : nil)
  }

  /// The next pack; packs follow the files of all packs, in the same order.
  mutating func pack() throws(BinaryReader.Damage) -> BuildRecord.Pack {
    let published = PublishedPack(digest: try reader.digest(), archive: try published())
    return BuildRecord.Pack(published: published, stamp: try stamp())
  }

  /// The list, which follows the packs.
  mutating func list() throws(BinaryReader.Damage) -> BuildRecord.List {
    BuildRecord.List(published: try published(), stamp: try stamp())
  }

  /// Checks that nothing follows, and that the record is as it was written.
  mutating func end() throws(BinaryReader.Damage) { try reader.end() }

  private mutating func entry() throws(BinaryReader.Damage) -> ArchivedEntry {
    guard let method = ZipEntry.Method(rawValue: try reader.integer()) else { throw BinaryReader.Damage() }
    return ArchivedEntry(
      method: method, checksum: Checksum(value: try reader.integer()), compressedSize: try size(),
      dataOffset: try size())
  }

  private mutating func published() throws(BinaryReader.Damage) -> PublishedFile {
    PublishedFile(path: try reader.text(), file: WrittenFile(size: try size(), digest: try reader.digest()))
  }

  private mutating func size() throws(BinaryReader.Damage) -> Int64 {
    let size: Int64 = try reader.integer()
    guard (0...ByteSize.largestExact).contains(size) else { throw BinaryReader.Damage() }
    return size
  }

  private mutating func stamp() throws(BinaryReader.Damage) -> FileStamp {
    FileStamp(
      modified: try reader.integer(), changed: try reader.integer(),
      identity: FileIdentity(device: try reader.integer(), inode: try reader.integer()))
  }
}

extension OutputFolder {
  /// A reader of the last build's record; nil if there is none that can be read.
  var record: RecordReader? {
    guard let file = try? InputFile(recordPath, followingLinks: false), let reader = try? BinaryReader(file)
    else {
      return nil
    }
    return try? RecordReader(reader)
  }

  /// The packs that the last build published; none without a record.
  var recordedPacks: [PublishedPack] { (try? readRecordedPacks()) ?? [] }

  private func readRecordedPacks() throws(BinaryReader.Damage) -> [PublishedPack] {
    guard var reader = record else { return [] }
    var path = ByteBuffer()
    for _ in 0..<reader.head.packCount {
      for _ in 0..<(try reader.beginPack().fileCount) { _ = try reader.file(path: &path) }
    }
    var packs: [PublishedPack] = []
    for _ in 0..<reader.head.packCount { packs.append(try reader.pack().published) }
    _ = try reader.list()
    try reader.end()
    return packs
  }
}
