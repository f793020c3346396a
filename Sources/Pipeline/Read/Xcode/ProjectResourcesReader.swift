import Formats
import Model
import System

/// Collects the files of a target.
struct ProjectResourcesReader {
  private let project: XcodeProject
  private let target: ProjectTarget
  private var paths: ProjectPathResolver
  private(set) var items: [ProjectResources.Item] = []
  private(set) var folders: [ProjectResources.SynchronizedFolder] = []
  /// The file name of a manifest of packs, if the files include such a manifest.
  private(set) var ownManifest: Located<String>?
  private let filter: BuildFileFilter

  private var tree: PlistTree { project.tree }
  private var findings: ProjectFindings { project.findings }

  init(_ project: XcodeProject, target: ProjectTarget, filter: BuildFileFilter) {
    self.project = project
    self.target = target
    self.filter = filter
    paths = ProjectPathResolver(project)
    readPhases()
    readSynchronizedFolders()
  }

  private mutating func readPhases() {
    for phase in names(in: target.node, key: "buildPhases") {
      guard let node = project.object(phase.value) else {
        findings.addMissing("the target \(quoted(target.name)) refers to the build phase", id: phase)
        continue
      }
      guard tree.string(node, key: "isa") == "PBXResourcesBuildPhase" else { continue }
      for file in names(in: node, key: "files") { readBuildFile(file) }
    }
  }

  /// Returns the names in a list, each name only once.
  ///
  /// Otherwise, if lists contain lists with repeated names, reading would take too long.
  private func names(in node: PlistTree.Node, key: String) -> [Located<String>] {
    var seen: Set<ByteKey> = []
    return tree.strings(node, key: key).filter { seen.insert(ByteKey($0.value)).inserted }
  }

  private mutating func readBuildFile(_ id: Located<String>) {
    guard let node = project.object(id.value) else {
      return findings.addMissing(
        "the Resources phase of \(quoted(target.name)) refers to the build file", id: id)
    }
    let tags = tree.value(node, key: "settings").map { tree.strings($0, key: "ASSET_TAGS") } ?? []
    let platforms = (tree.strings(node, key: "platformFilters") + tree.strings(node, key: "platformFilter"))
      .map(
        \.value)
    guard let reference = tree.value(node, key: "fileRef"), let file = tree.string(reference) else { return }
    guard let object = project.object(file) else {
      let subject = "the build file \(quoted(id.value)) of the Resources phase refers to the file"
      return findings.addMissing(subject, id: Located(file, at: tree.offset(of: reference)))
    }
    let offset = tree.offset(of: node)
    guard tree.string(object, key: "isa") == "PBXVariantGroup" else {
      return add(file, tags: tags, platforms: platforms, at: offset)
    }
    for child in names(in: object, key: "children") {
      if project.object(child.value) != nil {
        add(child.value, tags: tags, platforms: platforms, at: offset)
      } else if !tags.isEmpty {
        findings.addMissing("\(project.title(of: file)) refers to the file", id: child)
      }
    }
  }

  /// Adds a file, unless the target's platform or settings exclude it.
  private mutating func add(_ id: String, tags: [Located<String>], platforms: [String], at offset: Int) {
    guard project.object(id) != nil, let path = paths.path(of: id) else { return }
    add(ProjectResources.Item(path: path, tags: tags, offset: offset), platforms: platforms)
  }

  private mutating func add(_ item: ProjectResources.Item, platforms: [String]) {
    // Several build files can refer to the same file, so each use of a path counts toward the limit.
    guard paths.admits(item.path, of: "a file of the target", at: item.offset) else { return }
    let name = item.path.components.last ?? ""
    let other = name.hasSuffix(".swift") ? "Xcode does not copy Swift files" : nil
    if let reason = filter.reason(toLeaveOut: item, for: platforms) ?? other {
      if item.tags.isEmpty {
        var item = item
        item.reasonToLeaveOut = reason
        if item.isCatalog { items.append(item) }
        return
      }
      return findings.add(
        .filteredFile, message: "\(quoted(item.path.text)) is left out: \(reason)", at: item.offset)
    }
    if PublishedNames.assetPackManifests.contains(name) { ownManifest = Located(name, at: item.offset) }
    items.append(item)
  }

  private mutating func readSynchronizedFolders() {
    let own = Set(tree.strings(target.node, key: "fileSystemSynchronizedGroups").map(\.value))
    for group in tree.strings(target.node, key: "fileSystemSynchronizedGroups")
    where project.object(group.value) == nil {
      findings.addMissing("the target \(quoted(target.name)) refers to the folder", id: group)
    }
    for (id, node) in project.objects(where: {
      tree.string($0, key: "isa") == "PBXFileSystemSynchronizedRootGroup"
    }) {
      readSynchronizedFolder(id, node: node, members: own.contains(id) ? .allFiles : .exceptions)
    }
  }

  /// Which files of a synchronized folder are in the target.
  private enum FolderMembers {
    /// All files of the folder are in the target, except the exceptions.
    case allFiles
    /// Only the exceptions are in the target.
    case exceptions
  }

