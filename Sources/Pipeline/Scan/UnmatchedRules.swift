import Formats
import Model
import System

struct UnmatchedRules {
  let manifest: Manifest
  let root: Folder
  let rules: [ResourceRule]
  /// The offsets of the rules with `otherwise` that match files which rules without `otherwise` take.
  let outranked: Set<Int>
  /// The offsets of the rules that match files which their own `except` leaves out.
  let excepted: Set<Int>
  let index: RuleMatcher
  let tree: AssetTree

  /// The maximum number of unmatched rules for which packtool looks for a similar name.
  ///
  /// There is a maximum because each search reads a folder.
  private static let maxGuesses = 100
  /// The maximum number of rules for which packtool looks for a file or folder that no rule takes.
  ///
  /// There is a maximum because each search compares all files.
  private static let maxSearches = 10
  /// The maximum number of entries of a folder among which packtool looks for an excluded file.
  private static let maxEntries = 1000
  /// If no rule matches a file, packtool assumes that the root is wrong only if the manifest has at least
  /// this many rules.
  private static let manyRules = 3

  /// The findings about rules that match nothing, one for each rule.
  ///
  /// If no rule matches anything below the root, there is a single finding.
  var findings: [Diagnostic] {
    if rules.isEmpty { return [] }
    if rules.count == manifest.rules.count, rules.count >= Self.manyRules, let wrong = wrongRoot {
      return [wrong]
    }
    let globs = rules.compactMap { rule -> String? in
      if case .path = rule.pattern, !hasWildcard(rule.text.value) { nil } else { rule.text.value }
    }
    let guess = GlobGuess(root: root, for: globs, excludes: manifest.excludes)
    var usedPatterns = Set(manifest.rules.map(\.text.value))
    let renamed = renamedPaths
    return rules.enumerated().map { number, rule in
      let matchReason =
        switch rule.pattern {
        case .path(let path): reason(path, rule: rule, tree: guess, number: number)
        case .glob(let glob): reason(rule, hint: hint(for: glob, in: guess))
        }
      let reason = passedReason(rule) ?? matchReason
      return Diagnostic(
        .noMatch, message: reason.message, at: place(rule.text.offset),
        notes: reason.missing.flatMap { renamed[$0] }.map { [$0] } ?? [],
        fix: fix(of: rule, replacement: reason.replacement, usedPatterns: &usedPatterns))
    }
  }

  /// The reason why a rule matches nothing.
  private struct Reason {
    let message: String
    /// The corrected path or glob of the rule, if only one correction is possible; otherwise nil.
    let replacement: String?
    /// The path of the rule if it does not exist, and no similar path exists; otherwise nil.
    var missing: RelativePath?
  }

  /// The lines about files and folders that were perhaps renamed, by the paths of the rules.
  ///
  /// A path has such a line if it is the only missing path in its folder, and if the rules leave exactly one
  /// file or folder next to it.
  private var renamedPaths: [RelativePath: Diagnostic.AttachedLine] {
    if !hasRules { return [:] }
    let missing = rules.compactMap { rule -> RelativePath? in
      guard case .path(let path) = rule.pattern, !root.has(path) else { return nil }
      return path
    }
    let byFolder = Dictionary(grouping: missing) { $0.components.dropLast() }.values.filter { $0.count == 1 }
    if byFolder.count > Self.maxSearches { return [:] }
    let names = ForgottenNames(tree: tree, root: root, excludes: index)
    var lines: [RelativePath: Diagnostic.AttachedLine] = [:]
    for path in byFolder.map({ $0[0] }) {
      let isFile = path.components.last?.contains(".") == true
      let forgotten = names.nextTo(path) { $0 == (isFile ? .file : .folder) }
      guard forgotten.count == 1 else { continue }
      lines[path] = .help("no rule is for \(quoted(forgotten[0])); perhaps this rule should be")
    }
    return lines
  }

  /// Returns the edit that corrects a rule; nil if another rule already has the corrected path or glob, or
  /// would get the same correction.
  private func fix(of rule: ResourceRule, replacement: String?, usedPatterns: inout Set<String>) -> TextEdit?
  {
    guard let replacement, usedPatterns.insert(replacement).inserted else { return nil }
    return manifest.text.replacing(stringAt: rule.text.offset, by: replacement)
  }

