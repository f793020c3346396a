import Formats
import Model
import Pipeline
import System

/// The names and paths of a layout's files.
///
/// A build uses them to write files, and to recognize files of earlier builds.
struct LayoutFiles: Sendable {
  let layout: Layout
  let scope: Scope
  /// The IDs of the plan's packs in Background Assets; nil if they are not known, or if the layout is another
  /// layout.
  private let ids: AssetPackIDs?

  /// The contents of a folder.
  enum Scope: Sendable {
    /// A whole build, with the layout's lists.
    case whole
    /// A shard of a build, with `shard.json` instead of the layout's lists.
    case shard
  }

  init(_ layout: Layout, scope: Scope = .whole, ids: AssetPackIDs? = nil) {
    self.layout = layout
    self.scope = scope
    self.ids = ids
  }

  private var description: LayoutDescription { layout.description }

  /// The path of the folder of packs, relative to the output folder; "." for the output folder itself.
  var packsFolder: String { layout.packsFolder }

  /// The name of the file that every build publishes last.
  var indexName: String { scope == .shard ? PublishedNames.shardFile : description.indexName }

  /// The paths, relative to the output folder, of folders that a build makes in addition to the folder of
  /// packs.
  var madeFolders: [String] { description.madeFolders }

  /// The folders that only some builds have.
  ///
  /// A build removes outdated files from these folders.
  var cleanedFolders: [String] { description.cleanedFolders }

  /// Names that the layout itself uses at the top of a pack.
  ///
  /// Files cannot have these names there.
  var reservedNames: [String] { description.extras.reservedNames }

  /// Whether the names of packs and lists do not depend on their content.
  ///
  /// If so, publishing replaces existing files.
  var replacesInPlace: Bool { !description.naming.containsDigest }

  /// Whether a build writes an index next to its cache, because the layout itself has no index that
  /// packtool's commands can read.
  var writesSidecarIndex: Bool { scope == .whole && !layout.hasIndex }

  /// Returns the ID of a pack in Background Assets.
  func id(of pack: AssetPack) -> String { ids?.id(of: pack) ?? AssetPackID.made(of: pack.tags) }

  /// Returns the path of a pack, relative to the output folder.
  func path(of pack: AssetPack, archive: WrittenFile, in container: Container) -> String {
    let name = description.naming.name(
      PackNaming.NamedPack(pack: pack, archive: archive, container: container, id: { id(of: pack) }))
    return joined(packsFolder, name)
  }

  /// Whether a file name has the format of a pack's name.
  func isPackName(_ name: String) -> Bool { description.naming.isName(name) }

  /// Whether packtool assigns this file name to a pack of an app.
  ///
  /// The check compares the digest in the name, because the bundle identifier of another app can begin with
  /// this bundle identifier.
  func isPackName(_ name: String, of bundleIdentifier: String) -> Bool {
    guard name.hasPrefix(bundleIdentifier + "."), isPackName(name), let mark = name.lastIndex(of: "-") else {
      return false
    }
    let tags = name[..<mark].dropFirst(bundleIdentifier.count + 1)
      .split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    return name.hasPrefix(PackIdentity(tags: tags, bundleIdentifier: bundleIdentifier).name)
  }

  /// Whether a pack with this name is a folder.
  func isFolderName(_ name: String) -> Bool {
    if let container = description.container { return container == .folder }
    return Container.allCases.allSatisfy { $0.suffix.isEmpty || !name.hasSuffix($0.suffix) }
  }

  /// Whether a file name has the format of a list that is named after its digest.
  func isListName(_ name: String) -> Bool {
    if scope == .shard || !layout.hasIndex { return false }
    return ["contents.", "elsewhere."].contains(where: name.hasPrefix) && name.hasSuffix(".json")
      && hasDigest(atEndOf: name.dropLast(5), digits: 16, after: ".")
  }
}
