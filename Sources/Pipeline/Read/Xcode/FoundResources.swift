import Formats
import Model
import System

/// A target's resources, as found on the disk.
///
/// They include the tags inside asset catalogs.
struct FoundResources {
  /// A file or folder that gets tags.
  struct Resource {
    /// The path relative to the folder that contains all files of the project.
    let components: [String]
    let kind: Kind
    var tags: [Located<String>]
    let destination: [String]
    let offset: Int

    /// The path as a string.
    var path: String { components.joined(separator: "/") }

    enum Kind {
      case file
      case folder
      /// The resource is a catalog, or a folder in a catalog.
      case catalog
      /// The resource consists of all files directly in a folder.
      case entries
      /// The file or folder does not exist.
      case missing
    }
  }

  /// The resources with distinct paths, in byte order.
  private(set) var found: [Resource] = []
  private let findings: ProjectFindings
  /// Findings about missing files.
  ///
  /// They matter only if nothing is built, because a build reports missing files itself.
  private(set) var missing: [Diagnostic] = []
  /// The paths of files that packtool read and that are not in a tagged folder.
  private(set) var sources: [[String]] = []
  private let commonFolder: CommonFolder
  private let filter: BuildFileFilter
  private var disk: ProjectDisk
  /// The paths that have already been used.
  ///
  /// They are the paths of resources that were found, and of entries without tags. Later entries with the
  /// same path are ignored.
  private var usedPaths: Set<[UInt8]> = []
  /// The catalogs, each with its own tags.
  private var catalogs: [Catalog] = []

  /// A catalog that was read.
  private struct Catalog {
    let item: ProjectResources.Item
    /// Whether some items in the catalog have no tags of their own, so they get only the catalog's tags.
    let hasUntagged: Bool

    var tags: Set<String> { Set(item.tags.map(\.value)) }
  }

  /// Searches the disk for the resources that a project lists.
  init(
    of resources: ProjectResources, in commonFolder: CommonFolder, findings: ProjectFindings
  ) throws(SystemError) {
    self.commonFolder = commonFolder
    self.findings = findings
    filter = resources.filter
    disk = ProjectDisk(try Folder(commonFolder.path))
    for item in resources.items {
      if item.isLocalized { try addLanguages(of: item) } else { try add(item) }
    }
    for synchronized in resources.folders { try addCatalogs(of: synchronized) }
    checkFolders()
    checkCatalogs()
    found.sort { $0.path.precedesInBytes($1.path) }
    leaveOutPackedSources()
  }

  private mutating func add(_ item: ProjectResources.Item) throws(SystemError) {
    if item.isCatalog { return try addCatalog(item) }
    let description = "with the \(tagList(item.tags))"
    if item.tags.isEmpty {
      if let components = commonFolder.components(of: item.path) {
        usedPaths.insert(ProjectDisk.key(components))
      }
      return
    }
    guard let components = place(of: item.path, description: description, offset: item.offset) else { return }
    let (path, kind) = try look(at: components, description: description, offset: item.offset)
    if kind == .missing { reportMissing(item.path, description: description, offset: item.offset) }
    guard !usedPaths.contains(ProjectDisk.key(path)) else { return reportRepeated(item) }
    let destination = [item.path.region, components.last].compactMap { $0 }
    addResource(path, kind: kind, tags: item.tags, destination: destination, at: item.offset)
  }

  private func reportRepeated(_ item: ProjectResources.Item) {
    let message =
      "\(quoted(item.path.text)) with the \(tagList(item.tags)) is in the Resources phase twice; Xcode uses "
      + "the first entry and ignores this entry"
    findings.add(.repeatedFile, message: message, at: item.offset)
  }

  private mutating func addResource(
    _ path: [String], kind: Resource.Kind, tags: [Located<String>], destination: [String],
    at offset: Int
  ) {
    usedPaths.insert(ProjectDisk.key(path))
    found.append(
      Resource(components: path, kind: kind, tags: tags, destination: destination, offset: offset))
  }

