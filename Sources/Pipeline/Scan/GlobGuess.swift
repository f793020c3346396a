import Formats
import Model
import System

/// Guesses which files the user intended, if a glob matches no file.
struct GlobGuess {
  /// The maximum number of globs for which a guess is made.
  ///
  /// There is a maximum because each glob is compared with all paths several times.
  private static let maxGlobs = 10
  /// The maximum number of components of a glob for which a guess is made.
  ///
  /// The components of all alternatives in braces are counted.
  private static let maxParts = 1000

  /// A file that an exclude leaves out.
  struct ExcludedFile {
    let path: String
    let exclude: String
  }

  private var files: [String] = []
  private var folders: [String] = []
  private var excluded: [ExcludedFile] = []
  private let guessed: Set<String>

  /// Reads the paths below a root.
  ///
  /// Returns nil if there are no globs.
  ///
  /// - Parameters:
  ///   - root: the open root folder.
  ///   - globs: the globs that match no file.
  ///   - excludes: the excludes of the manifest.
  ///   - maxPaths: the maximum number of paths that no exclude leaves out.
  ///   - maxLevels: the maximum sum of the depths of all paths, because each level is one step in each
  ///     comparison.
  ///   - maxExcluded: the number of excluded files after which excluded folders are not read.
  init?(
    root: Folder, for globs: [String], excludes: [Glob], maxPaths: Int = 20_000, maxLevels: Int = 200_000,
    maxExcluded: Int = 20_000
  ) {
    if globs.isEmpty { return nil }
    guessed = Set(globs.prefix(Self.maxGlobs))
    var walk = FolderWalk(root)
    let index = RuleMatcher(excludes: excludes)
    var levels = 0
    while files.count + folders.count < maxPaths, levels < maxLevels, let entry = try? walk.next() {
      levels += entry.level
      let isFolder = entry.status.kind == .folder
      let path = String(validating: entry.path, as: UTF8.self)
      let exclude = path.flatMap { index.trace($0).exclude }
      if let path, exclude == nil {
        if isFolder { folders.append(path) } else { files.append(path) }
      }
      if let path, let exclude, !isFolder { excluded.append(ExcludedFile(path: path, exclude: exclude)) }
      let isLeftOut = path == nil || exclude != nil && excluded.count >= maxExcluded
      if isFolder && (isLeftOut || entry.level == AssetScan.deepestLevel) { walk.skipContents() }
    }
  }

  /// The end of a message about a glob.
  ///
  /// If only one correction is possible, `replacement` is the corrected glob.
  struct Hint {
    let text: String
    var replacement: String?
  }

  func hint(for glob: Glob) -> Hint? {
    if !isGuessed(glob) { return nil }
    if let folder = folders.first(where: RuleMatcher(glob).matches) {
      let below = trimmed(glob.text) + "/**"
      let text = "; it matches the folder \(quoted(folder)), but globs match files: use \(quoted(below))"
      return Hint(text: text, replacement: below)
    }
    return leftOut(by: glob) ?? translated(glob) ?? similar(to: glob)
  }

  /// Returns the end of a message about an exclude.
  func hint(forExclude glob: Glob) -> Hint? {
    if !isGuessed(glob) { return nil }
    if let (deep, count) = deeper(glob) {
      return Hint(text: "; \(quoted(deep)) would match \(counted(count, of: "file")) in folders below")
    }
    return translated(glob) ?? similar(to: glob)
  }

  /// Returns a hint if a glob is probably a regular expression.
  private func translated(_ glob: Glob) -> Hint? {
    guard let text = Glob.translated(fromExpression: glob.text), let count = count(of: text) else {
      return nil
    }
    return Hint(
      text: "; globs are not regular expressions: \(quoted(text)) would match \(counted(count, of: "file"))")
  }

  private func similar(to glob: Glob) -> Hint? {
    if let (deep, count) = deeper(glob) {
      let reason = glob.text.contains("/") ? "at any depth" : "\"*\" matches in one folder only, but"
      return Hint(text: "; \(reason) \(quoted(deep)) would match \(counted(count, of: "file"))")
    }
    return otherCase(of: glob) ?? otherEnding(of: glob)
  }

  /// Returns the number of files that a glob matches, or that are below a folder that the glob matches; nil
  /// if there are no such files.
  func count(of text: String) -> Int? {
    guard let glob = try? Glob(text) else { return nil }
    let index = RuleMatcher(excludes: [glob])
    let count = files.count { index.trace($0).exclude != nil }
    return count > 0 ? count : nil
  }

  /// Whether a string, used as the glob of a rule, would match a file.
  func matches(_ text: String) -> Bool {
    guard let glob = try? Glob(text) else { return false }
    return files.contains(where: RuleMatcher(glob).matches)
  }

  /// Returns a hint if a glob matches only files that an exclude leaves out.
  private func leftOut(by glob: Glob) -> Hint? {
    let matcher = RuleMatcher(glob)
    let matched = excluded.filter { matcher.matches($0.path) }
    guard let first = matched.first else { return nil }
    let subject =
      matched.count == 1 ? "its only match is" : "all its \(grouped(matched.count)) matches are"
    return Hint(
      text: "; \(subject) excluded: \(quoted(first.path)) by \(quoted(first.exclude))")
  }

  /// Returns a glob that matches the same names in any folder, and the number of files that it matches; nil
  /// if it matches no file.
  private func deeper(_ glob: Glob) -> (text: String, count: Int)? {
    guard let deep = try? Glob("**/" + glob.text) else { return nil }
    let count = files.count(where: RuleMatcher(deep).matches)
    return count > 0 ? (deep.text, count) : nil
  }

  func isGuessed(_ glob: Glob) -> Bool {
    guessed.contains(glob.text) && glob.branches.reduce(0) { $0 + $1.count } <= Self.maxParts
  }

  private func otherCase(of glob: Glob) -> Hint? {
    guard let lower = try? Glob(glob.text.lowercased()) else { return nil }
    let matcher = RuleMatcher(lower)
    let matching = files.filter { matcher.matches($0.lowercased()) }
    guard let first = matching.first else { return nil }
    let difference = "globs distinguish upper and lower case"
    if matching.allSatisfy(matcher.matches) {
      let count = counted(matching.count, of: "file")
      return Hint(
        text: "; \(quoted(lower.text)) would match \(count); \(difference)", replacement: lower.text)
    }
    return Hint(text: "; \(difference), and there is the file \(quoted(first))")
  }

  /// Returns a hint if there are files whose extension is similar to the extension in the glob.
  private func otherEnding(of glob: Glob) -> Hint? {
    guard let dot = glob.text.lastIndex(of: "."), dot > glob.text.startIndex else { return nil }
    let ending = String(glob.text[glob.text.index(after: dot)...])
    guard Glob.isPlain(ending), !ending.contains("/"), let any = try? Glob(String(glob.text[...dot]) + "*")
    else {
      return nil
    }
    let matcher = RuleMatcher(any)
    let endings = Set(
      files.filter(matcher.matches).compactMap { $0.split(separator: ".").last.map(String.init) })
    guard let near = NearestName(to: ending, in: endings) else { return nil }
    let text = String(glob.text[...dot]) + near.name
    return Hint(text: suggestion(text), replacement: near.isSure ? text : nil)
  }
}
