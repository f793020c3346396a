import Archiving
import Formats
import Model
import Pipeline
import System

/// The files and packs of a build in the build cache `.packtool/record`, for the next build.
///
/// The format is binary, because then 200,000 files can be read in milliseconds. No other program reads it.
/// Numbers are little-endian, the length of each string comes before the string, and a CRC-32 is at the end.
/// The files of each pack come first, then the packs, because archives get their final names only after the
/// files have been written.
///
/// The cache can change how long a build takes, but never its output. A cache that is damaged, or that
/// another version wrote, is ignored. Times and inodes quickly show that a file has not changed. If they
/// differ, packtool compares digests, so the cache is also useful on another machine.
enum BuildRecord {
  static let magic: UInt64 = 0x3430_6472_6b63_6170  // "packrd04"
  /// The size in bytes of the smallest possible entry for a file in the cache.
  static let minFileSize = 77
  /// The size in bytes of the smallest possible entry for a pack in the cache.
  static let minPackSize = 100

  /// The data before the first file.
  struct Head: Sendable {
    let key: SettingsKey
    /// The time at which the scan began, from the clock of the file system, in nanoseconds since 1970.
    let scanTime: Int64
    let packCount: Int

    /// Whether the cache was written by the version of packtool that has these settings.
    ///
    /// This matters because another version of packtool can report other findings about the same files. The
    /// first setting is the version, and `magic` identifies the format.
    func isWritten(byVersionOf settings: SettingsKey) -> Bool { key.parts.first == settings.parts.first }
  }

  /// A packed file, with its properties at the time of packing.
  struct File: Sendable {
    let size: Int64
    let stamp: FileStamp
    let packed: PackedFile
    let hasContentFinding: Bool
  }

  /// A pack, with its properties at the time of publishing.
  struct Pack: Sendable {
    let published: PublishedPack
    /// The archive's stamp after the archive was renamed.
    let stamp: FileStamp
  }

  /// The published list of all files, or the file that the layout publishes instead.
  struct List: Sendable {
    let published: PublishedFile
    let stamp: FileStamp
  }
}

extension BuildRecord.File {
  /// Whether a stamp proves that a file of the same size is unchanged since it was packed.
  ///
  /// The stamp must be equal to the cached stamp, and the last change must have been well before the scan.
  /// Otherwise the file could have changed again in the same clock tick, without a change of its stamp.
  func isProvenUnchanged(by stamp: FileStamp, scannedAt scanTime: Int64) -> Bool {
    guard stamp == self.stamp else { return false }
    // If a time has no fraction of a second, the file system probably stores times in whole seconds.
    let clockTick: Int64 = stamp.changed % 1_000_000_000 == 0 ? 2_000_000_000 : 20_000_000
    // A manipulated cache can contain any time, so the subtraction can overflow.
    let (latest, overflows) = scanTime.subtractingReportingOverflow(clockTick)
    return !overflows && max(stamp.changed, stamp.modified) < latest
  }
}

