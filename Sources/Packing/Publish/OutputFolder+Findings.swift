import Formats
import Model
import Pipeline
import System

extension OutputFolder {
  /// Returns findings about the output folder, for a build of a plan or of one shard.
  ///
  /// `plan` is nil if no plan could be made. If `root` is nil, no files are read.
  func findings(
    about plan: PackPlan?, root: Folder?, scope: LayoutFiles.Scope = .whole
  ) throws(SystemError) -> [Diagnostic] {
    let place = Place(path)
    if let root = try root?.status().identity, root == (try identity) {
      let message =
        "the output folder is also the root folder of the resources; choose another output folder, such as "
        + "\"build/packs\""
      return [Diagnostic(.outputIsRoot, message: message, at: place)]
    }
    if isWebAddress(path) {
      let message =
        "\(quoted(path)) is not a local folder; choose a local folder, and upload it after the build"
      return [Diagnostic(.foreignOutput, message: message, at: place)]
    }
    if let status = try FileOperations.statusIfThere(path), status.kind != .folder {
      return [
        Diagnostic(
          .foreignOutput, message: "\(quoted(path)) is a file; choose a folder for the output", at: place)
      ]
    }
    if let other = try Layout.found(in: self), other != files.layout {
      let message =
        "\(quoted(path)) contains a build in the layout \(quoted(other.rawValue)); choose another folder"
      return [Diagnostic(.foreignOutput, message: message, at: place)]
    }
    if let message = try contradiction(to: scope) {
      return [Diagnostic(.foreignOutput, message: message, at: place)]
    }
    if scope == .whole, let foreign = try foreignFile {
      let message =
        "the output folder contains \(quoted(foreign)), which packtool did not write; choose another folder"
      return [Diagnostic(.foreignOutput, message: message, at: place)]
    }
    let unsafe = try unsafeParts
    if !unsafe.isEmpty { return unsafe.map(\.diagnostic) }
    if let own = plan?.manifest.bundleIdentifier, scope == .whole, let other = try publishedBundleIdentifier,
      other != own
    {
      let message =
        "\(quoted(path)) contains the packs of \(quoted(other)), which a build of \(quoted(own)) would "
        + "remove; choose another folder, or remove this folder"
      return [Diagnostic(.foreignOutput, message: message, at: place)]
    }
    // Only a whole build reads the folder of the assets and leaves packs there: a merge reads no assets, and a
    // shard is not published.
    guard root != nil, scope == .whole, let plan else { return [] }
    return try [findingInside(plan.manifest), findingAbove(plan.manifest)].compactMap(\.self)
  }

  /// The finding about an output folder that also contains the manifest or the root; nil for other folders.
  ///
  /// A first build writes its files between the sources, which is usually a mistake. It loses nothing, and later
  /// builds change only files of packtool.
  private func findingAbove(_ manifest: Manifest) throws(SystemError) -> Diagnostic? {
    try inputInside(of: manifest).map { source in
      Diagnostic(
        .outputInRoot,
        message:
          "the output folder also contains the \(source); choose another folder, such as \"build/packs\"",
        at: Place(path))
    }
  }

  /// Returns the manifest or the root that is directly in the output folder; nil if neither of them is, or if
  /// the folder already contains a build.
  private func inputInside(of manifest: Manifest) throws(SystemError) -> String? {
    guard let identity = try identity, try Layout.found(in: self) == nil,
      try !exists(joined(path, PublishedNames.shardFile))
    else { return nil }
    if try FileOperations.statusIfThere(manifest.folder)?.identity == identity {
      let name = lastName(of: manifest.text.path)
      return RecognizedFileKind(named: name) == .project ? "Xcode project" : "manifest \(quoted(name))"
    }
    let isAboveRoot = try FileOperations.statusIfThere(joined(manifest.rootPath, ".."))?.identity == identity
    return isAboveRoot ? "root \(quoted(manifest.root.value))" : nil
  }

  /// The finding about an output folder inside a folder of assets; nil for other output folders.
  ///
  /// If the root is the folder of the manifest, it is the folder of a project, so it can contain the output.
  private func findingInside(_ manifest: Manifest) throws(SystemError) -> Diagnostic? {
    let root = try RealPath(of: manifest.rootPath)
    var existing = path
    while try !FileOperations.exists(existing) { existing = folderPath(of: existing) }
    guard try root != RealPath(of: manifest.folder), try root.contains(RealPath(of: existing)) else {
      return nil
    }
    let message =
      "the output folder is inside the root \(quoted(manifest.root.value)); if the app contains a copy of the "
      + "root, it contains all packs twice; choose a folder outside the root"
    return Diagnostic(.outputInRoot, message: message, at: Place(path))
  }

  /// Returns the reason why a whole build cannot replace the shard in the folder, or the other way around;
  /// nil if there is no such reason.
  private func contradiction(to scope: LayoutFiles.Scope) throws(SystemError) -> String? {
    guard try exists(scope == .shard ? indexPath : joined(path, PublishedNames.shardFile)) else { return nil }
    return scope == .shard
      ? "\(quoted(path)) contains a whole build; choose another folder for a shard"
      : "\(quoted(path)) contains a shard of a build; choose another folder, or merge the shards"
  }
}
