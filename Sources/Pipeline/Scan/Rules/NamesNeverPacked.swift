import System

private let namesNeverPacked: Set<[UInt8]> = Set(
  [".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".svn", ".hg", "CVS"].map { Array($0.utf8) })

/// Whether packtool never packs files with this name, in any folder.
///
/// These are the names of files that belong to operating systems or version control, and names with the
/// prefix `._`. macOS stores attributes in files with such names.
package func isNeverPacked(_ name: ArraySlice<UInt8>) -> Bool {
  // If a run is killed, it can leave files with this prefix next to a file that it was going to replace.
  if name.starts(with: FileOperations.stagedPrefix.utf8) { return true }
  guard let first = name.first, name.count <= 11 || first == UInt8(ascii: ".") else { return false }
  if first == UInt8(ascii: "."), name.dropFirst().first == UInt8(ascii: "_") { return true }
  guard ".TdC".utf8.contains(first) else { return false }
  return namesNeverPacked.contains(Array(name))
}
