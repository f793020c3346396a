import Formats
import Model
import Pipeline
import System

/// The way in which a layout publishes packs: the lists that contain the packs, and the order of the renames.
///
/// `LayoutFiles` contains names and places. `PackSettings` contains the settings of a layout that change the
/// bytes of packs.
protocol PackLayout: Sendable {
  /// The names and paths of the layout's files.
  var files: LayoutFiles { get }

  /// Returns the plan with the paths of files changed to their paths inside packs of the layout.
  func adjusted(_ plan: PackPlan) -> PackPlan

  /// Findings about a plan that only this layout has.
  func findings(about plan: PackPlan) -> [Diagnostic]

  /// Whether the lists in a folder are the same as the lists that a build of this release would publish.
  func isPublished(_ release: Release, of plan: PackPlan, in folder: OutputFolder) throws(SystemError) -> Bool

  /// Publishes staged packs with renames; the file that readers open first is renamed last.
  func publish(_ build: StagedPacks) throws -> PublishResult
}