  private mutating func readSynchronizedFolder(
    _ id: String, node: PlistTree.Node, members: FolderMembers
  ) {
    var exceptions: Set<String> = []
    var tagged: [TaggedPath] = []
    /// For each path of a file that another build phase uses instead of the Resources phase, the name of that
    /// phase.
    var phases: [String: String] = [:]
    for set in names(in: node, key: "exceptions") {
      guard let object = project.object(set.value) else {
        findings.add(
          .damagedProject,
          message:
            "\(project.title(of: id)) refers to the exceptions \(quoted(set.value)), which do not exist in the "
            + "project",
          at: set.offset)
        continue
      }
      let paths = tree.strings(object, key: "membershipExceptions").map(\.value)
      switch tree.string(object, key: "isa") {
      case "PBXFileSystemSynchronizedBuildFileExceptionSet":
        if let other = tree.string(object, key: "target"), other != target.id {
          reportTags(in: object, ofTarget: other)
        } else {
          exceptions.formUnion(paths)
          tagged += taggedPaths(in: object)
        }
      case "PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet":
        guard let phase = otherPhase(of: object) else { continue }
        for path in paths { phases[path] = phase }
      default: continue
      }
    }
    guard members == .allFiles || !tagged.isEmpty, let folder = paths.path(of: id) else { return }
    let packages = PackageFolders(explicit: Set(tree.strings(node, key: "explicitFolders").map(\.value)))
    if members == .allFiles {
      let leftOut = exceptions.union(phases.keys)
      folders.append(
        ProjectResources.SynchronizedFolder(
          path: folder, exceptions: leftOut, packages: packages, offset: tree.offset(of: node)))
    }
    for file in tagged where !file.tags.isEmpty {
      let path = file.path.value
      let steps = foldersAbove(path) + [path]
      // In a folder that belongs to the target, exceptions exclude files. From other folders, only the
      // exceptions are included.
      let reason =
        if let phase = steps.lazy.compactMap({ phases[$0] }).first {
          "the file is in the phase \(quoted(phase)), but Xcode makes packs only from the Resources phase"
        } else if steps.contains(where: exceptions.contains) == (members == .allFiles) {
          "the target \(quoted(target.name)) does not contain the file"
        } else if let package = packages.outermost(above: path) {
          "the file is in \(quoted(package)), which Xcode treats as one resource; give the tag to that "
            + "resource"
        } else if Self.isSource(path) { "the file is code, which Xcode does not copy" } else { String?.none }
      if let reason {
        DroppedTags.report(file.tags, of: path, reason: reason, at: file.path.offset, in: findings)
      } else {
        add(item(file.path, in: folder, tags: file.tags), platforms: file.platforms)
      }
    }
  }

  /// A file of a synchronized folder: its path relative to the folder, its tags and its platforms.
  private struct TaggedPath {
    let path: Located<String>
    let tags: [Located<String>]
    let platforms: [String]
  }

  private func taggedPaths(in exceptions: PlistTree.Node) -> [TaggedPath] {
    // The filters are put into a dictionary, because otherwise a long list would be searched again for each
    // file.
    let filters = Dictionary(
      tree.members(tree.value(exceptions, key: "platformFiltersByRelativePath")).compactMap { key, value in
        tree.string(key).map { (ByteKey($0), value) }
      }
    ) { first, _ in first }
    return tree.members(tree.value(exceptions, key: "assetTagsByRelativePath")).compactMap { key, value in
      guard let path = tree.string(key) else { return nil }
      let tags = tree.isArray(value) ? tree.elements(value) : [value]
      return TaggedPath(
        path: Located(path, at: tree.offset(of: key)),
        tags: tags.compactMap { tag in tree.string(tag).map { Located($0, at: tree.offset(of: tag)) } },
        platforms: filters[ByteKey(path)].map { tree.strings(of: $0).map(\.value) } ?? [])
    }
  }

  /// Reports the tags that exceptions assign to files of another target.
  ///
  /// Tags of another app's files are not reported, because that app has its own packs.
  private func reportTags(in exceptions: PlistTree.Node, ofTarget id: String) {
    guard let other = project.object(id), let reason = DroppedTags.reason(ofTarget: other, in: project) else {
      return
    }
    for file in taggedPaths(in: exceptions) where !file.tags.isEmpty {
      DroppedTags.report(file.tags, of: file.path.value, reason: reason, at: file.path.offset, in: findings)
    }
  }

  /// Returns the name of the build phase that uses the files of some exceptions instead of the Resources
  /// phase.
  ///
  /// The result is nil for the Resources phase itself, and for phases of other targets.
  private func otherPhase(of exceptions: PlistTree.Node) -> String? {
    guard let id = tree.string(exceptions, key: "buildPhase"), let phase = project.object(id),
      tree.strings(target.node, key: "buildPhases").contains(where: { $0.value == id }),
      tree.string(phase, key: "isa") != "PBXResourcesBuildPhase"
    else { return nil }
    return DroppedTags.title(ofPhase: phase, in: project)
  }

  /// Returns a tagged file of a synchronized folder.
  ///
  /// The path `Text/Localized: a.dat` means the files `a.dat` in all languages.
  private func item(
    _ path: Located<String>, in folder: ProjectPath, tags: [Located<String>]
  ) -> ProjectResources.Item {
    let whole = "/\(path.value)"
    guard let range = whole.ranges(of: "/Localized: ").last else {
      return ProjectResources.Item(path: folder.appending(path.value), tags: tags, offset: path.offset)
    }
    let names = [whole[..<range.lowerBound], whole[range.upperBound...]].flatMap { $0.split(separator: "/") }
    let place = folder.appending(names.joined(separator: "/"))
    return ProjectResources.Item(path: place, tags: tags, offset: path.offset, isLocalized: true)
  }

  /// Whether a file of a synchronized folder is compiled.
  ///
  /// A compiled file is not a resource, so its tags have no effect.
  static func isSource(_ path: String) -> Bool { Self.sourceSuffixes.contains { path.hasSuffix($0) } }

  private static let sourceSuffixes = [
    ".swift", ".m", ".mm", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".s", ".metal",
    ".intentdefinition", ".xcdatamodeld", ".xcdatamodel", ".modulemap",
  ]
}
