package import Formats
package import Model
import Pipeline
package import System

/// Makes the missing archives of Background Assets packs with `ba-package`.
package struct BackgroundAssetsArchiver {
  private static let program = "ba-package"
  private static let maxFailures = 10

  private let output: OutputFolder
  private let environment: Environment
  /// Findings about packs that could not be archived.
  package private(set) var diagnostics: [Diagnostic] = []
  /// The ids of the packs for which archives were made.
  package private(set) var archived: [String] = []

  /// Returns a finding if `ba-package` is missing; nil if the program exists.
  ///
  /// The function is called before the build, so that the build does not start in vain.
  package static func missing(in environment: Environment) -> Diagnostic? {
    if path(in: environment) != nil { return nil }
    let message =
      "the program \"\(program)\" is not on the PATH; install Xcode 26 or Apple's tools for Linux, or run "
      + "package.sh on a machine that has them"
    return Diagnostic(.packagingFailed, message: message, at: Place(program))
  }

  private static func path(in environment: Environment) -> String? {
    ChildProcess.path(of: program, in: environment[.searchPath] ?? "")
  }

  /// Makes the archives for a published build.
  ///
  /// - Throws: if the system fails. A failure of `ba-package` is not thrown, but is a finding.
  package init(_ request: BuildRequest, release: Release, environment: Environment) throws {
    output = request.folder
    self.environment = environment
    guard let program = Self.path(in: environment) else { return }
    let lock = try OutputLock(output, lockWait: request.lockWait)
    defer { _ = consume lock }
    let staging = joined(output.recordFolder, "archives")
    try FileOperations.remove(staging)
    try FileOperations.makeFolder(staging)
    defer { try? FileOperations.remove(staging) }
    try FileOperations.makeFolder(joined(output.path, PublishedNames.archivesFolder))
    for pack in release.packs.compactMap(\.published) where diagnostics.count < Self.maxFailures {
      try archive(pack, by: program, staging: staging)
    }
  }

  /// Returns the path of a pack's archive.
  ///
  /// The path depends on the current contents of the pack.
  private static func archive(of pack: PublishedPack, in output: OutputFolder) throws(SystemError) -> String {
    let id = lastName(of: pack.archive.path)
    let manifest = joined(output.path, PublishedNames.manifestPath(ofPack: id))
    let content = try InputFile(outputPath: manifest).contents(limit: BackgroundManifestReader.maxSize) ?? []
    return joined(
      output.path, PublishedNames.archivePath(ofPack: id, contentsDigest: pack.digest, manifestBytes: content)
    )
  }

  /// Returns a note about packs whose archives do not exist, so that their archive sizes are unknown; empty
  /// if there are no such packs.
  package static func findings(
    onMissingArchivesOf release: Release, in request: BuildRequest
  ) throws(SystemError) -> [Diagnostic] {
    var count = 0
    for pack in release.packs.compactMap(\.published)
    where try !FileOperations.exists(archive(of: pack, in: request.folder), symlinks: .notFollowed) {
      count += 1
    }
    if count == 0 { return [] }
    let message =
      "\(counted(count, of: "pack")) \(count == 1 ? "has" : "have") no archive yet, so the download manifest "
      + "contains the sizes of the files as download sizes; run package.sh"
    return [
      Diagnostic(
        .unknownDownloadSize, message: message,
        at: Place(joined(request.outputPath, PublishedNames.downloadManifest)))
    ]
  }

  private mutating func archive(_ pack: PublishedPack, by program: String, staging: String) throws {
    let id = lastName(of: pack.archive.path)
    let manifest = joined(output.path, PublishedNames.manifestPath(ofPack: id))
    let target = try Self.archive(of: pack, in: output)
    if try FileOperations.exists(target, symlinks: .notFollowed) { return }
    // `ba-package` changes its working folder while it runs, so every path is absolute.
    let made = try absolute(staging) + "/\(lastName(of: target))"
    let result = try ChildProcess.run(
      program, [try absolute(manifest), "-o", made], in: joined(output.packsPath, id),
      environment: environment.all)
    if result.status == 0, try FileOperations.statusIfThere(made, symlinks: .notFollowed)?.kind == .file {
      try FileOperations.sync(made)
      try FileOperations.rename(made, to: target)
      archived.append(id)
    } else {
      diagnostics.append(finding(about: id, result: result, manifest: manifest))
    }
  }

  private func finding(about id: String, result: ChildProcess.Result, manifest: String) -> Diagnostic {
    let lines = result.output.split(separator: "\n").suffix(20).map {
      Diagnostic.AttachedLine(escaped($0, upTo: 300))
    }
    let message =
      result.status == 0
      ? "ba-package succeeded for the pack \(quoted(id)), but did not write an archive"
      : "ba-package failed for the pack \(quoted(id)) with status \(result.status)"
    return Diagnostic(.packagingFailed, message: message, at: Place(manifest), notes: lines)
  }

  private func absolute(_ path: String) throws(SystemError) -> String {
    String(decoding: try FileOperations.realPath(of: path), as: UTF8.self)
  }
}
