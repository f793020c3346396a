import Formats
import Model
import System

/// Rules for files whose names end in a language, such as `frog_desc_fr.ogg`.
///
/// The language becomes the tag of such a file. Folders that contain little else are `LanguageFolders`.
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

  /// The maximum number of names in a glob.
  private static let maxNames = 8
  /// The maximum number of files that one rule leaves out by name.
  private static let maxExcepts = 4
  /// The maximum number of groups, because each group is compared with all files.
  private static let maxGroups = 20

  /// Files whose languages have the same form, such as `_desc_fr.ogg`.
  private struct Form {
    var members: [LocalizedFile]
    /// The file suffixes of the members.
    var suffixes: [String]
    var size: Int64 { members.saturatingSum { $0.size } }
  }

  /// Finds groups that have at least a total size in bytes.
  init(of files: [UntaggedFile], outside folders: LanguageFolders, minimum: Int64) {
    let outside = files.filter { !folders.contain($0) }.compactMap(Self.localizedFile)
    let groups = Dictionary(grouping: outside, by: \.mark).values.flatMap(Self.forms).filter {
      $0.size >= minimum
    }
    // A longer form, such as "_desc_fr", comes first, because the glob of a shorter one also matches its files.
    let sorted = groups.sorted { $1.size < $0.size }.prefix(Self.maxGroups).sorted {
      let (first, second) = ($0.members[0], $1.members[0])
      return (second.mark.utf8.count, first.path) < (first.mark.utf8.count, second.path)
    }
    for form in sorted {
      let among = files.filter { file in form.suffixes.contains(where: file.path.hasSuffix) }
      let own = Self.rules(for: form, among: among, besides: rules)
      rules += own
      if !own.isEmpty, firstLanguage == nil {
        firstLanguage = TagWords.english(among: form.members.map(\.language))
      }
    }
  }

  /// Returns the forms of files with the same mark of which most exist in several languages.
  ///
  /// This check is needed because, for example, "is" in "hero_is.png" is not a language. If one language of the same
  /// names has another file suffix, the form includes this suffix.
  private static func forms(of files: [LocalizedFile]) -> [Form] {
    let bySuffix = Dictionary(grouping: files, by: \.suffix)
    var forms = bySuffix.compactMap { suffix, members -> Form? in
      let bases = Dictionary(grouping: members) { $0.base }
      let count = members.count { (bases[$0.base]?.count ?? 0) > 1 }
      return count * 2 > members.count ? Form(members: members, suffixes: [suffix]) : nil
    }
    forms.sort { ($1.size, $0.suffixes[0]) < ($0.size, $1.suffixes[0]) }
    guard !forms.isEmpty else { return [] }
    let known = Set(forms.flatMap(\.suffixes)), bases = Set(forms[0].members.map(\.base))
    for (suffix, members) in bySuffix.sorted(by: { $0.key < $1.key }) where !known.contains(suffix) {
      if members.count(where: { bases.contains($0.base) }) * 2 > members.count {
        forms[0].members += members
        forms[0].suffixes.append(suffix)
      }
    }
    return forms
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
  private static func namedGlobs(for form: Form, in folder: [String]) -> [String] {
    let members = form.members
    let bases = Set(members.map { names(in: String($0.base)).last ?? "" })
    guard (1...maxNames).contains(bases.count), let separator = members[0].mark.last,
      members.allSatisfy({ names(in: $0.path).count == folder.count + 1 }),
      (folder + bases).allSatisfy({ Glob.isPlain($0) && !$0.contains(",") })
    else { return [] }
    let name = globOfNames(bases)
    return [
      joined(below: folder.joined(separator: "/"), rest: "\(name)\(separator)*\(globOfNames(form.suffixes))")
    ]
  }

  /// Returns rules for files with languages in their names: one rule with a template if its glob matches few
  /// other files; otherwise one rule for each of a few languages.
  ///
  /// The rule leaves out the files of earlier rules for languages.
  private static func rules(
    for form: Form, among files: [UntaggedFile], besides earlier: [ProposedRule]
  ) -> [ProposedRule] {
    let (members, paths) = (form.members, files.map(\.path))
    let count = Set(members.map(\.language)).count
    // The innermost folder that contains all files and whose path can be written in a glob.
    let folders = commonPrefix(of: members.map { names(in: $0.path).dropLast() })
    let folder = folders.prefix(while: Glob.isPlain).joined(separator: "/")
    let (mark, suffix) = (members[0].mark, globOfNames(form.suffixes))
    guard TagWords.areLanguages(members.map(\.language)), count > 1,
      (form.suffixes + [mark]).allSatisfy({ Glob.isPlain($0) && !$0.contains(",") })
    else { return [] }
    // Files of language folders have a rule already, which gives them the same tag.
    let tags = Dictionary(
      files.compactMap(localizedFile).map { ($0.path, "Language \($0.language)") }
    ) { first, _ in first }
    let candidates =
      namedGlobs(for: form, in: folders).map { ($0, "Language $1") }
      + [(joined(below: folder, rest: "**/*\(mark)*\(suffix)"), "Language $3")]
    for (glob, template) in candidates {
      guard let rule = ProposedRule(glob: glob, template: template, reason: "\(grouped(count)) languages")
      else { continue }
      let made = Dictionary(paths.map { ($0, rule.rule.generatedTags(for: $0)) }) { first, _ in first }
      var strays = made.filter { !$1.isEmpty && $1 != tags[$0].map { [$0] } }.keys.sorted()
      var others: [String] = []
      for rule in earlier {
        let rest = strays.filter { rule.rule.generatedTags(for: $0).isEmpty }
        if rest.count < strays.count { others.append(rule.rule.text.value) }
        strays = rest
      }
      let excepts = strays.compactMap { Glob.escaping($0)?.text }
      guard strays.count <= maxExcepts, excepts.count == strays.count,
        members.allSatisfy({ made[$0.path]?.isEmpty == false })
      else { continue }
      return [rule.except(others + excepts)]
    }
    // A rule for each of many languages is more than a person would write.
    let languages = Set(members.map(\.language)).sorted()
    if languages.count > maxNames { return [] }
    var rules: [ProposedRule] = []
    for language in languages {
      let end = "\(mark)\(language)\(suffix)"
      guard form.suffixes.count == 1,
        paths.allSatisfy({ !$0.hasSuffix(end) || tags[$0] == "Language \(language)" })
      else { continue }
      let glob = joined(below: folder, rest: "**/*\(end)")
      let rule = ProposedRule(
        glob: glob, tag: "Language \(language)", reason: "one of \(grouped(count)) languages")
      rules += rule.map { [$0] } ?? []
    }
    return rules
  }
}
