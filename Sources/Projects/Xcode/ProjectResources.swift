package import Findings
package import Formats
import PackKit
package import System

/// The tagged resources and settings of a target, from its project and .xcconfig files.
package struct ProjectResources: Sendable {
  /// A file or folder with tags.
  struct Item: Sendable {
    let path: ProjectPath
    var tags: [Located<String>]
    let offset: Int
    /// Whether the last component stands for the files of that name in all language folders beside it.
    var isLocalized = false
  }

  /// A folder of which every file belongs to the target, except those of some paths below it.
  typealias SynchronizedFolder = (path: ProjectPath, exceptions: Set<String>, offset: Int)

  /// The text to which offsets refer: the project and the .xcconfig files that were read.
  let text: SourceText
  package let targetName: String
  package let configuration: String
  let bundleIdentifier: Located<String>?
  let initialInstallTags: [Located<String>]
  let prefetchTagOrder: [Located<String>]
  let packURLPrefix: Located<String>?
  let embedsPacks: Bool
  /// Whether PNG files are compressed, as they are by default.
  let compressesImages: Bool
  /// A manifest of packs among the resources, in whose place Xcode writes none.
  let ownManifest: Located<String>?
  /// Files and folders, also those without tags, in the order of the project.
  let items: [Item]
  /// The asset catalogs of the Resources phase, whose items have tags of their own.
  let catalogs: [Item]
  let folders: [SynchronizedFolder]

  /// Reads the resources of one target from a project's text; nil, with findings, if that is impossible.
  ///
  /// Files of settings are searched in the project's folder; if that is nil, no file is read.
  package static func read(
    _ text: SourceText, in folder: String? = nil, _ choice: ProjectChoice = ProjectChoice()
  ) throws(SystemError) -> (resources: ProjectResources?, diagnostics: [Diagnostic]) {
    let findings = ProjectFindings(text)
    let resources = try ProjectResources(in: folder, choice, findings)
    return (resources, findings.diagnostics)
  }

  /// The same for the text of findings, which gets those of the files that were read.
  init?(in folder: String?, _ choice: ProjectChoice, _ findings: ProjectFindings) throws(SystemError) {
    guard let project = XcodeProject(findings),
      let target = try ProjectTarget(of: project, in: folder, choice)
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
    let walk = ResourceWalk(project, target)
    items = walk.items
    ownManifest = walk.ownManifest
    catalogs = walk.catalogs
    folders = walk.folders
  }

  /// The paths of all that may have tags.
  var paths: [ProjectPath] {
    items.filter { !$0.tags.isEmpty }.map(\.path) + catalogs.map(\.path) + folders.map { $0.path }
  }

  /// Checks whether Xcode would make packs of the target's resources, and make them where a build does.
  private static func checkSupport(of target: ProjectTarget, in project: XcodeProject) {
    let (settings, title) = (target.settings, "the target \(quoted(target.name))")
    let findings = project.findings
    let isUsual = target.kind.usesResources(on: settings.build.sdk)
    let isEnabled = settings.flag("ENABLE_ON_DEMAND_RESOURCES")
    let place = "\(target.kind.title) for \(settings.build.sdk.platform.title)"
    if let isEnabled, !isEnabled.value {
      findings.add(
        .disabledResources,
        "\(title) has ENABLE_ON_DEMAND_RESOURCES set to NO: Xcode would put all in the app",
        at: isEnabled.offset)
    } else if isEnabled == nil && !isUsual {
      findings.add(
        .disabledResources,
        "\(title) is \(place), which has no on-demand resources by default: Xcode would put all in it",
        at: project.tree.offset(of: target.node))
    } else if !(settings.flag("SUPPORTS_ON_DEMAND_RESOURCES")?.value ?? isUsual) {
      findings.add(
        .unsupportedSetting,
        "\(title) has ENABLE_ON_DEMAND_RESOURCES set to YES, but \(place) cannot have on-demand resources",
        at: isEnabled?.offset ?? 0)
    } else if let wraps = settings.flag("WRAP_ASSET_PACKS_IN_SEPARATE_DIRECTORIES"), wraps.value {
      findings.add(
        .unsupportedSetting, "WRAP_ASSET_PACKS_IN_SEPARATE_DIRECTORIES=YES is not supported, as in Xcode",
        at: wraps.offset)
    }
    if let folder = settings.text("ASSET_PACK_FOLDER_PATH"), !folder.value.isEmpty {
      findings.add(
        .uncarriedSetting,
        "ASSET_PACK_FOLDER_PATH is \(quoted(folder.value)) and not followed: packs are written below the output folder",
        at: folder.offset)
    }
  }
}