  /// The reason why a rule takes none of the files that its pattern matches; nil if it matches no file.
  private func passedReason(_ rule: ResourceRule) -> Reason? {
    let files = "the files that \(quoted(rule.text.value)) matches"
    switch (excepted.contains(rule.text.offset), outranked.contains(rule.text.offset)) {
    case (false, false): return nil
    case (true, false):
      return Reason(
        message: "the rule takes no file, because \"except\" leaves out all \(files)", replacement: nil)
    case (false, true):
      return Reason(
        message:
          "the rule takes no file, because rules without \"otherwise\" take all \(files); remove the rule",
        replacement: nil)
    case (true, true):
      return Reason(
        message:
          "the rule takes no file, because \"except\" and rules without \"otherwise\" leave none of \(files); "
          + "remove the rule", replacement: nil)
    }
  }

  private func reason(_ rule: ResourceRule, hint: GlobGuess.Hint?) -> Reason {
    Reason(
      message: "the glob \(quoted(rule.text.value)) matches no file\(hint?.text ?? "")",
      replacement: hint?.replacement)
  }

  private func hint(for glob: Glob, in tree: GlobGuess?) -> GlobGuess.Hint? {
    let near = nearFolder(of: glob, in: tree)
    guard var hint = tree?.hint(for: glob) else { return near }
    if hint.replacement == nil { hint.replacement = near?.replacement }
    return hint
  }

  /// Returns a hint for a glob whose folder exists on the disk with a slightly different spelling.
  private func nearFolder(of glob: Glob, in tree: GlobGuess?) -> GlobGuess.Hint? {
    guard let tree, tree.isGuessed(glob), let near = paths.nearFolder(of: glob) else { return nil }
    guard let path = near.path else { return GlobGuess.Hint(text: near.hint) }
    return tree.matches(path) ? GlobGuess.Hint(text: near.hint, replacement: near.replacement) : nil
  }

  /// Whether the manifest's file has rules, unlike Xcode projects and manifests of Background Assets.
  private var hasRules: Bool {
    manifest.rulesOffset > 0 && RecognizedFileKind(named: lastName(of: manifest.text.path)) != .project
  }

  private var paths: PathGuess { PathGuess(manifest: manifest, root: root) }

  private func place(_ offset: Int) -> Place { manifest.text.place(at: offset) }

  /// The finding about a root that contains none of the rules' paths; nil if at least one path exists.
  private var wrongRoot: Diagnostic? {
    let paths = rules.compactMap { rule -> RelativePath? in
      if case .path(let path) = rule.pattern { path } else { nil }
    }
    guard let first = paths.first, paths.count == rules.count,
      !paths.prefix(Self.maxGuesses).contains(where: root.has)
    else { return nil }
    // If there is a reason for a single path, it is reported instead, because it is more specific than a
    // wrong root.
    if rules.prefix(Self.maxGuesses).contains(where: { hasOwnReason($0) }) { return nil }
    let guess = otherRoots.first { (try? Folder(joined(manifest.folder, $0)))?.has(first) ?? false }
    let offset = manifest.root.offset > 0 ? manifest.root.offset : manifest.rulesOffset
    return Diagnostic(
      .noMatch,
      message:
        "none of the \(counted(rules.count, of: "rule")) matches a file below the root \(quoted(manifest.root.value))"
        + suggestion(guess), at: place(offset),
      notes: [.init("the first rule is for \(quoted(rules[0].text.value))", at: place(rules[0].text.offset))])
  }

  /// Folders that might be the intended root, relative to the manifest's folder.
  ///
  /// They are the manifest's folder, its parent folder, its subfolders, and the subfolders of the root.
  private var otherRoots: [String] {
    let here = (try? Folder(manifest.folder))?.folders ?? []
    let inside = root.folders.map { joined(manifest.root.value, $0) }
    return ["."] + here.prefix(Self.maxGuesses) + inside.prefix(Self.maxGuesses) + [".."]
  }

