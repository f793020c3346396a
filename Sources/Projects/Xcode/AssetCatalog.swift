import Findings
import Formats
import PackKit
import System

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
