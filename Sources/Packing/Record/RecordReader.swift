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
    guard try self.reader.integer() as UInt64 == BuildRecord.magic else { throw BinaryReader.Damage() }
    var parts: [SettingsKey.Part] = []
    for _ in 0..<(try self.reader.count(ofSize: 8)) {
      parts.append(SettingsKey.Part(name: try self.reader.text(), value: try self.reader.text()))
    }
    head = BuildRecord.Head(
      key: SettingsKey(parts), scanTime: try self.reader.integer(),
      packCount: try self.reader.count(ofSize: BuildRecord.smallestPack))
  }

  /// All packs, each with what `body` makes of its files, which it has to read: first come the files of all packs.
  mutating func packs<Value>(
    _ body: (
      _ record: inout RecordReader, _ identifier: String, _ fileCount: Int
    ) throws(BinaryReader.Damage) -> Value
  ) throws(BinaryReader.Damage) -> [(value: Value, recorded: BuildRecord.Pack)] {
    var values: [Value] = []
    for _ in 0..<head.packCount {
      let identifier = try reader.text()
      let fileCount = try reader.count(ofSize: BuildRecord.smallestFile)
      values.append(try body(&self, identifier, fileCount))
    }
    var packs: [(value: Value, recorded: BuildRecord.Pack)] = []
    for value in values {
      let published = PublishedPack(digest: try reader.digest(), archive: try published())
      packs.append((value, BuildRecord.Pack(published: published, stamp: try stamp())))
    }
    return packs
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

  /// The list behind the packs, once nothing else follows and the record is as it was written.
  mutating func end() throws(BinaryReader.Damage) -> BuildRecord.List {
    let list = BuildRecord.List(published: try published(), stamp: try stamp())
    try reader.end()
    return list
  }

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
    guard let file = try? InputFile(recordPath, followingLinks: false) else { return nil }
    return try? RecordReader(BinaryReader(file))
  }

  /// The packs that the last build published; none without a whole record.
  var recordedPacks: [PublishedPack] {
    var path = ByteBuffer()
    guard var record,
      let packs = try? record.packs({ record, _, fileCount throws(BinaryReader.Damage) in
        for _ in 0..<fileCount { _ = try record.file(path: &path) }
      }),
      (try? record.end()) != nil
    else { return [] }
    return packs.map(\.recorded.published)
  }
}
