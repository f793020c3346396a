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
  private let sizes: ProposalSizes
  private var usedTags: Set<String> = []
  /// A tag of files that are not a part of a family.
  private struct CoreTag {
    let name: String
    /// The size in bytes.
    let size: Int64
  }

  private var coreTags: [CoreTag] = []
  /// The largest tag of files that are not a part of a family; nil if there is none.
  var mainTag: String? { coreTags.max { ($0.size, $1.name) < ($1.size, $0.name) }?.name }
  /// Whether the name of a member of a family shows that an app needs it first.
  private var hasFirst = false
  /// For each family, the tag of a member that is as good as any other as the first one.
  private var anyTags: [String] = []

  /// The maximum depth at which folders are considered individually.
  private static let deepest = 5
  /// The minimum size of a group that is taken out of its folder, as a fraction of the folder.
  private static let minPart = 0.1
  /// The minimum size in bytes of a folder of several media that gets a pack for each medium.
  private static let mixedSize: Int64 = 32_000_000
  /// The maximum number of subfolders that get a rule each.
  private static let maxRules = 6
  /// The number of tags of a numbered sequence that are prefetched.
  private static let fetchedAhead = 2

  /// Creates rules for the folders of a tree, and for files with a language in their names.
  ///
  /// The top folder of the tree is the root.
  init(_ tree: FolderTree, of files: [UntaggedFile], noun: String) {
    self.tree = tree
    root = tree.folders[0]
    sizes = ProposalSizes(whole: root.size)
    languages = LanguageFolders(of: files, besides: Self.languageSize(in: tree), sizes: sizes)
    let suffixes = LanguageSuffixes(of: files, outside: languages, minimum: sizes.small)
    if !propose(for: root, depth: 0, noun: noun) {
      let parallel = proposeParallelFolders(in: root)
      for folder in tree.subfolders(of: root) where !parallel.contains(folder.path) {
        decide(on: folder, depth: 1, parent: "")
      }
      addFilesOfRoot()
    }
    let languageRules = languages.rules + suffixes.rules
    if rules.isEmpty, languageRules.isEmpty { tagEverything() }
    rules += languageRules
    if let language = languages.firstLanguage ?? suffixes.firstLanguage {
      add(language, to: &initialInstallTags)
    }
    separateLanguages(languageRules, among: files)
    keepRests(among: files)
    addFirstTags()
    listCoreTags()
  }

  /// The total size in bytes of all folders that are languages.
  private static func languageSize(in tree: FolderTree) -> Int64 {
    tree.folders.filter { FolderGrouping.languages(in: $0, of: tree) != nil }.saturatingSum {
      $0.size - $0.ownSize
    }
  }

  /// Adds one level to the initial install if no name shows which level is the first one.
  ///
  /// An app cannot start without a level, so any level is better than none.
  private mutating func addFirstTags() {
    if !hasFirst { initialInstallTags.insert(contentsOf: anyTags, at: 0) }
  }

  /// Proposes one rule for folders with the same subfolders, and returns the paths of these folders.
  private mutating func proposeParallelFolders(in parent: FolderTree.Folder) -> Set<String> {
    guard let parallel = ParallelFolders(in: parent, of: tree, sizes: sizes) else { return [] }
    rules.append(parallel.rule)
    for tag in parallel.sharedTags { add(tag, to: &initialInstallTags) }
    if let language = parallel.firstLanguage { add(language, to: &initialInstallTags) }
    for folder in tree.subfolders(of: parent) where parallel.paths.contains(folder.path) {
      addFiles(directlyIn: folder, noun: "")
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
      if share.others.size >= sizes.small {
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
      if rest.size >= sizes.small,
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

  /// If there are no other proposals, proposes one rule for all files, or a rule for each folder of a large app.
  private mutating func tagEverything() {
    kept = []
    if root.size > ProposalSizes.tag {
      if let family = FileFamily(dividing: root, tag: "Part") { rules.append(family.rule) }
      for folder in tree.subfolders(of: root) where rules.isEmpty || folder.size >= sizes.small {
        addCoreRule(for: folder, tag: TagWords.title(folder.name), reason: "a folder", size: folder.size)
      }
    }
    if rules.isEmpty, root.fileCount > 0 {
      addCoreRule(for: root, tag: "Assets", reason: "all files", size: root.size)
    }
  }

  /// Proposes rules for the groups that a folder's subfolders form; returns false if there are no groups.
  private mutating func propose(for folder: FolderTree.Folder, depth: Int, noun: String) -> Bool {
    guard let grouping = FolderGrouping(folder, in: tree, noun: noun, sizes: sizes) else { return false }
    propose(grouping, for: folder, depth: depth, noun: noun)
    return true
  }

  private mutating func propose(
    _ grouping: FolderGrouping, for folder: FolderTree.Folder, depth: Int, noun: String
  ) {
    rules += grouping.rules
    addSequence(grouping.sequence)
    addFirst(grouping.firstTags, otherwise: grouping.anyTag)
    if let language = grouping.firstLanguage { add(language, to: &initialInstallTags) }
    for other in grouping.others { decide(on: other, depth: depth + 1, parent: folder.name) }
    if folder.path.isEmpty {
      addFilesOfRoot()
    } else if !languages.paths.contains(folder.path) {
      addFiles(directlyIn: folder, noun: noun)
    }
  }

  /// Adds the tags of numbered parts to the lists: the first part to the initial install, the next ones to the prefetch.
  private mutating func addSequence(_ tags: [String]) {
    guard let first = tags.first else { return }
    hasFirst = true
    add(first, to: &initialInstallTags)
    for tag in tags.prefix(Self.fetchedAhead + 1) { add(tag, to: &prefetchTagOrder) }
  }

  /// Adds the tags of members that an app needs first to the initial install; otherwise remembers any member.
  private mutating func addFirst(_ tags: [String], otherwise any: String?) {
    for tag in tags { add(tag, to: &initialInstallTags) }
    if !tags.isEmpty { hasFirst = true }
    if let any, !anyTags.contains(any) { anyTags.append(any) }
  }

  private func add(_ tag: String, to list: inout [String]) {
    if !initialInstallTags.contains(tag), !list.contains(tag) { list.append(tag) }
  }

  private mutating func decide(on folder: FolderTree.Folder, depth: Int, parent: String) {
    if folder.fileCount == 0 { return }
    if languages.paths.contains(folder.path) {
      // The files of the languages have their rules already.
      if let grouping = FolderGrouping(folder, in: tree, noun: "", sizes: sizes) {
        return propose(grouping, for: folder, depth: depth, noun: "")
      }
      for inner in tree.subfolders(of: folder) { decide(on: inner, depth: depth + 1, parent: folder.name) }
      return
    }
    if let reason = reasonToKeep(folder) { return keep(folder, reason: reason) }
    if let grouping = languages(in: folder) {
      return propose(grouping, for: folder, depth: depth, noun: "")
    }
    if folder.size < sizes.small {
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
      let inner = tree.subfolders(of: folder)
      if TagWords.isGeneric(folder.name), inner.count == 1, folder.ownSize < sizes.small {
        return divide(folder, depth: depth, noun: noun)
      }
      if let grouping = grouping(of: folder, noun: noun) {
        return propose(grouping, for: folder, depth: depth, noun: noun)
      }
      if !FileFamily.families(in: folder, noun: noun, sizes: sizes).isEmpty {
        return divide(folder, depth: depth, noun: noun)
      }
      let parallel = proposeParallelFolders(in: folder)
      if !parallel.isEmpty {
        for inner in inner where !parallel.contains(inner.path) {
          decide(on: inner, depth: depth + 1, parent: folder.name)
        }
        return
      }
      if isMixed(folder) { return divide(folder, depth: depth, noun: noun) }
    }
    tagWhole(folder, depth: depth, parent: parent)
  }

  /// The reason why a folder stays in the app bundle although it can be large; nil if there is no such reason.
  private func reasonToKeep(_ folder: FolderTree.Folder) -> String? {
    if TagWords.isDocumentation(folder.name) { return "documentation" }
    if folder.isProgramCode { return "program code" }
    if TagWords.isForAuthors(folder.name) { return "for the authors of the app" }
    if TagWords.isEssential(folder.name), folder.size < ProposalSizes.essential {
      return "an app needs such files from its start"
    }
    if tree.subfolders(of: folder).contains(where: { $0.name.hasSuffix(".appiconset") }) {
      return "it has the app's icon"
    }
    return nil
  }

  private func noun(for folder: FolderTree.Folder, parent: String) -> String {
    // The subfolders of "theme/default" are not themes.
    let isOneOfMany = folder.name.lowercased() == "default"
    let name = TagWords.isGeneric(folder.name) && !isOneOfMany ? parent : folder.name
    // A game can have two versions of its maps, as in "maps" and "maps7".
    return TagWords.singular(NumberedName(name).map(\.head) ?? name)
  }

  /// Returns the languages that a folder's subfolders are; nil if they are not languages or too small.
  private func languages(in folder: FolderTree.Folder) -> FolderGrouping? {
    folder.size - folder.ownSize >= languages.minimum ? FolderGrouping.languages(in: folder, of: tree) : nil
  }

  /// Returns the group that a folder's subfolders form; nil if they do not form a group.
  ///
  /// The parts of a folder of one medium, such as the pictures of one thing, are not a group unless their names
  /// are those of things in an order, or a file defines each of them.
  private func grouping(of folder: FolderTree.Folder, noun: String) -> FolderGrouping? {
    guard !TagWords.isShared(folder.name),
      let grouping = FolderGrouping(folder, in: tree, noun: noun, sizes: sizes),
      !grouping.isOfLanguages
    else { return nil }
    let isMedium = TagWords.isArt(folder.name) || TagWords.isMusic(folder.name)
    return !isMedium || !grouping.sequence.isEmpty || grouping.isDefined ? grouping : nil
  }

  /// Whether a folder contains folders of different media, each of which should get its own tag.
  private func isMixed(_ folder: FolderTree.Folder) -> Bool {
    if TagWords.isMedium(folder.name) { return false }
    if TagWords.isShared(folder.name), folder.size <= ProposalSizes.tag { return false }
    let inner = tree.subfolders(of: folder)
    let isGeneric = TagWords.isGeneric(folder.name)
    if inner.count == 1, folder.ownSize < sizes.small {
      return (isGeneric || folder.size >= Self.mixedSize) && isMixed(inner[0])
    }
    if inner.contains(where: { !TagWords.isGeneric($0.name) && isMixed($0) }) { return true }
    let media = inner.filter { TagWords.isMedium($0.name) && $0.size >= sizes.small }
    if isGeneric {
      return inner.count > 1 && (!media.isEmpty || folder.size > ProposalSizes.tag)
    }
    return inner.count > 1 && media.count > 1 && folder.size >= Self.mixedSize
  }

  /// Proposes one rule for a folder, without the parts of it that should get their own tags.
  private mutating func tagWhole(_ folder: FolderTree.Folder, depth: Int, parent: String) {
    var parts: [FolderTree.Folder] = []
    var size = folder.size
    if depth < Self.deepest, !TagWords.isShared(folder.name) {
      takeGroups(outOf: folder, whole: folder, depth: depth, parts: &parts)
    }
    for part in parts { size -= part.size }
    // A tag that is too large loses its largest subfolders.
    let rest = tree.subfolders(of: folder).filter { inner in
      inner.fileCount > 0 && !parts.contains { $0.path == inner.path || $0.path.hasPrefix("\(inner.path)/") }
    }
    var large: [FolderTree.Folder] = []
    for inner in rest.sorted(by: { $1.size < $0.size }) where size > ProposalSizes.tag {
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
    if size == 0 { return }
    if size < sizes.small, !parts.isEmpty {
      let count = parts.reduce(folder.fileCount) { $0 - $1.fileCount }
      return kept.append(KeptFolder(path: folder.path, fileCount: count, size: size, reason: "small"))
    }
    let name = TagWords.isGeneric(folder.name) && !parent.isEmpty ? parent : folder.name
    let tag = unusedTag(TagWords.title(name), parentName: parent)
    if size > ProposalSizes.tag, divideFiles(of: folder, tag: tag) { return }
    // A file that an app needs from its start can also be in the app bundle. Then no tag is too large.
    let isCore = !folder.isHeardOrWatched
    let giants =
      isCore && size > ProposalSizes.tag ? folder.files.filter { $0.size > ProposalSizes.tag } : []
    for file in giants {
      size -= file.size
      kept.append(
        KeptFolder(
          path: joined(below: folder.path, rest: file.name), fileCount: 1, size: file.size,
          reason: "larger than a tag should be"))
    }
    if size < sizes.small { return }
    addCoreRule(
      for: folder, tag: tag, reason: parts.isEmpty ? "a folder" : "the rest of a folder", size: size,
      without: parts, giants: giants)
  }

  /// Proposes a rule for a subfolder that makes the tag of its folder too large.
  private mutating func tagPart(_ folder: FolderTree.Folder, depth: Int, parent: String) {
    if folder.size > ProposalSizes.tag, folder.folders.count > 1 {
      return tagEach(of: folder, parent: parent)
    }
    let tag = unusedTag(TagWords.title(folder.name), parentName: parent)
    if folder.size > ProposalSizes.tag, divideFiles(of: folder, tag: tag) { return }
    addCoreRule(for: folder, tag: tag, reason: "a large folder", size: folder.size)
  }

  /// Proposes one rule with a tag for each subfolder of a folder.
  private mutating func tagEach(of folder: FolderTree.Folder, parent: String) {
    let noun = TagTemplate.literal(noun(for: folder, parent: parent))
    let names = tree.subfolders(of: folder).map(\.name)
    guard Glob.isPlain(folder.path),
      names.areValidTags(beginning: noun),
      let rule = ProposedRule(
        glob: joined(below: folder.path, rest: "*/**"), template: "\(noun) $1",
        reason: "parts of a large folder")
    else {
      return addRule(
        for: folder, tag: unusedTag(TagWords.title(folder.name), parentName: parent), reason: "a folder")
    }
    rules.append(rule)
    addFiles(directlyIn: folder, noun: "")
  }

  /// Proposes one rule that divides the files of a folder that is too large for one tag, such as a tag for each song.
  ///
  /// Returns false if the folder has subfolders, or if `FileFamily` finds no way to divide the files.
  private mutating func divideFiles(of folder: FolderTree.Folder, tag: String) -> Bool {
    guard folder.folders.isEmpty, let family = FileFamily(dividing: folder, tag: tag) else { return false }
    rules.append(family.rule)
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
      let isLarge = inner.size >= sizes.small && Double(inner.size) >= Self.minPart * Double(whole.size)
      guard isLarge else { continue }
      let noun = noun(for: inner, parent: folder.name)
      let isGroup = TagWords.isChosen(noun) && !(TagWords.isMedium(whole.name) && TagWords.isDepicted(noun))
      if let grouping = languages(in: inner) {
        propose(grouping, for: inner, depth: depth + 1, noun: "")
        parts.append(inner)
      } else if let grouping = grouping(of: inner, noun: noun), isGroup || grouping.isDefined {
        propose(grouping, for: inner, depth: depth + 1, noun: noun)
        parts.append(inner)
      } else if isGroup, !FileFamily.families(in: inner, noun: noun, sizes: sizes).isEmpty {
        divide(inner, depth: depth + 1, noun: noun)
        parts.append(inner)
      } else if TagWords.isMusic(inner.name), !TagWords.isMusic(whole.name) {
        tagWhole(inner, depth: depth + 1, parent: folder.name)
        parts.append(inner)
      } else if depth + 1 < Self.deepest {
        takeGroups(outOf: inner, whole: whole, depth: depth + 1, parts: &parts)
      }
    }
  }

  /// Proposes rules for each subfolder, and for the files that are directly in the folder.
  private mutating func divide(_ folder: FolderTree.Folder, depth: Int, noun: String) {
    let name = TagWords.isGeneric(folder.name) ? "" : folder.name
    for inner in tree.subfolders(of: folder) { decide(on: inner, depth: depth + 1, parent: name) }
    addFiles(directlyIn: folder, noun: noun)
  }

  /// Proposes rules for files that are directly in the root: families and music.
  ///
  /// Other files there stay in the app bundle. A tag for them would have no name.
  private mutating func addFilesOfRoot() {
    addFamilies(directlyIn: root, noun: "")
    let music = root.files.filter { TagWords.isMusicFile($0.name) }
    let size = music.saturatingSum { $0.size }
    let suffixes = Set(
      music.compactMap { file in file.name.lastIndex(of: ".").map { String(file.name[$0...]) } })
    guard !music.isEmpty, size >= sizes.small, size / Int64(music.count) >= sizes.small / 4,
      let rule = ProposedRule(
        glob: "*\(globOfNames(suffixes))", tag: unusedTag("Music", parentName: "Root"),
        reason: "music next to other files")
    else { return }
    rules.append(rule)
  }

  /// Proposes rules for the families of files that are directly in a folder, and returns these families.
  @discardableResult private mutating func addFamilies(
    directlyIn folder: FolderTree.Folder, noun: String
  ) -> [FileFamily] {
    let families = FileFamily.families(in: folder, noun: noun, sizes: sizes)
    for family in families {
      rules.append(family.rule)
      let first = family.tags.filter { TagWords.isBeginning(String($0.dropFirst(family.noun.count + 1))) }
      if family.isOrdered { addSequence(family.tags) }
      addFirst(first, otherwise: TagWords.isOptional(family.noun) ? nil : family.tags.min())
    }
    return families
  }

  /// Proposes rules for the files that are directly in a folder: for families, and for the rest if it is large.
  private mutating func addFiles(directlyIn folder: FolderTree.Folder, noun: String) {
    let families = addFamilies(directlyIn: folder, noun: noun)
    let size = families.reduce(folder.ownSize) { $0 - $1.size }
    let glob = joined(below: folder.path, rest: "*")
    if size < sizes.small {
      if size > 0 {
        let count = families.reduce(folder.files.count) { $0 - $1.fileCount }
        kept.append(KeptFolder(path: glob, fileCount: count, size: size, reason: "small"))
      }
      return
    }
    let tag = unusedTag(TagWords.title(folder.name), parentName: "")
    if size > ProposalSizes.tag, families.isEmpty, let family = FileFamily(dividing: folder, tag: tag) {
      return rules.append(family.rule)
    }
    guard let rule = ProposedRule(glob: glob, tag: tag, reason: "files next to folders") else { return }
    rules.append(rule.except(families.map(\.rule.rule.text.value)))
    addCoreTag(tag, of: folder, size: size)
  }

  private mutating func keep(_ folder: FolderTree.Folder, reason: String) {
    kept.append(
      KeptFolder(path: folder.path, fileCount: folder.fileCount, size: folder.size, reason: reason))
  }

  /// Proposes a rule for a folder that is not a part of a family.
  private mutating func addCoreRule(
    for folder: FolderTree.Folder, tag: String, reason: String, size: Int64,
    without parts: [FolderTree.Folder] = [], giants: [FolderTree.File] = []
  ) {
    addRule(for: folder, tag: tag, reason: reason, without: parts)
    guard rules.last?.rule.tags.first?.value == tag else { return }
    let paths = giants.map { joined(below: folder.path, rest: $0.name) }
    rules[rules.count - 1] = rules[rules.count - 1].except(paths.compactMap { Glob.escaping($0)?.text })
    addCoreTag(tag, of: folder, size: size)
  }

  /// Remembers the tag of files that are not a part of a family for the initial install.
  ///
  /// Apps request music, sounds and films later, and optional things such as mods only if a user chooses them.
  private mutating func addCoreTag(_ tag: String, of folder: FolderTree.Folder, size: Int64) {
    // An app that is only music, for example, still needs a first tag.
    if folder.isHeardOrWatched, !folder.path.isEmpty { return }
    if names(in: folder.path).suffix(2).contains(where: { TagWords.isOptional(TagWords.singular($0)) }) {
      return
    }
    coreTags.append(CoreTag(name: tag, size: size))
  }

  /// Adds the tags of files that are not a part of a family to the initial install.
  ///
  /// Devices download the files without tags, too, before the app starts. If the download would become too large,
  /// they download the tag immediately afterwards.
  private mutating func listCoreTags() {
    var size = kept.reduce(root.ownSize) { $0.saturatingSum(with: $1.size) }
    var later: [String] = []
    for tag in coreTags {
      if size.saturatingSum(with: tag.size) > ProposalSizes.initialInstall {
        later.append(tag.name)
      } else {
        size = size.saturatingSum(with: tag.size)
        add(tag.name, to: &initialInstallTags)
      }
    }
    prefetchTagOrder = later.filter { !initialInstallTags.contains($0) } + prefetchTagOrder
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

  /// Returns a tag, with the name of the parent folder before it if another rule already has the tag.
  ///
  /// If this does not help either, two rules get the same tag. It is better than a number, which says nothing.
  private mutating func unusedTag(_ tag: String, parentName: String) -> String {
    if usedTags.insert(tag).inserted || parentName.isEmpty || parentName == "." { return tag }
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
