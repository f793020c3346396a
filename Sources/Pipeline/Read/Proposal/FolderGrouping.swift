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
  /// The tag of a level that is as good as any other as the first one; nil if an app needs none of the members.
  var anyTag: String?
  /// Whether the members are languages.
  var isOfLanguages = false
  /// The tag of English if it is one of the languages; otherwise nil.
  ///
  /// Most apps are written in English.
  var firstLanguage: String?
  /// Whether a file such as `tileset.txt` in each member defines it, so that even pictures are a family.
  var isDefined = false

  /// The minimum number of subfolders whose names are words for languages, such as `german`.
  ///
  /// Fewer such folders can be nations.
  private static let minLanguageNames = 8

  /// Creates rules for the group that a folder's subfolders form; nil if they do not form a group.
  ///
  /// `noun` is the word for one subfolder in tags, such as `Level`.
  init?(_ folder: FolderTree.Folder, in tree: FolderTree, noun: String, sizes: ProposalSizes) {
    let subfolders = tree.subfolders(of: folder)
    guard Glob.isPlain(folder.path), subfolders.count > 1 else { return nil }
    let found =
      Self.languages(in: folder, of: tree) ?? Self.numbered(folder, subfolders: subfolders, noun: noun)
      ?? Self.alike(folder, subfolders: subfolders, tree: tree, noun: noun, sizes: sizes)
    guard let found else { return nil }
    self = found
  }

  private init(_ rules: [ProposedRule?]) { self.rules = rules.compactMap { $0 } }

  /// Returns rules for the languages that a folder's subfolders are; nil if they are not languages.
  static func languages(in folder: FolderTree.Folder, of tree: FolderTree) -> FolderGrouping? {
    let subfolders = tree.subfolders(of: folder)
    guard Glob.isPlain(folder.path), subfolders.count > 1 else { return nil }
    var grouping =
      projectLanguages(folder, subfolders: subfolders) ?? languages(folder, subfolders: subfolders)
    grouping?.isOfLanguages = true
    return grouping
  }

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
        glob: joined(below: folder.path, rest: isWhole ? "*.lproj/**" : "[a-z]*.lproj/**"),
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
    let areNames = subfolders.count(where: { TagWords.isLanguageName($0.name) }) >= minLanguageNames
    let languages = subfolders.filter {
      TagWords.isLanguage($0.name, inFolder: folder.name) || (areNames && TagWords.isLanguageName($0.name))
    }
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
        ProposedRule(glob: joined(below: folder.path, rest: "*/**"), template: "Language $1", reason: reason)
      ])
      : FolderGrouping(
        languages.map {
          ProposedRule(folder: $0.path, tag: "Language \($0.name)", reason: "one of \(reason)")
        })
    let covered = Set(languages.map(\.path))
    grouping.others = isWhole ? [] : subfolders.filter { !covered.contains($0.path) }
    grouping.firstLanguage = TagWords.english(among: languages.map(\.name))
    return grouping
  }

  /// Groups subfolders such as `1`, `2`, `3` or `level_01`, `level_02`, in the order of their numbers.
  ///
  /// The numbers of other things, such as models and explosions, are only names.
  private static func numbered(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder], noun: String
  ) -> FolderGrouping? {
    if let grouping = leadingNumbers(folder, subfolders: subfolders, noun: noun) { return grouping }
    let parts = subfolders.compactMap { folder in NumberedName(folder.name).map { (folder, $0) } }
    let groups = Dictionary(grouping: parts, by: \.1.head)
    guard let (head, members) = groups.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
      members.count > 1, members.count * 2 > subfolders.count, Glob.isPlain(head)
    else { return nil }
    // In "storyline/act1", the name says more than the folder.
    let word = members[0].1.word
    let noun = TagWords.isPlayedInOrder(word) ? TagWords.singular(word) : noun
    guard TagWords.isPlayedInOrder(noun) else { return nil }
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
        glob: joined(below: folder.path, rest: "\(name)/**"), template: template,
        reason: "\(grouped(members.count)) numbered folders")
    else { return nil }
    var grouping = FolderGrouping([rule])
    let covered = Set(
      subfolders.filter { isWhole ? $0.name.hasPrefix(head) : $0.name.first?.isNumber ?? false }.map(\.path))
    grouping.others = subfolders.filter { !covered.contains($0.path) }
    grouping.sequence = members.sorted { ($0.1.number, $0.0.name) < ($1.1.number, $1.0.name) }.map {
      "\(noun) \($0.0.name.dropFirst(head.count))"
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
        glob: joined(below: folder.path, rest: isWhole ? "*/**" : "[0-9]*/**"),
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
  /// The subfolders of a folder such as `levels` or `themes` are alike. In the root, subfolders are also alike if
  /// each contains an entry with the same name, such as `track.xml`, or if all contain the same format. Elsewhere,
  /// such subfolders are parts of an app's art, such as `units/tank`: any level needs them.
  private static func alike(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder], tree: FolderTree, noun: String,
    sizes: ProposalSizes
  ) -> FolderGrouping? {
    func isMember(_ folder: FolderTree.Folder) -> Bool {
      !TagWords.isShared(folder.name) && !TagWords.isForAuthors(folder.name)
        && !TagWords.isDocumentation(folder.name) && !folder.isProgramCode && folder.size <= ProposalSizes.tag
    }
    let present = subfolders.filter { $0.fileCount > 0 }
    let members = present.filter(isMember)
    let size = members.saturatingSum { $0.size }
    // Folders of different media, such as images and sounds, are not alike, even if they contain subfolders
    // with the same names, such as one for each level.
    guard
      members.count(where: { TagWords.isMedium($0.name) || TagWords.isEssential($0.name) }) < 2,
      (3...ProposalSizes.members).contains(present.count)
    else { return nil }
    if let deeper = Self.deeper(folder, members: present, tree: tree, noun: noun) { return deeper }
    guard size >= sizes.small, members.count > 1,
      members.count == present.count || members.count >= 5 || TagWords.isOptional(noun)
    else { return nil }
    let common = CommonEntry(of: members, in: tree)
    let definition = TagWords.isChosen(noun) ? nil : common?.definition
    let noun = definition ?? noun
    let kind: String
    if TagWords.isChosen(noun) {
      kind = common?.description ?? "folders, one for each \(noun.lowercased())"
    } else if folder.path.isEmpty, !members.contains(where: { TagWords.isMedium($0.name) }), let common,
      size / Int64(members.count) >= sizes.small / 2
    {
      kind = common.description
    } else if folder.path.isEmpty, isCollection(members, in: tree, sizes: sizes) {
      kind = "similar folders"
    } else {
      return nil
    }
    guard
      let rule = ProposedRule(
        glob: joined(below: folder.path, rest: "*/**"), template: "\(TagTemplate.literal(noun)) $1",
        reason: "\(grouped(members.count)) \(kind)")
    else { return nil }
    let others = present.filter { !isMember($0) }
    let excepts = others.compactMap { Glob.escaping($0.path).map { "\($0.text)/**" } }
    var grouping = FolderGrouping([rule.except(excepts)])
    grouping.others = others
    grouping.isDefined = definition != nil
    grouping.firstTags = members.filter { TagWords.isBeginning($0.name) }.map { "\(noun) \($0.name)" }
    if !TagWords.isOptional(noun) { grouping.anyTag = "\(noun) \(firstName(members.map(\.name)))" }
    return grouping
  }

  /// The name that is probably the first: the one with the lowest number; otherwise the first in order.
  private static func firstName(_ names: [String]) -> String {
    let numbered = names.compactMap { name in NumberedName(name).map { (name, $0.number) } }
    return numbered.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0 ?? names.min() ?? ""
  }

  /// Whether folders are a collection: many large folders of the same format, none of them for one medium.
  private static func isCollection(
    _ members: [FolderTree.Folder], in tree: FolderTree, sizes: ProposalSizes
  ) -> Bool {
    guard members.count >= 5, members.saturatingSum({ $0.size }) / Int64(members.count) >= sizes.small,
      members.allSatisfy({ !TagWords.isMedium($0.name) && !TagWords.isEssential($0.name) })
    else { return false }
    return Set(members.map { mainSuffix(of: $0, in: tree) }).count == 1
  }

  /// The suffix of most files below a folder.
  private static func mainSuffix(of folder: FolderTree.Folder, in tree: FolderTree) -> String {
    var counts: [String: Int] = [:]
    var next = [folder]
    while let folder = next.popLast() {
      for file in folder.files {
        counts[file.name.lastIndex(of: ".").map { String(file.name[$0...]) } ?? "", default: 0] += 1
      }
      next += tree.subfolders(of: folder)
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
  }

  /// Groups the folders in large folders, such as `tracks/road/forest` and `tracks/dirt/desert`.
  ///
  /// Most of the inner folders must contain an entry with the same name. The folders of a mod, for example, are not
  /// mods.
  private static func deeper(
    _ folder: FolderTree.Folder, members: [FolderTree.Folder], tree: FolderTree, noun: String
  ) -> FolderGrouping? {
    let inner = members.flatMap { tree.subfolders(of: $0) }
    guard TagWords.isChosen(noun), members.contains(where: { $0.size > ProposalSizes.tag }),
      inner.count > members.count,
      inner.reduce(0, { $0 + $1.size }) * 10 >= folder.size * 9,
      !inner.contains(where: { TagWords.isMedium($0.name) }), CommonEntry(of: inner, in: tree) != nil
    else { return nil }
    let areUnique = Set(inner.map(\.name)).count == inner.count
    let rule = ProposedRule(
      glob: joined(below: folder.path, rest: "*/*/**"),
      template: TagTemplate.literal(noun) + (areUnique ? " $2" : " $1 $2"),
      reason: "\(grouped(inner.count)) folders, one for each \(noun.lowercased())")
    guard let rule else { return nil }
    var grouping = FolderGrouping([rule])
    if !TagWords.isOptional(noun), let first = members.first, let second = tree.subfolders(of: first).first {
      grouping.anyTag = areUnique ? "\(noun) \(second.name)" : "\(noun) \(first.name) \(second.name)"
    }
    return grouping
  }
}

