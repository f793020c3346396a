import Findings
import PackKit
import System

/// Files whose names end in a language, such as `frog_desc_fr.ogg`, and rules that tag them by it.
struct LanguageSuffixes {
  /// The rules, at most a few for each suffix of files.
  private(set) var rules: [ProposedRule] = []
  /// The tag of the language that most apps are written in, where it is one of several.
  private(set) var firstLanguage: String?

  /// A file with a language in its name.
  private struct Spoken {
    let path: String
    let size: Int64
    /// The path up to the separator in front of the language.
    let base: Substring
    let language: String
    /// The separator, with the word in front of it where that has a separator too: `_desc_`.
    let mark: String
    /// The file suffix with its dot.
    let suffix: String
  }

  /// A group of fewer bytes stays as it is.
  private static let smallSize: Int64 = 1 << 20
  /// The number of groups, of which each is compared with all files.
  private static let mostGroups = 20

  init(of files: [UntaggedFile]) {
    let forms = Dictionary(grouping: files.compactMap(Self.spoken)) { $0.mark + $0.suffix }
    let groups = forms.values.compactMap(Self.spokenInSeveral).sorted { $1.size < $0.size }.prefix(
      Self.mostGroups)
    for members in groups.map(\.members).sorted(by: { $0[0].path.precedesInBytes($1[0].path) }) {
      let own = Self.rules(for: members, among: files.map(\.path).filter { $0.hasSuffix(members[0].suffix) })
      rules += own
      if !own.isEmpty, members.contains(where: { $0.language == "en" }) { firstLanguage = "Language en" }
    }
  }

  /// The files of a form, if most are there in several languages; nil for others, such as "hero_is.png".
  private static func spokenInSeveral(_ form: [Spoken]) -> (members: [Spoken], size: Int64)? {
    let bases = Dictionary(grouping: form) { $0.base }
    let count = form.count { (bases[$0.base]?.count ?? 0) > 1 }
    let size = form.saturatingSum { $0.size }
    return count * 2 > form.count && size >= smallSize ? (form, size) : nil
  }

  /// The language at the end of a file's name, behind a separator; nil for other names.
  private static func spoken(_ file: UntaggedFile) -> Spoken? {
    let path = file.path
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    guard let dot = path.lastIndex(of: "."), dot > start else { return nil }
    let separators = path[start..<dot].indices.filter { "_-.".contains(path[$0]) && $0 > start }
    for (number, place) in separators.enumerated().suffix(2) {
      let language = String(path[path.index(after: place)..<dot])
      // "pt_BR" is one language, "no_fr" a word and one.
      guard TagWords.isLanguage(language), place == separators.last || TagWords.hasRegion(language) else {
        continue
      }
      return Spoken(
        path: path, size: file.size, base: path[..<place], language: language,
        mark: String(path[(number > 0 ? separators[number - 1] : place)...place]),
        suffix: String(path[dot...]))
    }
    return nil
  }

  /// A rule with a template for what a glob matches without other files, and one for each other language.
  private static func rules(for members: [Spoken], among paths: [String]) -> [ProposedRule] {
    let count = Set(members.map(\.language)).count
    // The innermost folder that all files are below, as far as a glob can name it.
    let folders = commonFront(of: members.map { names(in: $0.path).dropLast() })
    let folder = folders.prefix(while: Glob.isPlain).joined(separator: "/")
    let (mark, suffix) = (members[0].mark, members[0].suffix)
    guard TagWords.areLanguages(members.map(\.language)), count > 1, Glob.isPlain(mark + suffix) else {
      return []
    }
    let tags = Dictionary(members.map { ($0.path, "Language \($0.language)") }) { first, _ in first }
    var rules: [ProposedRule] = []
    var others = members
    for (language, template) in [("*", "Language $3"), ("[a-z][a-z]", "Language $3$4")] where rules.isEmpty {
      let glob = joined(below: folder, "**/*\(mark)\(language)\(suffix)")
      guard let rule = ProposedRule(glob: glob, template: template, "\(grouped(count)) languages") else {
        continue
      }
      let made = Dictionary(paths.map { ($0, rule.rule.madeTags(for: $0)) }) { first, _ in first }
      guard made.allSatisfy({ $1.isEmpty || $1 == tags[$0].map { [$0] } }) else { continue }
      rules = [rule]
      others.removeAll { made[$0.path]?.isEmpty == false }
    }
    for language in Set(others.map(\.language)).sorted() {
      let end = "\(mark)\(language)\(suffix)"
      guard paths.allSatisfy({ !$0.hasSuffix(end) || tags[$0] == "Language \(language)" }) else { continue }
      let glob = joined(below: folder, "**/*\(end)")
      let rule = ProposedRule(glob: glob, tag: "Language \(language)", "one of \(grouped(count)) languages")
      rules += rule.map { [$0] } ?? []
    }
    return rules
  }
}
