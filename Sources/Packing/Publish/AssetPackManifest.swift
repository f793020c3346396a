import Formats
import Model
import Pipeline
import System

/// One pack in `AssetPackManifest.plist`.
///
/// This file contains the URLs from which devices download packs.
struct DownloadedPack: Sendable {
  let identifier: String
  let url: String
  /// A string that changes when the content changes.
  ///
  /// Devices only compare it with the previous string.
  let contentHash: String
  /// The size of the files in bytes, including the pack's Info.plist.
  let size: Int64
  let priority: Double?

  /// The order of a pack's keys in exports of Xcode.
  ///
  /// We found this order in five published manifests.
  private static let exportOrder = [
    "URL", "uncompressedSize", "primaryContentHash", "bundleKey", "isStreamable",
  ]

  /// The program whose manifest packtool imitates.
  enum Writer {
    /// An Xcode build.
    ///
    /// The keys of its manifests are sorted.
    case build
    /// The export of an Xcode archive for a web server.
    ///
    /// Its manifests have the keys in another order, and numbers instead of booleans.
    case export
  }

  /// Returns the bytes of the whole manifest.
  static func manifest(of packs: [DownloadedPack], asWrittenBy writer: Writer) -> ByteBuffer {
    let items = packs.sorted { $0.identifier < $1.identifier }.map { $0.item(asOf: writer) }
    return BinaryPlist.bytes(
      of: .dictionary(["resources": .array(items)]), leadingKeys: writer == .export ? exportOrder : [])
  }

  private func item(asOf writer: Writer) -> PlistItem {
    let isStreamable = url.hasPrefix("http:") || url.hasPrefix("https:")
    var members: [String: PlistItem] = [
      "URL": .string(url), "bundleKey": .string(identifier),
      "isStreamable": writer == .export ? .integer(isStreamable ? 1 : 0) : .bool(isStreamable),
      "primaryContentHash": .dictionary(["hash": .string(contentHash), "strategy": .string("modtime")]),
      "uncompressedSize": .integer(size),
    ]
    members["downloadPriority"] = priority.map(PlistItem.real)
    return .dictionary(members)
  }
}

extension PackLocation {
  /// Returns warnings about a URL prefix that does not result in usable URLs.
  ///
  /// `example` is the URL that the message shows; nil to show the first pack's URL.
  func findings(about plan: PackPlan, example: String? = nil) -> [Diagnostic] {
    guard case .prefix(let prefix) = self, let pack = plan.packs.first else { return [] }
    let url = example ?? url(ofPackFolder: pack.identity.name + PublishedNames.packSuffix, parentPath: [])
    let rest = prefix.text.lowercased()
    // If the prefix is a path instead of a URL, it is relative to the manifest's folder, which also contains
    // the folder of packs.
    let isPath = prefix.text == "\(PublishedNames.onDemandResourcesFolder)/"
    let isUnusable = !isPath && !rest.contains("://")
    let mistake: String? =
      if !rest.contains("://") {
        "has no scheme such as \"https://\""
      } else if !["/", "?", "="].contains(where: prefix.text.hasSuffix) {
        "does not end in \"/\", but the name of a pack follows the prefix directly"
      } else if rest.hasPrefix("http://"), !isLocal(rest.dropFirst(7).prefix { $0 != "/" }) {
        "does not begin with \"https://\", so App Transport Security does not let apps download from it"
      } else {
        nil
      }
    return mistake.map {
      let message = "the URL prefix \(quoted(prefix.text)) \($0); a pack's URL would be \(quoted(url))"
      let place = Place(plan.manifest.text.path)
      return [
        Diagnostic(
          .doubtfulURLPrefix, message: message, at: place, severity: isUnusable ? .error : nil,
          severityRule: isUnusable ? .cannotBeLowered : .adjustable)
      ]
    } ?? []
  }

  /// Whether a host is this machine or is in a local network.
  ///
  /// App Transport Security might permit such hosts.
  private func isLocal(_ authority: Substring) -> Bool {
    let host = authority.prefix { $0 != ":" }
    return authority.hasPrefix("[") || !host.contains(".") || host.hasSuffix(".local")
      || ["127.", "10.", "192.168."].contains(where: host.hasPrefix)
  }
}

