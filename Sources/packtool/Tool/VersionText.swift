import Archiving

/// What `--version` prints.
enum VersionText {
  /// The version for a command line that asks for it, and with `--verbose` what it was built of; nil for any other.
  static func text(for words: [String]) -> PlainText? {
    let (version, verbose) = (Set(["--version", "-V"]), Set(["--verbose", "-v"]))
    guard words.contains(where: version.contains),
      version.contains(words[0]) || Set(words).isSubset(of: version.union(verbose))
    else { return nil }
    let first: PlainText = "\(Tool.name) \(Tool.version)\n"
    if !words.contains(where: verbose.contains) { return first }
    return first + "commit: \(builtCommit)\n"
      + libraryVersions.map { "\($0.name): \($0.version)\n" as PlainText }.joined()
  }
}
