package import Formats

/// One rule of the manifest.
///
/// It matches files and assigns tags to them.
package struct ResourceRule: Sendable {
  package enum Pattern: Sendable {
    /// The rule matches one file, or all files below one folder.
    case path(RelativePath)
    // The case is indirect. Otherwise, the size of a glob would make every rule larger.
    indirect case glob(Glob)

    /// The path, or the text of the glob.
    package var text: String {
      switch self {
      case .path(let path): path.text
      case .glob(let glob): glob.text
      }
    }

    /// The key that the pattern has in a manifest.
    package var key: String {
      switch self {
      case .path: "path"
      case .glob: "glob"
      }
    }
  }

  /// The path of matching files inside their pack.
  package struct Destination: Sendable {
    package let path: RelativePath
    /// Whether the path ends in a slash.
    ///
    /// If it does, a single matching file keeps its name and is put into this folder.
    package let isFolder: Bool

    package init(path: RelativePath, isFolder: Bool) {
      self.path = path
      self.isFolder = isFolder
    }
  }

  package var pattern: Pattern
  /// The pattern as the manifest contains it.
  package var text: Located<String>
  package var tags: [Located<String>]
  /// The templates that generate additional tags.
  ///
  /// Only a rule with a glob can have templates.
  package var templates: [TagTemplate]
  package var destination: Destination?
  /// The traits that a device must have to get the files.
  package var traits: Traits {
    get { rareParts.value.traits }
    set { rareParts.value.traits = newValue }
  }
  /// The globs of files that the rule does not take, although its pattern matches them.
  ///
  /// A glob that matches a folder leaves out all files below the folder, as in `exclude`.
  package var excepts: [Located<Glob>] {
    get { rareParts.value.excepts }
    set { rareParts.value.excepts = newValue }
  }
  /// Whether the rule takes only files that no rule without this key takes.
  package var isOtherwise = false
  private var rareParts = RareParts.none

  /// Whether the rule takes every file that its pattern matches.
  package var appliesToAllMatches: Bool { !isOtherwise && excepts.isEmpty }

  /// The parts are stored indirectly, because a manifest can have a million rules, and only few of them have
  /// such parts.
  private enum RareParts: Sendable {
    case none
    indirect case some(RareContent)

    var value: RareContent {
      get { if case .some(let value) = self { value } else { RareContent() } }
      set { self = newValue.traits == .none && newValue.excepts.isEmpty ? .none : .some(newValue) }
    }
  }

  private struct RareContent: Sendable {
    var traits = Traits.none
    var excepts: [Located<Glob>] = []
  }

  package init(
    pattern: Pattern, text: Located<String>, tags: [Located<String>], templates: [TagTemplate] = [],
    destination: Destination? = nil
  ) {
    self.pattern = pattern
    self.text = text
    self.tags = tags
    self.templates = templates
    self.destination = destination
  }
}

/// A tag that a template generates for one file.
package struct GeneratedTagName: Sendable {
  package let tag: String
  package let template: TagTemplate
}

extension ResourceRule {
  /// Creates a rule with a glob; nil if a template is invalid or the glob cannot fill it.
  package init?(glob: Glob, text: Located<String>, tags: [Located<String>], templates: [Located<String>]) {
    let made = templates.compactMap { try? TagTemplate($0) }
    self.init(pattern: .glob(glob), text: text, tags: tags, templates: made)
    let most = made.map(\.highest).max() ?? 0
    guard made.count == templates.count, most == 0 || captures.map({ $0.fewest.wildcards >= most }) ?? false
    else { return nil }
  }

  /// The compiled glob, which returns the text that each wildcard matches; nil if the pattern is a path, or a
  /// glob that is too long to be compiled.
  package var captures: GlobCaptures? {
    if case .glob(let glob) = pattern { GlobCaptures(glob) } else { nil }
  }

  /// Returns the tags that the templates generate for the path of a file; empty if the compiled glob does not
  /// match the path.
  package func tags(from captures: GlobCaptures, for path: String) -> [GeneratedTagName] {
    guard let found = captures.captures(in: path) else { return [] }
    return templates.map { GeneratedTagName(tag: $0.tag(of: found), template: $0) }
  }

  /// Returns the tags that the templates generate for the path of a file; empty if the rule does not match
  /// the path.
  package func generatedTags(for path: String) -> [String] {
    templates.isEmpty ? [] : captures.map { tags(from: $0, for: path).map(\.tag) } ?? []
  }
}

/// A file that no rule matches.
package struct UntaggedFile: Sendable {
  /// The path below the root.
  ///
  /// Bytes that are not valid UTF-8 are replaced.
  package let path: String
  /// The size in bytes.
  package let size: Int64

  package init(path: String, size: Int64) {
    self.path = path
    self.size = size
  }

  /// The path of the file's folder; "." for the root.
  package var folder: String { folderPath(of: path) }
}
