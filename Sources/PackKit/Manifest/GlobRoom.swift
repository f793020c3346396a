import Findings

/// The remaining room for brace expansion in a manifest, since a few bytes can expand to gigabytes of patterns.
package struct GlobRoom {
  /// The largest number of patterns that all braces of a manifest may expand to.
  package static let mostPatterns = 100_000
  /// The largest total size of these patterns in bytes.
  package static let mostBytes = 16 << 20

  private var patterns = mostPatterns
  private var bytes = mostBytes

  /// Subtracts the expansion of a glob; returns a finding if it exceeds the room.
  mutating func mistake(in glob: Glob) -> (check: Check, message: String)? {
    if glob.branches.count == 1 { return nil }
    patterns -= min(patterns + 1, glob.branches.count)
    bytes -= min(bytes + 1, glob.expandedSize)
    if patterns >= 0 && bytes >= 0 { return nil }
    let most = "\(grouped(Self.mostPatterns)) patterns or \(ByteSize.exact(Self.mostBytes)) of them"
    return (
      .invalidPath,
      "with \(quoted(glob.text)) the braces of all globs stand for more than \(most); use fewer braces"
    )
  }
}
