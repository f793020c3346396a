import Findings
import Formats
import PackKit
import System

/// A target's resources on the disk: the files, and the tags inside asset catalogs.
struct ResourceSurvey {
  /// A file or folder that gets tags.
  struct Resource {
    /// The path below the folder of all places.
    let components: [String]
    let kind: Kind
    var tags: [Located<String>]
    let destination: [String]
    let offset: Int

    /// The path as a text.
    var path: String { components.joined(separator: "/") }

    enum Kind {
      case file
      case folder
      /// A catalog or a folder in one.
      case catalog
      /// All files right in a folder.
      case entries
      /// A file or folder that is not there.
      case missing
    }
  }

  /// The resources with distinct paths, in byte order.
  private(set) var found: [Resource] = []
  private let findings: ProjectFindings
  /// Findings about missing files, which only matter where nothing is built.
  private(set) var missing: [Diagnostic] = []
  /// The paths of files that were read outside tagged folders.
  private(set) var sources: [String] = []
  private let places: ProjectPlaces
  private let filter: BuildFileFilter
  private var disk: ProjectDisk
  /// The paths of what was found.
  private var taken: Set<[UInt8]> = []
  /// The paths of files without tags that come before others at the same path.
  private var untagged: Set<[UInt8]> = []

  /// Surveys the resources that a project names.
  init(
    of resources: ProjectResources, in places: ProjectPlaces, _ findings: ProjectFindings
  ) throws(SystemError) {
    self.places = places
    self.findings = findings
    filter = resources.filter
    disk = ProjectDisk(try Folder(places.folder))
    for item in resources.items {
      if item.isLocalized { try addLanguages(of: item) } else { try add(item) }
    }
    for catalog in resources.catalogs { try addCatalog(catalog) }
    for synchronized in resources.folders { try addCatalogs(of: synchronized) }
    checkFolders()
    found.sort { $0.path.precedesInBytes($1.path) }
  }

  private mutating func add(_ item: ProjectResources.Item) throws(SystemError) {
    let what = "with the \(tagList(item.tags))"
    if item.tags.isEmpty {
      if let components = places.components(of: item.path), !taken.contains(ProjectDisk.key(components)) {
        untagged.insert(ProjectDisk.key(components))
      }
      return
    }
    guard let components = place(of: item.path, what, item.offset) else { return }
    let (path, kind) = try look(at: components, what, item.offset)
    if kind == .missing { reportMissing(item.path, what, item.offset) }
    guard taken.contains(ProjectDisk.key(path)) || untagged.contains(ProjectDisk.key(path)) else {
      let destination = [item.path.region, components.last].compactMap { $0 }
      return add(path, kind, item.tags, to: destination, at: item.offset)
    }
    let message =
      "\(quoted(item.path.text)) \(what) is in the Resources phase twice; Xcode takes the first entry and skips this one"
    findings.add(.repeatedFile, message, at: item.offset)
  }

  private mutating func add(
    _ path: [String], _ kind: Resource.Kind, _ tags: [Located<String>], to destination: [String],
    at offset: Int
  ) {
    taken.insert(ProjectDisk.key(path))
    found.append(
      Resource(components: path, kind: kind, tags: tags, destination: destination, offset: offset))
  }

  /// Adds the files of a name in all language folders of a folder.
  private mutating func addLanguages(of item: ProjectResources.Item) throws(SystemError) {
    guard let components = place(of: item.path, "with the \(tagList(item.tags))", item.offset) else { return }
    let (parent, name) = (Array(components.dropLast()), components.last ?? "")
    let languages = try disk.names(in: parent).filter { $0.hasSuffix(".lproj") }
    var count = 0
    for language in languages {
      let path = parent + [language, name]
      guard try disk.kind(of: path) != nil else { continue }
      count += 1
      let file = item.path.folder.appending("\(language)/\(name)")
      if let reason = filter.reason(toLeaveOut: file) {
        findings.add(.filteredFile, "\(quoted(file.text)) is left out: \(reason)", at: item.offset)
      } else {
        try add(ProjectResources.Item(path: file, tags: item.tags, offset: item.offset))
      }
    }
    if count == 0 { reportMissing(item.path, "with the \(tagList(item.tags)) in any language", item.offset) }
  }

  private mutating func reportMissing(_ path: ProjectPath, _ what: String, _ offset: Int) {
    let message =
      "\(quoted(path.text)) \(what) does not exist; its tags are carried, and no build goes without it"
    missing.append(Diagnostic(.missingResource, message, at: findings.text.place(at: offset)))
  }

  /// The path of a file below the folder of all places; nil, with a finding, outside of the bounds.
  private func place(of path: ProjectPath, _ what: String, _ offset: Int) -> [String]? {
    if let components = places.components(of: path) { return components }
    let reason =
      path.text.hasPrefix("$")
      ? "has a place that only Xcode knows"
      : "lies outside of \(quoted(places.bounds.rootText)), below which files are packed; name another folder with --root"
    findings.add(
      .outsideProject, "\(quoted(path.text)) \(what) \(reason); its tags are not carried", at: offset)
    return nil
  }

