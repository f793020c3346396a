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
    /// The folder in the app's resources, such as `en.lproj` for a localized file; nil for the top.
    let region: String?
    /// The offset of the item in the text.
    let offset: Int
    let id: String
  }

  /// A folder of which every file belongs to the target, except listed ones.
  struct SynchronizedFolder: Sendable {
    let path: ProjectPath
    /// Paths below the folder that do not belong to the target.
    let exceptions: Set<String>
    let offset: Int
  }

  /// The text to which offsets refer: the project and the .xcconfig files that were read.
  let text: SourceText
  package let targetName: String
  package let configuration: String
  let bundleIdentifier: Located<String>?
  let initialInstallTags: [Located<String>]
  let prefetchTagOrder: [Located<String>]
  let packURLPrefix: Located<String>?
  let embedsPacks: Bool
  /// Files and folders with tags, in the order of the project.
  private(set) var items: [Item] = []
  /// The asset catalogs of the Resources phase, whose items have tags of their own.
  private(set) var catalogs: [Item] = []
  private(set) var folders: [SynchronizedFolder] = []

  /// Reads the resources of one target from a project's text; nil, with findings, if that is impossible.
  ///
  /// Files of settings are searched in the project's folder; if that is nil, no file is read.
  ///
  /// - Throws: if the disk fails.
  package static func read(
    _ text: SourceText, in folder: String? = nil, _ choice: ProjectChoice = ProjectChoice()
  ) throws(SystemError) -> (resources: ProjectResources?, diagnostics: [Diagnostic]) {
    let (project, diagnostics) = XcodeProject.read(text)
    var findings = ProjectFindings(text)
    findings.add(diagnostics)
    guard let project, let target = try ProjectTarget(of: project, in: folder, choice, &findings) else {
      return (nil, findings.diagnostics)
    }
    let resources = ProjectResources(of: target, in: project, &findings)
    return (resources, findings.diagnostics)
  }

  private init(of target: ProjectTarget, in project: XcodeProject, _ findings: inout ProjectFindings) {
    text = findings.text
    targetName = target.name
    configuration = target.configuration
    let settings = target.settings
    bundleIdentifier = settings.text("PRODUCT_BUNDLE_IDENTIFIER", &findings)
    initialInstallTags = settings.list("ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS", &findings)
    prefetchTagOrder = settings.list("ON_DEMAND_RESOURCES_PREFETCH_ORDER", &findings)
    packURLPrefix = settings.text("ASSET_PACK_MANIFEST_URL_PREFIX", &findings)
    embedsPacks = settings.flag("EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE", &findings)?.value ?? false
    if let isEnabled = settings.flag("ENABLE_ON_DEMAND_RESOURCES", &findings), !isEnabled.value {
      findings.add(
        .disabledResources,
        "the target \(quoted(target.name)) has ENABLE_ON_DEMAND_RESOURCES set to NO: Xcode would put all in the app",
        at: isEnabled.offset)
    }
    var walk = ResourceWalk(project, target)
    walk.readPhases(&findings)
    walk.readSynchronizedFolders(&findings)
    items = walk.items
    catalogs = walk.catalogs
    folders = walk.folders
  }
}

/// A walk over the files of a target.
private struct ResourceWalk {
  private let project: XcodeProject
  private let target: ProjectTarget
  private var paths: ProjectPaths
  private(set) var items: [ProjectResources.Item] = []
  private(set) var catalogs: [ProjectResources.Item] = []
  private(set) var folders: [ProjectResources.SynchronizedFolder] = []

  private var tree: PlistTree { project.tree }

  init(_ project: XcodeProject, _ target: ProjectTarget) {
    self.project = project
    self.target = target
    paths = ProjectPaths(project)
  }

  mutating func readPhases(_ findings: inout ProjectFindings) {
    for phase in tree.strings(target.node, "buildPhases") {
      guard let node = project.object(phase.value) else {
        findings.add(
          .damagedProject,
          "the target \(quoted(target.name)) has the build phase \(quoted(phase.value)), which is not among the objects",
          at: phase.offset)
        continue
      }
      guard tree.string(node, "isa") == "PBXResourcesBuildPhase" else { continue }
      for file in tree.strings(node, "files") { readBuildFile(file, &findings) }
    }
  }

