extension Glob {
  /// The patterns that the braces of a glob stand for, which may be far larger than it.
  struct Expansion {
    /// The glob as written.
    let text: String
    /// In the order of the alternatives.
    private(set) var patterns: [String] = []

    /// The total size in bytes of the patterns.
    var size: Int { patterns.reduce(0) { $0 + $1.utf8.count } }

    init(_ text: String) throws(Mistake) {
      self.text = text
      if text.utf8.count > RelativePath.longest { throw .path(.isTooLong, branch: text) }
      var waiting = [text]
      var expanded = 0
      var bytes = text.utf8.count
      while let next = waiting.popLast() {
        guard let group = try firstGroup(in: next) else {
          patterns.append(next)
          continue
        }
        let head = next[..<group.open]
        let tail = next[next.unicodeScalars.index(after: group.close)...]
        // Checked before the expansion: a glob of 64 kB with ten braces expands to 64 MB.
        bytes += group.parts.reduce(0) { $0 + $1.utf8.count }
        bytes += (group.parts.count - 1) * (head.utf8.count + tail.utf8.count)
        if bytes > mostExpandedBytes { throw .tooManyBytes }
        waiting += group.parts.reversed().map { String(head + $0 + tail) }
        expanded += 1
        if max(expanded, patterns.count + waiting.count) > mostBranches { throw .tooManyBranches }
      }
    }
  }
}

/// The first brace of a pattern with its alternatives; braces within brackets are plain characters.
private func firstGroup(
  in text: String
) throws(Glob.Mistake) -> (open: String.Index, close: String.Index, parts: [Substring])? {
  var open: String.Index?
  var depth = 0
  var isInClass = false
  var parts: [Substring] = []
  var partStart = text.startIndex
  // Compared by scalars, since a sign followed by a combining mark is one Character, which is none of these.
  for (index, character) in zip(text.unicodeScalars.indices, text.unicodeScalars) {
    switch character {
    case "[" where !isInClass: isInClass = true
    case "]" where isInClass: isInClass = false
    case _ where isInClass: break
    case "{":
      depth += 1
      if depth > Glob.deepestBrace { throw .tooManyBranches }
      if depth > 1 { break }
      open = index
      partStart = text.unicodeScalars.index(after: index)
    case "," where depth == 1:
      parts.append(text[partStart..<index])
      partStart = text.unicodeScalars.index(after: index)
    case "}" where depth > 0:
      depth -= 1
      if depth == 0, let open { return (open, index, parts + [text[partStart..<index]]) }
    default: break
    }
  }
  if open != nil { throw .unclosed("{") }
  return nil
}
