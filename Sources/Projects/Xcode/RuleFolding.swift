import Findings
import Formats
import PackKit
import System

/// Concise rules for the tagged files of a project: one for a folder if all of its files have the same tags.
struct RuleFolding {
  /// The folder to which all paths are relative, below that of all places.
  let root: [String]
  let rules: [ResourceRule]

  private typealias Resource = ResourceSurvey.Resource

  init(of resources: [ResourceSurvey.Resource], in folder: Folder) {
    let drafts = Self.folded(resources, in: folder)
    var root = commonFront(of: drafts.map { $0.kind == .entries ? $0.components : $0.components.dropLast() })
    // A folder of missing files may be missing itself.
    while !root.isEmpty, !Self.isThere(root, in: folder) { root.removeLast() }
    // The entries of a catalog are variants only where the catalog's own folder is below the root.
    if let catalog = root.firstIndex(where: { isCatalog($0) }) { root.removeSubrange(catalog...) }
    self.root = root
    rules = drafts.compactMap { Self.rule($0, below: root.count) }
  }

  /// Combines the files of a folder if it has no others.
  private static func folded(_ resources: [Resource], in folder: Folder) -> [Resource] {
    let files = Dictionary(grouping: resources.filter { $0.kind == .file }) { file in
      file.components.dropLast().map { ByteKey($0) }
    }
    let folded = files.values.flatMap { members in whole(members, in: folder).map { [$0] } ?? members }
    return (resources.filter { $0.kind != .file } + folded).sorted { $0.path.precedesInBytes($1.path) }
  }

  /// One rule for all files of a folder; nil if their tags differ, or the folder has other files.
  private static func whole(_ members: [Resource], in folder: Folder) -> Resource? {
    guard members.count > 1, let first = members.first else { return nil }
    let parent = Array(first.components.dropLast())
    if parent.isEmpty { return nil }
    let tags = Set(first.tags.map(\.value))
    let place = first.destination.dropLast()
    guard members.allSatisfy({ Set($0.tags.map(\.value)) == tags && $0.destination.dropLast() == place }),
      let listing = try? folder.listing(of: Array(parent.joined(separator: "/").utf8))
    else { return nil }
    let entries = listing.entries.filter { !isNeverPacked(listing.name(of: $0)) }
    let names = Set(members.map { Array(($0.components.last ?? "").utf8) })
    let others = entries.filter { $0.status.kind != .folder && !names.contains(Array(listing.name(of: $0))) }
    if !others.isEmpty { return nil }
    let hasFolders = entries.contains { $0.status.kind == .folder }
    let isPlain = parent.allSatisfy(Glob.isPlain)
    // OnDemandResources.plist lists localized files one by one, which a rule for their folder would not do.
    let isGlob = hasFolders || !place.isEmpty
    if isGlob && !isPlain { return nil }
    return Resource(
      components: parent, kind: isGlob ? .entries : .folder, tags: first.tags, destination: Array(place),
      offset: first.offset)
  }

  private static func isThere(_ components: [String], in folder: Folder) -> Bool {
    (try? folder.status(of: Array(components.joined(separator: "/").utf8), following: true))?.kind == .folder
  }

  private static func rule(_ resource: Resource, below depth: Int) -> ResourceRule? {
    let (components, isGlob) = (Array(resource.components.dropFirst(depth)), resource.kind == .entries)
    let text = (components + (isGlob ? ["*"] : [])).joined(separator: "/")
    let pattern: ResourceRule.Pattern?
    if isGlob {
      pattern = (try? Glob(text)).map { .glob($0) }
    } else {
      pattern = (try? RelativePath(text)).map { .path($0) }
    }
    guard let pattern else { return nil }
    var rule = ResourceRule(
      pattern: pattern, text: Located(text, at: resource.offset), tags: resource.tags, destination: nil)
    // Two Unicode forms of one name are two names.
    if resource.destination.map({ ByteKey($0) }) != components.map({ ByteKey($0) }) {
      let place = resource.destination.isEmpty ? "." : resource.destination.joined(separator: "/")
      rule.destination = (try? RelativePath(place)).map {
        ($0, resource.destination.isEmpty)
      }
    }
    return rule
  }
}
