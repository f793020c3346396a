import Formats
import Model
import Pipeline
import System

// The index and the list of files that a build leaves beside its record where its layout has neither, so that commands
// can read what was built.
extension OutputFolder {
  /// Takes the index of the last build away for as long as a build is published.
  func hideSidecarIndex() throws(SystemError) {
    let path = joined(path, PublishedNames.sidecarIndex)
    if try exists(path) { try FileOperations.rename(path, to: joined(stagingPath, "left")) }
  }

  /// Puts it back where nothing was published.
  func restoreSidecarIndex() {
    try? FileOperations.rename(joined(stagingPath, "left"), to: joined(path, PublishedNames.sidecarIndex))
  }

  /// Leaves the index of a release and its staged list of files.
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

  /// Whether the index that the last build left beside its record is the one that a release would get.
  func hasSidecarIndex(of release: Release) -> Bool {
    let path = joined(path, PublishedNames.sidecarIndex)
    guard let list = (try? JSONValue(outputPath: path, limit: IndexFormat.maxSize))?.member("contents"),
      let name = list.member("path")?.string, let digest = list.member("digest")?.digest,
      let size = list.member("size")?.wholeNumber
    else { return false }
    let contents = PublishedFile(path: name, file: WrittenFile(size: size, digest: digest))
    return FileOperations.holds(path, bytes: IndexFormat.bytes(of: release.listing(contents)))
  }
}
