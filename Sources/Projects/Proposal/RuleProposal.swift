import Findings
import Formats
import PackKit
import System

/// Rules for the folders below a root, which a person is meant to read and mend.
struct RuleProposal {
  private let tree: FolderTree
  private let root: FolderTree.Folder
  private(set) var rules: [ProposedRule] = []
  private(set) var kept: [KeptFolder] = []
  private(set) var initialInstallTags: [String] = []
  private(set) var prefetchTagOrder: [String] = []
  private var usedTags: Set<String> = []

  /// The depth of folders that are looked at one by one.
  private static let deepest = 5
  /// A folder of fewer bytes, and of a smaller part of all, is not worth a pack.
  private static let smallSize: Int64 = 1 << 20
  private static let smallPart = 0.01
  /// The size of a tag that stores advise not to exceed.
  private static let largeSize: Int64 = 64_000_000
  /// The number of tags of a sequence that are fetched ahead.
  private static let fetchedAhead = 2

  /// Rules for a tree whose top is the root, and for the languages of some of its files.
  init(_ tree: FolderTree, _ languages: LanguageSuffixes, noun: String) {
    self.tree = tree
    root = tree.folders[0]
    if !propose(for: root, depth: 0, noun: noun) {
      for folder in tree.subfolders(of: root) { decide(on: folder, depth: 1, parent: "") }
    }
    if rules.isEmpty { tagEverything() }
    rules += languages.rules
    if let language = languages.firstLanguage { add(language, to: &initialInstallTags) }
  }

  /// Proposes a rule for each folder, or one for all files, where nothing else was proposed.
  private mutating func tagEverything() {
    kept = []
    for folder in tree.subfolders(of: root) {
      addRule(for: folder, tag: TagWords.title(folder.name), "a folder")
    }
    if rules.isEmpty, root.fileCount > 0 {
      rules = [ProposedRule(folder: ".", tag: "Assets", "all files")].compactMap { $0 }
    }
  }

  /// Proposes rules for the groups of a folder's subfolders; false if they are none.
  private mutating func propose(for folder: FolderTree.Folder, depth: Int, noun: String) -> Bool {
    guard let grouping = FolderGrouping(folder, in: tree, noun: noun) else { return false }
    rules += grouping.rules
    if let first = grouping.sequence.first {
      if initialInstallTags.isEmpty { add(first, to: &initialInstallTags) }
      for tag in grouping.sequence.prefix(Self.fetchedAhead + 1) { add(tag, to: &prefetchTagOrder) }
    }
    if let language = grouping.firstLanguage { add(language, to: &initialInstallTags) }
    for other in grouping.others { decide(on: other, depth: depth + 1, parent: folder.name) }
    return true
  }

  private func add(_ tag: String, to list: inout [String]) {
    if !initialInstallTags.contains(tag), !list.contains(tag) { list.append(tag) }
  }

  /// Decides what becomes of a folder.
  private mutating func decide(on folder: FolderTree.Folder, depth: Int, parent: String) {
    if folder.fileCount == 0 { return }
    if TagWords.isEssential(folder.name), folder.size < Self.largeSize {
      return keep(folder, "an app needs such files from its start")
    }
    if TagWords.isShared(folder.name) {
      let tag = unused(TagWords.title(folder.name), parent)
      addRule(for: folder, tag: tag, "shared by the others, so in the initial install")
      if rules.last?.rule.tags.first?.value == tag { add(tag, to: &initialInstallTags) }
      return
    }
    if tree.subfolders(of: folder).contains(where: { $0.name.hasSuffix(".appiconset") }) {
      return keep(folder, "it has the app's icon")
    }
    let isSmall =
      folder.size < Self.smallSize && Double(folder.size) < Self.smallPart * Double(root.size)
    if isSmall { return keep(folder, "small") }
    if let name = TagWords.bundle(folder.name) {
      return addRule(for: folder, tag: unused(TagWords.title(name), parent), "one to Xcode")
    }
    let noun = TagWords.singular(TagWords.isGeneric(folder.name) ? parent : folder.name)
    if depth < Self.deepest {
      if propose(for: folder, depth: depth, noun: noun) { return }
      if mustBeDivided(folder, depth: depth) { return divide(folder, depth: depth) }
    }
    addRule(for: folder, tag: unused(TagWords.title(folder.name), parent), "a folder")
  }

  /// Whether a folder is too large for one tag, or holds groups that deserve tags of their own.
  private func mustBeDivided(_ folder: FolderTree.Folder, depth: Int) -> Bool {
    if folder.folders.count > 1, folder.size > Self.largeSize { return true }
    return hasGroups(folder, depth: depth)
  }

  private func hasGroups(_ folder: FolderTree.Folder, depth: Int) -> Bool {
    tree.subfolders(of: folder).contains { inner in
      Double(inner.size) >= 0.1 * Double(folder.size) && inner.size >= Self.smallSize
        && (FolderGrouping(inner, in: tree, noun: "") != nil
          || (depth + 1 < Self.deepest && hasGroups(inner, depth: depth + 1)))
    }
  }

  /// Proposes rules for each subfolder, and one for the files beside them.
  private mutating func divide(_ folder: FolderTree.Folder, depth: Int) {
    let name = TagWords.isGeneric(folder.name) ? "" : folder.name
    for inner in tree.subfolders(of: folder) { decide(on: inner, depth: depth + 1, parent: name) }
    if folder.ownSize < Self.smallSize {
      if folder.ownSize > 0 {
        kept.append(
          KeptFolder(
            path: folder.path + "/*", fileCount: folder.files.count, size: folder.ownSize,
            reason: "small"))
      }
      return
    }
    let glob = ProposedRule(
      glob: joined(below: folder.path, "*"), tag: unused(TagWords.title(folder.name), ""),
      "files beside folders")
    if let glob { rules.append(glob) }
  }

  private mutating func keep(_ folder: FolderTree.Folder, _ reason: String) {
    kept.append(
      KeptFolder(
        path: folder.path, fileCount: folder.fileCount, size: folder.size, reason: reason))
  }

  private mutating func addRule(for folder: FolderTree.Folder, tag: String, _ reason: String) {
    guard let rule = ProposedRule(folder: folder.path, tag: tag, reason) else {
      return keep(folder, "its name is no tag")
    }
    rules.append(rule)
  }

  /// A tag that no other rule has: with the name of the folder above where that is needed.
  private mutating func unused(_ tag: String, _ parent: String) -> String {
    if usedTags.insert(tag).inserted || parent.isEmpty { return tag }
    let longer = "\(TagWords.title(parent)) \(tag)"
    usedTags.insert(longer)
    return longer
  }
}