extension PackPlan {
  /// The bytes of `OnDemandResources.plist`.
  ///
  /// An app uses this file to look up the packs of a tag and the contents of a pack. The contents are the
  /// paths of files, and the paths of folders that are tagged as a whole.
  var onDemandResources: ByteBuffer {
    var folders = TaggedFolders(of: manifest)
    var packsOfTags: [String: [String]] = [:]
    var contents: [String: PlistItem] = [:]
    for pack in packs {
      let identifier = pack.identity.identifier
      for tag in pack.tags { packsOfTags[tag, default: []].append(identifier) }
      let paths = folders.subPaths(of: pack, in: tree)
      if !paths.isEmpty { contents[identifier] = .strings(paths.sorted()) }
    }
    return BinaryPlist.bytes(
      of: .dictionary([
        "NSBundleResourceRequestTags": .dictionary(
          packsOfTags.mapValues { .dictionary(["NSAssetPacks": .strings($0.sorted())]) }),
        "NSBundleResourceRequestAssetPacks": .dictionary(contents),
      ]))
  }
}

/// The folders that rules of a manifest tag as a whole.
///
/// The list of a pack then contains such a folder instead of each file in the folder. Xcode does the same for
/// a folder reference.
private struct TaggedFolders {
  private var tagsOfPaths: [[String]: Set<String>] = [:]
  /// The rules with templates for whole folders, such as `Levels/*/**`, by the depth of the folders.
  private var templates: [Int: [ResourceRule]] = [:]
  /// The tags that these rules assign to folders, as a cache.
  private var tagsOfFolders: [[String]: Set<String>] = [:]
  private let maxComponents: Int

  init(of manifest: Manifest) {
    // A rule that leaves out some files of a folder does not tag the whole folder.
    for rule in manifest.rules where rule.appliesToAllMatches {
      switch rule.pattern {
      case .path(let path): tagsOfPaths[path.components, default: []].formUnion(rule.tags.map(\.value))
      case .glob(let glob):
        if !rule.templates.isEmpty, let depth = glob.folderDepth {
          templates[depth, default: []].append(rule)
        }
      }
    }
    maxComponents = max(tagsOfPaths.keys.map(\.count).max() ?? 0, templates.keys.max() ?? 0)
  }

  mutating func subPaths(of pack: AssetPack, in tree: AssetTree) -> [String] {
    let tags = Set(pack.tags)
    var paths: Set<ByteKey> = []
    for number in pack.files { paths.insert(ByteKey(subPath(of: tree.files[number], tags: tags))) }
    return paths.map(\.text)
  }

  /// Returns the outermost parent folder to which rules assign all tags of the pack.
  ///
  /// If there is no such folder, the result is the file's own path.
  private mutating func subPath(of file: AssetFile, tags: Set<String>) -> String {
    let components = file.path.unicodeScalars.split(separator: "/").map(String.init)
    var found: Set<String> = []
    for depth in 0..<min(components.count, maxComponents + 1) {
      let folder = Array(components[..<depth])
      let own = (tagsOfPaths[folder] ?? []).union(generatedTags(of: folder))
      if own.isEmpty { continue }
      found.formUnion(own)
      if found == tags {
        return packPath(ofFolderLevelsUp: components.count - depth, from: file) ?? file.packPath
      }
    }
    return file.packPath
  }

  private mutating func generatedTags(of folder: [String]) -> Set<String> {
    guard let rules = templates[folder.count] else { return [] }
    if let known = tagsOfFolders[folder] { return known }
    // These rules match any file in the folder, so the result is the same for every file name.
    let path = (folder + ["file"]).joined(separator: "/")
    let tags = rules.reduce(into: Set<String>()) { tags, rule in
      let made = rule.generatedTags(for: path)
      if !made.isEmpty { tags.formUnion(made + rule.tags.map(\.value)) }
    }
    tagsOfFolders[folder] = tags
    return tags
  }

  /// Returns the path, inside the pack, of a parent folder of a file; nil for the top of the pack, which has
  /// no name.
  private func packPath(ofFolderLevelsUp levels: Int, from file: AssetFile) -> String? {
    let parts = file.packPath.unicodeScalars.split(separator: "/").map(String.init)
    return parts.count > levels ? parts.dropLast(levels).joined(separator: "/") : nil
  }
}
