import System

private let namesNeverPacked: Set<[UInt8]> = Set(
  [".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".svn", ".hg", "CVS"].map { Array($0.utf8) })

/// Whether a name is never packed, in any folder.
///
/// These are names of files of operating systems and version control, and names with the prefix `._`, in
/// which macOS stores attributes.
package func isNeverPacked(_ name: ArraySlice<UInt8>) -> Bool {
  // If a run is killed, it leaves files with this prefix next to the file that it was going to replace.
  if name.starts(with: FileOperations.stagedPrefix.utf8) { return true }
  guard let first = name.first, name.count <= 11 || first == UInt8(ascii: ".") else { return false }
  if first == UInt8(ascii: "."), name.dropFirst().first == UInt8(ascii: "_") { return true }
  guard ".TdC".utf8.contains(first) else { return false }
  return namesNeverPacked.contains(Array(name))
}
