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
    /// Whether it ends in a slash: a single file then keeps its name below it.
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
