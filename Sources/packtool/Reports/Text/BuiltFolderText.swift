import Findings
import PackKit
import Releases
import System

/// A short description of a built folder.
enum BuiltFolderText {
  /// `13 packs, 1,234 files, 56.7 MB`.
  static func size(of index: PublishedIndex) -> String {
    let files = index.packs.reduce(Int64(0)) { $0.saturatingSum(with: $1.fileCount) }
    let size = index.packs.reduce(Int64(0)) { $0.saturatingSum(with: $1.size) }
    return "\(counted(index.packs.count, "pack")), \(counted(files, "file")), \(ByteSize.text(size))"
  }
}
