import Formats
import System

/// A number of files, and their total size.
///
/// The size never exceeds the largest size that an index can state.
package struct FileCount: Sendable, Hashable {
  package var files = 0
  /// The size in bytes.
  package var size: Int64 = 0

  package init(files: Int = 0, size: Int64 = 0) {
    self.files = files
    self.size = size
  }

  package mutating func add(_ size: Int64) {
    files += 1
    self.size = min(self.size.saturatingSum(with: size), ByteSize.largestExact)
  }

  package static func += (sum: inout FileCount, other: FileCount) {
    sum.files += other.files
    sum.size = min(sum.size.saturatingSum(with: other.size), ByteSize.largestExact)
  }
}
