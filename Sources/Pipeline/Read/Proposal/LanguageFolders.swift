import Formats
import Model
import System

/// Rules for folders that contain the files of languages, such as `po/de.po` or `Locale/missions_de.txt`.
///
/// All files of a language get the tag of this language, in whatever form their names contain it.
struct LanguageFolders {
  private(set) var rules: [ProposedRule] = []
  /// The paths of the folders.
  private(set) var paths: Set<String> = []
  /// The folders whose languages are too small for separate packs, with the number of languages in each.
  private(set) var smallFolders: [String: Int] = [:]
  /// The tag of English if it is one of the languages; otherwise nil.
  private(set) var firstLanguage: String?
  /// The minimum size in bytes of the languages of a folder that get rules.
  let minimum: Int64

  /// The place of the language in names.
  private struct NameForm: Hashable {
    let separator: String
    let isSuffix: Bool
  }

  /// A file with a language in its name, as in `game_de.qm`, `de.po` or `game.de`.
  private struct LocalizedFile {
    /// The name before the language, without the separator; empty if the name begins with the language.
    let base: String
    /// The separator before the language, such as `_`; empty if the name begins with the language.
    let separator: String
    let language: String
    /// The file suffix with its dot; empty if it is the language.
    let suffix: String

    var form: NameForm { NameForm(separator: separator, isSuffix: suffix.isEmpty) }
  }

  /// The files that are directly in one folder.
  private struct Contents {
    var names: [String] = []
    var localized: [String: LocalizedFile] = [:]
    /// The sizes of the files in bytes, by name.
    var sizes: [String: Int64] = [:]
    var localizedSize: Int64 = 0

    var languages: Set<String> { Set(localized.values.map(\.language)) }

    /// Whether most files of the folder belong to languages.
    var containsLanguages: Bool {
      // Two languages are enough only if all files have one. Words such as "is" are also codes.
      languages.count > 1 && TagWords.areLanguages(Array(languages))
        && localized.count * (languages.count > 2 ? 2 : 1) >= names.count
    }

    /// The separators and suffixes of the names.
    var kinds: Set<String> { Set(localized.values.map { "\($0.separator)*\($0.suffix)" }) }

    /// Whether there is a name before each language, and a suffix after it.
    var areAllNamed: Bool { localized.values.allSatisfy { !$0.base.isEmpty && !$0.suffix.isEmpty } }

    /// Removes names that only look like those of languages, such as `ri-li.ico`, and formats such as `.it`.
    mutating func removeLanguagesOfFewFiles() {
      let byBase = Dictionary(grouping: localized.values.filter(\.suffix.isEmpty), by: \.base)
      let byForm = Dictionary(grouping: localized.values, by: \.form)
      for (name, file) in localized {
        let names = (file.suffix.isEmpty ? byBase[file.base] : byForm[file.form])?.map(\.language) ?? []
        if Set(names).count < (file.suffix.isEmpty ? 3 : 2) || !TagWords.areLanguages(names) {
          localizedSize -= sizes[name] ?? 0
          localized[name] = nil
        }
      }
    }
  }

  /// The maximum number of files that one rule leaves out by name.
  private static let maxExcepts = 8
  /// The maximum number of names in a glob.
  private static let maxNames = 8

