import Findings
import PackKit

/// The kind of a folder's subfolders: languages, numbered parts, or things of one kind.
struct FolderGrouping {
  /// The rules for the subfolders.
  var rules: [ProposedRule]
  /// The subfolders that no rule covers.
  var others: [FolderTree.Folder] = []
  /// The tags of numbered parts, in their order.
  var sequence: [String] = []
  /// The tag of the language that most apps are written in, where it is one of several.
  var firstLanguage: String?

  /// The number of folders of one kind that are worth a pack each.
  private static let mostAlike = 100

  /// The grouping that fits a folder's subfolders; nil if none does.
  ///
  /// `noun` is what one of them is called, such as `Level`.
  init?(_ folder: FolderTree.Folder, in tree: FolderTree, noun: String) {
    let subfolders = tree.subfolders(of: folder)
    guard Glob.isPlain(folder.path), subfolders.count > 1 else { return nil }
    let found =
      Self.projectLanguages(folder, subfolders) ?? Self.languages(folder, subfolders)
      ?? Self.numbered(folder, subfolders, noun) ?? Self.alike(folder, subfolders, tree, noun)
    guard let found else { return nil }
    self = found
  }

  private init(_ rules: [ProposedRule?]) { self.rules = rules.compactMap { $0 } }

  /// `fr.lproj` beside `en.lproj`.
  private static func projectLanguages(
    _ folder: FolderTree.Folder, _ subfolders: [FolderTree.Folder]
  ) -> FolderGrouping? {
    let suffix = ".lproj"
    let projects = subfolders.filter { $0.name.hasSuffix(suffix) }
    let names = projects.map { String($0.name.dropLast(suffix.utf8.count)) }
    let languages = names.filter(TagWords.isLanguage)
    guard TagWords.areLanguages(languages) else { return nil }
    // "Base" is for all languages and stays in the app.
    let isWhole = languages.count == names.count
    var grouping = FolderGrouping([
      ProposedRule(
        glob: joined(below: folder.path, isWhole ? "*.lproj/**" : "[a-z]*.lproj/**"),
        template: isWhole ? "Language $1" : "Language $1$2", "\(grouped(languages.count)) languages")
    ])
    grouping.others = subfolders.filter { !$0.name.hasSuffix(suffix) }
    grouping.firstLanguage = languages.first { $0 == "en" }.map { "Language \($0)" }
    return grouping
  }

  /// `fr` beside `en`.
  private static func languages(
    _ folder: FolderTree.Folder, _ subfolders: [FolderTree.Folder]
  ) -> FolderGrouping? {
    let languages = subfolders.filter { TagWords.isLanguage($0.name) }
    guard TagWords.areLanguages(languages.map(\.name)), languages.count * 2 > subfolders.count else {
      return nil
    }
    let reason = "\(grouped(languages.count)) languages"
    // A few neighbours get a tag of the same form, rather than each language a rule.
    let isWhole = (subfolders.count - languages.count) * 10 <= subfolders.count
    var grouping =
      isWhole
      ? FolderGrouping([
        ProposedRule(glob: joined(below: folder.path, "*/**"), template: "Language $1", reason)
      ])
      : FolderGrouping(
        languages.map { ProposedRule(folder: $0.path, tag: "Language \($0.name)", "one of \(reason)") })
    grouping.others = isWhole ? [] : subfolders.filter { !TagWords.isLanguage($0.name) }
    grouping.firstLanguage = languages.first { $0.name == "en" }.map { "Language \($0.name)" }
    return grouping
  }

  /// `1`, `2`, `3` or `level_01`, `level_02`: in their order.
  private static func numbered(
    _ folder: FolderTree.Folder, _ subfolders: [FolderTree.Folder], _ noun: String
  ) -> FolderGrouping? {
    let parts = subfolders.compactMap { folder in Numbered(folder.name).map { (folder, $0) } }
    let groups = Dictionary(grouping: parts, by: \.1.head)
    guard let (head, members) = groups.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
      members.count > 1, members.count * 2 > subfolders.count, Glob.isPlain(head)
    else { return nil }
    // A glob with a class leaves out neighbours such as "Shared".
    let isWhole = members.count == subfolders.count || !head.isEmpty
    let name = isWhole ? "\(head)*" : "[0-9]*"
    let template = TagTemplate.literal(noun) + (isWhole ? " $1" : " $1$2")
    guard
      let rule = ProposedRule(
        glob: joined(below: folder.path, "\(name)/**"), template: template,
        "\(grouped(members.count)) numbered folders")
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

  /// Three or more folders with an entry in common, such as `track.xml`, or a file named as the folder is.
  private static func alike(
    _ folder: FolderTree.Folder, _ subfolders: [FolderTree.Folder], _ tree: FolderTree, _ noun: String
  ) -> FolderGrouping? {
    let members = subfolders.filter { !TagWords.isShared($0.name) && $0.fileCount > 0 }
    guard (3...mostAlike).contains(members.count), members.count == subfolders.count || members.count >= 5
    else { return nil }
    var counts: [String: Int] = [:]
    for member in members {
      // "*" stands for the folder's own name.
      let entries = tree.entries(of: member).map { $0.replacing(member.name, with: "*") }
      for entry in Set(entries) { counts[entry, default: 0] += 1 }
    }
    guard let (entry, count) = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      count * 10 >= members.count * 7
    else { return nil }
    let mark = entry.replacing("*", with: "NAME")
    let reason = "\(grouped(members.count)) folders of one kind, most with \(quoted(mark))"
    let rules =
      members.count == subfolders.count
      ? [
        ProposedRule(
          glob: joined(below: folder.path, "*/**"), template: "\(TagTemplate.literal(noun)) $1", reason)
      ]
      : members.map { ProposedRule(folder: $0.path, tag: "\(noun) \($0.name)", "one of \(reason)") }
    var grouping = FolderGrouping(rules)
    grouping.others = subfolders.filter { TagWords.isShared($0.name) }
    return grouping
  }
}

/// A name that ends in a number.
private struct Numbered {
  /// The name without the number.
  let head: String
  let number: Int

  init?(_ name: String) {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }
    guard (1...9).contains(digits.count), let number = Int(String(digits.reversed())) else { return nil }
    self.number = number
    head = String(name.dropLast(digits.count))
  }
}