/// Reads a build cache from front to back, so even a large cache needs little memory.
///
/// Only `end` shows whether the cache is complete. Data that was read must not be used before `end` succeeds.
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
      packCount: try self.reader.count(ofSize: BuildRecord.minPackSize))
  }

  /// Returns all packs, each with the result of `body`.
  ///
  /// `body` must read the files of one pack, because the files of all packs come before the packs in the
  /// cache.
  mutating func packs<Value>(
    _ body: (
      _ record: inout RecordReader, _ identifier: String, _ fileCount: Int
    ) throws(BinaryReader.Damage) -> Value
  ) throws(BinaryReader.Damage) -> [(value: Value, recorded: BuildRecord.Pack)] {
    var values: [Value] = []
    for _ in 0..<head.packCount {
      let identifier = try reader.text()
      let fileCount = try reader.count(ofSize: BuildRecord.minFileSize)
      values.append(try body(&self, identifier, fileCount))
    }
    var packs: [(value: Value, recorded: BuildRecord.Pack)] = []
    for value in values {
      let published = PublishedPack(digest: try reader.digest(), archive: try published())
      packs.append((value, BuildRecord.Pack(published: published, stamp: try stamp())))
    }
    return packs
  }

  /// Reads the next file of a pack; its path inside the pack replaces the contents of `path`.
  mutating func file(path: inout ByteBuffer) throws(BinaryReader.Damage) -> BuildRecord.File {
    path.clear()
    try reader.text(into: &path)
    let fixed = try reader.value(ofSize: FixedPart.size) { FixedPart($0) }
    return BuildRecord.File(
      size: fixed.size, stamp: fixed.stamp, packed: try packed(fixed.digest, flags: fixed.flags),
      hasContentFinding: fixed.flags & 1 != 0)
  }

  /// The data that follow the path of every file.
  private struct FixedPart {
    static let size = 73

    let size: Int64
    let stamp: FileStamp
    let digest: Digest
    let flags: UInt8

    /// Decodes `size` bytes.
    init(_ bytes: RawSpan) {
      size = bytes.little(at: 0)
      stamp = FileStamp(
        modified: bytes.little(at: 8), changed: bytes.little(at: 16),
        identity: FileIdentity(device: bytes.little(at: 24), inode: bytes.little(at: 32)))
      digest = Digest(in: bytes, at: 40)
      flags = bytes.little(at: 72)
    }
  }

  private mutating func packed(_ digest: Digest, flags: UInt8) throws(BinaryReader.Damage) -> PackedFile {
    if flags & 4 != 0 { return PackedFile(digest: digest, packedSize: try self.size()) }
    return PackedFile(digest: digest, entry: flags & 2 != 0 ? try entry() : nil)
  }

  /// Reads the list after the packs, and checks that the cache ends there and is undamaged.
  mutating func end() throws(BinaryReader.Damage) -> BuildRecord.List {
    let list = BuildRecord.List(published: try published(), stamp: try stamp())
    try reader.end()
    return list
  }

  private mutating func entry() throws(BinaryReader.Damage) -> ArchivedEntry {
    try reader.value(ofSize: 22) { bytes throws(BinaryReader.Damage) in
      guard let method = ZipEntry.Method(rawValue: bytes.little(at: 0)) else { throw BinaryReader.Damage() }
      return ArchivedEntry(
        method: method, checksum: Checksum(value: bytes.little(at: 2)),
        compressedSize: try Self.valid(size: bytes.little(at: 6)),
        dataOffset: try Self.valid(size: bytes.little(at: 14)))
    }
  }

  private mutating func published() throws(BinaryReader.Damage) -> PublishedFile {
    PublishedFile(path: try reader.text(), file: WrittenFile(size: try size(), digest: try reader.digest()))
  }

  private mutating func size() throws(BinaryReader.Damage) -> Int64 {
    try Self.valid(size: try reader.integer())
  }

  private static func valid(size: Int64) throws(BinaryReader.Damage) -> Int64 {
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
  /// A reader for the build cache of the previous build; nil if the cache is missing or cannot be read.
  var record: RecordReader? {
    guard let file = try? InputFile(outputPath: recordPath, symlinks: .notFollowed) else { return nil }
    return try? RecordReader(BinaryReader(file))
  }

  /// The packs that the previous build published; empty if there is no complete cache.
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

/// Writes the build cache one file at a time, because the entries of 200,000 files would need 40 MB of
/// memory.
struct RecordWriter: ~Copyable, Sendable {
  private var file: OutputFile
  private var buffer = ByteBuffer()
  private var checksum = Checksum()

  init(creating path: String, head: BuildRecord.Head) throws(SystemError) {
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

  /// Adds the next file of a pack; `path` is the path inside the pack.
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

  /// Completes the cache with the published packs and renames it to its final path.
  consuming func finish(
    withPacks packs: [BuildRecord.Pack], list: BuildRecord.List, at path: String
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
    try FileOperations.rename(staged, to: path)
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

/// An unfinished cache, which contains all files but not yet the published packs.
///
/// `finish` must be called exactly once.
typealias RecordDraft = Monitor<RecordWriter?>