  /// Adds the files that have an item's name and are in any language folder of a folder.
  private mutating func addLanguages(of item: ProjectResources.Item) throws(SystemError) {
    guard
      let components = place(
        of: item.path, description: "with the \(tagList(item.tags))", offset: item.offset)
    else { return }
    let (parent, name) = (Array(components.dropLast()), components.last ?? "")
    let languages = try disk.names(in: parent).filter { $0.hasSuffix(".lproj") }
    var count = 0
    for language in languages {
      let path = parent + [language, name]
      guard try disk.kind(of: path) != nil else { continue }
      count += 1
      let file = item.path.folder.appending("\(language)/\(name)")
      if let reason = filter.reason(toLeaveOut: file) {
        findings.add(.filteredFile, message: "\(quoted(file.text)) is left out: \(reason)", at: item.offset)
      } else {
        try add(ProjectResources.Item(path: file, tags: item.tags, offset: item.offset))
      }
    }
    if count == 0 {
      reportMissing(
        item.path, description: "with the \(tagList(item.tags)) in any language", offset: item.offset)
    }
  }

  private mutating func reportMissing(_ path: ProjectPath, description: String, offset: Int) {
    let message =
      "\(quoted(path.text)) \(description) does not exist; packtool uses the tags, but a build fails without the "
      + "file"
    missing.append(Diagnostic(.missingResource, message: message, at: findings.text.place(at: offset)))
  }

  /// Returns the path relative to the folder that contains all files.
  ///
  /// If the path is outside the bounds, reports a finding and returns nil.
  private func place(of path: ProjectPath, description: String, offset: Int) -> [String]? {
    if let components = commonFolder.components(of: path) { return components }
    let reason =
      path.text.hasPrefix("$")
      ? "is in a folder that only Xcode knows"
      : "is outside \(quoted(commonFolder.bounds.rootText)) (to include the file, pass another folder with --root)"
    findings.add(
      .outsideProject,
      message: "\(quoted(path.text)) \(description) \(reason); packtool ignores the tags of the file",
      at: offset
    )
    return nil
  }

  /// Looks for the entry at a path, or at another path that the disk of a Mac would treat as the same path.
  private mutating func look(
    at components: [String], description: String, offset: Int
  ) throws(SystemError) -> (components: [String], kind: Resource.Kind) {
    if let kind = try disk.kind(of: components) { return (components, kind) }
    var near: [String] = []
    for component in components {
      let name =
        try disk.kind(of: near + [component]) == nil ? try disk.spelling(of: component, in: near) : component
      guard let name else { return (components, .missing) }
      near.append(name)
    }
    guard let kind = try disk.kind(of: near) else { return (components, .missing) }
    let paths = [components, near].map { quoted(commonFolder.pathFromProject(to: $0)) }
    let message =
      "\(paths[0]) \(description) has the name \(paths[1]) on disk; use the same name in both places, because some "
      + "disks do not find a file under a name with another case or Unicode form"
    findings.add(.otherSpelling, message: message, at: offset)
    return (near, kind)
  }

  private mutating func addCatalogs(of synchronized: ProjectResources.SynchronizedFolder) throws(SystemError)
  {
    guard let components = commonFolder.components(of: synchronized.path) else { return }
    guard try disk.kind(of: components) == .folder else { return }
    let found = try AssetCatalog.catalogs(below: joined(disk.folder.path, components.joined(separator: "/")))
    {
      synchronized.packages.contains($0) || synchronized.exceptions.contains($0)
        || usedPaths.contains(ProjectDisk.key(components + [$0]))
    }
    for catalog in found {
      let path = synchronized.path.appending(catalog.joined(separator: "/"))
      try addCatalog(
        ProjectResources.Item(
          path: path, tags: [], offset: synchronized.offset,
          reasonToLeaveOut: filter.reason(toLeaveOut: path)))
    }
  }

