import Archiving
import Findings
import PackKit
import System

/// Writes the record of a build file by file, since 200,000 files make 40 MB.
struct RecordWriter: ~Copyable, Sendable {
  private var file: OutputFile
  private var buffer = ByteBuffer()
  private var checksum = Checksum()

  init(creating path: String, _ head: BuildRecord.Head) throws(SystemError) {
    file = try OutputFile(creating: path)
    buffer.append(little: BuildRecord.magic)
    buffer.append(little: UInt32(head.key.parts.count))
    for part in head.key.parts {
      buffer.append(counted: part.name)
      buffer.append(counted: part.value)
    }
    buffer.append(little: head.scanTime)
    buffer.append(little: UInt32(head.packCount))
  }

  mutating func beginPack(_ identifier: String, fileCount: Int) {
    buffer.append(counted: identifier)
    buffer.append(little: UInt32(fileCount))
  }

  /// Adds the next file of a pack by its path inside the pack.
  mutating func add(_ file: BuildRecord.File, at path: String) throws(SystemError) {
    buffer.append(counted: path)
    buffer.append(little: file.size)
    buffer.append(file.stamp)
    buffer.append(file.packed.digest)
    let (entry, packedSize) = (file.packed.entry, file.packed.packedSize)
    let entryFlag: UInt8 = entry != nil ? 2 : packedSize != nil ? 4 : 0
    buffer.append(little: (file.hasContentFinding ? 1 : 0) | entryFlag)
    if let entry {
      buffer.append(little: entry.method.rawValue)
      buffer.append(little: entry.checksum.value)
      buffer.append(little: entry.compressedSize)
      buffer.append(little: entry.dataOffset)
    } else if let packedSize {
      buffer.append(little: packedSize)
    }
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Completes the record with the published packs and renames it to its path.
  consuming func finish(
    _ packs: [BuildRecord.Pack], _ list: BuildRecord.List, as name: String
  ) throws(SystemError) {
    for pack in packs {
      buffer.append(pack.published.digest)
      buffer.append(pack.published.archive)
      buffer.append(pack.stamp)
    }
    buffer.append(list.published)
    buffer.append(list.stamp)
    try flush()
    buffer.append(little: checksum.value)
    try flush()
    let staged = file.path
    _ = try file.finish()
    try FileOperations.rename(staged, to: name)
  }

  private mutating func flush() throws(SystemError) {
    try buffer.withBytes { bytes throws(SystemError) in
      checksum.update(bytes)
      try file.write(bytes)
    }
    buffer.clear()
  }
}

extension ByteBuffer {
  fileprivate mutating func append(_ published: PublishedFile) {
    append(counted: published.path)
    append(little: published.file.size)
    append(published.file.digest)
  }

  fileprivate mutating func append(_ stamp: FileStamp) {
    append(little: stamp.modified)
    append(little: stamp.changed)
    append(little: stamp.identity.device)
    append(little: stamp.identity.inode)
  }
}

/// A record that has all files but not yet the published packs, to be finished once.
typealias RecordDraft = Monitor<RecordWriter?>
