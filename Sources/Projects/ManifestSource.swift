package import Findings
package import Formats
package import PackKit
package import System

/// A way to write down which files have which tags; each is read into a `Manifest`.
package enum ManifestSource: Sendable, CaseIterable {
  /// A project of Xcode's: `App.xcodeproj`.
  case xcodeProject
  /// `Manifest.json`.
  case manifest

  /// What was read.
  package struct Reading: Sendable {
    /// Nil where it could not be read, or nothing could be built by it.
    package var manifest: Manifest?
    package let findings: [Diagnostic]
    /// The text, even where it is no manifest; nil where there is none.
    package let text: SourceText?
    /// Settings that a build follows and a Manifest.json cannot hold.
    package let uncarried: [Diagnostic]
  }

  /// The source that an argument names: a project by its suffix, else a manifest.
  package init(argument: String) {
    self = Self.allCases.first { $0.isNamed(by: argument) } ?? .manifest
  }

  /// Whether an argument has the form of this source's names.
  private func isNamed(by argument: String) -> Bool {
    switch self {
    case .xcodeProject: XcodeImporter.isProject(argument)
    case .manifest: true
    }
  }

  /// The file that an argument names.
  package func path(for argument: String) throws(SystemError) -> String {
    switch self {
    case .xcodeProject: XcodeImporter.projectPath(for: argument)
    case .manifest: try ManifestReader.manifestPath(for: argument)
    }
  }

  /// Reads what an argument names.
  ///
  /// - Throws: where a file is there but cannot be read.
  package func read(_ argument: String, _ choice: ProjectChoice) throws(SystemError) -> Reading {
    switch self {
    case .xcodeProject:
      let importer = try XcodeImporter(argument: argument, choice)
      return Reading(
        manifest: importer.manifest, findings: importer.diagnostics, text: importer.text,
        uncarried: importer.uncarried)
    case .manifest:
      let reader = try ManifestReader(argument: argument, guess: Self.guess)
      return Reading(
        manifest: reader.manifest, findings: reader.diagnostics, text: reader.text, uncarried: [])
    }
  }

  /// What stands in a folder that was taken for a manifest's: another source.
  private static func guess(for argument: String) -> String? { XcodeImporter.project(in: argument) }

  /// Whether a folder is one of a source, or holds one.
  package static func isSource(folder: String) throws(SystemError) -> Bool {
    if ManifestSource(argument: folder) != .manifest { return true }
    return try FileOperations.exists(joined(folder, Manifest.fileName))
  }
}
