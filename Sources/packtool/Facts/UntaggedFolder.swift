import Findings
import PackKit
import System

/// A folder with its own files without tags.
struct UntaggedFolder {
  /// The path below the root; "." for the root itself.
  let path: String
  /// The largest first.
  let files: [UntaggedFile]

  /// Bytes of the files.
  var size: Int64 { files.saturatingSum { $0.size } }

  /// The folders of some files, the largest first.
  static func all(of files: [UntaggedFile]) -> [UntaggedFolder] {
    Dictionary(grouping: files, by: \.folder).map { path, files in
      UntaggedFolder(path: path, files: files.sorted { ($1.size, $0.path) < ($0.size, $1.path) })
    }.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
  }

  /// Folders for people: each with its size, and its files below.
  static func text(of files: [UntaggedFile]) -> PlainText {
    all(of: files).map { folder -> PlainText in
      var table = TextTable([.right, .left])
      for file in folder.files { table.add(ByteSize.text(file.size), displayed(file.path)) }
      return
        "  \(displayed(folder.path)): \(counted(folder.files.count, "file")), \(ByteSize.text(folder.size))\n"
        + table.text(indentation: 4)
    }.joined()
  }
}

/// A priority with two decimals.
func rounded(priority: Double) -> String {
  let hundredths = Int((priority * 100).rounded())
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}