  /// The entry at a path, or at one that a Mac's disk takes for the same.
  private mutating func look(
    at components: [String], _ what: String, _ offset: Int
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
    let paths = [components, near].map { quoted(places.fromProject($0)) }
    let message =
      "\(paths[0]) \(what) is \(paths[1]) here, in another case or Unicode form; only disks that take both for the "
      + "same have it under the project's name"
    findings.add(.otherSpelling, message, at: offset)
    return (near, kind)
  }

  private mutating func addCatalogs(of synchronized: ProjectResources.SynchronizedFolder) throws(SystemError)
  {
    guard let components = places.components(of: synchronized.path) else { return }
    guard try disk.kind(of: components) == .folder else { return }
    for catalog in try AssetCatalog.catalogs(
      below: joined(disk.folder.path, components.joined(separator: "/")))
    where !synchronized.exceptions.contains(catalog.joined(separator: "/")) {
      let path = synchronized.path.appending(catalog.joined(separator: "/"))
      try addCatalog(
        ProjectResources.Item(
          path: path, tags: [], offset: synchronized.offset,
          reasonToLeaveOut: filter.reason(toLeaveOut: path)))
    }
  }

  private mutating func addCatalog(_ item: ProjectResources.Item) throws(SystemError) {
    let what = "is a catalog that"
    guard let components = place(of: item.path, what, item.offset) else { return }
    let (path, kind) = try look(at: components, what, item.offset)
    if kind == .missing && item.reasonToLeaveOut == nil { reportMissing(item.path, what, item.offset) }
    guard kind == .folder, !taken.contains(ProjectDisk.key(path)) else { return }
    let catalog = try AssetCatalog(at: joined(disk.folder.path, path.joined(separator: "/")))
    if let reason = item.reasonToLeaveOut {
      if catalog.folders.isEmpty { return }
      return findings.add(.filteredFile, "\(quoted(item.path.text)) is left out: \(reason)", at: item.offset)
    }
    findings.add(catalog.diagnostics)
    sources += catalog.unpacked
    let tagged = catalog.folders.map { ($0.components, $0.tags.map { Located($0, at: item.offset) }) }
    for (components, tags) in [([], item.tags)] + tagged where !(components.isEmpty && tags.isEmpty) {
      add(path + components, .catalog, tags, to: [path.last ?? ""] + components, at: item.offset)
    }
    report(catalog, of: item)
  }

  private func report(_ catalog: AssetCatalog, of item: ProjectResources.Item) {
    let count = catalog.folders.count
    if count == 0 && item.tags.isEmpty { return }
    let name = "the catalog \(quoted(item.path.text))"
    let subject =
      item.tags.isEmpty
      ? "\(counted(count, "folder")) of \(name) \(count == 1 ? "has" : "have") tags; the folders are"
      : "\(name) has the \(tagList(item.tags)), which all of its items get; it is"
    findings.add(
      .uncompiledCatalog,
      "\(subject) packed as \(item.tags.isEmpty ? "they are" : "it is"), where Xcode would compile an "
        + "Assets.car", at: item.offset)
  }

  /// Reports folders of one name in one pack, whose files would be mixed.
  private func checkFolders() {
    var seen: [String: Resource] = [:]
    for resource in found where resource.kind == .folder {
      let tags = Set(resource.tags.map(\.value)).sorted()
      let key = (resource.destination + [""] + tags).joined(separator: "/")
      guard let other = seen.updateValue(resource, forKey: key) else { continue }
      let paths = [other, resource].map { quoted(places.fromProject($0.components)) }
      findings.add(
        .pathClash,
        "\(paths[0]) and \(paths[1]) are two folders of one name in the pack of \(setNotation(tags)), which "
          + "Xcode refuses; rename one, or give it other tags", at: resource.offset)
    }
  }
}

private func tagList(_ tags: [Located<String>]) -> String {
  "\(tags.count == 1 ? "tag" : "tags") \(listed(tags.map(\.value), atMost: 5))"
}

/// The files below the folder of a project's places.
struct ProjectDisk {
  let folder: Folder
  /// The names in folders by their lower case, which stands for all forms of a name.
  private var spellings: [[UInt8]: [String: String]] = [:]

  init(_ folder: Folder) { self.folder = folder }

  static func key(_ components: [String]) -> [UInt8] { Array(components.joined(separator: "/").utf8) }

  /// The name in a folder that differs from another in case or Unicode form only.
  mutating func spelling(of name: String, in folder: [String]) throws(SystemError) -> String? {
    let key = Self.key(folder)
    if spellings[key] == nil {
      spellings[key] = Dictionary(try names(in: folder).map { ($0.lowercased(), $0) }) { first, _ in first }
    }
    return spellings[key]?[name.lowercased()]
  }

