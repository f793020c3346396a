import Formats
import Model
import System

/// Proposed rules for the folders below a root.
///
/// The user is expected to read and improve the rules.
struct RuleProposal {
  private let tree: FolderTree
  private let root: FolderTree.Folder
  private let languages: LanguageFolders
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
  /// The minimum size in bytes of a folder that gets its own pack in a game that is larger than `bigGame`.
  private static let tinySize: Int64 = 1 << 19
  private static let bigGame: Int64 = 20_000_000
  /// The minimum size in bytes of a part that is taken out of its folder, and as a fraction of the folder.
  private static let partSize: Int64 = 4_000_000
  private static let minPart = 0.1
  /// The minimum size in bytes of a folder of several media that gets a pack for each medium.
  private static let mixedSize: Int64 = 32_000_000
  /// The maximum number of subfolders that get a rule each.
  private static let maxRules = 6
  /// The maximum number of files that get a pack each.
  private static let maxFiles = 100
  /// The maximum size that stores recommend for a tag.
  private static let largeSize: Int64 = 64_000_000
  /// The number of tags of a numbered sequence that are prefetched.
  private static let fetchedAhead = 2

  /// Creates rules for the folders of a tree, and for files with a language in their names.
  ///
  /// The top folder of the tree is the root.
  init(_ tree: FolderTree, of files: [UntaggedFile], noun: String) {
    self.tree = tree
    root = tree.folders[0]
    languages = LanguageFolders(of: files)
    let suffixes = LanguageSuffixes(of: files, outside: languages)
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
    let languageRules = languages.rules + suffixes.rules
    if rules.isEmpty, languageRules.isEmpty { tagEverything() }
    rules += languageRules
    if let language = languages.firstLanguage ?? suffixes.firstLanguage {
      add(language, to: &initialInstallTags)
    }
    separateLanguages(languageRules, among: files)
    keepRests(among: files)
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

  /// Changes rules so that no file of a language also gets another tag.
  ///
  /// Otherwise, a request for the other tag would download all languages. A rule leaves out the files of
  /// languages. If its other files are small, they stay in the app bundle. If only few of the files that a rule
  /// matches belong to a language, the rules of this language are removed.
  private mutating func separateLanguages(_ languageRules: [ProposedRule], among files: [UntaggedFile]) {
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
    // In a folder of languages, "de" is certainly a language. In the name of another file, it is a guess.
    let certain = Set(languages.rules.map(\.rule.text.value))
    for rule in rules {
      let name = rule.rule.text.value
      guard let share = shares[name], !share.languageRules.isEmpty, share.inLanguages * 2 < share.whole else {
        continue
      }
      let guesses = share.languageRules.subtracting(certain)
      isLanguage.subtract(guesses)
      rules.removeAll { guesses.contains($0.rule.text.value) }
    }
    for (number, rule) in rules.enumerated().reversed() {
      let name = rule.rule.text.value
      guard let share = shares[name] else { continue }
      let globs = share.languageRules.intersection(isLanguage)
      if globs.isEmpty { continue }
      if share.others.size >= Self.smallSize {
        rules[number] = rule.except(globs.sorted())
      } else {
        rules.remove(at: number)
        if share.others.files > 0 {
          kept.append(
            KeptFolder(
              path: name, fileCount: share.others.files, size: share.others.size,
              reason: "next to files of languages"))
        }
      }
    }
    if isLanguage.isEmpty { initialInstallTags.removeAll { $0.hasPrefix("Language ") } }
  }

  /// Lists the files of language folders that no rule matches, and tags them if they are large.
  private mutating func keepRests(among files: [UntaggedFile]) {
    if languages.paths.isEmpty { return }
    let matcher = RuleMatcher(rules: rules.map(\.rule), excludes: [])
    var rests: [String: FileCount] = [:]
    for file in files
    where languages.contain(file) && file.folder != "." && matcher.trace(file.path).rules.isEmpty {
      rests[file.folder, default: FileCount()].files += 1
      rests[file.folder, default: FileCount()].size += file.size
    }
    for (path, rest) in rests.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      let globs = languages.rules.map(\.rule.text.value).filter { $0.hasPrefix("\(path)/") }
      let tag = unusedTag(TagWords.title(lastName(of: path)), parentName: lastName(of: folderPath(of: path)))
      if rest.size >= Self.smallSize,
        let glob = ProposedRule(glob: "\(path)/*", tag: tag, reason: "next to languages")
      {
        rules.append(glob.except(globs))
      } else {
        kept.append(
          KeptFolder(
            path: "\(path)/*", fileCount: rest.files, size: rest.size, reason: "next to files of languages"))
      }
    }
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
    propose(grouping, for: folder, depth: depth)
    return true
  }

