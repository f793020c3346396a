package import Findings
package import Formats

/// What the user wrote: tags for files, and how packs are to be made of them.
package struct Manifest: Sendable {
  /// What a manifest is called that a folder stands for.
  package static let fileName = "Manifest.json"

  /// The text that places refer to.
  package let text: SourceText
  /// The paths of the files that it was made of, but for those that are packed.
  package var sources: [String]
  /// The folder that the manifest lies in, as the user would type it; "." for the current one.
  package let folder: String
  package var bundleIdentifier = ""
  /// The folder that paths are relative to, relative to the manifest's own.
  package var root = Located(".", at: 0)
  /// Whether nobody can tell which folder is meant: the key's value was refused.
  package var isRootUnknown = false
  package var rules: [ResourceRule] = []
  package var excludes: [Glob] = []
  package var initialInstallTags: [Located<String>] = []
  package var prefetchTagOrder: [Located<String>] = []
  package var appBundle: AppBundle?
  package var limits = LimitSettings()
  /// What updates, packs and growth may cost.
  package var budgets = Budgets()
  package var container = Container.zip
  package var compression = Compression.default
  /// The severity that the user gives a check, by its id.
  package var severities: [String: SeverityChoice] = [:]
  /// The URL in front of packs' names, where the manifest was made from a project that has one.
  package var packURLPrefix: String?
  /// Whether the manifest was made from a project that puts packs into the app.
  package var embedsPacks = false
  /// The byte at which the list of rules begins.
  package var rulesOffset = 0
  /// The byte at which the app bundle is described.
  package var appBundleOffset = 0
  /// Where each tag is first given, by the byte.
  package var firstPlaces: [String: Int] = [:]

  package init(text: SourceText, folder: String) {
    self.text = text
    sources = [text.path]
    self.folder = folder
  }

  /// The root folder's path as the user would type it.
  package var rootPath: String { joined(folder, root.value) }
}

/// The app that the packs belong to, which counts for some limits.
package enum AppBundle: Sendable {
  /// Bytes.
  case size(Int64)
  /// The built app, relative to the manifest's folder.
  case path(Located<String>)
}