  /// The kind of a file or folder; nil if it is missing or cannot be reached.
  func kind(of components: [String]) throws(SystemError) -> ResourceSurvey.Resource.Kind? {
    try unless {
      $0.isMissing || $0.isTooLong || $0.isLink || $0.isDenied
    } _: { () throws(SystemError) in
      try folder.status(of: Self.key(components), following: true).kind == .folder ? .folder : .file
    }
  }

  /// The names in a folder in byte order; none if it cannot be read.
  func names(in components: [String]) throws(SystemError) -> [String] {
    if !components.isEmpty, try kind(of: components) != .folder { return [] }
    let listing = try unless {
      $0.isMissing || $0.isDenied
    } _: { () throws(SystemError) in
      try folder.listing(of: Self.key(components))
    }
    return listing?.texts ?? []
  }
}

/// The tags inside an asset catalog, from the `Contents.json` of each of its folders.
struct AssetCatalog {
  /// The folders with tags that those above them do not have, each by its path below the catalog.
  private(set) var folders: [(components: [String], tags: [String])] = []
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  /// The paths of all `Contents.json` that were read outside tagged folders.
  private(set) var unpacked: [String] = []

  /// Reads all folders of a catalog; links are not followed.
  init(at path: String) throws(SystemError) {
    let root = try Folder(path)
    var waiting: [(components: [String], identity: FileIdentity, inherited: Set<String>)] = [
      ([], try root.status().identity, [])
    ]
    while let (components, identity, inherited) = waiting.popLast() {
      let below = components.joined(separator: "/")
      let listing = try unless {
        $0.isMissing || $0.isDenied
      } _: { () throws(SystemError) in
        try root.listing(of: Array(below.utf8), met: identity)
      }
      guard let listing = listing ?? nil else {
        let folder = joined(path, below)
        report("\(quoted(folder)) cannot be read; its tags are not carried", at: Place(folder))
        continue
      }
      var tags = inherited
      let names = listing.entries.compactMap { entry in
        String(validating: listing.name(of: entry), as: UTF8.self).map { (name: $0, status: entry.status) }
      }
      if let file = names.first(where: { $0.name == "Contents.json" && $0.status.kind == .file }) {
        let own = try tagsOfFolder(components, file.status.identity, in: root)
        tags.formUnion(own)
        if tags.isEmpty {
          unpacked.append(joined(path, (components + ["Contents.json"]).joined(separator: "/")))
        }
        if tags != inherited { folders.append((components, own)) }
      }
      for folder in names.reversed() where folder.status.kind == .folder {
        waiting.append((components + [folder.name], folder.status.identity, tags))
      }
    }
  }

  private mutating func tagsOfFolder(
    _ components: [String], _ identity: FileIdentity, in root: Folder
  ) throws(SystemError) -> [String] {
    let name = (components + ["Contents.json"]).joined(separator: "/")
    let path = joined(root.path, name)
    let bytes = try unless {
      $0.isMissing || $0.isDenied
    } _: { () throws(SystemError) -> [UInt8]? in
      let file = try root.openFile(Array(name.utf8))
      return try file.status().identity == identity ? file.contents(limit: CatalogContents.longest) : nil
    }
    guard let bytes = bytes ?? nil else {
      report("\(quoted(path)) cannot be read, or is too long; its tags are not carried", at: Place(path))
      return []
    }
    let (value, mistakes) = JSONReader.read(SourceText(path: path, bytes: bytes))
    if let mistake = mistakes.first {
      report("\(mistake.message); the tags of \(quoted(name)) are not carried", at: mistake.place)
      return []
    }
    // Older catalogs have the tags in "info", which describes the tool.
    let lists = ["properties", "info"].map { value?.member($0)?.member("on-demand-resource-tags")?.elements }
    return lists.flatMap { $0?.compactMap(\.string) ?? [] }
  }

  private mutating func report(_ message: String, at place: Place) {
    findings.add(Diagnostic(.damagedProject, message, at: place, severity: .warning))
  }

  /// The catalogs at any depth of a folder, by their paths below it.
  static func catalogs(below path: String) throws(SystemError) -> [[String]] {
    var found: [[String]] = []
    var walk = FolderWalk(try Folder(path))
    while let entry = try walk.nextReadable() {
      guard entry.status.kind == .folder else { continue }
      let names = entry.path.split(separator: UInt8(ascii: "/"))
      let name = names.last ?? []
      let isOther = isNeverPacked(name)
      let isFound = isOther ? nil : String(validating: name, as: UTF8.self).map { isCatalog($0) }
      if isFound == true { found.append(names.map { String(decoding: $0, as: UTF8.self) }) }
      if isFound != false { walk.skipContents() }
    }
    return found.sorted { $0.joined(separator: "/").precedesInBytes($1.joined(separator: "/")) }
  }
}
