package import Formats
import Model
package import System

/// The tagged resources and the settings of a target, read from the project and its .xcconfig files.
package struct ProjectResources: Sendable {
  /// A file or folder with tags.
  struct Item: Sendable {
    let path: ProjectPath
    var tags: [Located<String>]
    let offset: Int
    /// Whether the last component stands for all files with that name in the language folders of the parent
    /// folder.
    var isLocalized = false
    /// The reason why a catalog does not belong to the build; nil if it belongs to the build.
    ///
    /// The reason matters only if the catalog contains tags, because these tags are then lost.
    var reasonToLeaveOut: String?

    /// Whether the item is an asset catalog.
    ///
    /// Items of an asset catalog can have their own tags.
    var isCatalog: Bool { Formats.isCatalog(path.components.last ?? "") }
  }

  /// A folder whose files all belong to the target, except the files at some relative paths.
  struct SynchronizedFolder: Sendable {
    let path: ProjectPath
    let exceptions: Set<String>
    /// The folders in the synchronized folder that Xcode treats as one resource.
    let packages: PackageFolders
    let offset: Int

    /// Whether the file at a relative path is a resource of the target, or is inside a resource of the
    /// target.
    func holdsResource(_ path: String) -> Bool {
      if exceptions.contains(path) || foldersAbove(path).contains(where: exceptions.contains) { return false }
      return !ProjectResourcesReader.isSource(packages.outermost(above: path) ?? path)
    }
  }

  /// The text that offsets refer to: the project file, followed by the .xcconfig files that were read.
  let text: SourceText
  package let targetName: String
  package let configuration: String
  let bundleIdentifier: Located<String>?
  let initialInstallTags: [Located<String>]
  let prefetchTagOrder: [Located<String>]
  let packURLPrefix: Located<String>?
  let embedsPacks: Bool
  /// Whether Xcode compresses PNG files, which is the default.
  let compressesImages: Bool
  /// A manifest of packs among the target's resources.
  ///
  /// If the target has such a file, Xcode does not write its own manifest of packs.
  let ownManifest: Located<String>?
  /// Files and folders in the order of the project, including files and folders without tags.
  let items: [Item]
  let folders: [SynchronizedFolder]
  /// The filter for files that the target's settings exclude.
  let filter: BuildFileFilter

  /// Reads the resources of one target from a project's text.
  ///
  /// If the project has errors, returns findings and no resources. The function looks for settings files in
  /// the project's folder. If `folder` is nil, no file is read.
  package static func read(
    _ text: SourceText, in folder: String? = nil, choice: ProjectChoice = ProjectChoice()
  ) throws(SystemError) -> (resources: ProjectResources?, diagnostics: [Diagnostic]) {
    let findings = ProjectFindings(text)
    let resources = try ProjectResources(in: folder, choice: choice, findings: findings)
    return (resources, findings.diagnostics)
  }

  /// Reads the resources from the text of `findings`.
  ///
  /// If other files are read, their texts are appended to this text.
  init?(in folder: String?, choice: ProjectChoice, findings: ProjectFindings) throws(SystemError) {
    guard let project = XcodeProject(findings),
      let target = try ProjectTarget(of: project, in: folder, choice: choice)
    else { return nil }
    text = findings.text
    targetName = target.name
    configuration = target.configuration
    let settings = target.settings
    bundleIdentifier = settings.text("PRODUCT_BUNDLE_IDENTIFIER")
    initialInstallTags = settings.list("ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS")
    prefetchTagOrder = settings.list("ON_DEMAND_RESOURCES_PREFETCH_ORDER")
    packURLPrefix = settings.text("ASSET_PACK_MANIFEST_URL_PREFIX")
    embedsPacks = settings.flag("EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE")?.value ?? false
    compressesImages = settings.flag("COMPRESS_PNG_FILES")?.value ?? true
    Self.checkSupport(of: target, in: project)
    filter = try BuildFileFilter(target, of: project, in: folder)
    let reader = ProjectResourcesReader(project, target: target, filter: filter)
    items = reader.items
    ownManifest = reader.ownManifest
    DroppedTags(of: project, for: target).report()
    folders = reader.folders
  }

  /// Checks whether Xcode would make packs from the target's resources, and whether it would write the packs
  /// to the usual place.
  private static func checkSupport(of target: ProjectTarget, in project: XcodeProject) {
    let (settings, title) = (target.settings, "the target \(quoted(target.name))")
    let findings = project.findings
    let isUsual = target.kind.usesResources(on: settings.build.sdk)
    let isEnabled = settings.flag("ENABLE_ON_DEMAND_RESOURCES")
    let place = "\(target.kind.title) for \(settings.build.sdk.platform.title)"
    if let isEnabled, !isEnabled.value {
      findings.add(
        .disabledResources,
        message:
          "\(title) has ENABLE_ON_DEMAND_RESOURCES set to NO, so Xcode puts all resources into the app",
        at: isEnabled.offset)
    } else if isEnabled == nil && !isUsual {
      findings.add(
        .disabledResources,
        message:
          "\(title) is \(place), which has no On-Demand Resources by default, so Xcode puts all resources "
          + "into it",
        at: project.tree.offset(of: target.node))
    } else if !(settings.flag("SUPPORTS_ON_DEMAND_RESOURCES")?.value ?? isUsual) {
      findings.add(
        .unsupportedSetting,
        message:
          "\(title) has ENABLE_ON_DEMAND_RESOURCES set to YES, but \(place) cannot have On-Demand Resources",
        at: isEnabled?.offset ?? 0)
    } else if let wraps = settings.flag("WRAP_ASSET_PACKS_IN_SEPARATE_DIRECTORIES"), wraps.value {
      findings.add(
        .unsupportedSetting,
        message: "neither Xcode nor packtool supports WRAP_ASSET_PACKS_IN_SEPARATE_DIRECTORIES=YES",
        at: wraps.offset)
    }
    if let folder = settings.text("ASSET_PACK_FOLDER_PATH"), !folder.value.isEmpty {
      findings.add(
        .uncarriedSetting,
        message:
          "packtool ignores ASSET_PACK_FOLDER_PATH (\(quoted(folder.value))) and writes packs below the "
          + "output folder",
        at: folder.offset)
    }
  }
}