  /// Adds the tagged folders of a catalog.
  ///
  /// A folder in the catalog that has tags gets only these tags. If the catalog itself has tags, its topmost
  /// folders without any tags get the catalog's tags.
  private mutating func addCatalog(_ item: ProjectResources.Item) throws(SystemError) {
    let description = item.tags.isEmpty ? "is a catalog that" : "with the \(tagList(item.tags))"
    guard let components = place(of: item.path, description: description, offset: item.offset) else { return }
    let (path, kind) = try look(at: components, description: description, offset: item.offset)
    if let reason = item.reasonToLeaveOut {
      return kind == .folder ? try reportLeftOut(item, reason: reason, at: path) : ()
    }
    if kind == .missing { reportMissing(item.path, description: description, offset: item.offset) }
    guard usedPaths.insert(ProjectDisk.key(path)).inserted else {
      return item.tags.isEmpty ? () : reportRepeated(item)
    }
    let destination = [path.last ?? ""]
    guard kind == .folder else {
      if !item.tags.isEmpty {
        addResource(path, kind: kind, tags: item.tags, destination: destination, at: item.offset)
      }
      return
    }
    let catalog = try AssetCatalog(at: joined(disk.folder.path, path.joined(separator: "/")))
    findings.add(catalog.diagnostics)
    sources += catalog.descriptions.map { path + $0 }
    let (tagged, untagged) = (catalog.taggedFolders, catalog.untaggedFolders)
    for folder in tagged {
      let tags = folder.tags.map { Located($0, at: item.offset) }
      addResource(
        path + folder.components, kind: .catalog, tags: tags, destination: destination + folder.components,
        at: item.offset)
    }
    for components in item.tags.isEmpty ? [] : untagged {
      addResource(
        path + components, kind: .catalog, tags: item.tags, destination: destination + components,
        at: item.offset)
    }
    catalogs.append(Catalog(item: item, hasUntagged: !untagged.isEmpty))
    report(item, taggedFolders: tagged.count, untaggedFolders: untagged.count)
  }

  /// Reports a catalog that the target excludes, if there are tags inside the catalog.
  private func reportLeftOut(
    _ item: ProjectResources.Item, reason: String, at path: [String]
  ) throws(SystemError) {
    let catalog = try AssetCatalog(at: joined(disk.folder.path, path.joined(separator: "/")))
    if catalog.taggedFolders.isEmpty { return }
    findings.add(.filteredFile, message: "\(quoted(item.path.text)) is left out: \(reason)", at: item.offset)
  }

  private func report(_ item: ProjectResources.Item, taggedFolders count: Int, untaggedFolders: Int) {
    let hasUntagged = untaggedFolders > 0
    if count == 0 && item.tags.isEmpty { return }
    let name = "the catalog \(quoted(item.path.text))"
    let folders = "\(counted(count, of: "folder")) \(count == 1 ? "has" : "have") tags"
    if !item.tags.isEmpty && !hasUntagged {
      findings.add(
        .droppedTag,
        message:
          "no item gets the \(tagList(item.tags)) of \(name): "
          + (count == 0
            ? "the catalog has no items" : "all items have tags of their own, which take precedence"),
        at: item.offset)
    }
    let description =
      if item.tags.isEmpty || !hasUntagged {
        "\(counted(count, of: "folder")) of \(name) \(count == 1 ? "has" : "have") tags; the folders are "
          + "packed unchanged"
      } else if count == 0 {
        "\(name) has the \(tagList(item.tags)), which all its items get; the catalog is packed unchanged"
      } else {
        "\(name) has the \(tagList(item.tags)), which items without tags of their own get, and \(folders) "
          + "inside it; the folders are packed unchanged"
      }
    if count == 0 && !hasUntagged { return }
    findings.add(
      .uncompiledCatalog, message: "\(description), but Xcode would compile an Assets.car", at: item.offset)
  }

