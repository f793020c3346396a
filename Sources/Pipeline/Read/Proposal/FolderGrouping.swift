import Formats
import Model
import System

/// Proposed rules for a folder whose subfolders form a group.
///
/// The subfolders of a group are languages, numbered parts, or folders of one kind.
struct FolderGrouping {
  var rules: [ProposedRule]
  /// The subfolders that no rule covers.
  var others: [FolderTree.Folder] = []
  /// The tags of numbered parts, in the order of their numbers.
  var sequence: [String] = []
  /// The tags that an app probably needs first, such as the tag of a tutorial.
  var firstTags: [String] = []
  /// The tag of English if it is one of the languages; otherwise nil.
  ///
  /// Most apps are written in English.
  var firstLanguage: String?

  /// The maximum number of similar folders that get a pack each.
  private static let maxSimilarFolders = 200
  /// The minimum mean size of folders that get a pack each, unless a player chooses one of them: in bytes, and
  /// as a fraction of the size of all assets.
  private static let smallMean: Int64 = 1 << 20
  private static let smallMeanPart = 0.05
  /// The minimum size of all such folders together, as a fraction of the size of all assets.
  private static let smallPart = 0.02

  /// Creates rules for the group that a folder's subfolders form; nil if they do not form a group.
  ///
  /// `noun` is the word for one subfolder in tags, such as `Level`.
  init?(_ folder: FolderTree.Folder, in tree: FolderTree, noun: String) {
    let subfolders = tree.subfolders(of: folder)
    guard Glob.isPlain(folder.path), subfolders.count > 1 else { return nil }
    let found =
      Self.projectLanguages(folder, subfolders: subfolders) ?? Self.languages(folder, subfolders: subfolders)
      ?? Self.numbered(folder, subfolders: subfolders, tree: tree, noun: noun)
      ?? Self.alike(folder, subfolders: subfolders, tree: tree, noun: noun)
    guard let found else { return nil }
    self = found
  }

  private init(_ rules: [ProposedRule?]) { self.rules = rules.compactMap { $0 } }

