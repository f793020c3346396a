import Formats
import Model
import Pipeline
import System

/// How one layout publishes packs: the lists that name them, and the order of the renames.
///
/// Names and places are values in `LayoutFiles`; what the layout does to the bytes of packs is in `PackSettings`.
protocol PackLayout: Sendable {
  /// The names and places of its files.
  var files: LayoutFiles { get }

  /// The plan with the paths that files have inside packs of the layout.
  func adjusted(_ plan: PackPlan) -> PackPlan

  /// Findings about a plan that only this layout has.
  func findings(about plan: PackPlan) -> [Diagnostic]

  /// Whether the lists in a folder are those that a build of this release would publish.
  func isPublished(_ release: Release, of plan: PackPlan, in folder: OutputFolder) throws(SystemError) -> Bool

  /// Publishes staged packs by renames; the file that readers open first is renamed last.
  func publish(_ build: StagedBuild) throws -> Publication
}

/// A published build whose clean-up is still to come.
struct Publication: Sendable {
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
      if !FileOperations.holds(path, bytes: bytes) { try FileOperations.replace(path, by: bytes) }
    case .remove(let name): try FileOperations.removeFile(joined(output.path, name))
    }
  }
}
