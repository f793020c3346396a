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

extension PackPlan {
  /// All findings that need no inspection of contents, with the open root folder of the plan's files and the classes of
  /// devices that limits hold for; `concludes` says whether all rules were right, so that conclusions may be drawn.
  package func findings(
    for devices: [DeviceClass] = [], root: Folder, known: KnownFiles = .nothing,
    reads: AssetReads = AssetReads(), jobs: Int, concludes: Bool = true
  ) throws(SystemError) -> [Diagnostic] {
    let bundle = try manifest.appBundleSize()
    var input = PackCheck.Input(of: self)
    input.slices = tree.variants.isEmpty ? [] : Slices(of: self, for: devices).releases(of: self)
    input.appBundleSize = bundle.size
    let files = FileCheck.Input(plan: self, jobs: jobs, devices: devices)
    return try bundle.diagnostics + (concludes ? PackCheck.all : PackCheck.firm).flatMap { $0.find(input) }
      + (concludes ? FileCheck.all : FileCheck.firm).flatMap { $0.find(files) }
      + DuplicateContent(plan: self, root: root, known: known.adding(self).digest, reads: reads)
      .findings(jobs: jobs)
  }

  /// Content findings; files in which an earlier inspection found nothing are skipped.
  package func contentFindings(
    root: Folder, known: KnownFiles = .nothing, reads: AssetReads = AssetReads(), jobs: Int
  ) throws(SystemError) -> [Diagnostic] {
    let known = known.adding(self)
    let files = tree.files.indices.filter { known.hasContentFinding($0) ?? true }
    return try contentFindings(in: files, root: root, reads: reads, jobs: jobs).map(\.finding)
  }
}

extension Manifest {
  /// The size of the app that the packs belong to in bytes, as it is told or measured; nil, perhaps with a finding,
  /// where the manifest does not tell.
  package func appBundleSize() throws(SystemError) -> (size: Int64?, diagnostics: [Diagnostic]) {
    switch appBundle {
    case nil: return (nil, [])
    case .size(let size): return (size, [])
    case .path(let path):
      let place = joined(folder, path.value)
      guard let status = try FileOperations.statusIfThere(place) else {
        let message =
          "the app bundle \(quoted(place)) does not exist; build the app first, or give its \"size\""
        return (nil, [Diagnostic(.invalidPath, message, at: text.place(at: path.offset))])
      }
      return (status.kind == .file ? status.size : try size(ofAllIn: place), [])
    }
  }
}

/// The size in bytes of all files below a folder, including names that packs exclude; links are not followed.
private func size(ofAllIn path: String) throws(SystemError) -> Int64 {
  var size: Int64 = 0
  var walk = FolderWalk(try Folder(path))
  while let entry = try walk.next() {
    if entry.status.kind == .file { size = size.saturatingSum(with: entry.status.size) }
  }
  return size
}
