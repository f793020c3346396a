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
  /// The tag of English if it is one of the languages; otherwise nil.
  ///
  /// Most apps are written in English.
  var firstLanguage: String?

  /// The maximum number of similar folders that get a pack each.
  private static let maxSimilarFolders = 100

  /// Creates rules for the group that a folder's subfolders form; nil if they do not form a group.
  ///
  /// `noun` is the word for one subfolder in tags, such as `Level`.
  init?(_ folder: FolderTree.Folder, in tree: FolderTree, noun: String) {
    let subfolders = tree.subfolders(of: folder)
    guard Glob.isPlain(folder.path), subfolders.count > 1 else { return nil }
    let found =
      Self.projectLanguages(folder, subfolders: subfolders) ?? Self.languages(folder, subfolders: subfolders)
      ?? Self.numbered(folder, subfolders: subfolders, noun: noun)
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
    grouping.firstLanguage = languages.first { $0 == "en" }.map { "Language \($0)" }
    return grouping
  }

  /// Groups subfolders such as `fr` and `en`.
  private static func languages(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder]
  ) -> FolderGrouping? {
    let languages = subfolders.filter { TagWords.isLanguage($0.name) }
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
    grouping.others = isWhole ? [] : subfolders.filter { !TagWords.isLanguage($0.name) }
    grouping.firstLanguage = languages.first { $0.name == "en" }.map { "Language \($0.name)" }
    return grouping
  }

  /// Groups subfolders such as `1`, `2`, `3` or `level_01`, `level_02`, in the order of their numbers.
  private static func numbered(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder], noun: String
  ) -> FolderGrouping? {
    if let grouping = leadingNumbers(folder, subfolders: subfolders, noun: noun) { return grouping }
    let parts = subfolders.compactMap { folder in number(endingName: folder.name).map { (folder, $0) } }
    let groups = Dictionary(grouping: parts, by: \.1.head)
    guard let (head, members) = groups.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
      members.count > 1, members.count * 2 > subfolders.count, Glob.isPlain(head)
    else { return nil }
    // Without a common prefix, a glob such as `[0-9]*` is needed, which does not match a subfolder without a
    // number, such as "Shared".
    // Two numbers that are far apart do not form a sequence, as in names of models.
    let numbers = members.map(\.1.number)
    if members.count == 2, abs(numbers[0] - numbers[1]) > 2 { return nil }
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
    grouping.sequence = members.sorted { ($0.1.number, $0.0.name) < ($1.1.number, $1.0.name) }.map {
      "\(noun) \($0.0.name.dropFirst(head.count))"
    }
    return grouping
  }

  /// Groups subfolders such as `01_forest`, `02_cave`, in the order of their numbers.
  private static func leadingNumbers(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder], noun: String
  ) -> FolderGrouping? {
    let members = subfolders.compactMap { folder -> (folder: FolderTree.Folder, number: Int)? in
      let digits = folder.name.prefix { $0.isASCII && $0.isNumber }
      guard (1...9).contains(digits.count), digits.count < folder.name.count else { return nil }
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
  /// is named after its folder.
  private static func alike(
    _ folder: FolderTree.Folder, subfolders: [FolderTree.Folder], tree: FolderTree, noun: String
  ) -> FolderGrouping? {
    let members = subfolders.filter { !TagWords.isShared($0.name) && $0.fileCount > 0 }
    // Folders of different media, such as images and sounds, are not alike, even if they contain subfolders
    // with the same names, such as one for each level.
    guard members.count(where: { TagWords.isMedium($0.name) || TagWords.isEssential($0.name) }) < 2,
      (3...maxSimilarFolders).contains(members.count),
      members.count == subfolders.count || members.count >= 5
    else { return nil }
    var counts: [String: Int] = [:]
    for member in members {
      // The folder's own name is replaced with "*". Files that are named after their folders then have equal
      // names.
      let entries = (member.files + tree.subfolders(of: member).map(\.name)).map {
        $0.replacing(member.name, with: "*")
      }
      for entry in Set(entries) { counts[entry, default: 0] += 1 }
    }
    guard let (entry, count) = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      count * 10 >= members.count * 7
    else { return nil }
    let mark = entry.replacing("*", with: "NAME")
    let reason = "\(grouped(members.count)) similar folders, most with \(quoted(mark))"
    let rules =
      members.count == subfolders.count
      ? [
        ProposedRule(
          glob: joined(below: folder.path, name: "*/**"), template: "\(TagTemplate.literal(noun)) $1",
          reason: reason)
      ]
      : members.map { ProposedRule(folder: $0.path, tag: "\(noun) \($0.name)", reason: "one of \(reason)") }
    var grouping = FolderGrouping(rules)
    grouping.others = subfolders.filter { TagWords.isShared($0.name) }
    return grouping
  }
}

/// Returns the number at the end of a name, and the name without the number; nil if the name does not end in
/// a number.
private func number(endingName name: String) -> (head: String, number: Int)? {
  let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }
  guard (1...9).contains(digits.count), let number = Int(String(digits.reversed())) else { return nil }
  return (String(name.dropLast(digits.count)), number)
}

