import Archiving

/// How large the app is that the packs belong to.
struct AppBundleMeasure {
  /// Bytes; nil where the manifest does not tell.
  private(set) var size: Int64?
  private(set) var diagnostics: [Diagnostic] = []

  /// Takes the size from the manifest, or measures the app that it names.
  init(of manifest: Manifest, jobs: Int) throws(SystemError) {
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
      size = status.kind == .file ? status.size : try Self.measure(place, jobs: jobs)
    }
  }

  /// Bytes of all files below a folder: the scan of a manifest without rules counts just these.
  private static func measure(_ folder: String, jobs: Int) throws(SystemError) -> Int64 {
    var bundle = Manifest(text: SourceText(path: folder, bytes: []), folder: folder)
    bundle.root = Located(".", at: 0)
    return try AssetScanner(bundle, output: nil).scan(jobs: jobs).tree.untagged.size
  }
}
