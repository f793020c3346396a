import Formats
import Model
import System

/// Folders that have the same subfolders, such as `images`, `script` and `sound`, each with a subfolder for
/// each level.
///
/// An app requests a level, and not the images of all levels, so all subfolders with one name get one tag.
struct ParallelFolders {
  /// The rule for the subfolders.
  let rule: ProposedRule
  /// The folders whose subfolders the rule matches.
  let paths: Set<String>
  /// The tags of subfolders that the other subfolders share, such as `common`.
  private(set) var sharedTags: [String] = []
  /// The tag of English, if the subfolders are languages.
  private(set) var firstLanguage: String?

  /// The minimum number of names that two folders must have in common.
  private static let minNames = 3

  /// Finds the folders with the same subfolders in a folder; nil if there are no such folders.
  init?(in parent: FolderTree.Folder, of tree: FolderTree, sizes: ProposalSizes) {
    let folders = tree.subfolders(of: parent).filter { folder in
      folder.folders.count >= Self.minNames && Glob.isPlain(folder.path) && !folder.name.contains(",")
    }
    guard folders.count > 1 else { return nil }
    let names = Dictionary(
      uniqueKeysWithValues: folders.map { ($0.path, Set(tree.subfolders(of: $0).map(\.name))) })
    var best: [FolderTree.Folder] = []
    for folder in folders {
      let own = names[folder.path] ?? []
      // Most subfolders of each folder must also exist in the other folder.
      let alike = folders.filter { other in
        let theirs = names[other.path] ?? []
        let common = own.intersection(theirs).count
        return common >= Self.minNames && common * 2 >= max(own.count, theirs.count)
      }
      if alike.count > best.count { best = alike }
    }
    // Other folders with the same subfolders, such as "bow" and "sword", are parts of a game's art.
    guard best.count > 1, best.contains(where: { Self.isOfThings($0.name) }),
      best.count(where: { Self.isOfThings($0.name) || TagWords.isEssential($0.name) }) * 2 > best.count,
      best.saturatingSum({ $0.size }) >= sizes.small
    else { return nil }
    let all = best.reduce(into: Set<String>()) { $0.formUnion(names[$1.path] ?? []) }
    // The subfolders of one level are things, and not parts of an interface such as "menus" and "icons".
    if all.count(where: TagWords.isEssential) > 1 { return nil }
    let areLanguages =
      TagWords.areLanguages(Array(all)) && all.count(where: TagWords.isLanguage) * 2 > all.count
    let noun = areLanguages ? "Language" : Self.noun(for: best)
    let list = "{" + best.map(\.name).joined(separator: ",") + "}"
    guard
      let rule = ProposedRule(
        glob: joined(below: parent.path, rest: "\(list)/*/**"), template: "\(noun) $1",
        reason: "\(counted(best.count, of: "folder")) with the same subfolders")
    else { return nil }
    self.rule = rule
    paths = Set(best.map(\.path))
    sharedTags = all.sorted().filter(TagWords.isShared).map { "\(noun) \($0)" }
    if areLanguages, all.contains("en") { firstLanguage = "Language en" }
  }

  /// Whether a folder with this name can have a subfolder for each level, or for other things that an app requests.
  private static func isOfThings(_ name: String) -> Bool {
    TagWords.isMedium(name) || TagWords.isChosen(TagWords.singular(name))
  }

  /// Returns the word for one subfolder: the singular of a folder such as `levels` or `maps`; otherwise
  /// `Level`.
  private static func noun(for folders: [FolderTree.Folder]) -> String {
    let names = folders.map(\.name).filter { !TagWords.isMedium($0) && !TagWords.isEssential($0) }
    let plural = names.first { TagWords.singular($0) != TagWords.title($0) }
    return TagTemplate.literal(plural.map(TagWords.singular) ?? "Level")
  }
}
