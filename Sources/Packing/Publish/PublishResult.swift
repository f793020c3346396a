import Formats
import Model
import Pipeline
import System

/// A published build whose outdated files have not been removed yet.
struct PublishResult: Sendable {
  var release: Release
  let packs: [PublishedPack]
  /// The written files; nothing has been removed yet.
  var changes: OutputChanges
  /// The file from which the next build recognizes this build.
  let list: PublishedFile?
  /// The build cache of the files, which is not at its final path yet.
  let record: RecordDraft
  /// The record of patches; nil if no patches were requested.
  var patchRecord: PatchRecord?
  /// Names of files that the layout publishes with other settings.
  ///
  /// If such a file remained in the output folder, it would contradict this build.
  var staleNames: [String] = []
  /// Changes that must follow the publication of the lists, in their order.
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
      if !FileOperations.holds(path, bytes: bytes) {
        try FileOperations.replaceContents(of: path, with: bytes)
      }
    case .remove(let name): try FileOperations.removeFile(joined(output.path, name))
    }
  }
}