/// The folders of assets, with the total size of the files in each folder.
///
/// Rules are proposed based on this tree.
struct FolderTree {
  /// A folder with the totals of all files below it.
  struct Folder {
    /// The last component of the path.
    let name: String
    /// The path relative to the scanned folder; empty for the scanned folder itself.
    let path: String
    /// The indices of the subfolders, in byte order of their names.
    var folders: [Int] = []
    var files: [String] = []
    /// The size in bytes of the files that are directly in the folder.
    var ownSize: Int64 = 0
    /// The number of files below the folder, at any depth.
    var fileCount = 0
    /// The total size of all files below the folder, in bytes.
    var size: Int64 = 0
  }

  /// The maximum depth of folders in the tree.
  ///
  /// Files at greater depths count as files of the folder at this depth.
  private static let deepest = 8

  private(set) var folders = [Folder(name: "", path: "")]

  init(of files: [UntaggedFile]) {
    var numbers: [String: Int] = ["": 0]
    for file in files.sorted(by: { $0.path.precedesInBytes($1.path) }) {
      let names = names(in: file.path)
      let above = min(names.count - 1, Self.deepest)
      var number = 0
      count(file, in: number)
      for name in names.prefix(above) {
        number = folder(named: name, in: number, numbers: &numbers)
        count(file, in: number)
      }
      folders[number].files.append(names.dropFirst(above).joined(separator: "/"))
      folders[number].ownSize = folders[number].ownSize.saturatingSum(with: file.size)
    }
  }

  private mutating func count(_ file: UntaggedFile, in number: Int) {
    folders[number].fileCount += 1
    folders[number].size = folders[number].size.saturatingSum(with: file.size)
  }

  private mutating func folder(named name: String, in parent: Int, numbers: inout [String: Int]) -> Int {
    let path = joined(below: folders[parent].path, name: name)
    if let known = numbers[path] { return known }
    let number = folders.count
    folders.append(Folder(name: name, path: path))
    folders[parent].folders.append(number)
    numbers[path] = number
    return number
  }

  func subfolders(of folder: Folder) -> [Folder] { folder.folders.map { folders[$0] } }

  /// The path of the folder that a person would call the root.
  ///
  /// The folders above this folder contain little more than one subfolder.
  var rootPath: String {
    var root = folders[0]
    var next = root
    while let main = subfolders(of: next).max(by: { $0.size < $1.size }), !main.folders.isEmpty,
      !isCatalog(main.name), Double(main.size) >= 0.9 * Double(next.size),
      Double(main.fileCount) >= 0.5 * Double(next.fileCount)
    {
      next = main
      // A folder that contains only one folder and no files is not the root, but the root can be below it.
      if main.folders.count > 1 || !main.files.isEmpty { root = main }
    }
    return root.path
  }
}

/// Returns the path of the entry with a name in a folder.
///
/// An empty folder path stands for the top folder.
package func joined(below folder: String, name: String) -> String {
  folder.isEmpty ? name : "\(folder)/\(name)"
}

/// Rules for files whose names end in a language, such as `frog_desc_fr.ogg`.
///
/// The language becomes the tag of such a file.
struct LanguageSuffixes {
  /// The rules, at most a few for each file suffix.
  private(set) var rules: [ProposedRule] = []
  /// The tag of English if it is one of the languages; otherwise nil.
  ///
  /// Most apps are written in English.
  private(set) var firstLanguage: String?

  /// A file with a language in its name.
  private struct LocalizedFile {
    let path: String
    let size: Int64
    /// The beginning of the path, up to the separator before the language.
    let base: Substring
    let language: String
    /// The separator before the language, such as `_`.
    ///
    /// If there is also a separator before the preceding word, this word is included: `_desc_`.
    let mark: String
    /// The file suffix with its dot.
    let suffix: String
  }

  /// The minimum size in bytes of a group that gets rules.
  private static let smallSize: Int64 = 1 << 20
  /// The maximum number of names in a glob.
  private static let maxNames = 8
  /// The maximum number of groups, because each group is compared with all files.
  private static let maxGroups = 20

  init(of files: [UntaggedFile]) {
    let forms = Dictionary(grouping: files.compactMap(Self.localizedFile)) { $0.mark + $0.suffix }
    let groups = forms.values.compactMap(Self.inSeveralLanguages).sorted { $1.size < $0.size }.prefix(
      Self.maxGroups)
    for members in groups.map(\.members).sorted(by: { $0[0].path.precedesInBytes($1[0].path) }) {
      let own = Self.rules(for: members, among: files.map(\.path).filter { $0.hasSuffix(members[0].suffix) })
      rules += own
      if !own.isEmpty, members.contains(where: { $0.language == "en" }) { firstLanguage = "Language en" }
    }
  }

