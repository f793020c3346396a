import Formats
import Model
import System

/// Files and folders below the root that no rule takes.
struct ForgottenNames {
  let tree: AssetTree
  let root: Folder
  let excludes: RuleMatcher

  /// Returns the paths of the files or folders of some kinds in the folder of a path, in byte order.
  func nextTo(_ path: RelativePath, isKind: (FileStatus.Kind) -> Bool) -> [String] {
    let folder = path.components.count == 1 ? "" : folderPath(of: path.text)
    guard let names = try? root.listing(of: Array(folder.utf8)).texts else { return [] }
    let front = folder.isEmpty ? "" : folder + "/"
    let taken = Set(
      tree.files.lazy.filter { $0.path.hasPrefix(front) }.map { file in
        String(file.path.dropFirst(front.count).prefix { $0 != "/" })
      })
    return names.sorted().filter { name in
      !taken.contains(name) && !name.hasPrefix(".") && excludes.trace(front + name).exclude == nil
        && (try? root.status(of: Array((front + name).utf8), symlinks: .followed)).map { isKind($0.kind) }
          == true
    }.map { front + $0 }
  }
}
