import Findings
import PackKit
import System

/// Writes the record of a build file by file, since 200,000 files make 40 MB.
struct RecordWriter: ~Copyable, Sendable {
  private var file: OutputFile
  private var buffer = ByteBuffer()
  private var checksum = Checksum()

  /// Begins a record.
  init(creating path: String, _ head: BuildRecord.Head) throws(SystemError) {
    file = try OutputFile(creating: path)
    RecordFormat.append(head, to: &buffer)
  }

  /// Begins the files of the next pack.
  mutating func beginPack(_ identifier: String, fileCount: Int) {
    RecordFormat.append(pack: identifier, fileCount: fileCount, to: &buffer)
  }

  /// Adds the next file of a pack by its path inside the pack.
  mutating func add(_ file: BuildRecord.File, at path: String) throws(SystemError) {
    RecordFormat.append(file, at: path, to: &buffer)
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Completes the record with the published packs and renames it to its path.
  consuming func finish(
    _ packs: [BuildRecord.Pack], _ list: BuildRecord.List, as name: String
  ) throws(SystemError) {
    for pack in packs { RecordFormat.append(pack, to: &buffer) }
    RecordFormat.append(list, to: &buffer)
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

  init(_ writer: consuming RecordWriter) { self.writer = Monitor(writer) }

  /// Completes the record; to be called once.
  func finish(_ packs: [BuildRecord.Pack], _ list: BuildRecord.List, as name: String) throws(SystemError) {
    try writer.change { writer throws(SystemError) in
      try writer.take()?.finish(packs, list, as: name)
    }
  }
}
