package import Archiving
import PackKit
package import System

/// The files and packs of a build, recorded in `.packtool/` for the next one.
///
/// It may change how long a build takes, never what it writes; one with another key, or damaged, is ignored.
struct BuildRecord: Sendable {
  /// The versions and settings that the bytes of packs depend on besides files.
  let key: String
  /// When the scan began, by the file system's clock, in nanoseconds since 1970.
  let scanTime: Int64
  let packs: [Pack]
  /// The files of all packs, concatenated.
  let files: [File]
  /// The list of all files, or the file that has its role in a layout.
  let contents: PublishedFile
  let contentsStamp: FileStamp

  /// A pack as it was published.
  struct Pack: Sendable {
    let identifier: String
    let published: PublishedPack
    /// The archive's stamp after its rename.
    let stamp: FileStamp
    /// The range of its files in `files`.
    let files: Range<Int>
  }

  /// A file as it was packed.
  struct File: Sendable {
    let packPath: String
    let size: Int64
    let stamp: FileStamp
    let packed: PackedFile
    /// Whether inspecting it found something.
    let hasContentFinding: Bool
  }
}

/// A file's digest, with its entry in a zip archive.
package struct PackedFile: Sendable {
  package let digest: Digest
  /// The entry in a zip archive; nil in other containers.
  package let entry: ArchivedEntry?
}

extension BuildRecord.File {
  /// Whether a file has the recorded size and stamp.
  func looksLike(_ file: AssetFile) -> Bool { size == file.size && stamp == file.stamp }

  /// Whether the stamp proves that the file is unchanged: its last change was well before the record's scan.
  ///
  /// A change in the same clock tick as the scan would leave the stamp as it was.
  func hasRested(before scanTime: Int64) -> Bool {
    // A time of whole seconds suggests a file system that keeps no fractions.
    let grain: Int64 = stamp.changed % 1_000_000_000 == 0 ? 2_000_000_000 : 20_000_000
    // A manipulated record may have any time.
    let (latest, overflows) = scanTime.subtractingReportingOverflow(grain)
    return !overflows && max(stamp.changed, stamp.modified) < latest
  }
}