  /// Returns the files of a group and their total size, if most of the files exist in several languages;
  /// otherwise nil.
  ///
  /// This check is needed because, for example, "is" in "hero_is.png" is not a language.
  private static func inSeveralLanguages(_ form: [LocalizedFile]) -> (members: [LocalizedFile], size: Int64)?
  {
    let bases = Dictionary(grouping: form) { $0.base }
    let count = form.count { (bases[$0.base]?.count ?? 0) > 1 }
    let size = form.saturatingSum { $0.size }
    return count * 2 > form.count && size >= smallSize ? (form, size) : nil
  }

  /// Returns the parts of a file name that ends in a separator and a language; nil for other names.
  private static func localizedFile(_ file: UntaggedFile) -> LocalizedFile? {
    let path = file.path
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    guard let dot = path.lastIndex(of: "."), dot > start else { return nil }
    let separators = path[start..<dot].indices.filter { "_-.".contains(path[$0]) && $0 > start }
    for (number, place) in separators.enumerated().suffix(2) {
      let language = String(path[path.index(after: place)..<dot])
      // "pt_BR" is one language, but "no_fr" is the word "no" and the language "fr".
      guard TagWords.isLanguage(language), place == separators.last || TagWords.hasRegion(language) else {
        continue
      }
      return LocalizedFile(
        path: path, size: file.size, base: path[..<place], language: language,
        mark: String(path[(number > 0 ? separators[number - 1] : place)...place]),
        suffix: String(path[dot...]))
    }
    return nil
  }

  /// Returns a glob with the names before the languages, such as `Locale/{game,menu}_*.qm`, if all files are in
  /// one folder and have only a few such names; otherwise an empty list.
  private static func namedGlobs(for members: [LocalizedFile], in folder: [String]) -> [String] {
    let bases = Set(members.map { names(in: String($0.base)).last ?? "" }).sorted()
    guard (1...maxNames).contains(bases.count), let separator = members[0].mark.last,
      members.allSatisfy({ names(in: $0.path).count == folder.count + 1 }),
      (folder + bases).allSatisfy({ Glob.isPlain($0) && !$0.contains(",") })
    else { return [] }
    let name = bases.count == 1 ? bases[0] : "{\(bases.joined(separator: ","))}"
    return [joined(below: folder.joined(separator: "/"), name: "\(name)\(separator)*\(members[0].suffix)")]
  }

  /// Returns rules for files with languages in their names: one rule with a template if its glob matches only
  /// these files.
  ///
  /// Each language that this rule does not cover gets its own rule.
  private static func rules(for members: [LocalizedFile], among paths: [String]) -> [ProposedRule] {
    let count = Set(members.map(\.language)).count
    // The innermost folder that contains all files and whose path can be written in a glob.
    let folders = commonPrefix(of: members.map { names(in: $0.path).dropLast() })
    let folder = folders.prefix(while: Glob.isPlain).joined(separator: "/")
    let (mark, suffix) = (members[0].mark, members[0].suffix)
    guard TagWords.areLanguages(members.map(\.language)), count > 1, Glob.isPlain(mark + suffix) else {
      return []
    }
    let tags = Dictionary(members.map { ($0.path, "Language \($0.language)") }) { first, _ in first }
    var rules: [ProposedRule] = []
    var others = members
    let candidates =
      namedGlobs(for: members, in: folders).map { ($0, "Language $1") }
      + [("*", "Language $3"), ("[a-z][a-z]", "Language $3$4")].map { language, template in
        (joined(below: folder, name: "**/*\(mark)\(language)\(suffix)"), template)
      }
    for (glob, template) in candidates where rules.isEmpty {
      guard let rule = ProposedRule(glob: glob, template: template, reason: "\(grouped(count)) languages")
      else {
        continue
      }
      let made = Dictionary(paths.map { ($0, rule.rule.generatedTags(for: $0)) }) { first, _ in first }
      guard made.allSatisfy({ $1.isEmpty || $1 == tags[$0].map { [$0] } }) else { continue }
      rules = [rule]
      others.removeAll { made[$0.path]?.isEmpty == false }
    }
    for language in Set(others.map(\.language)).sorted() {
      let end = "\(mark)\(language)\(suffix)"
      guard paths.allSatisfy({ !$0.hasSuffix(end) || tags[$0] == "Language \(language)" }) else { continue }
      let glob = joined(below: folder, name: "**/*\(end)")
      let rule = ProposedRule(
        glob: glob, tag: "Language \(language)", reason: "one of \(grouped(count)) languages")
      rules += rule.map { [$0] } ?? []
    }
    return rules
  }
}