  private mutating func readBuildFile(_ id: Located<String>, _ findings: inout ProjectFindings) {
    guard let node = project.object(id.value) else {
      findings.add(
        .damagedProject,
        "the Resources phase of \(quoted(target.name)) has the build file \(quoted(id.value)), which is not among "
          + "the objects", at: id.offset)
      return
    }
    let tags = tree.value(node, "settings").map { tree.strings($0, "ASSET_TAGS") } ?? []
    guard let reference = tree.value(node, "fileRef"), let file = tree.string(reference) else { return }
    guard let object = project.object(file) else {
      findings.add(
        .damagedProject,
        "the build file \(quoted(id.value)) of the Resources phase stands for the file \(quoted(file)), which is not "
          + "among the objects", at: tree.offset(of: reference))
      return
    }
    let offset = tree.offset(of: node)
    guard tree.string(object, "isa") == "PBXVariantGroup" else {
      return add(file, tags, at: offset, &findings)
    }
    for child in tree.strings(object, "children") {
      if project.object(child.value) != nil {
        add(child.value, tags, at: offset, variantOf: file, &findings)
      } else if !tags.isEmpty {
        findings.add(
          .damagedProject,
          "\(project.title(of: file)) holds the file \(quoted(child.value)), which is not among the objects",
          at: child.offset)
      }
    }
  }

  /// Adds a file if it has tags, or is a catalog, which may have tags inside.
  private mutating func add(
    _ id: String, _ tags: [Located<String>], at offset: Int, variantOf group: String? = nil,
    _ findings: inout ProjectFindings
  ) {
    guard let node = project.object(id) else { return }
    let name = tree.string(node, "path") ?? tree.string(node, "name") ?? ""
    let isCatalog = name.hasSuffix(".xcassets")
    guard isCatalog || !tags.isEmpty, let path = paths.path(of: id, &findings) else { return }
    let language = group == nil ? nil : tree.string(node, "name")
    let item = ProjectResources.Item(
      path: path, tags: tags, region: region(of: path) ?? language.map { "\($0).lproj" }, offset: offset,
      id: id)
    if isCatalog { catalogs.append(item) } else { items.append(item) }
  }

  mutating func readSynchronizedFolders(_ findings: inout ProjectFindings) {
    let own = Set(tree.strings(target.node, "fileSystemSynchronizedGroups").map(\.value))
    for group in tree.strings(target.node, "fileSystemSynchronizedGroups")
    where project.object(group.value) == nil {
      findings.add(
        .damagedProject,
        "the target \(quoted(target.name)) has the folder \(quoted(group.value)), which is not among the objects",
        at: group.offset)
    }
    for (id, node) in project.objects(ofKind: "PBXFileSystemSynchronizedRootGroup") {
      readSynchronizedFolder(id, node, isWhole: own.contains(id), &findings)
    }
  }

  private mutating func readSynchronizedFolder(
    _ id: String, _ node: PlistTree.Node, isWhole: Bool, _ findings: inout ProjectFindings
  ) {
    var exceptions: Set<String> = []
    var tagged: [(path: Located<String>, tags: [Located<String>], set: String)] = []
    for set in tree.strings(node, "exceptions") {
      guard let object = project.object(set.value) else {
        findings.add(
          .damagedProject,
          "\(project.title(of: id)) has the exceptions \(quoted(set.value)), which are not among the objects",
          at: set.offset)
        continue
      }
      let isTargets = tree.string(object, "target").map { $0 == target.id } ?? true
      guard isTargets, tree.string(object, "isa") == "PBXFileSystemSynchronizedBuildFileExceptionSet" else {
        continue
      }
      exceptions.formUnion(tree.strings(object, "membershipExceptions").map(\.value))
      for (key, value) in tree.members(tree.value(object, "assetTagsByRelativePath")) {
        guard let path = tree.string(key) else { continue }
        let tags = tree.isArray(value) ? tree.elements(value) : [value]
        let located = tags.compactMap { tag in tree.string(tag).map { Located($0, at: tree.offset(of: tag)) }
        }
        tagged.append((Located(path, at: tree.offset(of: key)), located, set.value))
      }
    }
    guard isWhole || !tagged.isEmpty, let folder = paths.path(of: id, &findings) else { return }
    if isWhole {
      folders.append(
        ProjectResources.SynchronizedFolder(
          path: folder, exceptions: exceptions, offset: tree.offset(of: node)))
    }
    for (path, tags, set) in tagged where !tags.isEmpty {
      // Exceptions exclude files from a folder of the target; from other folders they alone are included.
      if exceptions.contains(path.value) == isWhole || isSource(path.value) { continue }
      let place = folder.appending(path.value)
      items.append(
        ProjectResources.Item(
          path: place, tags: tags, region: region(of: place), offset: path.offset, id: set))
    }
  }

  /// The language folder of a file.
  private func region(of path: ProjectPath) -> String? {
    guard case .inside(let components) = path, let folder = components.dropLast().last else { return nil }
    return folder.hasSuffix(".lproj") ? folder : nil
  }

  /// Whether a file of a synchronized folder is compiled, so that it is no resource and its tags have no effect.
  private func isSource(_ path: String) -> Bool {
    ResourceWalk.sourceSuffixes.contains { path.hasSuffix($0) }
  }

  private static let sourceSuffixes = [
    ".swift", ".m", ".mm", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".s", ".metal",
    ".intentdefinition",
    ".xcdatamodeld", ".xcdatamodel", ".modulemap",
  ]
}
