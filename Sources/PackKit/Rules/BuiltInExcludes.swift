import System

/// Names that are never packed in any folder: files of operating systems and version control.
package enum BuiltInExcludes {
  static let names: Set<[UInt8]> = Set(
    [".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".svn", ".hg", "CVS"].map { Array($0.utf8) })

  /// Whether a name is one of them, or has the prefix `._` of macOS's files for attributes.
  package static func contains(_ name: ArraySlice<UInt8>) -> Bool {
    // What a killed run left beside a file that it was to replace.
    if name.starts(with: FileOperations.stagedPrefix.utf8) { return true }
    guard let first = name.first, name.count <= 11 || first == UInt8(ascii: ".") else { return false }
    if first == UInt8(ascii: "."), name.dropFirst().first == UInt8(ascii: "_") { return true }
    guard ".TdC".utf8.contains(first) else { return false }
    return names.contains(Array(name))
  }
}