  /// Groups subfolders such as `fr.lproj` and `en.lproj`.
  private static func projectLanguages(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder]
  ) -> FolderGrouping? {
    let suffix = ".lproj"
    let projects = subfolders.filter { $0.name.hasSuffix(suffix) }
    let names = projects.map { String($0.name.dropLast(suffix.utf8.count)) }
    let languages = names.filter(TagWords.isLanguage)
    guard TagWords.areLanguages(languages) else { return nil }
    // The folder "Base" contains files for all languages and stays in the app.
    let isWhole = languages.count == names.count
    var grouping = FolderGrouping([
      ProposedRule(
        glob: joined(below: folder.path, name: isWhole ? "*.lproj/**" : "[a-z]*.lproj/**"),
        template: isWhole ? "Language $1" : "Language $1$2", reason: "\(grouped(languages.count)) languages")
    ])
    grouping.others = subfolders.filter { !$0.name.hasSuffix(suffix) }
    grouping.firstLanguage = TagWords.english(among: languages)
    return grouping
  }

  /// Groups subfolders such as `fr` and `en`.
  private static func languages(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder]
  ) -> FolderGrouping? {
    let languages = subfolders.filter { TagWords.isLanguage($0.name, inFolder: folder.name) }
    guard TagWords.areLanguages(languages.map(\.name)), languages.count * 2 > subfolders.count else {
      return nil
    }
    let reason = "\(grouped(languages.count)) languages"
    // If only a few subfolders are not languages, these also get their names as tags. Then one rule is
    // enough.
    let isWhole = (subfolders.count - languages.count) * 10 <= subfolders.count
    var grouping =
      isWhole
      ? FolderGrouping([
        ProposedRule(glob: joined(below: folder.path, name: "*/**"), template: "Language $1", reason: reason)
      ])
      : FolderGrouping(
        languages.map {
          ProposedRule(folder: $0.path, tag: "Language \($0.name)", reason: "one of \(reason)")
        })
    grouping.others =
      isWhole ? [] : subfolders.filter { !TagWords.isLanguage($0.name, inFolder: folder.name) }
    grouping.firstLanguage = TagWords.english(among: languages.map(\.name))
    return grouping
  }

  /// Whether an app needs each of the folders separately, so that each should have its own pack.
  ///
  /// The parts of a game's art are not: a game loads them together.
  private static func areWorthPacks(_ members: [FolderTree.Folder], tree: FolderTree, noun: String) -> Bool {
    if members.isEmpty { return false }
    let size = members.saturatingSum { $0.size }
    if TagWords.isChosen(noun) { return Double(size) >= smallPart * Double(tree.folders[0].size) }
    let mean = size / Int64(members.count)
    return mean >= smallMean || Double(mean) >= smallMeanPart * Double(tree.folders[0].size)
  }

  /// Groups subfolders such as `1`, `2`, `3` or `level_01`, `level_02`, in the order of their numbers.
  private static func numbered(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder], tree: FolderTree, noun: String
  ) -> FolderGrouping? {
    if let grouping = leadingNumbers(folder, subfolders: subfolders, noun: noun) { return grouping }
    let parts = subfolders.compactMap { folder in number(endingName: folder.name).map { (folder, $0) } }
    let groups = Dictionary(grouping: parts, by: \.1.head)
    guard let (head, members) = groups.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
      members.count > 1, members.count * 2 > subfolders.count, Glob.isPlain(head)
    else { return nil }
    // In "storyline/act1", the name says more than the folder.
    let word = head.filter { $0.isLetter || "_- ".contains($0) }
    let noun = TagWords.isPlayedInOrder(word) ? TagWords.singular(word) : noun
    let isOrdered = TagWords.isPlayedInOrder(noun)
    guard isOrdered || areWorthPacks(members.map(\.0), tree: tree, noun: noun) else { return nil }
    // Two numbers that are far apart do not form a sequence, as in names of models.
    let numbers = members.map(\.1.number)
    if members.count == 2, abs(numbers[0] - numbers[1]) > 2 { return nil }
    // Without a common prefix, a glob such as `[0-9]*` is needed, which does not match a subfolder without a
    // number, such as "Shared".
    let isWhole = members.count == subfolders.count || !head.isEmpty
    let name = isWhole ? "\(head)*" : "[0-9]*"
    let template = TagTemplate.literal(noun) + (isWhole ? " $1" : " $1$2")
    guard
      let rule = ProposedRule(
        glob: joined(below: folder.path, name: "\(name)/**"), template: template,
        reason: "\(grouped(members.count)) numbered folders")
    else { return nil }
    var grouping = FolderGrouping([rule])
    let covered = Set(
      subfolders.filter { isWhole ? $0.name.hasPrefix(head) : $0.name.first?.isNumber ?? false }.map(\.path))
    grouping.others = subfolders.filter { !covered.contains($0.path) }
    if isOrdered {
      grouping.sequence = members.sorted { ($0.1.number, $0.0.name) < ($1.1.number, $1.0.name) }.map {
        "\(noun) \($0.0.name.dropFirst(head.count))"
      }
    }
    return grouping
  }

  /// Groups subfolders such as `01_forest`, `02_cave`, in the order of their numbers.
  private static func leadingNumbers(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder], noun: String
  ) -> FolderGrouping? {
    guard TagWords.isPlayedInOrder(noun) else { return nil }
    let members = subfolders.compactMap { folder -> (folder: FolderTree.Folder, number: Int)? in
      let digits = folder.name.prefix { $0.isASCII && $0.isNumber }
      // The number in "19thCentury" is a part of a word.
      guard (1...9).contains(digits.count), let next = folder.name.dropFirst(digits.count).first,
        "_- .".contains(next)
      else { return nil }
      return Int(digits).map { (folder, $0) }
    }
    guard members.count > 1, members.count * 2 > subfolders.count else { return nil }
    let isWhole = members.count == subfolders.count
    guard
      let rule = ProposedRule(
        glob: joined(below: folder.path, name: isWhole ? "*/**" : "[0-9]*/**"),
        template: TagTemplate.literal(noun) + (isWhole ? " $1" : " $1$2"),
        reason: "\(grouped(members.count)) numbered folders")
    else { return nil }
    var grouping = FolderGrouping([rule])
    let covered = Set(members.map(\.folder.path))
    grouping.others = isWhole ? [] : subfolders.filter { !covered.contains($0.path) }
    grouping.sequence = members.sorted { ($0.number, $0.folder.name) < ($1.number, $1.folder.name) }.map {
      "\(noun) \($0.folder.name)"
    }
    return grouping
  }

  /// Groups subfolders that are alike, if there are at least three.
  ///
  /// Subfolders are alike if each contains an entry with the same name, such as `track.xml`, or a file that
  /// is named after its folder. The subfolders of a folder such as `levels` or `themes` are always alike.
  private static func alike(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder], tree: FolderTree, noun: String
  ) -> FolderGrouping? {
    let members = subfolders.filter { !TagWords.isShared($0.name) && $0.fileCount > 0 }
    // Folders of different media, such as images and sounds, are not alike, even if they contain subfolders
    // with the same names, such as one for each level.
    guard members.count(where: { TagWords.isMedium($0.name) || TagWords.isEssential($0.name) }) < 2,
      (3...maxSimilarFolders).contains(members.count),
      members.count == subfolders.count || members.count >= 5,
      areWorthPacks(members, tree: tree, noun: noun),
      let kind = kind(of: members, tree: tree, noun: noun)
    else { return nil }
    let reason = "\(grouped(members.count)) \(kind)"
    if let deeper = Self.deeper(folder, members: members, tree: tree, noun: noun) { return deeper }
    let isWhole = members.count == subfolders.count
    guard
      let rule = ProposedRule(
        glob: joined(below: folder.path, name: "*/**"), template: "\(TagTemplate.literal(noun)) $1",
        reason: reason)
    else { return nil }
    let others = subfolders.filter { TagWords.isShared($0.name) }
    let excepts = others.compactMap { Glob.escaping($0.path).map { "\($0.text)/**" } }
    var grouping = FolderGrouping([isWhole ? rule : rule.except(excepts)])
    grouping.others = others
    if TagWords.isChosen(noun) {
      grouping.firstTags = members.filter { TagWords.isBeginning($0.name) }.map { "\(noun) \($0.name)" }
    }
    return grouping
  }

  /// Groups the folders in large folders, such as `tracks/road/forest` and `tracks/dirt/desert`.
  private static func deeper(
    _ folder: FolderTree.Folder, members: [FolderTree.Folder], tree: FolderTree, noun: String
  ) -> FolderGrouping? {
    let inner = members.flatMap { tree.subfolders(of: $0) }
    // A tag should not be larger than 64 MB.
    guard TagWords.isChosen(noun), members.contains(where: { $0.size > 64_000_000 }),
      inner.count > members.count,
      inner.reduce(0, { $0 + $1.size }) * 10 >= folder.size * 9
    else { return nil }
    let areUnique = Set(inner.map(\.name)).count == inner.count
    let rule = ProposedRule(
      glob: joined(below: folder.path, name: "*/*/**"),
      template: TagTemplate.literal(noun) + (areUnique ? " $2" : " $1 $2"),
      reason: "\(grouped(inner.count)) folders, one for each \(noun.lowercased())")
    return rule.map { FolderGrouping([$0]) }
  }

  /// Returns what some folders are, such as "similar folders, most with "track.xml""; nil if they are not alike.
  private static func kind(of members: [FolderTree.Folder], tree: FolderTree, noun: String) -> String? {
    var counts: [String: Int] = [:]
    for member in members {
      // The folder's own name is replaced with "*". Files that are named after their folders then have equal
      // names.
      let entries = (member.files + tree.subfolders(of: member).map(\.name)).map {
        $0.replacing(member.name, with: "*")
      }
      for entry in Set(entries) { counts[entry, default: 0] += 1 }
    }
    if let (entry, count) = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      count * 10 >= members.count * 7
    {
      return "similar folders, most with \(quoted(entry.replacing("*", with: "NAME")))"
    }
    return TagWords.isChosen(noun) ? "folders, one for each \(noun.lowercased())" : nil
  }
}

/// Returns the number at the end of a name, and the name without the number; nil if the name does not end in
/// a number.
private func number(endingName name: String) -> (head: String, number: Int)? {
  let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }
  guard (1...9).contains(digits.count), let number = Int(String(digits.reversed())) else { return nil }
  return (String(name.dropLast(digits.count)), number)
}
