import Findings
import Flags
import PackKit
import Packing
import Projects
import Published
import Releases
import System

/// The built folder whose archives say how large packs are packed.
struct BuiltOptions: Sendable {
  private(set) var folder: String?

  /// The flag of the folder.
  static let flags: [Flag<BuiltOptions>] = [
    .value(
      "--built", valueName: "DIR", kind: .folder,
      summary: "a folder that was built of the manifest: show packed sizes of packs that are still the same",
      into: \.folder)
  ]

  /// The built packs of a plan by their number, of the folder or else of the baseline; nil where neither is named.
  func packs(
    of prepared: Preparation, _ options: ManifestOptions
  ) throws(SystemError) -> (packs: [PublishedPack?]?, findings: [Diagnostic]) {
    if let folder { return try packs(of: prepared, in: folder, options.shared) }
    guard let baseline = options.update.baseline, try BuiltFolder.isNamed(by: baseline) else {
      return (nil, [])
    }
    // The baseline is reported where the update from it is checked.
    return (try packs(of: prepared, in: baseline, options.shared).packs, [])
  }

  /// The same for commands without a baseline.
  func packs(
    of prepared: Preparation, _ shared: SharedOptions
  ) throws(SystemError) -> (packs: [PublishedPack?]?, findings: [Diagnostic]) {
    try folder.map { path throws(SystemError) in try packs(of: prepared, in: path, shared) } ?? (nil, [])
  }

  private func packs(
    of prepared: Preparation, in path: String, _ shared: SharedOptions
  ) throws(SystemError) -> (packs: [PublishedPack?]?, findings: [Diagnostic]) {
    let folder = try BuiltFolder(path)
    guard let release = folder.release, prepared.plan != nil else { return (nil, folder.allFindings) }
    let built = try BuiltPacks(of: release, in: folder.path, for: prepared, jobs: shared.workers)
    return (built.packs, folder.allFindings)
  }
}
