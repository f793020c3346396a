import Formats
import Model
import System

/// Proposed rules for the folders below a root.
///
/// The user is expected to read and improve the rules.
struct RuleProposal {
  private let tree: FolderTree
  private let root: FolderTree.Folder
  private(set) var rules: [ProposedRule] = []
  private(set) var kept: [KeptFolder] = []
  private(set) var initialInstallTags: [String] = []
  private(set) var prefetchTagOrder: [String] = []
  private var usedTags: Set<String> = []

  /// The maximum depth at which folders are considered individually.
  private static let deepest = 5
  /// The minimum size of a folder that gets its own pack: in bytes, and as a fraction of the total size.
  private static let smallSize: Int64 = 1 << 20
  private static let smallPart = 0.01
  /// The maximum size that stores recommend for a tag.
  private static let largeSize: Int64 = 64_000_000
  /// The number of tags of a numbered sequence that are prefetched.
  private static let fetchedAhead = 2

  /// Creates rules for the folders of a tree, and for files with a language in their names.
  ///
  /// The top folder of the tree is the root.
  init(_ tree: FolderTree, of files: [UntaggedFile], languages: LanguageSuffixes, noun: String) {
    self.tree = tree
    root = tree.folders[0]
    if !propose(for: root, depth: 0, noun: noun) {
      let parallel = proposeParallelFolders(in: root)
      for folder in tree.subfolders(of: root) where !parallel.contains(folder.path) {
        decide(on: folder, depth: 1, parent: "")
      }
      // Most files of some games are directly in the root.
      if !root.folders.isEmpty, root.ownSize >= Self.smallSize,
        Double(root.ownSize) >= 0.25 * Double(root.size)
      {
        addFiles(directlyIn: root)
      }
    }
    if rules.isEmpty { tagEverything() }
    rules += languages.rules
    if let language = languages.firstLanguage { add(language, to: &initialInstallTags) }
    separateLanguages(languages.rules, among: files)
  }

  /// Proposes one rule for folders with the same subfolders, and returns the paths of these folders.
  private mutating func proposeParallelFolders(in parent: FolderTree.Folder) -> Set<String> {
    guard let parallel = ParallelFolders(in: parent, of: tree) else { return [] }
    rules.append(parallel.rule)
    for tag in parallel.sharedTags { add(tag, to: &initialInstallTags) }
    if let language = parallel.firstLanguage { add(language, to: &initialInstallTags) }
    for folder in tree.subfolders(of: parent) where parallel.paths.contains(folder.path) {
      addFiles(directlyIn: folder)
    }
    return parallel.paths
  }

  /// Removes rules so that no file of a language also gets another tag.
  ///
  /// Otherwise, a request for the other tag would download all languages. If most bytes that a rule matches
  /// belong to a language, the rule is removed, and its other files stay in the app bundle. If only few bytes
  /// belong to a language, the rules of this language are removed.
  mutating func separateLanguages(_ languageRules: [ProposedRule], among files: [UntaggedFile]) {
    if languageRules.isEmpty { return }
    var isLanguage = Set(languageRules.map(\.rule.text.value))
    struct Share {
      var whole: Int64 = 0
      var inLanguages: Int64 = 0
      var others = FileCount()
      var languageRules: Set<String> = []
    }
    var shares: [String: Share] = [:]
    let matcher = RuleMatcher(rules: rules.map(\.rule), excludes: [])
    for file in files {
      let names = matcher.trace(file.path).rules.map(\.text.value)
      let languages = names.filter(isLanguage.contains)
      for name in names where !isLanguage.contains(name) {
        var share = shares[name] ?? Share()
        share.whole = share.whole.saturatingSum(with: file.size)
        if languages.isEmpty {
          share.others.files += 1
          share.others.size = share.others.size.saturatingSum(with: file.size)
        } else {
          share.inLanguages = share.inLanguages.saturatingSum(with: file.size)
          share.languageRules.formUnion(languages)
        }
        shares[name] = share
      }
    }
    for rule in rules {
      let name = rule.rule.text.value
      guard let share = shares[name], !share.languageRules.isEmpty, share.inLanguages * 2 < share.whole else {
        continue
      }
      isLanguage.subtract(share.languageRules)
      rules.removeAll { share.languageRules.contains($0.rule.text.value) }
    }
    for rule in rules {
      let name = rule.rule.text.value
      guard let share = shares[name], !share.languageRules.isDisjoint(with: isLanguage) else { continue }
      rules.removeAll { $0.rule.text.value == name }
      if share.others.files > 0 {
        kept.append(
          KeptFolder(
            path: name, fileCount: share.others.files, size: share.others.size,
            reason: "next to files of languages"))
      }
    }
    if isLanguage.isEmpty { initialInstallTags.removeAll { $0.hasPrefix("Language ") } }
  }

