import Findings
import PackKit
import System

/// Writes the record of a build file by file, since 200,000 files make 40 MB.
struct RecordWriter: ~Copyable, Sendable {
  private var file: OutputFile
  private var buffer = ByteBuffer()
  private var checksum = Checksum()

  /// Begins the record of a build of `fileCount` files.
  init(creating path: String, key: String, scanTime: Int64, fileCount: Int) throws(SystemError) {
    file = try OutputFile(creating: path)
    buffer.append(little: RecordFormat.magic)
    buffer.append(counted: key)
    buffer.append(little: scanTime)
    buffer.append(little: UInt32(fileCount))
  }

  /// Adds the next file of all packs' files.
  mutating func add(_ file: BuildRecord.File) throws(SystemError) {
    RecordFormat.append(file, to: &buffer)
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Completes the record with the published packs and renames it to its path.
  consuming func finish(
    _ packs: [BuildRecord.Pack], contents: PublishedFile, stamp: FileStamp, as name: String
  ) throws(SystemError) {
    buffer.append(little: UInt32(packs.count))
    for pack in packs { RecordFormat.append(pack, to: &buffer) }
    RecordFormat.append(contents, to: &buffer)
    RecordFormat.append(stamp, to: &buffer)
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

/// A record that has all files but not yet the published packs.
final class RecordDraft: Sendable {
  private let writer: Monitor<RecordWriter?>

  init(_ writer: consuming RecordWriter) {
    self.writer = Monitor(writer)
  }

  /// Completes the record; to be called once.
  func finish(
    _ packs: [BuildRecord.Pack], contents: PublishedFile, stamp: FileStamp, as name: String
  ) throws(SystemError) {
    try writer.change { writer throws(SystemError) in
      try writer.take()?.finish(packs, contents: contents, stamp: stamp, as: name)
    }
  }
}
