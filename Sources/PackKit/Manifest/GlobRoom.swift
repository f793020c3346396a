import Findings

/// The remaining room for brace expansion in a manifest, since a few bytes can expand to gigabytes of patterns.
package struct GlobRoom {
  /// The largest number of patterns that all braces of a manifest may expand to.
  package static let mostPatterns = 100_000
  /// The largest total size of these patterns in bytes.
  package static let mostBytes = 16 << 20

  private var patterns = mostPatterns
  private var bytes = mostBytes

  /// Reads a glob and subtracts what its braces stand for; returns a finding if that exceeds the room.
  ///
  /// Once the room is used up no more braces are expanded: each glob may take a megabyte.
  mutating func mistake(in text: String) throws(Glob.Mistake) -> (check: Check, message: String)? {
    if patterns >= 0 && bytes >= 0 {
      let glob = try Glob(text)
      if glob.branches.count == 1 { return nil }
      patterns -= min(patterns + 1, glob.branches.count)
      bytes -= min(bytes + 1, glob.expandedSize)
      if patterns >= 0 && bytes >= 0 { return nil }
    } else if !text.utf8.contains(UInt8(ascii: "{")) {
      _ = try Glob(text)
      return nil
    }
    let most = "\(grouped(Self.mostPatterns)) patterns or \(ByteSize.exact(Self.mostBytes)) of them"
    return (
      .invalidPath,
      "with \(quoted(text)) the braces of all globs stand for more than \(most); use fewer braces"
    )
  }
}
