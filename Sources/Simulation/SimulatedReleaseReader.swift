import Published
package import Findings
package import Formats
package import PackKit
package import Projects
package import System

/// The packs to simulate, read from whatever a user names: a built folder, an index or a manifest.
package struct SimulatedReleaseReader: Sendable {
  /// The index or the manifest, as the user would type it.
  package let path: String
  /// Nil where something is wrong.
  package private(set) var release: SimulatedRelease?
  package private(set) var diagnostics: [Diagnostic]
  /// The manifest, where one was named.
  package let manifest: Manifest?
  /// The devices that the packs are for; nil for all.
  package private(set) var device: ReleaseDevice?
  /// The manifest's text; nil where none was named or read.
  package let text: SourceText?

  /// Reads the release that an argument names; the files of a manifest are scanned, not read.
  ///
  /// - Throws: where the machine fails.
  ///
  /// Of a manifest only what `device` gets counts, if one is named.
  package init(
    _ argument: String, device: DeviceClass? = nil, jobs: Int, scanJobs: Int? = nil
  ) throws(SystemError) {
    if try BuiltFolder.isNamed(by: argument) {
      self.init(try BuiltFolder(argument))
    } else {
      var request = Preparation.Request(argument, jobs: jobs, scanJobs: scanJobs)
      request.device = device
      try self.init(Preparation(request))
    }
  }

  private init(_ folder: BuiltFolder) {
    path = folder.indexPath
    diagnostics = folder.diagnostics
    manifest = nil
    text = nil
    device = folder.index?.device
    if !diagnostics.hasErrors { release = folder.index.map { SimulatedRelease($0, folder.patches) } }
  }

  /// Takes the plan of a manifest that was read.
  package init(_ preparation: Preparation) throws(SystemError) {
    path = preparation.path
    diagnostics = preparation.diagnostics
    manifest = preparation.manifest
    text = preparation.text
    device = preparation.slice?.device.map(ReleaseDevice.init)
    guard let plan = preparation.slice, !diagnostics.hasErrors else { return }
    let bundle = try AppBundleMeasure(of: plan.manifest)
    diagnostics += bundle.diagnostics
    if !diagnostics.hasErrors { release = SimulatedRelease(plan, appSize: bundle.size) }
  }

  /// Says of a plan that its packs are counted uncompressed.
  package var note: [Diagnostic] {
    guard manifest != nil, release != nil else { return [] }
    let message =
      "packs are counted uncompressed, for nothing is built; name a built folder to count its archives"
    return [Diagnostic(.uncompressedSizes, message, at: Place(path))]
  }
}
