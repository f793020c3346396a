import Formats
import Model
import Pipeline
import System

// The index and file list that a build keeps next to its build cache, so that commands can read the build. A
// build writes them only for layouts that have neither an index nor a file list.
extension OutputFolder {
  /// Moves the index of the previous build away, before a new build is published.
  func hideSidecarIndex() throws(SystemError) {
    let path = joined(path, PublishedNames.sidecarIndex)
    if try exists(path) { try FileOperations.rename(path, to: joined(stagingPath, "left")) }
  }

  /// Restores the index if nothing was published.
  func restoreSidecarIndex() {
    try? FileOperations.rename(joined(stagingPath, "left"), to: joined(path, PublishedNames.sidecarIndex))
  }

  /// Writes the index of a release, and moves the staged file list next to the build cache.
  func writeSidecarIndex(
    of release: Release, contents: StagedContents
  ) throws(SystemError) {
    for name in try FileOperations.names(in: recordFolder) where name.hasPrefix("contents.") {
      try FileOperations.removeFile(joined(recordFolder, name))
    }
    try FileOperations.rename(contents.stagedPath, to: joined(recordFolder, contents.list.path))
    let index = IndexFormat.bytes(of: release.listing(contents.list))
    try FileOperations.replaceContents(of: joined(path, PublishedNames.sidecarIndex), with: index)
  }

  /// Whether the index next to the build cache is the same as the index that a build of this release would
  /// write.
  func hasSidecarIndex(of release: Release) -> Bool {
    let path = joined(path, PublishedNames.sidecarIndex)
    guard let list = (try? JSONValue(outputPath: path, limit: IndexFormat.maxSize))?.member("contents"),
      let name = list.member("path")?.string, let digest = list.member("digest")?.digest,
      let size = list.member("size")?.wholeNumber
    else { return false }
    let contents = PublishedFile(path: name, file: WrittenFile(size: size, digest: digest))
    return FileOperations.contents(of: path, equal: IndexFormat.bytes(of: release.listing(contents)))
  }
}
