import AppleFormats
import Findings
import Formats
import PackKit
import System

/// A walk over the files of a target.
struct ResourceWalk {
  private let project: XcodeProject
  private let target: ProjectTarget
  private var paths: ProjectPaths
  private(set) var items: [ProjectResources.Item] = []
  private(set) var catalogs: [ProjectResources.Item] = []
  private(set) var folders: [ProjectResources.SynchronizedFolder] = []
  /// A manifest of packs among the files, by its name.
  private(set) var ownManifest: Located<String>?
  private let filter: BuildFileFilter

  private var tree: PlistTree { project.tree }
  private var findings: ProjectFindings { project.findings }

  init(_ project: XcodeProject, _ target: ProjectTarget, filter: BuildFileFilter) {
    self.project = project
    self.target = target
    self.filter = filter
    paths = ProjectPaths(project)
    readPhases()
    readSynchronizedFolders()
  }

  private mutating func readPhases() {
    for phase in names(in: target.node, "buildPhases") {
      guard let node = project.object(phase.value) else {
        findings.addMissing("the target \(quoted(target.name)) has the build phase", phase)
        continue
      }
      guard tree.string(node, "isa") == "PBXResourcesBuildPhase" else { continue }
      for file in names(in: node, "files") { readBuildFile(file) }
    }
  }

  /// Each name in a list once, as a list in a list that repeats them would be read a product of times.
  private func names(in node: PlistTree.Node, _ key: String) -> [Located<String>] {
    var seen: Set<ByteKey> = []
    return tree.strings(node, key).filter { seen.insert(ByteKey($0.value)).inserted }
  }

  private mutating func readBuildFile(_ id: Located<String>) {
    guard let node = project.object(id.value) else {
      return findings.addMissing("the Resources phase of \(quoted(target.name)) has the build file", id)
    }
    let tags = tree.value(node, "settings").map { tree.strings($0, "ASSET_TAGS") } ?? []
    let platforms = (tree.strings(node, "platformFilters") + tree.strings(node, "platformFilter")).map(
      \.value)
    guard let reference = tree.value(node, "fileRef"), let file = tree.string(reference) else { return }
    guard let object = project.object(file) else {
      let claim = "the build file \(quoted(id.value)) of the Resources phase stands for the file"
      return findings.addMissing(claim, Located(file, at: tree.offset(of: reference)))
    }
    let offset = tree.offset(of: node)
    guard tree.string(object, "isa") == "PBXVariantGroup" else {
      return add(file, tags, platforms, at: offset)
    }
    for child in names(in: object, "children") {
      if project.object(child.value) != nil {
        add(child.value, tags, platforms, at: offset)
      } else if !tags.isEmpty {
        findings.addMissing("\(project.title(of: file)) holds the file", child)
      }
    }
  }

  /// Adds a file, unless the target's platform or settings leave it out.
  private mutating func add(_ id: String, _ tags: [Located<String>], _ platforms: [String], at offset: Int) {
    guard let node = project.object(id), let path = paths.path(of: id) else { return }
    add(
      ProjectResources.Item(path: path, tags: tags, offset: offset), platforms,
      isCatalog: isCatalog(tree.string(node, "path") ?? tree.string(node, "name") ?? ""))
  }

  private mutating func add(_ item: ProjectResources.Item, _ platforms: [String], isCatalog: Bool = false) {
    let name = item.path.components.last ?? ""
    let other = name.hasSuffix(".swift") ? "Xcode does not copy Swift files" : nil
    if let reason = filter.reason(toLeaveOut: item, for: platforms) ?? other {
      if item.tags.isEmpty {
        var item = item
        item.reasonToLeaveOut = reason
        if isCatalog { catalogs.append(item) }
        return
      }
      return findings.add(.filteredFile, "\(quoted(item.path.text)) is left out: \(reason)", at: item.offset)
    }
    if PublishedNames.assetPackManifests.contains(name) { ownManifest = Located(name, at: item.offset) }
    if isCatalog { catalogs.append(item) } else { items.append(item) }
  }

  private mutating func readSynchronizedFolders() {
    let own = Set(tree.strings(target.node, "fileSystemSynchronizedGroups").map(\.value))
    for group in tree.strings(target.node, "fileSystemSynchronizedGroups")
    where project.object(group.value) == nil {
      findings.addMissing("the target \(quoted(target.name)) has the folder", group)
    }
    for (id, node) in project.objects(where: {
      tree.string($0, "isa") == "PBXFileSystemSynchronizedRootGroup"
    }) {
      readSynchronizedFolder(id, node, isWhole: own.contains(id))
    }
  }

  private mutating func readSynchronizedFolder(_ id: String, _ node: PlistTree.Node, isWhole: Bool) {
    var exceptions: Set<String> = []
    var tagged: [(path: Located<String>, tags: [Located<String>], platforms: [String])] = []
    for set in names(in: node, "exceptions") {
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
      let filters = tree.value(object, "platformFiltersByRelativePath")
      for (key, value) in tree.members(tree.value(object, "assetTagsByRelativePath")) {
        guard let path = tree.string(key) else { continue }
        let tags = tree.isArray(value) ? tree.elements(value) : [value]
        let located = tags.compactMap { tag in tree.string(tag).map { Located($0, at: tree.offset(of: tag)) }
        }
        let platforms = filters.map { tree.strings($0, path).map(\.value) } ?? []
        tagged.append((Located(path, at: tree.offset(of: key)), located, platforms))
      }
    }
    guard isWhole || !tagged.isEmpty, let folder = paths.path(of: id) else { return }
    if isWhole { folders.append((folder, exceptions, tree.offset(of: node))) }
    for (path, tags, platforms) in tagged where !tags.isEmpty {
      // Exceptions exclude files from a folder of the target; from other folders they alone are included.
      if exceptions.contains(path.value) == isWhole || Self.isSource(path.value) { continue }
      add(item(path, in: folder, tags), platforms)
    }
  }

  /// A tagged file of a synchronized folder; `Text/Localized: a.dat` are the files of that name in all languages.
  private func item(
    _ path: Located<String>, in folder: ProjectPath, _ tags: [Located<String>]
  ) -> ProjectResources.Item {
    let whole = "/\(path.value)"
    guard let range = whole.ranges(of: "/Localized: ").last else {
      return ProjectResources.Item(path: folder.appending(path.value), tags: tags, offset: path.offset)
    }
    let names = [whole[..<range.lowerBound], whole[range.upperBound...]].flatMap { $0.split(separator: "/") }
    let place = folder.appending(names.joined(separator: "/"))
    return ProjectResources.Item(path: place, tags: tags, offset: path.offset, isLocalized: true)
  }

  /// Whether a file of a synchronized folder is compiled, so that it is no resource and its tags have no effect.
  static func isSource(_ path: String) -> Bool { ResourceWalk.sourceSuffixes.contains { path.hasSuffix($0) } }

  private static let sourceSuffixes = [
    ".swift", ".m", ".mm", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".s", ".metal",
    ".intentdefinition", ".xcdatamodeld", ".xcdatamodel", ".modulemap",
  ]
}
