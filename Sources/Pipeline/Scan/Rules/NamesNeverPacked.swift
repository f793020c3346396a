import System

private let namesNeverPacked: Set<[UInt8]> = Set(
  [".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".svn", ".hg", "CVS"].map { Array($0.utf8) })

/// Whether packtool never packs files with this name, in any folder.
///
/// These are the names of files that belong to operating systems or version control, and names with the
/// prefix `._`. macOS stores attributes in files with such names.
package func isNeverPacked(_ name: ArraySlice<UInt8>) -> Bool {
  switch name.first {
  case UInt8(ascii: "."):
    // If a run is killed, it can leave files with this prefix next to a file that it was going to replace.
    name.starts(with: FileOperations.stagedPrefix.utf8) || name.dropFirst().first == UInt8(ascii: "_")
      || namesNeverPacked.contains(Array(name))
  // The first letters of the other names. A scan calls this function for each name, so most names must end here.
  case UInt8(ascii: "T"), UInt8(ascii: "d"), UInt8(ascii: "C"):
    name.count <= 11 && namesNeverPacked.contains(Array(name))
  default: false
  }
}
