import Formats
import Model
import System

/// Finds excludes that match nothing.
///
/// If the user mistyped such an exclude, files that should be excluded might be packed.
struct UnusedExcludes {
  private let manifest: Manifest
  private let tree: GlobGuess?
  private let paths: PathGuess
  private let unused: [Located<Glob>]

  init(_ manifest: Manifest, isUsed: [Bool], root: Folder) {
    self.manifest = manifest
    // Only excludes from the manifest's own list have offsets; packtool's own excludes are not reported.
    unused = zip(zip(manifest.excludes, manifest.excludeOffsets), isUsed).compactMap { exclude, isUsed in
      isUsed ? nil : Located(exclude.0, at: exclude.1)
    }
    tree = GlobGuess(root: root, for: unused.map(\.value.text), excludes: manifest.excludes)
    paths = PathGuess(manifest: manifest, root: root)
  }

  /// A warning for each unused exclude.
  var findings: [Diagnostic] {
    var taken = Set(manifest.excludes.map(\.text))
    let hasNegations = unused.contains { $0.value.text.hasPrefix("!") }
    let index = hasNegations ? RuleMatcher(excludes: manifest.excludes) : nil
    return unused.map { exclude in
      let hint = hint(for: exclude.value)
      var fix: TextEdit?
      if let replacement = hint?.replacement, taken.insert(replacement).inserted {
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

  private func hint(for glob: Glob) -> GlobGuess.Hint? {
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
        text: "; paths are relative to the root \(quoted(manifest.root.value)): \(quoted(below))",
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

extension String {
  /// The string without whitespace at its beginning and end.
  fileprivate var trimmingWhitespace: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