  /// Finds the folders whose languages are worth tags.
  ///
  /// If all languages of an app together are worth tags, smaller folders also get rules. `others` is the total size in
  /// bytes of the folders that are languages.
  init(of files: [UntaggedFile], besides others: Int64, sizes: ProposalSizes) {
    var folders: [String: Contents] = [:]
    for file in files {
      let name = lastName(of: file.path)
      let folder = Self.folder(of: file)
      folders[folder, default: Contents()].names.append(name)
      guard let localized = Self.localizedFile(name, in: folder) else { continue }
      folders[folder, default: Contents()].localized[name] = localized
      folders[folder, default: Contents()].sizes[name] = file.size
      folders[folder, default: Contents()].localizedSize += file.size
    }
    var found: [String: Contents] = [:]
    var languageSize = others
    for (path, var contents) in folders where Glob.isPlain(path) {
      contents.removeLanguagesOfFewFiles()
      if !contents.containsLanguages { continue }
      found[path] = contents
      languageSize = languageSize.saturatingSum(with: contents.localizedSize)
    }
    minimum = languageSize >= sizes.small ? ProposalSizes.otherLanguages : sizes.small
    for (path, contents) in found where contents.localizedSize < minimum {
      smallFolders[path] = contents.languages.count
      found[path] = nil
    }
    // If folders of several names have files of the same kind, such as "frog_desc_fr.ogg", one rule for all folders
    // is better.
    var folderNames: [String: Set<String>] = [:]
    for (path, contents) in found {
      for kind in contents.kinds { folderNames[kind, default: []].insert(lastName(of: path)) }
    }
    for (path, contents) in found.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      if contents.areAllNamed, contents.kinds.contains(where: { folderNames[$0]?.count ?? 0 > 1 }) {
        continue
      }
      add(contents, in: path)
    }
  }

  /// Whether a file is in one of the folders, and not in a subfolder.
  func contain(_ file: UntaggedFile) -> Bool { paths.contains(Self.folder(of: file)) }

  /// The folder of a file; empty for the top folder.
  private static func folder(of file: UntaggedFile) -> String { file.folder == "." ? "" : file.folder }

  private mutating func add(_ contents: Contents, in path: String) {
    let languages = contents.languages
    let own = Self.rules(for: contents, in: path, languageCount: languages.count)
    if own.isEmpty { return }
    rules += own
    paths.insert(path)
    if firstLanguage == nil { firstLanguage = TagWords.english(among: languages) }
  }

  /// Returns the parts of a file name with a language; nil for other names.
  private static func localizedFile(_ name: String, in folder: String) -> LocalizedFile? {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let suffix = String(name[dot...])
    guard Glob.isPlain(name), !name.contains(",") else { return nil }
    let whole = String(name[..<dot])
    let folder = lastName(of: folder)
    if TagWords.isLanguage(whole, inFolder: folder) {
      return LocalizedFile(base: "", separator: "", language: whole, suffix: suffix)
    }
    for place in name[..<dot].indices.filter({ "_-.".contains(name[$0]) && $0 > name.startIndex }) {
      let language = String(name[name.index(after: place)..<dot])
      guard TagWords.isLanguage(language, inFolder: folder) else { continue }
      return LocalizedFile(
        base: String(name[..<place]), separator: String(name[place]), language: language, suffix: suffix)
    }
    let language = String(suffix.dropFirst())
    if TagWords.isLanguage(language.lowercased()) {
      return LocalizedFile(base: whole, separator: ".", language: language, suffix: "")
    }
    return nil
  }

  /// Returns one rule for each separator before the languages, and one for the names that begin with them.
  private static func rules(for contents: Contents, in path: String, languageCount: Int) -> [ProposedRule] {
    var rules: [ProposedRule] = []
    var named: [String] = []
    // A rule for names that begin with languages leaves out the other names, so it comes last.
    let forms = Dictionary(grouping: contents.localized.values, by: \.form)
    for form in forms.keys.sorted(by: {
      ($1.separator, $1.isSuffix ? 1 : 0) < ($0.separator, $0.isSuffix ? 1 : 0)
    }) {
      let (members, separator) = (forms[form] ?? [], form.separator)
      let suffixes = globOfNames(Set(members.map(\.suffix)))
      let bases = Set(members.map(\.base))
      if bases.count > maxNames { return [] }
      let front = separator.isEmpty ? "" : globOfNames(bases) + separator
      var excepts: [String] = []
      let glob = joined(below: path, rest: "\(front)*\(suffixes)")
      guard
        let rule = ProposedRule(
          glob: glob, template: "Language $1", reason: "\(grouped(languageCount)) languages")
      else { return [] }
      for name in contents.names.sorted() {
        let file = joined(below: path, rest: name)
        guard let tag = rule.rule.generatedTags(for: file).first else { continue }
        let code = tag.dropFirst("Language ".utf8.count)
        let isLanguage =
          if let language = contents.localized[name]?.language { code == language } else {
            // A code that packtool does not know is a language too if its file is next to those of languages.
            TagWords.hasFormOfLanguage(code.lowercased()) && (!form.isSuffix || code.utf8.count == 2)
          }
        if isLanguage { continue }
        if separator.isEmpty, contents.localized[name]?.separator.isEmpty == false {
          if excepts.isEmpty { excepts = named }
        } else {
          guard let escaped = Glob.escaping(file) else { return [] }
          excepts.append(escaped.text)
        }
      }
      if excepts.count > maxExcepts { return [] }
      rules.append(rule.except(excepts))
      if !separator.isEmpty { named.append(joined(below: path, rest: front + "*")) }
    }
    return rules
  }
}
