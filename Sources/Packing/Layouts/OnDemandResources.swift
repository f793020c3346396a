import Findings
import Formats
import PackKit
import System

/// Models `OnDemandResources.plist`, in which an app looks up the packs of a tag and the pack of a file.
struct OnDemandResources: Sendable {
  /// The identifiers of each tag's packs.
  private var packsOfTags: [String: [String]] = [:]
  /// The contents of each pack by identifier: paths of files, and of folders that are tagged as a whole.
  private var subPaths: [String: [String]] = [:]

  init(of plan: PackPlan) {
    let folders = TaggedFolders(of: plan.manifest)
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
  /// The tags of each rule's path.
  private var tagsOfPaths: [[String]: Set<String>] = [:]
  private let mostComponents: Int

  init(of manifest: Manifest) {
    for rule in manifest.rules {
      guard case .path(let path) = rule.pattern else { continue }
      tagsOfPaths[path.components, default: []].formUnion(rule.tags.map(\.value))
    }
    mostComponents = tagsOfPaths.keys.map(\.count).max() ?? 0
  }

  /// The contents of a pack without repetition.
  func subPaths(of pack: AssetPack, in tree: AssetTree) -> [String] {
    let tags = Set(pack.tags)
    var paths: Set<ByteKey> = []
    for number in pack.files { paths.insert(ByteKey(subPath(of: tree.files[number], tags))) }
    return paths.map(\.text)
  }

  /// The outermost parent folder whose own rules give all tags of the pack, or else the file itself.
  private func subPath(of file: AssetFile, _ tags: Set<String>) -> String {
    let components = file.path.unicodeScalars.split(separator: "/").map(String.init)
    var found: Set<String> = []
    for depth in 0..<min(components.count, mostComponents + 1) {
      guard let own = tagsOfPaths[Array(components[..<depth])] else { continue }
      found.formUnion(own)
      if found == tags { return place(ofFolderAbove: components.count - depth, file) ?? file.packPath }
    }
    return file.packPath
  }

  /// The path of a folder in the pack; nil for the top of the pack, which has no name.
  private func place(ofFolderAbove depth: Int, _ file: AssetFile) -> String? {
    let parts = file.packPath.unicodeScalars.split(separator: "/").map(String.init)
    return parts.count > depth ? parts.dropLast(depth).joined(separator: "/") : nil
  }
}
