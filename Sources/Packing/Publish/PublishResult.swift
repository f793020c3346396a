import Formats
import Model
import Pipeline
import System

/// A published build whose clean-up is still to come.
struct PublishResult: Sendable {
  var release: Release
  let packs: [PublishedPack]
  /// The written files; nothing has been removed yet.
  var changes: OutputChanges
  /// The file by which the next build recognizes this one.
  let list: PublishedFile?
  /// The record of the files, which is not at its path yet.
  let record: RecordDraft
  /// The record of patches; nil if no patches were asked for.
  var patchRecord: PatchRecord?
  /// Names in the output folder that other settings of the layout publish, and that would contradict this build.
  var staleNames: [String] = []
  /// Changes that must never be ahead of the published lists, in their order.
  var laterChanges: [LaterChange] = []
}

/// A change of one file in the output folder, by its path there.
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
