import Findings
import Formats
import PackKit
import System

/// Models `OnDemandResources.plist`, in which an app looks up the packs of a tag and the pack of a file.
struct OnDemandResources: Sendable {
  private var packsOfTags: [String: [String]] = [:]
  /// The contents of each pack by identifier: paths of files, and of folders that are tagged as a whole.
  private var subPaths: [String: [String]] = [:]

  init(of plan: PackPlan) {
    var folders = TaggedFolders(of: plan.manifest)
    for pack in plan.packs {
      for tag in pack.tags { packsOfTags[tag, default: []].append(pack.identity.identifier) }
      subPaths[pack.identity.identifier] = folders.subPaths(of: pack, in: plan.tree)
    }
  }

  var bytes: ByteBuffer {
    BinaryPlist.bytes(
      of: .dictionary([
        "NSBundleResourceRequestTags": .dictionary(
          packsOfTags.mapValues { .dictionary(["NSAssetPacks": .strings($0.sorted())]) }),
        "NSBundleResourceRequestAssetPacks": .dictionary(
          subPaths.filter { !$0.value.isEmpty }.mapValues { .strings($0.sorted()) }),
      ]))
  }
}

/// The folders that rules of a manifest tag as a whole.
///
/// A pack lists such a folder instead of each file in it, as Xcode does for a folder reference.
private struct TaggedFolders {
  private var tagsOfPaths: [[String]: Set<String>] = [:]
  /// The rules with templates for whole folders, such as `Levels/*/**`, by the depth of the folders.
  private var templates: [Int: [ResourceRule]] = [:]
  /// The tags that these give to folders, as far as they were asked for.
  private var tagsOfFolders: [[String]: Set<String>] = [:]
  private let mostComponents: Int

  init(of manifest: Manifest) {
    for rule in manifest.rules {
      switch rule.pattern {
      case .path(let path): tagsOfPaths[path.components, default: []].formUnion(rule.tags.map(\.value))
      case .glob(let glob):
        if !rule.templates.isEmpty, let depth = glob.folderDepth {
          templates[depth, default: []].append(rule)
        }
      }
    }
    mostComponents = max(tagsOfPaths.keys.map(\.count).max() ?? 0, templates.keys.max() ?? 0)
  }

  mutating func subPaths(of pack: AssetPack, in tree: AssetTree) -> [String] {
    let tags = Set(pack.tags)
    var paths: Set<ByteKey> = []
    for number in pack.files { paths.insert(ByteKey(subPath(of: tree.files[number], tags))) }
    return paths.map(\.text)
  }

  /// The outermost parent folder whose own rules give all tags of the pack, or else the file itself.
  private mutating func subPath(of file: AssetFile, _ tags: Set<String>) -> String {
    let components = file.path.unicodeScalars.split(separator: "/").map(String.init)
    var found: Set<String> = []
    for depth in 0..<min(components.count, mostComponents + 1) {
      let folder = Array(components[..<depth])
      let own = (tagsOfPaths[folder] ?? []).union(madeTags(of: folder))
      if own.isEmpty { continue }
      found.formUnion(own)
      if found == tags { return place(ofFolderAbove: components.count - depth, file) ?? file.packPath }
    }
    return file.packPath
  }

  private mutating func madeTags(of folder: [String]) -> Set<String> {
    guard let rules = templates[folder.count] else { return [] }
    if let known = tagsOfFolders[folder] { return known }
    // They match whatever is in the folder, so any name shows it.
    let path = (folder + ["file"]).joined(separator: "/")
    let tags = rules.reduce(into: Set<String>()) { tags, rule in
      let made = rule.madeTags(for: path)
      if !made.isEmpty { tags.formUnion(made + rule.tags.map(\.value)) }
    }
    tagsOfFolders[folder] = tags
    return tags
  }

  /// The path of a folder in the pack; nil for the top of the pack, which has no name.
  private func place(ofFolderAbove depth: Int, _ file: AssetFile) -> String? {
    let parts = file.packPath.unicodeScalars.split(separator: "/").map(String.init)
    return parts.count > depth ? parts.dropLast(depth).joined(separator: "/") : nil
  }
}
