import Formats

/// A pattern for paths.
///
/// `*`, `?` and `[…]` match within a component, `**` matches any number of folders, and `{a,b}` matches
/// either alternative.
package struct Glob: Sendable, Hashable {
  package enum Component: Sendable, Hashable {
    case name([UInt8])
    case form(NamePattern)
    /// Any number of folders, including zero.
    case anyDepth
  }

  /// The pattern as the manifest contains it.
  package let text: String
  /// The patterns that its braces expand to.
  ///
  /// A path that matches one of these patterns matches the glob.
  package let branches: [[Component]]
  /// The number of leading components without a wildcard.
  ///
  /// A destination replaces these components.
  package let fixedDepth: Int

  /// The maximum number of patterns to which the braces of one glob can expand.
  package static let maxBranches = 1024
  /// The maximum total size in bytes of these patterns.
  package static let maxExpandedBytes = 1 << 20
  /// The maximum depth to which braces can be nested.
  ///
  /// The depth is limited because each level needs another scan of the text.
  static let deepestBrace = 64

  /// The reason why a string is not a valid glob.
  package enum Mistake: Error {
    /// The braces expand to an invalid path.
    case path(RelativePath.Mistake, branch: String)
    case unclosed(Character)
    /// The glob has `**` next to other characters of a name, although most people who write `**` intend any
    /// number of folders.
    case partialStars
    case tooManyBranches
    case tooManyBytes
  }

  /// Returns the glob that matches only one path; nil if no glob does.
  package static func escaping(_ path: String) -> Glob? {
    try? Glob(path.map { "*?[{".contains($0) ? "[\($0)]" : String($0) }.joined())
  }

  /// Whether a path has no characters with a special meaning in a glob.
  package static func isPlain(_ path: String) -> Bool { !path.utf8.contains { "*?[]{}\\".utf8.contains($0) } }

  /// The depth of the folders that the glob matches with all their contents, such as 2 for `Levels/*/**`; nil
  /// for other globs.
  package var folderDepth: Int? {
    guard branches.count == 1, let all = branches.first, all.last == .anyDepth else { return nil }
    return all.dropLast().contains(.anyDepth) ? nil : all.count - 1
  }

  package static func == (first: Glob, second: Glob) -> Bool { first.branches == second.branches }

  package func hash(into hasher: inout Hasher) { hasher.combine(branches) }

  package init(_ text: String) throws(Mistake) { try self.init(Expansion(text)) }

  init(_ expansion: Expansion) throws(Mistake) {
    text = expansion.text
    var branches: [[Component]] = []
    for branch in expansion.patterns {
      let path: RelativePath
      do throws(RelativePath.Mistake) {
        path = try RelativePath(branch)
      } catch {
        throw .path(error, branch: branch)
      }
      var components: [Component] = []
      for text in path.components {
        let component = try Component(text)
        // Consecutive `**` components mean the same as a single `**`.
        if component != .anyDepth || components.last != .anyDepth { components.append(component) }
      }
      branches.append(components)
    }
    self.branches = branches
    let parts = text.unicodeScalars.split(separator: "/")
    let plain = parts.prefix { !$0.contains(where: "*?[{".unicodeScalars.contains) }
    let fixed = (try? RelativePath(plain.map(String.init).joined(separator: "/")))?.components.count ?? 0
    // A pattern without wildcards matches one file, and a destination does not replace the name of this file.
    fixedDepth = max(0, plain.count == parts.count ? fixed - 1 : fixed)
  }
}

extension Glob.Component {
  fileprivate init(_ text: String) throws(Glob.Mistake) {
    if text == "**" {
      self = .anyDepth
    } else if text.unicodeScalars.contains(where: "*?[".unicodeScalars.contains) {
      if try NamePattern.hasDoubleStar(text) { throw .partialStars }
      self = .form(try NamePattern(text))
    } else {
      self = .name(Array(text.utf8))
    }
  }

  package func matches(_ name: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .name(let bytes): name.elementsEqual(bytes)
    case .form(let pattern): pattern.matches(name)
    case .anyDepth: true
    }
  }
}

extension Glob.Mistake {
  var check: Check {
    if case .path(let mistake, _) = self { return mistake.check }
    return .invalidPath
  }

  package func message(for text: String) -> String {
    switch self {
    case .path(.hasBackslash, _) where Glob.isLikeExpression(text):
      "\(quoted(text)) looks like a regular expression, but globs are not regular expressions"
        + (Glob.translated(fromExpression: text).map { "; write \(quoted($0))" }
          ?? "; its only wildcards are \"*\", \"?\", \"[a-z]\", \"**\" and \"{a,b}\"")
    case .path(let mistake, let branch):
      mistake.message(for: branch, within: "the root folder")
        + (branch == text ? "" : "; the braces of \(quoted(text)) also stand for this path")
    case .unclosed(let bracket): "the glob \(quoted(text)) has an opening \"\(bracket)\" that is not closed"
    case .partialStars:
      "\"**\" in \(quoted(text)) must be alone between slashes, because it matches any number of folders"
        + (Glob.withWholeStars(text).map { "; use \(quoted($0))" } ?? "")
    case .tooManyBranches:
      "the braces of \(quoted(text)) stand for more than \(grouped(Glob.maxBranches)) patterns; use fewer "
        + "braces"
    case .tooManyBytes:
      "the braces of \(quoted(text)) stand for patterns of more than "
        + "\(ByteSize.exact(Glob.maxExpandedBytes)); use fewer braces"
    }
  }
}