  /// Reports catalogs whose untagged items would be in different packs if Xcode built them.
  ///
  /// Xcode compiles all catalogs of a target together, so an untagged item gets the tags of all catalogs.
  private func checkCatalogs() {
    let all = catalogs.reduce(into: Set<String>()) { $0.formUnion($1.tags) }
    let others = catalogs.filter { $0.hasUntagged && $0.tags != all }
    guard let first = catalogs.first(where: { !$0.tags.isEmpty }), !others.isEmpty else { return }
    let names = listed(others.map(\.item.path.text), atMost: 5)
    findings.add(
      .mixedCatalogs,
      message:
        "Xcode compiles all catalogs of the target together and puts items of \(names) without tags of their "
        + "own into the pack of \(setNotation(all.sorted())), but packtool packs the items of each catalog "
        + "with the tags of that catalog; give the tags to the sets instead of the catalog",
      at: first.item.offset)
  }

  /// Removes the paths of packed files from `sources`.
  private mutating func leaveOutPackedSources() {
    let packed = Set(found.map { ProjectDisk.key($0.components) })
    sources = sources.filter { path in
      !path.indices.contains { packed.contains(ProjectDisk.key(Array(path[...$0]))) }
    }
  }

  /// Reports folders with the same name in the same pack, because their files would be mixed.
  private func checkFolders() {
    var seen: [String: Resource] = [:]
    for resource in found where resource.kind == .folder {
      let tags = Set(resource.tags.map(\.value)).sorted()
      let key = (resource.destination + [""] + tags).joined(separator: "/")
      guard let other = seen.updateValue(resource, forKey: key) else { continue }
      let paths = [other, resource].map { quoted(commonFolder.pathFromProject(to: $0.components)) }
      findings.add(
        .pathClash,
        message:
          "\(paths[0]) and \(paths[1]) are two folders with the same name in the pack of "
          + "\(setNotation(tags)), which Xcode does not allow; rename one of them, or give it other tags",
        at: resource.offset)
    }
  }
}

func tagList(_ tags: [Located<String>]) -> String {
  "\(tags.count == 1 ? "tag" : "tags") \(listed(tags.map(\.value), atMost: 5))"
}

/// The files of a project on the disk, in the folder that contains all of them.
struct ProjectDisk {
  let folder: Folder
  /// The names in each folder.
  ///
  /// The key is the name in lower case. All spellings of a name therefore have the same key.
  private var spellings: [[UInt8]: [String: String]] = [:]

  init(_ folder: Folder) { self.folder = folder }

  static func key(_ components: [String]) -> [UInt8] { Array(components.joined(separator: "/").utf8) }

  /// Returns the name in a folder that differs from `name` only in case or in Unicode normalization; nil if
  /// there is none.
  mutating func spelling(of name: String, in folder: [String]) throws(SystemError) -> String? {
    let key = Self.key(folder)
    if spellings[key] == nil {
      spellings[key] = Dictionary(try names(in: folder).map { ($0.lowercased(), $0) }) { first, _ in first }
    }
    return spellings[key]?[name.lowercased()]
  }

  /// Returns the kind of a file or folder; nil if it is missing or not accessible.
  func kind(of components: [String]) throws(SystemError) -> FoundResources.Resource.Kind? {
    try unless {
      $0.isMissing || $0.isTooLong || $0.isLink || $0.isDenied
    } call: { () throws(SystemError) in
      try folder.status(of: Self.key(components), symlinks: .followed).kind == .folder ? .folder : .file
    }
  }

  /// Returns the names in a folder in byte order; empty if the folder cannot be read.
  func names(in components: [String]) throws(SystemError) -> [String] {
    if !components.isEmpty, try kind(of: components) != .folder { return [] }
    let listing = try unless {
      $0.isMissing || $0.isDenied
    } call: { () throws(SystemError) in
      try folder.listing(of: Self.key(components))
    }
    return listing?.texts ?? []
  }
}