  /// If there are no other proposals, proposes a rule for each folder, or one rule for all files.
  private mutating func tagEverything() {
    kept = []
    for folder in tree.subfolders(of: root) {
      addRule(for: folder, tag: TagWords.title(folder.name), reason: "a folder")
    }
    if rules.isEmpty, root.fileCount > 0 {
      rules = [ProposedRule(folder: ".", tag: "Assets", reason: "all files")].compactMap { $0 }
    }
  }

  /// Proposes rules for the groups that a folder's subfolders form; returns false if there are no groups.
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

  private mutating func decide(on folder: FolderTree.Folder, depth: Int, parent: String) {
    if folder.fileCount == 0 { return }
    if TagWords.isEssential(folder.name), folder.size < Self.largeSize {
      return keep(folder, reason: "an app needs such files from its start")
    }
    if TagWords.isShared(folder.name) {
      let tag = unusedTag(TagWords.title(folder.name), parentName: parent)
      addRule(for: folder, tag: tag, reason: "other files share it, so it is in the initial install")
      if rules.last?.rule.tags.first?.value == tag { add(tag, to: &initialInstallTags) }
      return
    }
    if tree.subfolders(of: folder).contains(where: { $0.name.hasSuffix(".appiconset") }) {
      return keep(folder, reason: "it has the app's icon")
    }
    let isSmall = folder.size < Self.smallSize && Double(folder.size) < Self.smallPart * Double(root.size)
    if isSmall { return keep(folder, reason: "small") }
    if let name = TagWords.bundle(folder.name) {
      return addRule(
        for: folder, tag: unusedTag(TagWords.title(name), parentName: parent),
        reason: "Xcode treats it as one file")
    }
    let noun = TagWords.singular(TagWords.isGeneric(folder.name) ? parent : folder.name)
    if depth < Self.deepest, FolderGrouping(folder, in: tree, noun: noun) == nil {
      let parallel = proposeParallelFolders(in: folder)
      if !parallel.isEmpty {
        for inner in tree.subfolders(of: folder) where !parallel.contains(inner.path) {
          decide(on: inner, depth: depth + 1, parent: folder.name)
        }
        return
      }
    }
    if depth < Self.deepest {
      if propose(for: folder, depth: depth, noun: noun) { return }
      let isLarge = folder.folders.count > 1 && folder.size > Self.largeSize
      if isLarge || hasGroups(folder, depth: depth) { return divide(folder, depth: depth) }
    }
    addRule(for: folder, tag: unusedTag(TagWords.title(folder.name), parentName: parent), reason: "a folder")
  }

  /// Whether a folder contains groups of subfolders that should get their own tags.
  private func hasGroups(_ folder: FolderTree.Folder, depth: Int) -> Bool {
    tree.subfolders(of: folder).contains { inner in
      Double(inner.size) >= 0.1 * Double(folder.size) && inner.size >= Self.smallSize
        && (FolderGrouping(inner, in: tree, noun: "") != nil
          || (depth + 1 < Self.deepest && hasGroups(inner, depth: depth + 1)))
    }
  }

