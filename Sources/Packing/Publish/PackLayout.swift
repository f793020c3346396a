import Formats
import Model
import Pipeline
import System

/// The way in which a layout publishes packs: which lists it writes, and in which order it renames files.
///
/// The names and paths of a layout are in `LayoutFiles`. The settings of a layout that change the bytes of
/// packs are in `PackSettings`.
protocol PackLayout: Sendable {
  /// The names and paths of the layout's files.
  var files: LayoutFiles { get }

  /// Returns the plan in which each file has the path that it has inside packs of this layout.
  func adjusted(_ plan: PackPlan) -> PackPlan

  /// Returns findings about a plan that only this layout reports.
  func findings(about plan: PackPlan) -> [Diagnostic]

  /// Whether the lists in a folder are the same as the lists that a build of this release would publish.
  func isPublished(_ release: Release, of plan: PackPlan, in folder: OutputFolder) throws(SystemError) -> Bool

  /// Publishes staged packs with renames.
  ///
  /// The file that readers open first is renamed last.
  func publish(_ build: StagedPacks) throws -> PublishResult
}
