@testable import Packing
import Support
@testable import System
import Testing

/// Tests the renames that publish files, and how they are undone after a failure.
@Suite struct PublishedRenameTests {
  /// Compares the files before the rename, after the rename, and after the rename was undone.
  @Test(arguments: [true, false], [true, false])
  func `a rename that is undone leaves what was there`(replaces: Bool, isFolder: Bool) throws {
    let folder = try TemporaryFolder()
    let file = isFolder ? "/file" : ""
    try folder.write("staged\(file)", "new")
    if replaces { try folder.write("target\(file)", "old") }
    let before = try folder.files()
    let rename = PendingRename(
      staged: folder.path("staged"), target: folder.path("target"), replaces: replaces, isFolder: isFolder)
    try rename.perform()
    #expect(String(decoding: try folder.read("target\(file)"), as: UTF8.self) == "new")
    rename.undo()
    #expect(try folder.files() == before)
  }
}
