import Model
import Pipeline
import System

/// The target of a build: a plan, the settings of its packs, and the output folder.
struct BuildTarget: Sendable {
  let plan: PackPlan
  let settings: PackSettings
  let output: OutputFolder

  /// Returns the path of a pack, relative to the output folder.
  func path(of pack: AssetPack, archive: WrittenFile) -> String {
    output.files.path(of: pack, archive: archive, in: settings.container)
  }
}
