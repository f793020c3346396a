package import Formats

/// One rule of the manifest: which files, and the tags that they get.
package struct ResourceRule: Sendable {
  /// The pattern of a rule.
  package enum Pattern: Sendable {
    /// One file, or a folder with all below it.
    case path(RelativePath)
    // Boxed, since a glob would make every rule larger.
    indirect case glob(Glob)

    /// The key that it has in a manifest.
    package var key: String {
      switch self {
      case .path: "path"
      case .glob: "glob"
      }
    }
  }

  /// Where matching files land inside their pack.
  package struct Destination: Sendable {
    package let path: RelativePath
    /// Whether it ends in a slash: a single file then keeps its name below.
    package let isFolder: Bool

    package init(path: RelativePath, isFolder: Bool) {
      self.path = path
      self.isFolder = isFolder
    }
  }

  package var pattern: Pattern
  /// The pattern as it was written.
  package var text: Located<String>
  package var tags: [Located<String>]
  /// The templates of further tags, of a rule with a glob alone.
  package var templates: [TagTemplate]
  package var destination: Destination?
  /// The traits that a device needs to get the files.
  package var traits: Traits {
    get { if case .some(let traits) = ownTraits { traits } else { .none } }
    set { ownTraits = newValue == .none ? .none : .some(newValue) }
  }
  private var ownTraits = OwnTraits.none

  /// Boxed, since few of a million rules have traits.
  private enum OwnTraits: Sendable {
    case none
    indirect case some(Traits)
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

/// The tag that a template makes for one file.
package struct GeneratedTagName: Sendable {
  package let tag: String
  package let template: TagTemplate
}

extension ResourceRule {
  /// A rule with a glob; nil if a template is none, or the glob cannot fill it.
  package init?(glob: Glob, text: Located<String>, tags: [Located<String>], templates: [Located<String>]) {
    let made = templates.compactMap { try? TagTemplate($0) }
    self.init(pattern: .glob(glob), text: text, tags: tags, templates: made)
    let most = made.map(\.highest).max() ?? 0
    guard made.count == templates.count, most == 0 || captures.map({ $0.fewest.wildcards >= most }) ?? false
    else { return nil }
  }

  /// Its glob, compiled to find what wildcards match; nil for a path, and for a glob with templates that is too long.
  package var captures: GlobCaptures? {
    if case .glob(let glob) = pattern { GlobCaptures(glob) } else { nil }
  }

  /// The tags that its templates make for the path of a file; none if its compiled glob does not match that.
  package func tags(from captures: GlobCaptures, for path: String) -> [GeneratedTagName] {
    guard let found = captures.captures(in: path) else { return [] }
    return templates.map { GeneratedTagName(tag: $0.tag(of: found), template: $0) }
  }

  /// The tags that its templates make for the path of a file, if it matches that.
  package func generatedTags(for path: String) -> [String] {
    templates.isEmpty ? [] : captures.map { tags(from: $0, for: path).map(\.tag) } ?? []
  }
}

/// A file that no rule matches.
package struct UntaggedFile: Sendable {
  /// The path below the root; bytes that are not UTF-8 are replaced.
  package let path: String
  /// The size in bytes.
  package let size: Int64

  package init(path: String, size: Int64) {
    self.path = path
    self.size = size
  }

  /// The path of its folder; "." for the root.
  package var folder: String { folderPath(of: path) }
}
