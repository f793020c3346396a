import Findings
import PackKit
import System

/// The folders of assets with the sums of what is in them, for a proposal of rules.
struct FolderTree {
  /// A folder with the sums of all files below it.
  struct Folder {
    /// The last component of the path.
    let name: String
    /// The path below the scanned folder; empty for that one itself.
    let path: String
    /// The subfolders by their indices, in byte order of their names.
    var folders: [Int] = []
    /// The names of the files that are right in it.
    var files: [String] = []
    /// Bytes of these files.
    var ownSize: Int64 = 0
    /// The number of files below it, at any depth.
    var fileCount = 0
    /// Bytes of these files.
    var size: Int64 = 0
  }

  /// The depth below which all files count as those of the folder there.
  private static let deepest = 8

  private(set) var folders = [Folder(name: "", path: "")]

  /// The folders of files, which are listed by their paths.
  init(of files: [UntaggedFile]) {
    var numbers: [String: Int] = ["": 0]
    for file in files.sorted(by: { $0.path.precedesInBytes($1.path) }) {
      let names = file.path.unicodeScalars.split(separator: "/").map(String.init)
      let above = min(names.count - 1, Self.deepest)
      var number = 0
      count(file, in: number)
      for name in names.prefix(above) {
        number = folder(named: name, in: number, &numbers)
        count(file, in: number)
      }
      folders[number].files.append(names.dropFirst(above).joined(separator: "/"))
      folders[number].ownSize = folders[number].ownSize.saturatingSum(with: file.size)
    }
  }

  private mutating func count(_ file: UntaggedFile, in number: Int) {
    folders[number].fileCount += 1
    folders[number].size = folders[number].size.saturatingSum(with: file.size)
  }

  private mutating func folder(named name: String, in parent: Int, _ numbers: inout [String: Int]) -> Int {
    let path = joined(below: folders[parent].path, name)
    if let known = numbers[path] { return known }
    let number = folders.count
    folders.append(Folder(name: name, path: path))
    folders[parent].folders.append(number)
    numbers[path] = number
    return number
  }

  /// The subfolders of a folder.
  func subfolders(of folder: Folder) -> [Folder] { folder.folders.map { folders[$0] } }

  /// The names of the files and folders that are right in a folder.
  func entries(of folder: Folder) -> [String] { folder.files + subfolders(of: folder).map(\.name) }

  /// The path of the folder that a person would call the root: below folders that hold little but one other.
  var rootPath: String {
    var root = folders[0]
    var next = root
    while let main = subfolders(of: next).max(by: { $0.size < $1.size }), !main.folders.isEmpty,
      !isCatalog(main.name), Double(main.size) >= 0.9 * Double(next.size),
      Double(main.fileCount) >= 0.5 * Double(next.fileCount)
    {
      next = main
      // A folder with one folder in it is on the way to the root, not the root.
      if main.folders.count > 1 || !main.files.isEmpty { root = main }
    }
    return root.path
  }
}

/// The path of a name below a folder, whose path is empty for the top.
func joined(below folder: String, _ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }
