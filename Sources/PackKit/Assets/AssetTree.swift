package import Archiving

/// Every file of an app's resources that has tags, and a count of those that have none.
package struct AssetTree: Sendable {
  /// The folder that all paths are relative to.
  package let root: Folder
  /// The tagged files, folder by folder; in byte order of their paths but for what links to folders lead to.
  package internal(set) var files = FileList()
  package internal(set) var tagSets: TagSets
  /// The folders that were read, by their paths of any bytes; the root's is empty.
  package internal(set) var folders: [[UInt8]] = []
  /// The files that no rule matches: they stay in the app bundle.
  package internal(set) var untagged = FileCount()
}

extension AssetTree {
  /// Opens a file that was scanned; one in whose place another stands by now is as good as gone.
  func open(_ file: AssetFile) throws(SystemError) -> InputFile {
    let input = try root.openFile(Array(file.path.utf8))
    if try input.status().identity != file.stamp.identity {
      throw SystemError("open", input.path, code: SystemError.missing)
    }
    return input
  }
}

/// One file with tags.
package struct AssetFile: Sendable {
  /// Bytes that one file may have; sums over millions of such files still fit 64 bits.
  static let largest: Int64 = 1 << 40

  /// The path below the root.
  package let path: String
  /// Bytes.
  package let size: Int64
  package let stamp: FileStamp
  package let tagSet: TagSets.ID
  /// The place in its pack, where a rule gives it another than its path.
  package let destination: String?

  /// The path inside the pack.
  package var packPath: String { destination ?? path }
}

/// A number of files and their bytes.
package struct FileCount: Sendable, Hashable {
  package var files = 0
  /// Bytes.
  package var size: Int64 = 0

  package init() {}

  mutating func add(_ size: Int64) {
    files += 1
    self.size = self.size.saturatingSum(with: size)
  }

  static func += (sum: inout FileCount, other: FileCount) {
    sum.files += other.files
    sum.size = sum.size.saturatingSum(with: other.size)
  }
}

extension Sequence<Int64> {
  /// The sum of numbers from 0 up; nil where it is more than can be counted.
  var exactSum: Int64? {
    var sum: Int64 = 0
    for number in self {
      let (next, overflows) = sum.addingReportingOverflow(number)
      if overflows { return nil }
      sum = next
    }
    return sum
  }
}

extension Int64 {
  /// The sum, or the largest number where it would be larger: files and indexes may claim any size.
  package func saturatingSum(with other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
