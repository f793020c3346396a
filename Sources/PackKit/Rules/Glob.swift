import Findings

/// A pattern for paths: `*`, `?`, `[…]` within a component, `**` for any number of folders, `{a,b}` for either.
package struct Glob: Sendable, Hashable {
  /// One component of a pattern.
  enum Component: Sendable, Hashable {
    /// Exactly this name.
    case name([UInt8])
    /// A name that matches a pattern.
    case form(NamePattern)
    /// Any number of folders, including none.
    case anyDepth
  }

  /// The pattern as written.
  package let text: String
  /// The patterns that its braces expand to; a path that matches one matches the glob.
  let branches: [[Component]]
  /// The number of leading components without a wildcard, which a destination replaces.
  let fixedDepth: Int

  /// The largest number of patterns that the braces of one glob may expand to.
  package static let mostBranches = 1024
  /// The largest total size in bytes of these patterns.
  package static let mostExpandedBytes = 1 << 20
  /// The deepest nesting of braces, each level of which is scanned once more.
  static let deepestBrace = 64

  /// Why a text is not a glob.
  package enum Mistake: Error {
    /// The braces expand to an invalid path.
    case path(RelativePath.Mistake, branch: String)
    case unclosed(Character)
    case tooManyBranches
    case tooManyBytes
  }

  /// Whether a path has no characters that mean something in a glob.
  package static func isPlain(_ path: String) -> Bool { !path.utf8.contains { "*?[]{}\\".utf8.contains($0) } }

  /// The depth of the folders that it matches as wholes, as `Levels/*/**` does with 2; nil for other globs.
  package var folderDepth: Int? {
    guard branches.count == 1, let all = branches.first, all.last == .anyDepth else { return nil }
    return all.dropLast().contains(.anyDepth) ? nil : all.count - 1
  }

  package static func == (first: Glob, second: Glob) -> Bool { first.branches == second.branches }

  package func hash(into hasher: inout Hasher) { hasher.combine(branches) }

  package init(_ text: String) throws(Mistake) {
    try self.init(Expansion(text))
  }

  /// The glob whose braces were expanded.
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
        // Consecutive `**` components mean the same as one.
        if component != .anyDepth || components.last != .anyDepth { components.append(component) }
      }
      branches.append(components)
    }
    self.branches = branches
    let parts = text.unicodeScalars.split(separator: "/")
    let plain = parts.prefix { !$0.contains(where: "*?[{".unicodeScalars.contains) }
    let fixed = (try? RelativePath(plain.map(String.init).joined(separator: "/")))?.components.count ?? 0
    // A pattern without a wildcard names one file, whose name a destination does not replace.
    fixedDepth = max(0, plain.count == parts.count ? fixed - 1 : fixed)
  }
}

extension Glob.Component {
  fileprivate init(_ text: String) throws(Glob.Mistake) {
    if text == "**" {
      self = .anyDepth
    } else if text.unicodeScalars.contains(where: "*?[".unicodeScalars.contains) {
      self = .form(try NamePattern(text))
    } else {
      self = .name(Array(text.utf8))
    }
  }

  /// Whether a name matches the component.
  func matches(_ name: ArraySlice<UInt8>) -> Bool {
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

  func message(for text: String) -> String {
    switch self {
    case .path(let mistake, let branch):
      mistake.message(for: branch, within: "the root folder")
        + (branch == text ? "" : "; the braces of \(quoted(text)) stand for it")
    case .unclosed(let bracket): "\(quoted(text)) has a \"\(bracket)\" that is never closed"
    case .tooManyBranches:
      "\(quoted(text)) stands for more than \(grouped(Glob.mostBranches)) patterns; use fewer braces"
    case .tooManyBytes:
      "\(quoted(text)) stands for patterns of more than \(ByteSize.exact(Glob.mostExpandedBytes)); use fewer braces"
    }
  }
}
