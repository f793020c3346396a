import Formats
import Model
import System

/// The folders of assets, with the total size of the files in each folder.
///
/// Rules are proposed based on this tree.
struct FolderTree {
  /// A folder with the totals of all files below it.
  struct Folder {
    /// The last component of the path.
    let name: String
    /// The path relative to the scanned folder; empty for the scanned folder itself.
    let path: String
    /// The indices of the subfolders, in byte order of their names.
    var folders: [Int] = []
    /// The files that are directly in the folder, in byte order of their names.
    var files: [File] = []
    /// The size in bytes of the files that are directly in the folder.
    var ownSize: Int64 = 0
    /// The total size in bytes of the program code below the folder, at any depth.
    var codeSize: Int64 = 0
    /// The total size in bytes of the sounds, the music and the films below the folder, at any depth.
    var heardOrWatchedSize: Int64 = 0
    /// The number of files below the folder, at any depth.
    var fileCount = 0
    /// The total size of all files below the folder, in bytes.
    var size: Int64 = 0

    /// Whether most bytes below the folder are program code.
    var isProgramCode: Bool { codeSize > size / 2 }

    /// Whether the folder contains little else than music, sounds and films, according to its path or to its files.
    var isHeardOrWatched: Bool {
      heardOrWatchedSize > size / 10 * 9 || names(in: path).contains { TagWords.isHeardOrWatched($0) }
    }
  }

  /// A file that is directly in a folder.
  struct File {
    let name: String
    /// The size in bytes.
    let size: Int64
  }

  /// The maximum depth of folders in the tree.
  ///
  /// Files at greater depths count as files of the folder at this depth.
  private static let deepest = 8

  private(set) var folders = [Folder(name: "", path: "")]

  init(of files: [UntaggedFile]) {
    var numbers: [String: Int] = ["": 0]
    for file in files.sorted(by: { $0.path.precedesInBytes($1.path) }) {
      let names = names(in: file.path)
      let above = min(names.count - 1, Self.deepest)
      var number = 0
      count(file, in: number)
      for name in names.prefix(above) {
        number = folder(named: name, in: number, numbers: &numbers)
        count(file, in: number)
      }
      folders[number].files.append(
        File(name: names.dropFirst(above).joined(separator: "/"), size: file.size))
      folders[number].ownSize = folders[number].ownSize.saturatingSum(with: file.size)
    }
  }

  private mutating func count(_ file: UntaggedFile, in number: Int) {
    folders[number].fileCount += 1
    folders[number].size = folders[number].size.saturatingSum(with: file.size)
    if TagWords.isProgramCode(fileName: file.path) {
      folders[number].codeSize = folders[number].codeSize.saturatingSum(with: file.size)
    }
    if TagWords.isHeardOrWatched(fileName: file.path) {
      folders[number].heardOrWatchedSize = folders[number].heardOrWatchedSize.saturatingSum(with: file.size)
    }
  }

  private mutating func folder(named name: String, in parent: Int, numbers: inout [String: Int]) -> Int {
    let path = joined(below: folders[parent].path, rest: name)
    if let known = numbers[path] { return known }
    let number = folders.count
    folders.append(Folder(name: name, path: path))
    folders[parent].folders.append(number)
    numbers[path] = number
    return number
  }

  func subfolders(of folder: Folder) -> [Folder] { folder.folders.map { folders[$0] } }

  /// The path of the folder that a person would call the root.
  ///
  /// The folders above this folder contain little more than one subfolder, and folders of an operating system.
  var rootPath: String {
    var root = folders[0]
    var next = root
    while let main = mainFolder(of: next) {
      next = main
      // A folder that contains only one folder and no files is not the root, but the root can be below it.
      if main.folders.count > 1 || !main.files.isEmpty { root = main }
    }
    // Folders such as "usr/share" never are the root of an app.
    let isInSystem = names(in: next.path).contains(where: TagWords.isOfSystem)
    return isInSystem && (root.path.isEmpty || TagWords.isOfSystem(root.name)) ? next.path : root.path
  }

  /// Returns the subfolder that contains all assets of a folder; nil if no subfolder does.
  ///
  /// Next to it can only be documentation, and in a folder of the operating system also icons, for example. Other
  /// small folders belong to the app, too, and packs contain only files below the root. A folder such as `music` is
  /// not the root, because its name would be missing in tags.
  private func mainFolder(of folder: Folder) -> Folder? {
    let isOfSystem = TagWords.isOfSystem(folder.name)
    let inner = subfolders(of: folder).filter {
      !TagWords.isDocumentation($0.name) && !(isOfSystem && TagWords.accompaniesAssets($0.name))
    }
    guard inner.count == 1, let main = inner.first, !isCatalog(main.name), !TagWords.isMedium(main.name),
      folder.files.allSatisfy({ TagWords.isDocumentation($0.name) }),
      // A folder without subfolders is a part of the app, unless it is an installed program's only folder.
      !main.folders.isEmpty || isOfSystem
    else { return nil }
    return main
  }
}

/// Returns the part of a glob that matches one of several names: `{a,b}`, or the name itself if there is only one.
///
/// The names must be plain and without commas.
func globOfNames(_ names: some Collection<String>) -> String {
  names.count == 1 ? names.first ?? "" : "{\(names.sorted().joined(separator: ","))}"
}

/// Returns the path of a file or folder below a folder, or a glob for files below it.
///
/// `rest` is the part after the folder: a name, a path, or a glob such as `*/**`. An empty folder path stands for the
/// top folder, unlike in `joined(_:_:)`, where "." stands for the current folder.
package func joined(below folder: String, rest: String) -> String {
  folder.isEmpty ? rest : "\(folder)/\(rest)"
}