  /// Whether a rule has a mistake that would remain if the root were another folder.
  private func hasOwnReason(_ rule: ResourceRule) -> Bool {
    guard case .path(let path) = rule.pattern else { return true }
    return paths.belowRepeatedRoot(path) != nil || paths.nearName(of: path) != nil
      || hasWildcard(rule.text.value)
  }

  /// Returns the reason why a path matches nothing.
  ///
  /// The function looks for all possible reasons only for the first rules.
  private func reason(
    _ path: RelativePath, rule: ResourceRule, tree: GlobGuess?, number: Int
  ) -> Reason {
    let guesses = number < Self.maxGuesses
    let name = quoted(rule.text.value)
    guard let status = try? root.status(of: Array(path.text.utf8), symlinks: .followed) else {
      if hasWildcard(rule.text.value) {
        // A glob that matches only a folder is not proposed, because it would be the user's next mistake.
        let hint = (try? Glob(rule.text.value)).flatMap { glob in tree?.hint(for: glob) }
        let glob = hint?.replacement ?? Glob.translated(fromExpression: rule.text.value) ?? rule.text.value
        return Reason(
          message:
            "\"path\" cannot contain wildcards; use \"glob\": \(quoted(glob))",
          replacement: nil)
      }
      if let below = paths.belowRepeatedRoot(path) {
        let message =
          "\(name) does not exist below the root \(quoted(manifest.root.value)); paths are relative to the "
          + "root, so use "
          + quoted(below)
        return Reason(message: message, replacement: below)
      }
      let near = guesses ? paths.nearName(of: path) : nil
      if let near {
        return Reason(message: "\(name) does not exist\(near.hint)", replacement: near.replacement)
      }
      let place = manifest.root.value == "." ? "" : " below the root \(quoted(manifest.root.value))"
      let action = hasRules ? "\(place); correct the path, or remove the rule" : ""
      return Reason(message: "\(name) does not exist\(action)", replacement: nil, missing: path)
    }
    if guesses, let exclusion = index.trace(path.text).exclude {
      return Reason(
        message: "\(name) is never packed, because \(quoted(exclusion)) is excluded", replacement: nil)
    }
    if guesses, let near = paths.nearName(of: path), let named = near.path {
      return Reason(
        message: "\(name) is called \(quoted(named)) on disk, and packtool compares names byte by byte",
        replacement: near.replacement)
    }
    if status.kind != .folder {
      return Reason(message: "\(name) is never packed: it is excluded", replacement: nil)
    }
    let excluded = guesses ? excludedFile(below: path) : nil
    let reason = excluded.map {
      ": files in it, such as \(quoted($0.path)), are excluded by \(quoted($0.exclude))"
    }
    return Reason(message: "the folder \(name) contains no file to pack\(reason ?? "")", replacement: nil)
  }

  /// Returns the first file below a folder that an exclude leaves out; nil if no such file is among the first
  /// entries.
  private func excludedFile(below path: RelativePath) -> GlobGuess.ExcludedFile? {
    guard let folder = try? Folder(Array(path.text.utf8), below: root) else { return nil }
    var walk = FolderWalk(folder)
    // Files that are never packed are not reported, because users cannot include them.
    let own = Set(manifest.excludes.map(\.text))
    for _ in 0..<Self.maxEntries {
      guard let entry = try? walk.next() else { return nil }
      guard let name = String(validating: entry.path, as: UTF8.self) else { continue }
      let file = path.isRoot ? name : joined(path.text, name)
      let exclude = index.trace(file).exclude
      if let exclude, own.contains(exclude), entry.status.kind != .folder {
        return GlobGuess.ExcludedFile(path: file, exclude: exclude)
      }
      if entry.status.kind == .folder, entry.level == AssetScan.deepestLevel { walk.skipContents() }
    }
    return nil
  }

  private func hasWildcard(_ text: String) -> Bool { text.utf8.contains { "*?[{".utf8.contains($0) } }
}

extension Folder {
  /// The names of the subfolders, as far as they are valid UTF-8.
  fileprivate var folders: [String] {
    guard let listing = try? listing() else { return [] }
    return listing.entries.filter { $0.status.kind == .folder }.compactMap {
      String(validating: listing.name(of: $0), as: UTF8.self)
    }
  }
}
