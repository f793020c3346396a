import Formats
import Model
import Pipeline
import System

/// A published build whose outdated files have not been removed yet.
struct PublishResult: Sendable {
  var release: Release
  let packs: [PublishedPack]
  /// The changes in the output folder.
  ///
  /// Only written files are included, because nothing has been removed yet.
  var changes: OutputChanges
  /// The file from which the next build can see that this build was published.
  let list: PublishedFile?
  /// The unfinished build cache, which contains the files and is not at its final path yet.
  let record: RecordDraft
  /// The record of patches; nil if no patches were requested.
  var patchRecord: PatchRecord?
  /// Names of files that the layout publishes with other settings.
  ///
  /// If such a file remained in the output folder, it would contradict this build.
  var staleNames: [String] = []
  /// Changes that must be made after the lists are published, in this order.
  var laterChanges: [LaterChange] = []
}

/// A change of one file in the output folder; the path is relative to the folder.
enum LaterChange: Sendable {
  case replace(String, with: ByteBuffer)
  case remove(String)

  func perform(in output: OutputFolder) throws(SystemError) {
    switch self {
    case .replace(let name, let bytes):
      let path = joined(output.path, name)
      if !FileOperations.contents(of: path, equal: bytes) {
        try FileOperations.replaceContents(of: path, with: bytes)
      }
    case .remove(let name): try FileOperations.removeFile(joined(output.path, name))
    }
  }
}
