import Findings

/// How much the braces of all globs of a manifest may stand for: a few bytes can mean gigabytes of patterns.
package struct GlobRoom {
  /// Patterns that all braces of a manifest may stand for.
  package static let mostPatterns = 100_000
  /// Bytes of these patterns.
  package static let mostBytes = 16 << 20

  private var patterns = mostPatterns
  private var bytes = mostBytes

  /// Takes what a glob's braces stand for; what is wrong where there is no room for it.
  mutating func mistake(in glob: Glob) -> (check: Check, message: String)? {
    if glob.branches.count == 1 { return nil }
    patterns -= min(patterns + 1, glob.branches.count)
    bytes -= min(bytes + 1, glob.expandedSize)
    if patterns >= 0 && bytes >= 0 { return nil }
    let most = "\(grouped(Self.mostPatterns)) patterns or \(grouped(Self.mostBytes)) bytes of them"
    return (
      .invalidPath,
      "with \(quoted(glob.text)) the braces of all globs stand for more than \(most); use fewer braces"
    )
  }
}