  /// Proposes rules for each subfolder, and one rule for the files that are directly in the folder.
  private mutating func divide(_ folder: FolderTree.Folder, depth: Int) {
    let name = TagWords.isGeneric(folder.name) ? "" : folder.name
    for inner in tree.subfolders(of: folder) { decide(on: inner, depth: depth + 1, parent: name) }
    addFiles(directlyIn: folder)
  }

  /// Proposes a rule for the files that are directly in a folder, if they are large.
  private mutating func addFiles(directlyIn folder: FolderTree.Folder) {
    if folder.ownSize < Self.smallSize {
      if folder.ownSize > 0 {
        kept.append(
          KeptFolder(
            path: joined(below: folder.path, name: "*"), fileCount: folder.files.count, size: folder.ownSize,
            reason: "small"))
      }
      return
    }
    let glob = ProposedRule(
      glob: joined(below: folder.path, name: "*"),
      tag: unusedTag(folder.path.isEmpty ? "Assets" : TagWords.title(folder.name), parentName: ""),
      reason: "files next to folders")
    if let glob { rules.append(glob) }
  }

  private mutating func keep(_ folder: FolderTree.Folder, reason: String) {
    kept.append(
      KeptFolder(path: folder.path, fileCount: folder.fileCount, size: folder.size, reason: reason))
  }

  private mutating func addRule(for folder: FolderTree.Folder, tag: String, reason: String) {
    guard let rule = ProposedRule(folder: folder.path, tag: tag, reason: reason) else {
      return keep(folder, reason: "its name cannot be a tag")
    }
    rules.append(rule)
  }

  /// Returns a tag that no other rule has.
  ///
  /// If the given tag is already used, the name of the parent folder is added to its beginning.
  private mutating func unusedTag(_ tag: String, parentName: String) -> String {
    if usedTags.insert(tag).inserted || parentName.isEmpty { return tag }
    let longer = "\(TagWords.title(parentName)) \(tag)"
    usedTags.insert(longer)
    return longer
  }
}

