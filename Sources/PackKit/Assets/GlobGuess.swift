import Findings
import Formats
import System

/// Looks for what a glob that matches no file was meant to match.
struct GlobGuess {
  private static let mostPaths = 20_000
  /// The number of globs that are guessed; each is compared with all paths several times.
  private static let mostGlobs = 10
  /// The number of folders that the paths are below, in all: each is a step of each comparison.
  private static let mostLevels = 200_000
  /// The number of parts of a glob that is guessed, of all that its braces stand for.
  private static let mostParts = 1000

  private var files: [String] = []
  private var folders: [String] = []
  private let guessed: Set<String>

  /// Reads the paths below a root; nil without globs.
  init?(root: Folder, for globs: [String], excludes: [Glob]) {
    if globs.isEmpty { return nil }
    guessed = Set(globs.prefix(Self.mostGlobs))
    var walk = FolderWalk(root)
    let index = RuleIndex(excludes: excludes)
    var levels = 0
    while files.count + folders.count < Self.mostPaths, levels < Self.mostLevels, let entry = try? walk.next()
    {
      levels += entry.level
      guard let path = String(validating: entry.path, as: UTF8.self), index.trace(path).exclude == nil
      else {
        if entry.status.kind == .folder { walk.skipContents() }
        continue
      }
      if entry.status.kind != .folder {
        files.append(path)
      } else {
        folders.append(path)
        if entry.level == AssetScan.deepestLevel { walk.skipContents() }
      }
    }
  }

  /// The end of a message about a glob, and the glob that was surely meant.
  typealias Hint = (text: String, meant: String?)

  func hint(for glob: Glob) -> Hint? {
    if !isGuessed(glob) { return nil }
    if let folder = folders.first(where: RuleIndex(glob).matches) {
      let below = trimmed(glob.text) + "/**"
      return ("; it matches the folder \(quoted(folder)), but globs match files: use \(quoted(below))", below)
    }
    if let (deep, count) = deeper(glob) {
      let reason = glob.text.contains("/") ? "below any folder" : "\"*\" stays within one folder"
      return ("; \(reason), \(quoted(deep)) would match \(counted(count, "file"))", nil)
    }
    return otherCase(of: glob)
  }

  /// A glob for the same files in any folder, with the number that it matches; nil if there are none.
  func deeper(_ glob: Glob) -> (text: String, count: Int)? {
    // Two stars in front of an ending are mostly meant as any number of folders.
    let text = ("**/" + glob.text).replacing("**.", with: "**/*.").replacing("**/**/", with: "**/")
    guard isGuessed(glob), !glob.text.hasPrefix("**/"), let deep = try? Glob(text) else { return nil }
    let count = files.count(where: RuleIndex(deep).matches)
    return count > 0 ? (deep.text, count) : nil
  }

  private func isGuessed(_ glob: Glob) -> Bool {
    guessed.contains(glob.text) && glob.branches.reduce(0) { $0 + $1.count } <= Self.mostParts
  }

  private func otherCase(of glob: Glob) -> Hint? {
    guard let lower = try? Glob(glob.text.lowercased()) else { return nil }
    let matcher = RuleIndex(lower)
    let meant = files.filter { matcher.matches($0.lowercased()) }
    guard let first = meant.first else { return nil }
    let difference = "upper and lower case differ"
    if meant.allSatisfy(matcher.matches) {
      let count = counted(meant.count, "file")
      return ("; \(quoted(lower.text)) would match \(count): \(difference)", lower.text)
    }
    return ("; \(difference), as in \(quoted(first))", nil)
  }
}
