extension RuleIndex {
  /// The rules of a manifest, and its globs for files that are never packed.
  init(_ manifest: Manifest) { self.init(rules: manifest.rules, excludes: manifest.excludes) }
}

extension RuleTracer {
  /// Follows paths through the rules of a manifest.
  package init(_ manifest: Manifest) { self.init(rules: manifest.rules, excludes: manifest.excludes) }
}
