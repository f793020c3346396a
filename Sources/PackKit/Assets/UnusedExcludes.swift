import Findings
import Formats
import System

/// Exclusions that match nothing.
struct UnusedExcludes {
  private let manifest: Manifest
  private let root: Folder
  private let unused: [(glob: Glob, offset: Int)]

  init(_ manifest: Manifest, _ isUsed: [Bool], root: Folder) {
    self.manifest = manifest
    self.root = root
    // Only a manifest's own list has offsets.
    let all = zip(manifest.excludes, manifest.excludeOffsets)
    unused = zip(all, isUsed).compactMap { exclude, isUsed in isUsed ? nil : (exclude.0, exclude.1) }
  }

  /// A warning on each for which another glob would match, a note on the others but those for any folder.
  ///
  /// `**/*.psd` is often there for files that may come.
  var findings: [Diagnostic] {
    let guess = GlobGuess(root: root, for: unused.map(\.glob.text), excludes: manifest.excludes)
    return unused.compactMap { glob, offset in
      let place = manifest.text.place(at: offset)
      let name = quoted(glob.text)
      if let (deep, count) = guess?.deeper(glob) {
        let message =
          "the exclude \(name) matches nothing; \(quoted(deep)) would match \(counted(count, "file")) in folders below"
        return Diagnostic(.unusedExclude, message, at: place)
      }
      if glob.text.hasPrefix("**/") { return nil }
      return Diagnostic(.unusedExclude, "the exclude \(name) matches nothing", at: place, severity: .note)
    }
  }
}
