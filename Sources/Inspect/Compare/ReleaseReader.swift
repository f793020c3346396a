import Archiving
package import Formats
package import Model
import Pipeline
package import System

/// A release that was read from a command's argument: a built folder, an index or a manifest.
package struct ReleaseReader: Sendable {
  /// The path of the index or manifest as the user would type it.
  package private(set) var path: String
  /// The release; nil if there are errors.
  package private(set) var release: ReleaseContents?
  package private(set) var diagnostics: [Diagnostic] = []
  /// The manifest, if the argument is the path of a manifest.
  package private(set) var manifest: Manifest?
  /// The manifest's text; nil if no manifest was read.
  package private(set) var text: SourceText?

  /// The options for reading releases.
  package struct Options: Sendable {
    /// Whether pointers are accepted instead of the files that they stand for.
    let acceptsPointers: Bool
    /// Whether packs for Background Assets get the identifiers that devices use.
    ///
    /// Packs in other layouts do not have such identifiers.
    fileprivate(set) var usesBackgroundAssetsIDs: Bool
    /// The device class whose files are compared; nil for the files of all classes.
    let device: DeviceClass?
    /// The number of threads that scan folders; nil to use the same number as for other work.
    let scanJobs: Int?

    package init(
      acceptsPointers: Bool = false, usesBackgroundAssetsIDs: Bool = false, device: DeviceClass? = nil,
      scanJobs: Int? = nil
    ) {
      self.acceptsPointers = acceptsPointers
      self.usesBackgroundAssetsIDs = usesBackgroundAssetsIDs
      self.device = device
      self.scanJobs = scanJobs
    }
  }

  /// Reads the release at the path that the user gave.
  ///
  /// The files of a manifest are scanned and read.
  package init(_ argument: String, options: Options = Options(), jobs: Int) throws(SystemError) {
    path = argument
    switch try isBuilt(argument) {
    case true?: try readBuilt(argument, options: options, jobs: jobs)
    case false?:
      var request = Preparation.Request(argument: argument, jobs: jobs, scanJobs: options.scanJobs)
      request.acceptsPointers = options.acceptsPointers
      request.device = options.device
      try readManifest(argument, request: request)
    case nil: break
    }
  }

  /// Reads several releases, each on its own thread.
  ///
  /// The packs get the identifiers of Background Assets if the options request this and all releases are in
  /// that layout.
  package static func read(
    _ arguments: [String], options: Options = Options(), jobs: Int
  ) throws(SystemError) -> [ReleaseReader] {
    let kinds = try (options.usesBackgroundAssetsIDs ? arguments : []).map { path throws(SystemError) in
      try BuiltFolderKind(of: path)
    }
    var options = options
    if !kinds.allSatisfy({ $0 == .backgroundAssets }) { options.usesBackgroundAssetsIDs = false }
    return try onThreads(jobs, each: arguments) { [options] argument throws(SystemError) in
      try ReleaseReader(argument, options: options, jobs: jobs)
    }
  }

  private mutating func readBuilt(
    _ argument: String, options: Options, jobs: Int
  ) throws(SystemError) {
    var isTagged = try BuiltFolderKind(of: argument) == .backgroundAssets
    if isTagged, !options.usesBackgroundAssetsIDs { isTagged = try !BuiltFolder.isNamed(by: argument) }
    if isTagged {
      let build = try BackgroundAssetsBuild(at: argument, profile: nil, jobs: jobs)
      path = build.indexPath
      diagnostics = build.diagnostics.filter { $0.severity == .error }
      release = build.release.map {
        ReleaseContents(named: argument, release: $0.release, packDigests: $0.packDigests, files: $0.files)
      }
      return
    }
    let folder = try BuiltFolder(argument)
    path = folder.indexPath
    diagnostics = folder.diagnostics
    if let index = folder.index, let contents = folder.contents, !diagnostics.hasErrors {
      release = ReleaseContents(named: argument, index: index, contents: contents, patches: folder.patches)
    }
  }

  private mutating func readManifest(_ argument: String, request: Preparation.Request) throws(SystemError) {
    var request = request
    // The caller reads all files completely anyway, so it can inspect them at the same time.
    request.inspector = .caller
    let preparation = try Preparation(request)
    path = preparation.path
    manifest = preparation.manifest
    text = preparation.text
    diagnostics = preparation.diagnostics
    guard let plan = preparation.slice, let root = preparation.root, !diagnostics.hasErrors else {
      diagnostics += try preparation.contentFindings(jobs: request.jobs)
      return
    }
    let contents = try plan.inspectedDigests(root: root, jobs: request.jobs)
    diagnostics += contents.unreadable
    if !diagnostics.hasErrors {
      release = ReleaseContents(
        named: argument, plan: plan, for: preparation.devices, fileDigests: contents.digests)
    }
    diagnostics += contents.findings
  }

  /// Returns whether the argument's file or folder is a build (true) or a manifest (false).
  ///
  /// If the path is neither a build nor a manifest, it reports a finding and returns nil.
  private mutating func isBuilt(_ argument: String) throws(SystemError) -> Bool? {
    guard let status = try FileOperations.statusIfThere(argument) else {
      let what =
        isWebAddress(argument)
        ? "is not a local file; download the index and its contents list" : "does not exist"
      return missing(argument, message: "\(quoted(argument)) \(what)")
    }
    switch status.kind {
    case .folder:
      if try BuiltFolder.isNamed(by: argument) { return true }
      if try BuiltFolderKind(of: argument) == .backgroundAssets { return true }
      if try ManifestSource.isSource(folder: argument) { return false }
      if let hint = try PublishedNames.hint(onBuild: argument) {
        diagnostics = [Diagnostic(.missingIndex, message: hint, at: Place(argument))]
        return nil
      }
      return missing(
        argument, message: "the folder \(quoted(argument)) contains neither index.json nor Manifest.json")
    case .file: return try isBuilt(file: argument)
    default: return missing(argument, message: "\(quoted(argument)) is not a regular file")
    }
  }

  private mutating func isBuilt(file path: String) throws(SystemError) -> Bool? {
    guard let bytes = try InputFile(path).contents(limit: ManifestReader.maxManifestSize),
      let value = JSONReader.read(SourceText(path: path, bytes: bytes)).value
    else {
      if path.hasSuffix(".zip") || path.contains(".tar") {
        return missing(path, message: "\(quoted(path)) is an archive; unpack it first")
      }
      return path.hasSuffix(PublishedNames.index)
    }
    if value.member("resources") != nil { return false }
    if value.member("packs") != nil { return true }
    let what = "neither an index, which has \"packs\", nor a manifest, which has \"resources\""
    return missing(path, message: "\(quoted(path)) is \(what)")
  }

  private mutating func missing(_ path: String, message: String) -> Bool? {
    let hint = "name a built folder, its index.json or a manifest"
    diagnostics = [Diagnostic(.missingIndex, message: "\(message); \(hint)", at: Place(path))]
    return nil
  }
}
