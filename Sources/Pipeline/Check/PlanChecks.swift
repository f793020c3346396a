package import Formats
package import Model
package import System

extension PackPlan {
  /// Returns all findings that need no inspection of contents.
  ///
  /// The limits are checked for each device class in `devices`. `root` is the open root folder of the plan's
  /// files.
  package func findings(
    for devices: [DeviceClass] = [], root: Folder, unchanged: UnchangedFiles = .nothing,
    readCounter: ReadCounter = ReadCounter(), jobs: Int, dependentChecks: RuleDependentChecks = .run
  ) throws(SystemError) -> [Diagnostic] {
    let bundle = try manifest.appBundleSize()
    var input = PackCheck.Input(of: self)
    input.slices = tree.variants.isEmpty ? [] : Slices(of: self, for: devices).releases(of: self)
    input.appBundleSize = bundle.size
    let checks = dependentChecks == .run ? PackCheck.all : PackCheck.unconditional
    return try bundle.diagnostics + checks.flatMap { $0.find(input) }
      + fileFindings(
        for: devices, root: root, unchanged: unchanged, readCounter: readCounter, jobs: jobs,
        dependentChecks: dependentChecks)
  }
}

extension PackPlan {
  /// Returns all findings that need no access to the files, for packs that were made elsewhere.
  package func findingsWithoutFiles(jobs: Int) throws(SystemError) -> [Diagnostic] {
    let bundle = try manifest.appBundleSize()
    var input = PackCheck.Input(of: self)
    input.appBundleSize = bundle.size
    let files = FileCheck.Input(plan: self, jobs: jobs)
    return bundle.diagnostics + listedTagsWithoutPack + PackCheck.all.flatMap { $0.find(input) }
      + FileCheck.unconditional.flatMap { $0.find(files) }
  }

  /// Reports tags in the lists of the manifest that no pack has.
  private var listedTagsWithoutPack: [Diagnostic] {
    let known = tags.map(\.name)
    let given = Set(known)
    var guesses = Guesses()
    return (manifest.initialInstallTags + manifest.prefetchTagOrder).filter { !given.contains($0.value) }
      .map { tag in
        let guess = guesses.nearest(to: tag.value, in: known)
        return Diagnostic(
          .unknownTag,
          message: "no shard has a pack with the tag \(quoted(tag.value))\(suggestion(guess?.name))",
          at: manifest.text.place(at: tag.offset), fix: manifest.fix(of: tag, guess: guess))
      }
  }
}

extension Manifest {
  /// Returns the size in bytes of the app that the packs belong to, stated in the manifest or measured.
  ///
  /// The size is nil if the manifest does not mention the app. It is also nil, and there is a finding, if the
  /// app does not exist.
  package func appBundleSize() throws(SystemError) -> (size: Int64?, diagnostics: [Diagnostic]) {
    switch appBundle {
    case nil: return (nil, [])
    case .size(let size): return (size, [])
    case .path(let path):
      let bundlePath = joined(folder, path.value)
      guard let status = try FileOperations.statusIfThere(bundlePath) else {
        let message =
          "the app bundle \(quoted(bundlePath)) does not exist; build the app first, or state its \"size\" "
          + "instead"
        return (nil, [Diagnostic(.invalidPath, message: message, at: text.place(at: path.offset))])
      }
      return (status.kind == .file ? status.size : try size(ofAllIn: bundlePath), [])
    }
  }
}

/// Returns the size in bytes of all files below a folder, including files that packs would exclude because of
/// their names.
///
/// The function does not follow symlinks.
private func size(ofAllIn path: String) throws(SystemError) -> Int64 {
  var size: Int64 = 0
  var walk = FolderWalk(try Folder(path))
  while let entry = try walk.next() {
    if entry.status.kind == .file { size = size.saturatingSum(with: entry.status.size) }
  }
  return size
}