  private mutating func propose(_ grouping: FolderGrouping, for folder: FolderTree.Folder, depth: Int) {
    rules += grouping.rules
    if let first = grouping.sequence.first {
      add(first, to: &initialInstallTags)
      for tag in grouping.sequence.prefix(Self.fetchedAhead + 1) { add(tag, to: &prefetchTagOrder) }
    }
    for tag in grouping.firstTags { add(tag, to: &initialInstallTags) }
    if let language = grouping.firstLanguage { add(language, to: &initialInstallTags) }
    for other in grouping.others { decide(on: other, depth: depth + 1, parent: folder.name) }
    if !folder.path.isEmpty, !languages.paths.contains(folder.path) { addFiles(directlyIn: folder) }
  }

  private func add(_ tag: String, to list: inout [String]) {
    if !initialInstallTags.contains(tag), !list.contains(tag) { list.append(tag) }
  }

  private mutating func decide(on folder: FolderTree.Folder, depth: Int, parent: String) {
    if folder.fileCount == 0 { return }
    if languages.paths.contains(folder.path) {
      // The files of the languages have their rules already.
      if let grouping = FolderGrouping(folder, in: tree, noun: "") {
        return propose(grouping, for: folder, depth: depth)
      }
      for inner in tree.subfolders(of: folder) { decide(on: inner, depth: depth + 1, parent: folder.name) }
      return
    }
    if TagWords.isEssential(folder.name), folder.size < Self.largeSize {
      return keep(folder, reason: "an app needs such files from its start")
    }
    if TagWords.isShared(folder.name), !isSmall(folder) {
      let tag = unusedTag(TagWords.title(folder.name), parentName: parent)
      addRule(for: folder, tag: tag, reason: "other files share it, so it is in the initial install")
      if rules.last?.rule.tags.first?.value == tag { add(tag, to: &initialInstallTags) }
      return
    }
    if tree.subfolders(of: folder).contains(where: { $0.name.hasSuffix(".appiconset") }) {
      return keep(folder, reason: "it has the app's icon")
    }
    if isSmall(folder) {
      let count = languages.smallFolders[folder.path]
      return keep(folder, reason: count.map { "files of \(grouped($0)) languages, small" } ?? "small")
    }
    if let name = TagWords.bundle(folder.name) {
      return addRule(
        for: folder, tag: unusedTag(TagWords.title(name), parentName: parent),
        reason: "Xcode treats it as one file")
    }
    let noun = noun(for: folder, parent: parent)
    if depth < Self.deepest {
      if let grouping = grouping(of: folder, noun: noun) {
        return propose(grouping, for: folder, depth: depth)
      }
      let parallel = proposeParallelFolders(in: folder)
      if !parallel.isEmpty {
        for inner in tree.subfolders(of: folder) where !parallel.contains(inner.path) {
          decide(on: inner, depth: depth + 1, parent: folder.name)
        }
        return
      }
      if isMixed(folder) { return divide(folder, depth: depth) }
    }
    tagWhole(folder, depth: depth, parent: parent)
  }

  private func noun(for folder: FolderTree.Folder, parent: String) -> String {
    // The subfolders of "theme/default" are not themes.
    let isOneOfMany = folder.name.lowercased() == "default"
    return TagWords.singular(TagWords.isGeneric(folder.name) && !isOneOfMany ? parent : folder.name)
  }

  private func isSmall(_ folder: FolderTree.Folder) -> Bool {
    if folder.size >= Self.smallSize { return false }
    return Double(folder.size) < Self.smallPart * Double(root.size)
      || (folder.size < Self.tinySize && root.size > Self.bigGame)
  }

