import Findings
import System

/// Files and links that may stand for others.
extension ScanWorker {
  /// The bytes that an untagged file adds to the app bundle.
  func size(
    of status: FileStatus, named name: ArraySlice<UInt8>, in task: AssetScanner.Task
  ) throws(SystemError) -> Int64 {
    guard let pointers = scanner.pointers, status.size <= PointerText.longest else { return status.size }
    let path = task.path.isEmpty ? Array(name) : task.path + [UInt8(ascii: "/")] + name
    return try pointers.pointer(inFile: path, status)?.size ?? status.size
  }

  /// What to do about a dangling link that git-annex made; empty for others.
  func danglingHint(_ item: Item) -> String {
    guard let target = try? scanner.root.target(ofLink: item.path) else { return "" }
    return switch PointerText(linkTarget: target) {
    case .file: "; run \"git annex get\", or use --pointers to plan without the file"
    case .otherKey:
      "; run \"git annex get\", for its key does not state the SHA-256 and size that --pointers needs"
    case nil: ""
    }
  }
}
