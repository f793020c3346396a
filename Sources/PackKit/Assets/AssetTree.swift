import Findings
import System

/// Every file of an app's resources that has tags, and a count of those that have none.
package struct AssetTree: Sendable {
  /// The tagged files, folder by folder; in byte order of their paths but for what links to folders lead to.
  package var files = FileList()
  package var tagSets: TagSets
  /// The folders that were read, by their paths of any bytes; the root's is empty.
  package var folders: [[UInt8]] = []
  /// The files that no rule matches: they stay in the app bundle.
  package var untagged = FileCount()

  package init(files: FileList = FileList(), tagSets: TagSets) {
    self.files = files
    self.tagSets = tagSets
  }
}

/// One file with tags.
package struct AssetFile: Sendable {
  /// Bytes that one file may have; sums over millions of such files still fit 64 bits.
  package static let largest: Int64 = 1 << 40

  /// The path below the root.
  package let path: String
  /// Bytes.
  package let size: Int64
  package let stamp: FileStamp
  package let tagSet: TagSets.ID
  /// The place in its pack, where a rule gives it another than its path.
  package let destination: String?

  package init(path: String, size: Int64, stamp: FileStamp, tagSet: TagSets.ID, destination: String?) {
    self.path = path
    self.size = size
    self.stamp = stamp
    self.tagSet = tagSet
    self.destination = destination
  }

  /// The path inside the pack.
  package var packPath: String { destination ?? path }
}

/// A number of files and their bytes, of which no more are counted than an index can say.
package struct FileCount: Sendable, Hashable {
  package var files = 0
  /// Bytes.
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
