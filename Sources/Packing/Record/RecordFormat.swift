import Archiving
import Findings
import PackKit
import System

/// Models the file `.packtool/record`: little-endian numbers, texts after their length, and a CRC-32 at the end.
///
/// Binary, so that 200,000 files are read in milliseconds; no other program reads it.
enum RecordFormat {
  static let magic: UInt64 = 0x3230_6472_6b63_6170  // "packrd02"
  /// The smallest size in bytes of a recorded file.
  private static let smallestFile = 80

  static func record(from reader: BinaryReader) throws(BinaryReader.Damage) -> BuildRecord {
    var reader = reader
    guard try reader.integer() as UInt64 == magic else {
      throw BinaryReader.Damage()
    }
    let key = try reader.text()
    let scanTime: Int64 = try reader.integer()
    let fileCount = try reader.count(ofSize: smallestFile)
    var files: [BuildRecord.File] = []
    files.reserveCapacity(fileCount)
    for _ in 0..<fileCount { files.append(try file(&reader)) }
    var packs: [BuildRecord.Pack] = []
    for _ in 0..<(try reader.count(ofSize: smallestFile)) {
      let pack = try pack(&reader, fileCount: fileCount)
      guard files[pack.files].allSatisfy({ $0.lies(within: pack.published.archive.file.size) }) else {
        throw BinaryReader.Damage()
      }
      packs.append(pack)
    }
    let contents = try published(&reader)
    let contentsStamp = try stamp(&reader)
    try reader.end()
    return BuildRecord(
      key: key, scanTime: scanTime, packs: packs, files: files, contents: contents,
      contentsStamp: contentsStamp)
  }

  static func append(_ file: BuildRecord.File, to buffer: inout ByteBuffer) {
    buffer.append(counted: file.packPath)
    buffer.append(little: file.size)
    append(file.stamp, to: &buffer)
    buffer.append(file.packed.digest)
    let entry = file.packed.entry
    buffer.append(little: UInt8((file.hasContentFinding ? 1 : 0) | (entry == nil ? 0 : 2)))
    guard let entry else { return }
    buffer.append(little: entry.method.rawValue)
    buffer.append(little: entry.checksum.value)
    buffer.append(little: entry.compressedSize)
    buffer.append(little: entry.dataOffset)
  }

  private static func file(_ reader: inout BinaryReader) throws(BinaryReader.Damage) -> BuildRecord.File {
    let path = try reader.text()
    let size: Int64 = try reader.integer()
    let stamp = try stamp(&reader)
    let digest = try reader.digest()
    let flags: UInt8 = try reader.integer()
    var entry: ArchivedEntry?
    if flags & 2 != 0 {
      guard let method = ZipEntry.Method(rawValue: try reader.integer()) else { throw BinaryReader.Damage() }
      entry = ArchivedEntry(
        method: method, checksum: Checksum(value: try reader.integer()),
        compressedSize: try reader.integer(), dataOffset: try reader.integer())
    }
    return BuildRecord.File(
      packPath: path, size: size, stamp: stamp, packed: PackedFile(digest: digest, entry: entry),
      hasContentFinding: flags & 1 != 0)
  }

  static func append(_ pack: BuildRecord.Pack, to buffer: inout ByteBuffer) {
    buffer.append(counted: pack.identifier)
    buffer.append(pack.published.digest)
    append(pack.published.archive, to: &buffer)
    append(pack.stamp, to: &buffer)
    buffer.append(little: UInt32(pack.files.lowerBound))
    buffer.append(little: UInt32(pack.files.upperBound))
  }

  private static func pack(
    _ reader: inout BinaryReader, fileCount: Int
  ) throws(BinaryReader.Damage) -> BuildRecord.Pack {
    let identifier = try reader.text()
    let published = PublishedPack(digest: try reader.digest(), archive: try published(&reader))
    let stamp = try stamp(&reader)
    let start = Int(try reader.integer() as UInt32)
    let end = Int(try reader.integer() as UInt32)
    guard start <= end && end <= fileCount else { throw BinaryReader.Damage() }
    return BuildRecord.Pack(identifier: identifier, published: published, stamp: stamp, files: start..<end)
  }

  static func append(_ published: PublishedFile, to buffer: inout ByteBuffer) {
    buffer.append(counted: published.path)
    buffer.append(little: published.file.size)
    buffer.append(published.file.digest)
  }

  private static func published(_ reader: inout BinaryReader) throws(BinaryReader.Damage) -> PublishedFile {
    let file = PublishedFile(
      path: try reader.text(), file: WrittenFile(size: try reader.integer(), digest: try reader.digest()))
    guard (0...ByteSize.largestExact).contains(file.file.size) else { throw BinaryReader.Damage() }
    return file
  }

  static func append(_ stamp: FileStamp, to buffer: inout ByteBuffer) {
    buffer.append(little: stamp.modified)
    buffer.append(little: stamp.changed)
    buffer.append(little: stamp.identity.device)
    buffer.append(little: stamp.identity.inode)
  }

  private static func stamp(_ reader: inout BinaryReader) throws(BinaryReader.Damage) -> FileStamp {
    FileStamp(
      modified: try reader.integer(), changed: try reader.integer(),
      identity: FileIdentity(device: try reader.integer(), inode: try reader.integer()))
  }
}

extension BuildRecord.File {
  /// Whether an archive of this size can contain the file's entry, which is copied without being inspected.
  fileprivate func lies(within size: Int64) -> Bool {
    guard let entry = packed.entry else { return true }
    return entry.dataOffset >= 0 && entry.compressedSize >= 0 && entry.dataOffset <= size
      && entry.compressedSize <= size - entry.dataOffset
  }
}
