package import Findings
import Formats
package import System

/// The record of an earlier build about a plan's files, by their index in the tree.
package struct KnownFiles: Sendable {
  /// A file's digest; nil if the file is new, or may have changed.
  package let digest: @Sendable (Int) -> Digest?
  /// Whether inspecting the file found something; nil if its present content has not been inspected.
  package let hasContentFinding: @Sendable (Int) -> Bool?

  /// Nothing is known.
  package static let nothing = KnownFiles(digest: { _ in nil }, hasContentFinding: { _ in nil })

  package init(
    digest: @escaping @Sendable (Int) -> Digest?, hasContentFinding: @escaping @Sendable (Int) -> Bool?
  ) {
    self.digest = digest
    self.hasContentFinding = hasContentFinding
  }

  /// The same with what a plan's pointers say about the files that they stand for.
  package func adding(_ plan: PackPlan) -> KnownFiles {
    KnownFiles(
      digest: { plan.tree.files[$0].pointer?.digest ?? digest($0) },
      hasContentFinding: { plan.tree.files[$0].pointer == nil ? hasContentFinding($0) : false })
  }
}

/// All checks of a plan.
package struct PlanChecks: Sendable {
  private let plan: PackPlan
  private let root: Folder
  private let known: KnownFiles
  private let reads: AssetReads
  private let jobs: Int
  /// The classes of devices that limits hold for.
  private let devices: [DeviceClass]
  /// Whether all rules were right, so that conclusions may be drawn from the plan.
  private let concludes: Bool

  /// The checks of a plan with the open root folder of its files.
  package init(
    of plan: PackPlan, for devices: [DeviceClass] = [], root: Folder, known: KnownFiles = .nothing,
    reads: AssetReads = AssetReads(), jobs: Int, concludes: Bool = true
  ) {
    self.concludes = concludes
    self.devices = devices
    self.plan = plan
    self.root = root
    self.known = known.adding(plan)
    self.reads = reads
    self.jobs = jobs
  }

  /// All findings that need no inspection of contents.
  package func findings() throws(SystemError) -> [Diagnostic] {
    let bundle = try AppBundleMeasure(of: plan.manifest)
    let slices = plan.tree.variants.isEmpty ? [] : Slices(of: plan, for: devices).releases(of: plan)
    let input = PackCheck.Input(
      release: Release(of: plan), slices: slices, limits: plan.manifest.limits,
      budgets: plan.manifest.budgets, appBundleSize: bundle.size, places: ReleasePlaces(of: plan)
    ) { [plan] in plan.split(ofPack: $0, limit: $1) }
    let files = FileCheck.Input(plan: plan, jobs: jobs, devices: devices)
    return try bundle.diagnostics + (concludes ? PackCheck.all : PackCheck.firm).flatMap { $0.find(input) }
      + (concludes ? FileCheck.all : FileCheck.firm).flatMap { $0.find(files) }
      + DuplicateContent(plan: plan, root: root, known: known.digest, reads: reads).findings(jobs: jobs)
  }

  /// Content findings; files in which an earlier inspection found nothing are skipped.
  package func contentFindings() throws(SystemError) -> [Diagnostic] {
    try ContentInspection(
      of: plan.tree.files.indices.filter { known.hasContentFinding($0) ?? true }, in: plan, root: root,
      reads: reads
    ).findings(jobs: jobs).map(\.finding)
  }
}

/// How large the app is that the packs belong to.
package struct AppBundleMeasure {
  /// Bytes; nil where the manifest does not tell.
  package private(set) var size: Int64?
  package private(set) var diagnostics: [Diagnostic] = []

  /// Takes the size from the manifest, or measures the app that it names.
  package init(of manifest: Manifest) throws(SystemError) {
    switch manifest.appBundle {
    case nil: break
    case .size(let size): self.size = size
    case .path(let path):
      let place = joined(manifest.folder, path.value)
      guard let status = try FileOperations.statusIfThere(place) else {
        let message =
          "the app bundle \(quoted(place)) does not exist; build the app first, or give its \"size\""
        diagnostics = [Diagnostic(.invalidPath, message, at: manifest.text.place(at: path.offset))]
        return
      }
      size = status.kind == .file ? status.size : try Self.measure(place)
    }
  }

  /// The size in bytes of all files below a folder, including names that packs exclude; links are not followed.
  private static func measure(_ path: String) throws(SystemError) -> Int64 {
    var size: Int64 = 0
    var walk = FolderWalk(try Folder(path))
    while let entry = try walk.next() {
      if entry.status.kind == .file { size = size.saturatingSum(with: entry.status.size) }
    }
    return size
  }
}
