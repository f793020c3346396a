import Formats
import Model
import System

/// Rules for a path that another rule already has, perhaps because a rule was copied and its path was not
/// changed.
struct DuplicateRules {
  private let manifest: Manifest
  private let tree: AssetTree
  private let root: Folder

  /// The maximum number of findings for which packtool looks for the intended path.
  ///
  /// There is a maximum because each search reads a folder and compares all files.
  private static let maxGuesses = 10

  /// Creates the search; nil if the files could not be scanned.
  init?(of manifest: Manifest, tree: AssetTree?, root: Folder?) {
    guard let tree, let root else { return nil }
    (self.manifest, self.tree, self.root) = (manifest, tree, root)
  }

  /// Returns the findings about a manifest, with the files and folders that a copied rule was probably for.
  func completed(_ findings: [Diagnostic]) -> [Diagnostic] {
    var left = Self.maxGuesses
    return findings.map { finding in
      guard finding.check == .duplicateRule, !finding.isCountOfUnreported, left > 0 else { return finding }
      left -= 1
      guard let help = help(for: finding) else { return finding }
      return Diagnostic(
        finding.check, message: finding.message, at: finding.place, severity: finding.severity,
        notes: finding.notes + [help], fix: finding.fix)
    }
  }

  private func help(for finding: Diagnostic) -> Diagnostic.AttachedLine? {
    let rule = manifest.rules.first { manifest.text.place(at: $0.text.offset) == finding.place }
    guard case .path(let path)? = rule?.pattern, !path.isRoot else { return nil }
    let names = ForgottenNames(tree: tree, root: root, excludes: RuleMatcher(excludes: manifest.excludes))
    guard let kind = (try? root.status(of: Array(path.text.utf8), symlinks: .followed))?.kind else {
      return nil
    }
    let forgotten = names.nextTo(path) { $0 == kind }
    if forgotten.isEmpty { return nil }
    return .help("no rule is for \(listed(forgotten, atMost: 3)); perhaps one of the two rules should be")
  }
}
