import Archiving
import Findings
import PackKit
import System

/// Models the file `.packtool/record`: little-endian numbers, texts after their length, and a CRC-32 at the end.
///
/// First the files of each pack, then the packs, whose archives have their final names only after the files have been
/// written. Binary, so that 200,000 files are read in milliseconds; no other program reads it.
enum RecordFormat {
  static let magic: UInt64 = 0x3430_6472_6b63_6170  // "packrd04"
  /// The smallest size in bytes of a recorded file.
  static let smallestFile = 77
  /// The smallest size in bytes of a recorded pack.
  static let smallestPack = 100

  static func append(_ head: BuildRecord.Head, to buffer: inout ByteBuffer) {
    buffer.append(little: magic)
    buffer.append(little: UInt32(head.key.parts.count))
    for part in head.key.parts {
      buffer.append(counted: part.name)
      buffer.append(counted: part.value)
    }
    buffer.append(little: head.scanTime)
    buffer.append(little: UInt32(head.packCount))
  }

  static func append(pack identifier: String, fileCount: Int, to buffer: inout ByteBuffer) {
    buffer.append(counted: identifier)
    buffer.append(little: UInt32(fileCount))
  }

  static func append(_ file: BuildRecord.File, at path: String, to buffer: inout ByteBuffer) {
    buffer.append(counted: path)
    buffer.append(little: file.size)
    append(file.stamp, to: &buffer)
    buffer.append(file.packed.digest)
    let (entry, packedSize) = (file.packed.entry, file.packed.packedSize)
    let entryFlag: UInt8 = entry != nil ? 2 : packedSize != nil ? 4 : 0
    buffer.append(little: (file.hasContentFinding ? 1 : 0) | entryFlag)
    guard let entry else {
      if let packedSize { buffer.append(little: packedSize) }
      return
    }
    buffer.append(little: entry.method.rawValue)
    buffer.append(little: entry.checksum.value)
    buffer.append(little: entry.compressedSize)
    buffer.append(little: entry.dataOffset)
  }

  static func append(_ pack: BuildRecord.Pack, to buffer: inout ByteBuffer) {
    buffer.append(pack.published.digest)
    append(pack.published.archive, to: &buffer)
    append(pack.stamp, to: &buffer)
  }

  static func append(_ list: BuildRecord.List, to buffer: inout ByteBuffer) {
    append(list.published, to: &buffer)
    append(list.stamp, to: &buffer)
  }

  private static func append(_ published: PublishedFile, to buffer: inout ByteBuffer) {
    buffer.append(counted: published.path)
    buffer.append(little: published.file.size)
    buffer.append(published.file.digest)
  }

  private static func append(_ stamp: FileStamp, to buffer: inout ByteBuffer) {
    buffer.append(little: stamp.modified)
    buffer.append(little: stamp.changed)
    buffer.append(little: stamp.identity.device)
    buffer.append(little: stamp.identity.inode)
  }
}
