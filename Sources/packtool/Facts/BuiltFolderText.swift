import Findings
import PackKit
import Published
import System

/// A short description of a built folder.
enum BuiltFolderText {
  /// `13 packs, 1,234 files, 56.7 MB`.
  static func size(of index: PublishedIndex) -> String {
    let total = index.total
    return
      "\(counted(index.packs.count, "pack")), \(counted(total.files, "file")), \(ByteSize.text(total.size))"
  }
}

extension PublishedIndex {
  /// The number and the bytes of all packs' files, as the index says.
  var total: (files: Int64, size: Int64) {
    (packs.saturatingSum { $0.fileCount }, packs.saturatingSum { $0.size })
  }
}