extension Glob {
  /// If a glob has `**` next to other characters, returns the glob that the user intended; nil if the glob
  /// has another mistake.
  ///
  /// `**.bin` becomes `**/*.bin`, and `a**` becomes `a*`. Each pattern that the braces expand to is corrected
  /// separately, and the result expands to exactly these patterns.
  static func withWholeStars(_ text: String) -> String? {
    guard let patterns = try? Expansion(text).patterns else { return nil }
    var intended: [String] = []
    for pattern in patterns {
      guard let path = try? RelativePath(pattern) else { return nil }
      intended.append(wholeStars(of: path.text))
    }
    var branches: [[Component]] = []
    for pattern in intended {
      guard let glob = try? Glob(pattern) else { return nil }
      branches += glob.branches
    }
    let union = intended.count == 1 ? intended[0] : "{\(intended.joined(separator: ","))}"
    return [wholeStars(of: text), union].first { candidate in
      // The correction would change the meaning of patterns with "." or ".." components, so packtool does not
      // offer it for them.
      !candidate.split(separator: "/").contains { $0 == "." || $0 == ".." }
        && (try? Glob(candidate))?.branches == branches
    }
  }

  /// Replaces each `**` that is not a whole component.
  ///
  /// Such a `**` becomes `**/*` at the beginning of a component, and `*` elsewhere.
  private static func wholeStars(of text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    // For each open brace, whether the brace is at the beginning of a component. If so, its alternatives are
    // also at the beginning of a component.
    var braces: [Bool] = []
    var (isFront, isInClass) = (true, false)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let stars = isInClass ? 0 : scalars[index...].prefix { $0 == "*" }.count
      if stars > 1 {
        let isWhole = isFront && endsPart(scalars, at: index + stars)
        result.append(contentsOf: (isWhole ? "**" : isFront ? "**/*" : "*").unicodeScalars)
      } else {
        result.append(scalar)
      }
      index += max(stars, 1)
      switch scalar {
      case _ where isInClass: isInClass = scalar != "]"
      case "[": (isInClass, isFront) = (true, false)
      case "{": braces.append(isFront)
      case ",": isFront = braces.last ?? false
      case "}": (isFront, _) = (false, braces.popLast())
      default: isFront = scalar == "/"
      }
    }
    return String(result).replacing(#/(\*\*\/){2,}/#, with: "**/")
  }

  /// Whether a path component ends at an index, or ends after the closing braces at that index.
  private static func endsPart(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    var index = index
    while index < scalars.count, scalars[index] == "," || scalars[index] == "}" {
      var depth = 1
      while index < scalars.count, depth > 0 {
        if scalars[index] == "{" { depth += 1 }
        if scalars[index] == "}" { depth -= 1 }
        index += 1
      }
    }
    return index == scalars.count || scalars[index] == "/"
  }

  /// The patterns that the braces of a glob expand to, which can be much larger than the glob.
  struct Expansion {
    let text: String
    /// The patterns, in the order of the alternatives.
    private(set) var patterns: [String] = []

    var size: Int { patterns.reduce(0) { $0 + $1.utf8.count } }

    /// Expands a glob, unless its patterns have more than `maxBytes` bytes.
    init(_ text: String, maxBytes: Int = maxExpandedBytes) throws(Mistake) {
      self.text = text
      if text.utf8.count > RelativePath.maxSize { throw .path(.isTooLong, branch: text) }
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
        // The size is checked before the expansion, because a glob of 64 kB with ten braces would expand to
        // 64 MB.
        bytes += group.parts.reduce(0) { $0 + $1.utf8.count }
        bytes += (group.parts.count - 1) * (head.utf8.count + tail.utf8.count)
        if bytes > maxBytes { throw .tooManyBytes }
        waiting += group.parts.reversed().map { String(head + $0 + tail) }
        expanded += 1
        if max(expanded, patterns.count + waiting.count) > maxBranches { throw .tooManyBranches }
      }
    }
  }
}

/// A group of alternatives in braces.
private struct BraceGroup {
  let open: String.Index
  let close: String.Index
  let parts: [Substring]
}

/// Returns the first brace of a pattern with its alternatives.
///
/// Braces within brackets are plain characters.
private func firstGroup(in text: String) throws(Glob.Mistake) -> BraceGroup? {
  var open: String.Index?
  var depth = 0
  var isInClass = false
  var parts: [Substring] = []
  var partStart = text.startIndex
  // The loop compares bytes, because a brace followed by a combining mark is a single `Character`, which is
  // not equal to a brace.
  var index = text.startIndex
  while index < text.endIndex {
    let next = text.utf8.index(after: index)
    defer { index = next }
    switch text.utf8[index] {
    case UInt8(ascii: "[") where !isInClass: isInClass = true
    case UInt8(ascii: "]") where isInClass: isInClass = false
    case _ where isInClass: break
    case UInt8(ascii: "{"):
      depth += 1
      if depth > Glob.deepestBrace { throw .tooManyBranches }
      if depth > 1 { break }
      open = index
      partStart = next
    case UInt8(ascii: ",") where depth == 1:
      parts.append(text[partStart..<index])
      partStart = next
    case UInt8(ascii: "}") where depth > 0:
      depth -= 1
      if depth == 0, let open {
        return BraceGroup(open: open, close: index, parts: parts + [text[partStart..<index]])
      }
    default: break
    }
  }
  if open != nil { throw .unclosed("{") }
  return nil
}