/// Makes tags from the names of folders.
enum TagWords {
  /// Returns `Music` for `music`, `Boss Fights` for `boss_fights`.
  static func title(_ name: String) -> String {
    let words = name.split { "_- ".contains($0) }
    return words.isEmpty
      ? name : words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  /// Returns the word for one item of a folder: `Level` for `levels`, `Story` for `Stories`, `Box` for
  /// `boxes`.
  static func singular(_ name: String) -> String {
    let title = title(name)
    let lower = title.lowercased()
    if lower.hasSuffix("ies"), lower.utf8.count > 4 { return title.dropLast(3) + "y" }
    if ["ches", "shes", "sses", "xes"].contains(where: lower.hasSuffix) { return String(title.dropLast(2)) }
    if lower.hasSuffix("s"), !lower.hasSuffix("ss"), lower.utf8.count > 3 { return String(title.dropLast()) }
    return title
  }

  /// Whether a name is too general to describe the contents of a folder.
  static func isGeneric(_ name: String) -> Bool {
    [
      "", "default", "extras", "extra", "data", "assets", "resources", "content", "files", "all", "official",
      "misc",
    ].contains(name.lowercased())
  }

  /// Returns the name without its suffix if Xcode and apps treat a folder with this name, such as a catalog,
  /// as one item; otherwise nil.
  static func bundle(_ name: String) -> String? {
    let suffixes = [".xcassets", ".atlas", ".spriteatlas", ".scnassets", ".bundle"]
    return suffixes.first(where: name.hasSuffix).map { String(name.dropLast($0.utf8.count)) }
  }

  /// Whether the files of a folder with this name are probably used by all other folders.
  static func isShared(_ name: String) -> Bool {
    ["shared", "share", "common", "core", "base", "general", "global"].contains(name.lowercased())
  }

  /// Whether a folder with this name contains files of one medium, and not one thing of a game.
  static func isMedium(_ name: String) -> Bool {
    [
      "images", "image", "graphics", "gfx", "pics", "pictures", "textures", "texture", "sprites", "models",
      "meshes", "materials", "music", "musics", "sound", "sounds", "snd", "sfx", "audio", "voices", "speech",
      "video", "videos", "movies", "animations", "backgrounds", "pixmaps",
    ].contains(name.lowercased())
  }

  /// Whether a folder with this name contains products or caches of programs, at any depth.
  static func isCache(_ name: String) -> Bool {
    (name.hasPrefix(".") && name.utf8.count > 1)
      || ["node_modules", "__pycache__", "DerivedData", "CMakeFiles", "bower_components", "Pods"].contains(
        name)
  }

  /// Whether a folder with this name at the top of a project contains products of builds.
  static func isBuildProduct(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["build", "builds", "dist", "out", "target", "obj", "bin", "debug", "release"].contains(name)
      || name.hasPrefix("cmake-build")
  }

  /// Whether an entry with this name is at the top of a project.
  static func marksProject(_ name: String) -> Bool {
    [
      "src", "source", "sources", "CMakeLists.txt", "Makefile", "meson.build", "package.json", "Cargo.toml",
      "configure.ac", "SConstruct", "setup.py", "pyproject.toml", "build.gradle", "build.gradle.kts",
      "Package.swift", "go.mod",
    ].contains(name) || name.hasSuffix(".xcodeproj") || name.hasSuffix(".sln")
  }

  /// Whether a project usually keeps its assets in a folder with this name.
  static func holdsAssets(_ name: String) -> Bool {
    ["assets", "data", "res", "resources", "gamedata", "content"].contains(name.lowercased())
  }

  /// Whether an app probably needs the files of a folder with this name when it starts.
  static func isEssential(_ name: String) -> Bool {
    [
      "ui", "gui", "hud", "font", "fonts", "ttf", "shader", "shaders", "script", "scripts", "scripting",
      "config",
      "conf", "settings", "startup", "icons", "skins", "editor", "po", "i18n", "txts", "schema", "lua",
    ].contains(name.lowercased())
  }

  /// Whether a name is the name of a language: `fr`, `pt_BR`, `zh-Hans`, `sr@latin`.
  static func isLanguage(_ name: String) -> Bool {
    let parts = name.split(maxSplits: 2, omittingEmptySubsequences: false) { "_@-".contains($0) }
    guard let code = parts.first, languages.contains(String(code)) else { return false }
    // The second part must be a region or a script, because a name such as "as_book" is not a language.
    return parts.dropFirst().allSatisfy { part in
      let isRegion = part.utf8.count == 2 && part.utf8.allSatisfy(isLetter)
      let isNumber = part.utf8.count == 3 && part.allSatisfy(\.isNumber)
      let isScript = part.utf8.count == 4 && part.first?.isUppercase == true && part.utf8.allSatisfy(isLetter)
      return isRegion || isNumber || isScript || name.contains("@")
    }
  }

  /// Whether the names are language names, and at least one of them is a common language for apps.
  ///
  /// Without the second condition, words such as "is" and "no" would count as languages, because they are
  /// also language codes.
  static func areLanguages(_ names: [String]) -> Bool {
    let codes = Set(names.map { String($0.prefix { !"_@-".contains($0) }) })
    return names.count > 1 && !codes.isDisjoint(with: ["en", "de", "fr", "es", "ja"])
  }

  /// Whether a language has a region or a script: `pt_BR`, `zh-Hans`, `sr@latin`.
  static func hasRegion(_ language: String) -> Bool {
    guard let mark = language.firstIndex(where: { "_@-".contains($0) }) else { return false }
    return language[mark] == "@"
      || language[mark...].dropFirst().first.map { $0.isUppercase || $0.isNumber } ?? false
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte & 0xdf) }

  /// The language codes of ISO 639-1, and the ISO 639-2 codes that occur in translations of free games.
  private static let languages = Set(
    ("aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo "
      + "es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
      + "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
      + "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
      + "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
      + "ang ast bem bho csb fil frp fur gsw hsb kab mai nds sco szl vec")
      .split(separator: " ").map(String.init))
}
