package import Archiving
import PackKit
package import System

/// The files and packs of a build, recorded in `.packtool/record` for the next one: little-endian numbers, texts after
/// their length, and a CRC-32 at the end.
///
/// First the files of each pack, then the packs, whose archives have their final names only after the files have been
/// written. Binary, so that 200,000 files are read in milliseconds; no other program reads it.
///
/// It may change how long a build takes, never what it writes; one of another version, or damaged, is ignored.
/// Times and inodes in it are the quick way to see that nothing changed; digests decide, so a record is worth as much
/// on another machine.
enum BuildRecord {
  static let magic: UInt64 = 0x3430_6472_6b63_6170  // "packrd04"
  /// The smallest size in bytes of a recorded file.
  static let smallestFile = 77
  /// The smallest size in bytes of a recorded pack.
  static let smallestPack = 100

  /// The state before the first file.
  struct Head: Sendable {
    let key: SettingsKey
    /// When the scan began, by the file system's clock, in nanoseconds since 1970.
    let scanTime: Int64
    let packCount: Int
  }

  /// A file as it was packed.
  struct File: Sendable {
    let size: Int64
    let stamp: FileStamp
    let packed: PackedFile
    let hasContentFinding: Bool
  }

  /// A pack as it was published.
  struct Pack: Sendable {
    let published: PublishedPack
    /// The archive's stamp after its rename.
    let stamp: FileStamp
  }

  /// The list of all files, or the file that has its role in a layout.
  struct List: Sendable {
    let published: PublishedFile
    let stamp: FileStamp
  }
}

/// A file's digest, with what its entry in a zip archive is.
package struct PackedFile: Sendable {
  package let digest: Digest
  /// The entry in a zip archive; nil in other containers, and where another machine wrote the archive.
  package let entry: ArchivedEntry?
  /// The size in bytes inside a zip archive; nil in other containers, and where nobody said it.
  package let packedSize: Int64?

  init(digest: Digest, entry: ArchivedEntry? = nil, packedSize: Int64? = nil) {
    self.digest = digest
    self.entry = entry
    self.packedSize = entry?.compressedSize ?? packedSize
  }
}

extension BuildRecord.File {
  /// Whether a stamp proves that its file, which has the recorded size, is unchanged: it is the recorded one, and the
  /// last change was well before the record's scan.
  ///
  /// A change in the same clock tick as the scan would leave the stamp as it was.
  func proves(_ stamp: FileStamp, scannedAt scanTime: Int64) -> Bool {
    guard stamp == self.stamp else { return false }
    // A time of whole seconds suggests a file system that keeps no fractions.
    let grain: Int64 = stamp.changed % 1_000_000_000 == 0 ? 2_000_000_000 : 20_000_000
    // A manipulated record may have any time.
    let (latest, overflows) = scanTime.subtractingReportingOverflow(grain)
    return !overflows && max(stamp.changed, stamp.modified) < latest
  }
}
