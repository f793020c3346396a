import Findings

/// The remaining room for brace expansion in a manifest, since a few bytes can expand to gigabytes of patterns.
package struct GlobRoom {
  /// The largest number of patterns that all braces of a manifest may expand to.
  package static let mostPatterns = 100_000
  /// The largest total size of these patterns in bytes.
  package static let mostBytes = 16 << 20

  private var patterns = mostPatterns
  private var bytes = mostBytes

  /// Reads a glob and subtracts what its braces stand for, even if that is more than one may; returns a finding if it
  /// exceeds the room.
  ///
  /// Once the room is used up no more braces are expanded: each glob may take a megabyte, or milliseconds.
  mutating func mistake(in text: String) throws(Glob.Mistake) -> (check: Check, message: String)? {
    if !text.utf8.contains(UInt8(ascii: "{")) {
      _ = try Glob(text)
      return nil
    }
    if hasRoom {
      let expansion = try expansion(of: text)
      if expansion.patterns.count > 1 { take(expansion.patterns.count, expansion.size) }
      if hasRoom {
        _ = try Glob(expansion)
        return nil
      }
    }
    let most = "\(grouped(Self.mostPatterns)) patterns or \(ByteSize.exact(Self.mostBytes)) of them"
    return (
      .invalidPath,
      "with \(quoted(text)) the braces of all globs stand for more than \(most); use fewer braces"
    )
  }

  private var hasRoom: Bool { patterns >= 0 && bytes >= 0 }

  private mutating func take(_ patterns: Int, _ bytes: Int) {
    self.patterns -= min(self.patterns + 1, patterns)
    self.bytes -= min(self.bytes + 1, bytes)
  }

  private mutating func expansion(of text: String) throws(Glob.Mistake) -> Glob.Expansion {
    do throws(Glob.Mistake) {
      return try Glob.Expansion(text)
    } catch {
      switch error {
      case .tooManyBranches: take(Glob.mostBranches, 0)
      case .tooManyBytes: take(0, Glob.mostExpandedBytes)
      case .path, .unclosed: break
      }
      throw error
    }
  }
}