  /// Returns the group that a folder's subfolders form; nil if they do not form a group.
  ///
  /// The parts of a folder of one medium, such as the pictures of one thing, are not a group unless their names
  /// are those of languages, or of things in an order.
  private func grouping(of folder: FolderTree.Folder, noun: String) -> FolderGrouping? {
    guard let grouping = FolderGrouping(folder, in: tree, noun: noun) else { return nil }
    let isOfLanguages = grouping.rules.contains { rule in
      (rule.rule.templates.map(\.text.value) + rule.rule.tags.map(\.value)).contains {
        $0.hasPrefix("Language ")
      }
    }
    if isOfLanguages {
      // Small languages stay with the files next to them.
      let size = folder.size - folder.ownSize
      return size >= Self.smallSize || Double(size) >= Self.smallPart * Double(root.size) ? grouping : nil
    }
    let isMedium = TagWords.isArt(folder.name) || TagWords.isMusic(folder.name)
    return !isMedium || !grouping.sequence.isEmpty ? grouping : nil
  }

  /// Whether a folder contains folders of different media, each of which should get its own tag.
  private func isMixed(_ folder: FolderTree.Folder) -> Bool {
    if TagWords.isMedium(folder.name) { return false }
    let inner = tree.subfolders(of: folder)
    let isGeneric = TagWords.isGeneric(folder.name)
    if inner.count == 1, folder.ownSize < Self.smallSize {
      return (isGeneric || folder.size >= Self.mixedSize) && isMixed(inner[0])
    }
    if inner.contains(where: { !TagWords.isGeneric($0.name) && isMixed($0) }) { return true }
    let media = inner.filter { TagWords.isMedium($0.name) && $0.size >= Self.smallSize }
    if isGeneric {
      return inner.count > 1 && (!media.isEmpty || folder.size > Self.largeSize)
    }
    return inner.count > 1 && media.count > 1 && folder.size >= Self.mixedSize
  }

  /// Proposes one rule for a folder, without the parts of it that should get their own tags.
  private mutating func tagWhole(_ folder: FolderTree.Folder, depth: Int, parent: String) {
    var parts: [FolderTree.Folder] = []
    var size = folder.size
    if depth < Self.deepest { takeGroups(outOf: folder, whole: folder, depth: depth, parts: &parts) }
    for part in parts { size -= part.size }
    // A tag that is too large loses its largest subfolders.
    let rest = tree.subfolders(of: folder).filter { inner in
      inner.fileCount > 0 && !parts.contains { $0.path == inner.path || $0.path.hasPrefix("\(inner.path)/") }
    }
    var large: [FolderTree.Folder] = []
    for inner in rest.sorted(by: { $1.size < $0.size }) where size > Self.largeSize {
      large.append(inner)
      size -= inner.size
    }
    if large.count > Self.maxRules || (large.count > 1 && large.count == rest.count) {
      return tagEach(of: folder, parent: parent)
    }
    for inner in large.sorted(by: { $0.path.precedesInBytes($1.path) }) {
      tagPart(inner, depth: depth, parent: folder.name)
    }
    parts += large
    // Menus are on the first screen.
    let needsStart =
      TagWords.isArt(folder.name)
      && tree.subfolders(of: folder).contains { inner in
        TagWords.isEssential(inner.name) && !parts.contains { $0.path == inner.path }
      }
    if size == 0 { return }
    if size < Self.smallSize, !parts.isEmpty {
      let count = parts.reduce(folder.fileCount) { $0 - $1.fileCount }
      return kept.append(KeptFolder(path: folder.path, fileCount: count, size: size, reason: "small"))
    }
    let name = TagWords.isGeneric(folder.name) && !parent.isEmpty ? parent : folder.name
    let tag = unusedTag(TagWords.title(name), parentName: parent)
    if folder.folders.isEmpty, size > Self.largeSize, tagEachFile(in: folder, tag: tag) { return }
    addRule(
      for: folder, tag: tag, reason: parts.isEmpty ? "a folder" : "the rest of a folder", without: parts)
    if needsStart, rules.last?.rule.tags.first?.value == tag { add(tag, to: &initialInstallTags) }
  }

  /// Proposes a rule for a subfolder that makes the tag of its folder too large.
  private mutating func tagPart(_ folder: FolderTree.Folder, depth: Int, parent: String) {
    if folder.size > Self.largeSize, folder.folders.count > 1 { return tagEach(of: folder, parent: parent) }
    addRule(
      for: folder, tag: unusedTag(TagWords.title(folder.name), parentName: parent), reason: "a large folder")
  }