extension ProjectResources {
  /// Returns those files of a target's resources that have no tags.
  ///
  /// The paths of these files are relative to the manifest's root, and can begin with `..`.
  ///
  /// - Throws: if the disk fails. Files that cannot be read are left out.
  func bundledFiles(in commonFolder: CommonFolder, relativeTo root: [String]) throws(SystemError)
    -> [UntaggedFile]
  {
    var found: [FoundFile] = []
    for item in items where (item.tags.isEmpty || item.isCatalog) && item.reasonToLeaveOut == nil {
      if let names = commonFolder.bounds.absoluteComponents(of: item.path) {
        found += try files(at: names) { _ in true }
      }
    }
    for folder in folders {
      guard let names = commonFolder.bounds.absoluteComponents(of: folder.path) else { continue }
      found += try files(at: names) { path in
        folder.holdsResource(path) && filter.reason(toLeaveOut: folder.path.appending(path)) == nil
      }
    }
    let top = commonFolder.absoluteComponents(of: root)
    var seen: Set<ByteKey> = []
    return found.compactMap { file in
      let path = relativeComponents(from: top, to: file.names).joined(separator: "/")
      return seen.insert(ByteKey(path)).inserted ? UntaggedFile(path: path, size: file.size) : nil
    }
  }
}

/// A file on the disk.
private struct FoundFile {
  /// The components of the file's absolute path.
  let names: [String]
  /// The size in bytes.
  let size: Int64
}

/// Returns the file at a path.
///
/// If the path is a folder, returns those files in the folder for whose relative paths `isIncluded` is true.
private func files(at names: [String], where isIncluded: (String) -> Bool) throws(SystemError) -> [FoundFile]
{
  func isExpected(_ error: SystemError) -> Bool { error.isDenied || error.isMissing || error.isTooLong }
  let path = "/" + names.joined(separator: "/")
  let status = try unless(isExpected) { () throws(SystemError) in try FileOperations.statusIfThere(path) }
  guard let status = status ?? nil else { return [] }
  guard status.kind == .folder else {
    return status.kind == .file ? [FoundFile(names: names, size: status.size)] : []
  }
  let folder = try unless(isExpected) { () throws(SystemError) in try Folder(path) }
  guard let folder else { return [] }
  var found: [FoundFile] = []
  var walk = FolderWalk(folder, symlinks: RunScope.current.symlinks)
  while let entry = try walk.nextReadable() {
    let below = String(decoding: entry.path, as: UTF8.self)
    let name = Array(lastName(of: below).utf8)
    if entry.status.kind == .folder {
      // The output folder of a build is not a resource.
      let isOutput = (try? FileOperations.exists("\(path)/\(below)/\(PublishedNames.recordFolder)")) ?? false
      if isOutput || isNeverPacked(name[...]) { walk.skipContents() }
    } else if entry.status.kind == .file, !isNeverPacked(name[...]), isIncluded(below) {
      found.append(FoundFile(names: names + Pipeline.names(in: below), size: entry.status.size))
    }
  }
  return found
}
