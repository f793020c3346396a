import Formats
import Model
import System

/// Finds excludes that match nothing.
///
/// If the user mistyped such an exclude, files that should be excluded might be packed.
struct UnusedExcludes {
  private let manifest: Manifest
  private let hints: UnusedGlobHints
  private let unused: [Located<Glob>]

  init(_ manifest: Manifest, isUsed: [Bool], root: Folder) {
    self.manifest = manifest
    // Only excludes from the manifest's own list have offsets; packtool's own excludes are not reported.
    unused = zip(zip(manifest.excludes, manifest.excludeOffsets), isUsed).compactMap { exclude, isUsed in
      isUsed ? nil : Located(exclude.0, at: exclude.1)
    }
    hints = UnusedGlobHints(manifest, globs: unused.map(\.value), root: root)
  }

  /// A warning for each unused exclude.
  var findings: [Diagnostic] {
    var usedPatterns = Set(manifest.excludes.map(\.text))
    let hasNegations = unused.contains { $0.value.text.hasPrefix("!") }
    let index = hasNegations ? RuleMatcher(excludes: manifest.excludes) : nil
    return unused.map { exclude in
      let hint = hints.hint(for: exclude.value)
      var fix: TextEdit?
      if let replacement = hint?.replacement, usedPatterns.insert(replacement).inserted {
        fix = manifest.text.replacing(stringAt: exclude.offset, by: replacement)
      }
      return Diagnostic(
        .unusedExclude,
        message: "the exclude \(quoted(exclude.value.text)) matches nothing\(hint?.text ?? "")",
        at: manifest.text.place(at: exclude.offset),
        notes: index.map { notes(on: exclude.value, by: $0) } ?? [], fix: fix)
    }
  }

  /// Returns a note about an exclude that begins with `!`.
  ///
  /// In a .gitignore file, `!` includes a file again. The note shows the exclude that leaves this file out.
  private func notes(on glob: Glob, by index: RuleMatcher) -> [Diagnostic.AttachedLine] {
    guard glob.text.hasPrefix("!") else { return [] }
    let path = String(glob.text.dropFirst())
    guard let number = index.firstExclude(matching: path),
      manifest.excludeOffsets.indices.contains(number)
    else { return [] }
    let place = manifest.text.place(at: manifest.excludeOffsets[number])
    return [.init("\(quoted(manifest.excludes[number].text)) leaves out \(quoted(path))", at: place)]
  }
}

/// Guesses what the user wanted to leave out with globs that match nothing.
private struct UnusedGlobHints {
  private let manifest: Manifest
  private let tree: GlobGuess?
  private let paths: PathGuess

  init(_ manifest: Manifest, globs: [Glob], root: Folder) {
    self.manifest = manifest
    tree = GlobGuess(root: root, for: globs.map(\.text), excludes: manifest.excludes)
    paths = PathGuess(manifest: manifest, root: root)
  }

  /// The hint for a glob in the `except` of a rule that the user probably wrote relative to the rule's own folder.
  func hint(for glob: Glob, below folder: String?) -> GlobGuess.Hint? {
    if glob.text.hasPrefix("!") {
      return GlobGuess.Hint(text: "; \"except\" cannot be negated, so leave out fewer files")
    }
    guard let tree, tree.isGuessed(glob) else { return nil }
    if let folder {
      let below = joined(folder, glob.text)
      if tree.count(of: below) != nil {
        return GlobGuess.Hint(text: "; globs are relative to the root: \(quoted(below))", replacement: below)
      }
    }
    // A glob that matches files of other rules has no typo.
    return tree.count(of: glob.text) == nil ? hint(for: glob) : nil
  }

  func hint(for glob: Glob) -> GlobGuess.Hint? {
    let text = glob.text
    if text.hasPrefix("!") {
      return GlobGuess.Hint(
        text: "; an exclude cannot be negated, so exclude fewer files")
    }
    guard let tree, tree.isGuessed(glob) else { return nil }
    let plain = text.trimmingWhitespace
    if plain != text, let count = tree.count(of: plain) {
      return GlobGuess.Hint(
        text: " because of the space at its \(text.first?.isWhitespace == true ? "start" : "end"); did you "
          + "mean \(quoted(plain)), which matches \(counted(count, of: "file"))?",
        replacement: plain)
    }
    let components = text.split(separator: "/").map(String.init)
    if let below = paths.belowRepeatedRoot(components), tree.count(of: below) != nil {
      return GlobGuess.Hint(
        text: "; paths are relative to the root \(quoted(manifest.root.value)), so use \(quoted(below))",
        replacement: below)
    }
    let near =
      Glob.isPlain(glob.text)
      ? (try? RelativePath(glob.text)).flatMap(paths.nearName) : paths.nearFolder(of: glob)
    // A correction is proposed only if it excludes something. Otherwise, it would be the user's next mistake.
    if let path = near?.path, tree.count(of: path) != nil {
      return GlobGuess.Hint(text: suggestion(path), replacement: near?.replacement)
    }
    return tree.hint(forExclude: glob)
      ?? (near?.path == nil ? near.map { GlobGuess.Hint(text: $0.hint) } : nil)
  }
}

/// Finds globs in the `except` of rules that leave out no file of their rule.
struct UnusedExcepts {
  /// A glob, and the rule that has it.
  private struct Except {
    let rule: ResourceRule
    let glob: Located<Glob>
  }

  private let manifest: Manifest
  private let unused: [Except]
  private let hints: UnusedGlobHints

  /// Finds the unused globs.
  ///
  /// `isUsed` contains the globs in the `except` of all rules.
  init(_ manifest: Manifest, isUsed: [Bool], root: Folder) {
    self.manifest = manifest
    unused =
      isUsed.contains(false)
      ? zip(manifest.rules.lazy.flatMap { rule in rule.excepts.map { Except(rule: rule, glob: $0) } }, isUsed)
        .compactMap { except, isUsed in isUsed ? nil : except } : []
    hints = UnusedGlobHints(manifest, globs: unused.map(\.glob.value), root: root)
  }

  /// A warning for each unused glob.
  var findings: [Diagnostic] {
    unused.map { except in
      let (rule, glob) = (except.rule, except.glob)
      let hint = hints.hint(for: glob.value, below: rule.fixedFolder)
      let isUsed = rule.excepts.contains { $0.value.text == hint?.replacement }
      let replacement = isUsed ? nil : hint?.replacement
      let fix = replacement.flatMap { manifest.text.replacing(stringAt: glob.offset, by: $0) }
      return Diagnostic(
        .unusedExcept,
        message:
          "the except \(quoted(glob.value.text)) matches no file that the rule \(quoted(rule.text.value)) "
          + "would take\(hint?.text ?? "")",
        at: manifest.text.place(at: glob.offset), fix: fix)
    }
  }
}

extension ResourceRule {
  /// The folder of the rule's files, up to the first wildcard; nil if it is the root.
  fileprivate var fixedFolder: String? {
    switch pattern {
    case .path(let path): return path.isRoot ? nil : path.text
    case .glob(let glob):
      let fixed = glob.text.split(separator: "/").prefix(glob.fixedDepth)
      return fixed.isEmpty ? nil : fixed.joined(separator: "/")
    }
  }
}

extension String {
  /// The string without whitespace at its beginning and end.
  fileprivate var trimmingWhitespace: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
