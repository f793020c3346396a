import Findings
import System

/// All tagged files of an app's resources, and the count of untagged ones.
package struct AssetTree: Sendable {
  /// The tagged files, folder by folder; in byte order of their paths, except below links to folders.
  package var files = FileList()
  package var tagSets: TagSets
  /// The tags that templates made.
  package var madeTags: [String: MadeTag] = [:]
  /// The paths of the folders that were read, which may have any bytes; the root's is empty.
  package var folders: [[UInt8]] = []
  /// The files that no rule matches in each of these folders, without those of its subfolders.
  package var untaggedInFolders: [FileCount] = []
  /// The files that no rule matches, which stay in the app bundle.
  package var untagged = FileCount()
  /// These files, folder by folder; empty unless the scan was asked to list them.
  package var untaggedFiles: [UntaggedFile] = []
  /// Whether the files are known to be in byte order of their paths inside packs.
  package var isInPackOrder = false
  /// Whether two names of one folder may be one where neither case nor Unicode form counts; else no two paths are.
  package var mayHaveClashes = true
  /// Whether the names of some files may begin with a dot.
  package var mayHaveHiddenFiles = true
  /// The files of which a device gets only some.
  package var variants = AssetVariants()

  package init(files: FileList = FileList(), tagSets: TagSets) {
    self.files = files
    self.tagSets = tagSets
  }
}

extension AssetTree {
  /// Takes the files of an app's resources for untagged, as far as no rule matches them, in place of all others below the
  /// root.
  mutating func takeUntagged(from resources: [UntaggedFile], listed: Bool) {
    let tagged = Set(files.map { ByteKey($0.path) })
    let rest = resources.filter { !tagged.contains(ByteKey($0.path)) }
    untagged = rest.reduce(into: FileCount()) { $0.add($1.size) }
    untaggedFiles = listed ? rest : []
  }
}

/// One file with tags.
package struct AssetFile: Sendable {
  /// The largest size of a file in bytes; sums over millions of such files fit 64 bits.
  package static let largest: Int64 = 1 << 40

  /// The path, relative to the root.
  package let path: String
  /// The size in bytes; of a pointer, that of the file that it stands for.
  package let size: Int64
  package let stamp: FileStamp
  package let tagSet: TagSets.ID
  /// The path inside the pack, if a rule sets another than the path below the root.
  package let destination: String?
  /// The content that the file stands for; nil if it is no pointer, or the scan was not asked for pointers.
  package let pointer: AssetPointer?

  package init(
    path: String, size: Int64, stamp: FileStamp, tagSet: TagSets.ID, destination: String?,
    pointer: AssetPointer? = nil
  ) {
    self.pointer = pointer
    self.path = path
    self.size = size
    self.stamp = stamp
    self.tagSet = tagSet
    self.destination = destination
  }

  /// The path inside the pack.
  package var packPath: String { destination ?? path }
}

/// A number of files and their total size, at most the largest that an index can state.
package struct FileCount: Sendable, Hashable {
  package var files = 0
  /// The size in bytes.
  package var size: Int64 = 0

  package init() {}

  package mutating func add(_ size: Int64) {
    files += 1
    self.size = min(self.size.saturatingSum(with: size), ByteSize.largestExact)
  }

  static func += (sum: inout FileCount, other: FileCount) {
    sum.files += other.files
    sum.size = min(sum.size.saturatingSum(with: other.size), ByteSize.largestExact)
  }
}
