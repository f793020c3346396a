/// What the user wrote: tags for files, and how packs are to be made of them.
package struct Manifest: Sendable {
  /// What a manifest is called that a folder stands for.
  static let fileName = "Manifest.json"

  /// The text that places refer to.
  package let text: SourceText
  /// The paths of the files that it was made of, but for those that are packed.
  package internal(set) var sources: [String]
  /// The folder that the manifest lies in, as the user would type it; "." for the current one.
  package let folder: String
  package internal(set) var bundleIdentifier = ""
  /// The folder that paths are relative to, relative to the manifest's own.
  package internal(set) var root = Located(".", at: 0)
  /// Whether nobody can tell which folder is meant: the key's value was refused.
  package internal(set) var isRootUnknown = false
  package internal(set) var rules: [ResourceRule] = []
  package internal(set) var excludes: [Glob] = []
  package internal(set) var initialInstallTags: [Located<String>] = []
  package internal(set) var prefetchTagOrder: [Located<String>] = []
  package internal(set) var appBundle: AppBundle?
  package var limits = LimitSettings()
  /// What updates, packs and growth may cost.
  package var budgets = Budgets()
  package internal(set) var container = Container.zip
  package internal(set) var compression = Compression.default
  /// The severity that the user gives a check, by its id.
  package internal(set) var severities: [String: SeverityChoice] = [:]
  /// The URL in front of packs' names, where the manifest was made from a project that has one.
  package internal(set) var packURLPrefix: String?
  /// Whether the manifest was made from a project that puts packs into the app.
  package internal(set) var embedsPacks = false
  /// The byte at which the list of rules begins.
  package internal(set) var rulesOffset = 0
  /// The byte at which the app bundle is described.
  package internal(set) var appBundleOffset = 0
  /// Where each tag is first given, by the byte.
  package internal(set) var firstPlaces: [String: Int] = [:]

  init(text: SourceText, folder: String) {
    self.text = text
    sources = [text.path]
    self.folder = folder
  }

  /// The root folder's path as the user would type it.
  package var rootPath: String { joined(folder, root.value) }
}

/// A value with the byte at which it stands in the manifest.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let offset: Int

  package init(_ value: Value, at offset: Int) {
    self.value = value
    self.offset = offset
  }
}

/// One rule of the manifest: which files, and the tags that they get.
package struct ResourceRule: Sendable {
  /// What a rule matches.
  package enum Pattern: Sendable {
    /// One file, or a folder with all below it.
    case path(RelativePath)
    case glob(Glob)
  }

  /// Where matching files land inside their pack.
  package struct Destination: Sendable {
    package let path: RelativePath
    /// Whether it ends in a slash: a single file then keeps its name below it.
    package let isFolder: Bool
  }

  package var pattern: Pattern
  /// The pattern as it was written.
  package var text: Located<String>
  package var tags: [Located<String>]
  package var destination: Destination?
}

/// The app that the packs belong to, which counts for some limits.
package enum AppBundle: Sendable {
  /// Bytes.
  case size(Int64)
  /// The built app, relative to the manifest's folder.
  case path(Located<String>)
}

/// The severity that a user gives a check.
package enum SeverityChoice: String, Sendable, CaseIterable {
  case error
  case warning
  case note
  case ignore
}
