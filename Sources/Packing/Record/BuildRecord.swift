package import Archiving
import PackKit
package import System

/// What a build leaves in `.packtool/` for the next: what its result was made from.
///
/// It may change how long a build takes, never what it writes: with another key, or damaged, it is passed over.
struct BuildRecord: Sendable {
  /// All that the bytes of packs depend on besides files: versions and settings.
  let key: String
  /// When the build began to look at files, as the file system tells time, in nanoseconds since 1970.
  let scanTime: Int64
  let packs: [Pack]
  /// The files of all packs, back to back.
  let files: [File]
  /// The list of all files, or what stands for it in a layout.
  let contents: PublishedFile
  let contentsStamp: FileStamp

  /// A pack as it was published.
  struct Pack: Sendable {
    let identifier: String
    let published: PublishedPack
    /// The archive's stamp once it had its name.
    let stamp: FileStamp
    /// Its files among all.
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

/// What packing a file showed of it.
package struct PackedFile: Sendable {
  package let digest: Digest
  /// Where a zip archive has it; nil in other containers.
  package let entry: ArchivedEntry?
}

extension BuildRecord.File {
  /// Whether a file has the size and times that this one had.
  func looksLike(_ file: AssetFile) -> Bool { size == file.size && stamp == file.stamp }

  /// Whether nothing can have changed in the file without its stamp: it had rested when the record's build began.
  ///
  /// A change in the same tick of the clock as the build's look at the file would leave the stamp as it was.
  func hasRested(before scanTime: Int64) -> Bool {
    // File systems that keep whole seconds are told by their times.
    let grain: Int64 = stamp.changed % 1_000_000_000 == 0 ? 2_000_000_000 : 20_000_000
    // A record that was tampered with may name any time.
    let (latest, overflows) = scanTime.subtractingReportingOverflow(grain)
    return !overflows && max(stamp.changed, stamp.modified) < latest
  }
}