/// An entry with the same name in most folders of a group, such as `track.xml`, or one that is named after its
/// folder.
private struct CommonEntry {
  /// The name, with `*` instead of the folder's name.
  private let name: String

  init?(of folders: [FolderTree.Folder], in tree: FolderTree) {
    var counts: [String: Int] = [:]
    for folder in folders {
      let entries = (folder.files.map(\.name) + tree.subfolders(of: folder).map(\.name)).map {
        $0.replacing(folder.name, with: "*")
      }
      for entry in Set(entries) where !TagWords.isDocumentation(entry) { counts[entry, default: 0] += 1 }
    }
    // A file that defines a folder says more than other files.
    guard
      let (name, count) = counts.max(by: {
        ($0.value, Self.definition(in: $0.key) == nil ? 0 : 1, $1.key)
          < ($1.value, Self.definition(in: $1.key) == nil ? 0 : 1, $0.key)
      }), count * 10 >= folders.count * 7
    else { return nil }
    self.name = name
  }

  /// The noun from a file that defines a folder, such as `Tileset` from `tileset.txt`; otherwise nil.
  var definition: String? { Self.definition(in: name) }

  private static func definition(in name: String) -> String? {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      [".txt", ".cfg", ".conf", ".ini", ".xml", ".json", ".yaml", ".yml", ".lua", ".toml"].contains(
        name[dot...])
    else { return nil }
    let noun = TagWords.title(String(name[..<dot]))
    return TagWords.isChosen(noun) && !TagWords.isDepicted(noun) ? noun : nil
  }

  /// A description of folders with this entry, worded as the end of an output line.
  var description: String { "similar folders, most with \(quoted(name.replacing("*", with: "NAME")))" }
}