  /// Proposes one rule with a tag for each subfolder of a folder.
  private mutating func tagEach(of folder: FolderTree.Folder, parent: String) {
    let noun = TagTemplate.literal(noun(for: folder, parent: parent))
    let names = tree.subfolders(of: folder).map(\.name)
    guard Glob.isPlain(folder.path),
      names.areValidTags(beginning: noun),
      let rule = ProposedRule(
        glob: joined(below: folder.path, name: "*/**"), template: "\(noun) $1",
        reason: "parts of a large folder")
    else {
      return addRule(
        for: folder, tag: unusedTag(TagWords.title(folder.name), parentName: parent), reason: "a folder")
    }
    rules.append(rule)
    addFiles(directlyIn: folder)
  }

  /// Proposes one rule with a tag for each file that is directly in a folder, such as for each song; returns false
  /// if the files are of many kinds.
  private mutating func tagEachFile(in folder: FolderTree.Folder, tag: String) -> Bool {
    let names = folder.files.filter { !$0.contains("/") }
    var suffixes: [String: Int] = [:]
    for name in names {
      if let dot = name.lastIndex(of: ".") { suffixes[String(name[dot...]), default: 0] += 1 }
    }
    let common = suffixes.filter { $0.value > 1 }.keys.sorted()
    guard (2...Self.maxFiles).contains(names.count), (1...4).contains(common.count),
      Glob.isPlain(folder.path),
      common.allSatisfy({ Glob.isPlain($0) && !$0.contains(",") }),
      common.reduce(0, { $0 + (suffixes[$1] ?? 0) }) * 10 >= names.count * 8,
      names.areValidTags(beginning: tag),
      let rule = ProposedRule(
        glob: joined(below: folder.path, name: "*\(globOfNames(common))"),
        template: "\(TagTemplate.literal(tag)) $1", reason: "files of a large folder")
    else { return false }
    rules.append(rule)
    return true
  }

  /// Proposes rules for the groups in a folder, such as the levels or the voices, and adds these to `parts`.
  private mutating func takeGroups(
    outOf folder: FolderTree.Folder, whole: FolderTree.Folder, depth: Int, parts: inout [FolderTree.Folder]
  ) {
    for inner in tree.subfolders(of: folder) {
      if TagWords.isEssential(inner.name) || TagWords.isShared(inner.name)
        || TagWords.bundle(inner.name) != nil
      {
        continue
      }
      let isLarge =
        (inner.size >= Self.partSize || inner.size * 10 >= root.size)
        && Double(inner.size) >= Self.minPart * Double(whole.size)
      guard isLarge else { continue }
      let noun = noun(for: inner, parent: folder.name)
      // Other names do not show that an app needs the parts separately.
      let isNamed = TagWords.isChosen(noun) || TagWords.areLanguages(tree.subfolders(of: inner).map(\.name))
      if isNamed, let grouping = grouping(of: inner, noun: noun) {
        propose(grouping, for: inner, depth: depth + 1)
        parts.append(inner)
      } else if TagWords.isMusic(inner.name), !TagWords.isMusic(whole.name) {
        tagWhole(inner, depth: depth + 1, parent: folder.name)
        parts.append(inner)
      } else if depth + 1 < Self.deepest {
        takeGroups(outOf: inner, whole: whole, depth: depth + 1, parts: &parts)
      }
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
    let tag = unusedTag(folder.path.isEmpty ? "Assets" : TagWords.title(folder.name), parentName: "")
    if folder.ownSize > Self.largeSize, tagEachFile(in: folder, tag: tag) { return }
    let glob = ProposedRule(
      glob: joined(below: folder.path, name: "*"), tag: tag, reason: "files next to folders")
    if let glob { rules.append(glob) }
  }

  private mutating func keep(_ folder: FolderTree.Folder, reason: String) {
    kept.append(
      KeptFolder(path: folder.path, fileCount: folder.fileCount, size: folder.size, reason: reason))
  }

  private mutating func addRule(
    for folder: FolderTree.Folder, tag: String, reason: String, without parts: [FolderTree.Folder] = []
  ) {
    guard let rule = ProposedRule(folder: folder.path, tag: tag, reason: reason) else {
      return keep(folder, reason: "its name cannot be a tag")
    }
    let globs = parts.sorted { $0.path.precedesInBytes($1.path) }.compactMap { Glob.escaping($0.path)?.text }
    rules.append(rule.except(globs.map { "\($0)/**" }))
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

extension [String] {
  /// Whether tags that consist of a word and one of the strings are valid.
  fileprivate func areValidTags(beginning word: String) -> Bool {
    allSatisfy { StringFormat.tag.mistake(in: "\(word) \($0)") == nil }
  }
}
