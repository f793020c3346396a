import Findings
import Formats
import PackKit
import System

/// A target's resources on the disk: the existing files, and the tags inside asset catalogs.
struct ResourceSurvey {
  /// A file or folder that gets tags.
  struct Resource {
    /// The path below the project's folder.
    let components: [String]
    let isFolder: Bool
    var tags: [Located<String>]
    /// The path inside a pack.
    let destination: [String]
    let offset: Int
  }

  /// The resources with distinct paths, in byte order.
  private(set) var found: [Resource] = []
  /// All findings.
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  /// The paths of files that were read outside tagged folders.
  private(set) var sources: [String] = []
  private let folder: Folder
  private let text: SourceText
  private var places: [[UInt8]: Int] = [:]

  /// - Parameters:
  ///   - resources: what the project tells.
  ///   - folder: the project's.
  ///   - text: the project file, to which places refer.
  /// - Throws: where the disk fails.
  init(of resources: ProjectResources, in folder: Folder, _ text: SourceText) throws(SystemError) {
    self.folder = folder
    self.text = text
    for item in resources.items { try add(item) }
    for catalog in resources.catalogs { try addCatalog(at: catalog.path, catalog.offset) }
    for synchronized in resources.folders { try addCatalogs(of: synchronized) }
    found.sort {
      $0.components.joined(separator: "/").precedesInBytes($1.components.joined(separator: "/"))
    }
  }

  private mutating func add(_ item: ProjectResources.Item) throws(SystemError) {
    guard let (components, kind) = try look(at: item.path, "with the \(tagList(item.tags))", item.offset)
    else {
      return
    }
    let name = components.last ?? ""
    add(
      Resource(
        components: components, isFolder: kind == .folder, tags: item.tags,
        destination: (item.region.map { [$0] } ?? []) + [name], offset: item.offset))
  }

  /// Adds a resource, or its tags to those of an earlier one at the same path.
  private mutating func add(_ resource: Resource) {
    let path = Array(resource.components.joined(separator: "/").utf8)
    if let place = places[path] {
      let known = Set(found[place].tags.map(\.value))
      found[place].tags += resource.tags.filter { !known.contains($0.value) }
    } else {
      places[path] = found.count
      found.append(resource)
    }
  }

  /// The status of a path of the project; nil, with a finding, if it cannot be packed.
  private mutating func look(
    at path: ProjectPath, _ what: String, _ offset: Int
  ) throws(SystemError) -> (components: [String], kind: FileStatus.Kind)? {
    guard case .inside(let components) = path, !components.isEmpty else {
      let message = "\(quoted(path.text)) \(what) lies outside the project's folder; its tags are not carried"
      report(.outsideProject, message, offset)
      return nil
    }
    do throws(SystemError) {
      return (components, try folder.status(of: Array(path.text.utf8), following: true).kind)
    } catch {
      guard error.isMissing || error.isTooLong || error.isLink || error.isDenied else { throw error }
      report(
        .missingResource, "\(quoted(path.text)) \(what) does not exist; its tags are not carried", offset)
      return nil
    }
  }

  private mutating func addCatalogs(of synchronized: ProjectResources.SynchronizedFolder) throws(SystemError)
  {
    guard case .inside(let components) = synchronized.path else { return }
    let path = joined(folder.path, components.joined(separator: "/"))
    guard try FileOperations.statusIfThere(path)?.kind == .folder else { return }
    for catalog in try AssetCatalog.catalogs(below: path)
    where !synchronized.exceptions.contains(catalog.joined(separator: "/")) {
      try addCatalog(at: .inside(components + catalog), synchronized.offset)
    }
  }

  private mutating func addCatalog(at path: ProjectPath, _ offset: Int) throws(SystemError) {
    guard case .inside(let components) = path else { return }
    guard let (_, kind) = try look(at: path, "is a catalog that", offset), kind == .folder else { return }
    let catalog = try AssetCatalog(at: joined(folder.path, path.text))
    findings.add(catalog.diagnostics)
    sources += catalog.unpacked
    for item in catalog.folders {
      add(
        Resource(
          components: components + item.components, isFolder: true,
          tags: item.tags.map { Located($0, at: offset) },
          destination: [components.last ?? ""] + item.components,
          offset: offset))
    }
    if catalog.folders.isEmpty { return }
    let message =
      "\(counted(catalog.folders.count, "folder")) of the catalog \(quoted(path.text)) \(catalog.folders.count == 1 ? "has" : "have") "
      + "tags; the folders are packed as they are, where Xcode would compile an Assets.car"
    report(.uncompiledCatalog, message, offset)
  }

  private mutating func report(_ check: Check, _ message: String, _ offset: Int) {
    findings.add(Diagnostic(check, message, at: text.place(at: offset)))
  }
}

private func tagList(_ tags: [Located<String>]) -> String {
  "\(tags.count == 1 ? "tag" : "tags") \(listed(tags.map(\.value), atMost: 5))"
}
