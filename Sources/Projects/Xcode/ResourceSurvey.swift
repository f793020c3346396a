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

    enum Kind {
      case file
      case folder
      /// A catalog or a folder in one.
      case catalog
      /// A file or folder that is not there.
      case missing
    }
  }

  /// The resources with distinct paths, in byte order.
  private(set) var found: [Resource] = []
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  /// Findings about missing files, which only matter where nothing is built.
  private(set) var missing: [Diagnostic] = []
  /// The paths of files that were read outside tagged folders.
  private(set) var sources: [String] = []
  private let places: ProjectPlaces
  private var disk: ProjectDisk
  private let text: SourceText
  private var numbers: [[UInt8]: Int] = [:]
  /// The paths of files without tags that come before others at the same path.
  private var untagged: Set<[UInt8]> = []

  /// Surveys the resources that a project names; `text` is the one to which their offsets refer.
  init(of resources: ProjectResources, in places: ProjectPlaces, _ text: SourceText) throws(SystemError) {
    self.places = places
    self.text = text
    disk = ProjectDisk(try Folder(places.folder))
    for item in resources.items {
      if item.isLocalized { try addLanguages(of: item) } else { try add(item) }
    }
    for catalog in resources.catalogs { try addCatalog(catalog) }
    for synchronized in resources.folders { try addCatalogs(of: synchronized) }
    checkFolders()
    found.sort {
      $0.components.joined(separator: "/").precedesInBytes($1.components.joined(separator: "/"))
    }
  }

  private mutating func add(_ item: ProjectResources.Item) throws(SystemError) {
    let what = "with the \(tagList(item.tags))"
    if item.tags.isEmpty {
      if let components = places.components(of: item.path), numbers[ProjectDisk.key(components)] == nil {
        untagged.insert(ProjectDisk.key(components))
      }
      return
    }
    guard let components = place(of: item.path, what, item.offset) else { return }
    let (path, kind) = try look(at: components, what, item.offset)
    let name = components.last ?? ""
    let resource = Resource(
      components: path, kind: kind, tags: item.tags,
      destination: (item.region.map { [$0] } ?? []) + [name], offset: item.offset)
    if kind == .missing { reportMissing(item.path, what, item.offset) }
    guard numbers[ProjectDisk.key(path)] != nil || untagged.contains(ProjectDisk.key(path)) else {
      return add(resource)
    }
    let message =
      "\(quoted(item.path.text)) \(what) is in the Resources phase twice; Xcode takes the first entry and skips this one"
    report(.repeatedFile, message, item.offset)
  }

  private mutating func add(_ resource: Resource) {
    numbers[ProjectDisk.key(resource.components)] = found.count
    found.append(resource)
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
      try add(
        ProjectResources.Item(
          path: item.path.folder.appending("\(language)/\(name)"), tags: item.tags, region: language,
          offset: item.offset))
    }
    if count == 0 { reportMissing(item.path, "with the \(tagList(item.tags)) in any language", item.offset) }
  }

  private mutating func reportMissing(_ path: ProjectPath, _ what: String, _ offset: Int) {
    let message =
      "\(quoted(path.text)) \(what) does not exist; its tags are carried, and no build goes without it"
    missing.append(Diagnostic(.missingResource, message, at: text.place(at: offset)))
  }

  /// The path of a file below the folder of all places; nil, with a finding, outside of the bounds.
  private mutating func place(of path: ProjectPath, _ what: String, _ offset: Int) -> [String]? {
    if let components = places.components(of: path) { return components }
    let reason =
      path.text.hasPrefix("$")
      ? "has a place that only Xcode knows"
      : "lies outside of \(quoted(places.rootText)), below which files are packed; name another folder with --root"
    report(.outsideProject, "\(quoted(path.text)) \(what) \(reason); its tags are not carried", offset)
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
    report(.otherSpelling, message, offset)
    return (near, kind)
  }

  private mutating func addCatalogs(of synchronized: ProjectResources.SynchronizedFolder) throws(SystemError)
  {
    guard let components = places.components(of: synchronized.path) else { return }
    guard try disk.kind(of: components) == .folder else { return }
    for catalog in try AssetCatalog.catalogs(
      below: joined(disk.folder.path, components.joined(separator: "/")))
    where !synchronized.exceptions.contains(catalog.joined(separator: "/")) {
      try addCatalog(
        ProjectResources.Item(
          path: synchronized.path.appending(catalog.joined(separator: "/")), tags: [], region: nil,
          offset: synchronized.offset))
    }
  }

  private mutating func addCatalog(_ item: ProjectResources.Item) throws(SystemError) {
    let what = "is a catalog that"
    guard let components = place(of: item.path, what, item.offset) else { return }
    let (path, kind) = try look(at: components, what, item.offset)
    if kind == .missing { reportMissing(item.path, what, item.offset) }
    guard kind == .folder, numbers[ProjectDisk.key(path)] == nil else { return }
    let catalog = try AssetCatalog(at: joined(disk.folder.path, path.joined(separator: "/")))
    findings.add(catalog.diagnostics)
    sources += catalog.unpacked
    if !item.tags.isEmpty {
      add(
        Resource(
          components: path, kind: .catalog, tags: item.tags, destination: [path.last ?? ""],
          offset: item.offset))
    }
    for folder in catalog.folders {
      add(
        Resource(
          components: path + folder.components, kind: .catalog,
          tags: folder.tags.map { Located($0, at: item.offset) },
          destination: [path.last ?? ""] + folder.components, offset: item.offset))
    }
    report(catalog, of: item)
  }

  private mutating func report(_ catalog: AssetCatalog, of item: ProjectResources.Item) {
    let count = catalog.folders.count
    if count == 0 && item.tags.isEmpty { return }
    let name = "the catalog \(quoted(item.path.text))"
    let subject =
      item.tags.isEmpty
      ? "\(counted(count, "folder")) of \(name) \(count == 1 ? "has" : "have") tags; the folders are"
      : "\(name) has the \(tagList(item.tags)), which all of its items get; it is"
    report(
      .uncompiledCatalog,
      "\(subject) packed as \(item.tags.isEmpty ? "they are" : "it is"), where Xcode would compile an "
        + "Assets.car", item.offset)
  }

  /// Reports folders of one name in one pack, whose files would be mixed.
  private mutating func checkFolders() {
    var seen: [String: Resource] = [:]
    for resource in found where resource.kind == .folder {
      let tags = Set(resource.tags.map(\.value)).sorted()
      let key = (resource.destination + [""] + tags).joined(separator: "/")
      guard let other = seen.updateValue(resource, forKey: key) else { continue }
      let paths = [other, resource].map { quoted(places.fromProject($0.components)) }
      report(
        .pathClash,
        "\(paths[0]) and \(paths[1]) are two folders of one name in the pack of \(setNotation(tags)), which "
          + "Xcode refuses; rename one, or give it other tags", resource.offset)
    }
  }

  private mutating func report(_ check: Check, _ message: String, _ offset: Int) {
    findings.add(Diagnostic(check, message, at: text.place(at: offset)))
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
