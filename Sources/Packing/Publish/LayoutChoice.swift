package import Model
import Pipeline
import System

extension Layout {
  /// The description of the layout, which is in the file of its `PackLayout`.
  package var description: LayoutDescription {
    switch self {
    case .packtool: .packtool
    case .xcode: .xcode
    case .hosted: .hosted
    case .backgroundAssets: .backgroundAssets
    }
  }
}

/// The layout that the command line chooses, with its settings.
package struct LayoutChoice: Sendable {
  package var layout = Layout.packtool
  /// The URL prefix of packs in the manifest that devices read.
  package var urlPrefix: PackURLPrefix?
  /// Whether the manifest that devices read refers to packs inside the app.
  package var embedsPacks = false
  /// The value with which devices recognize that a pack has changed; nil to use the layout's default.
  package var contentHash: ContentHash?
  /// Whether packs are planned separately for each device class.
  ///
  /// If so, no pack contains several variants for the same path.
  package var isForEachDevice = false
  /// The settings of packs for Background Assets.
  package var assets = BackgroundAssetsChoice()

  package init(layout: Layout = .packtool) { self.layout = layout }

  /// Returns the settings of the layout.
  ///
  /// Settings from the command line take precedence over settings from the Xcode project.
  func settings(for manifest: Manifest, sourceDate: Int64?) throws(MissingURLPrefix) -> XcodeSettings {
    let prefix = urlPrefix ?? manifest.packURLPrefix
    if layout == .hosted && prefix == nil { throw MissingURLPrefix() }
    let location: PackLocation =
      if let prefix {
        .prefix(prefix)
      } else {
        embedsPacks || manifest.embedsPacks ? .app : .buildFolder
      }
    var settings = XcodeSettings(
      location: location, contentHash: contentHash ?? .sha256, sourceDate: sourceDate)
    settings.hasOwnManifest = manifest.hasOwnPackManifest
    return settings
  }

  /// Creates the layout that publishes a plan's packs.
  ///
  /// `signing` contains the signature settings of the `packtool` layout; nil for no signature. `output` is
  /// the output folder; nil if nothing is built. Some findings need it, because they depend on the previous
  /// build.
  ///
  /// - Throws: if an ID lockfile or a version lockfile exists but cannot be read.
  func packLayout(
    for plan: PackPlan, settings: PackSettings, signing: Signing?, output: String?
  ) throws(SystemError) -> any PackLayout {
    switch layout {
    case .packtool: return PacktoolLayout(files: LayoutFiles(layout), signing: signing)
    case .xcode, .hosted: return AppleLayout(settings)
    case .backgroundAssets:
      var choice = assets
      choice.base = urlPrefix
      return try BackgroundAssetsLayout(choice, plan: plan, in: output)
    }
  }
}

extension LayoutChoice {
  /// The properties of this layout that decide which checks run.
  package var rules: LayoutCapabilities {
    var rules = LayoutCapabilities()
    rules.code = layout.description.code
    rules.sharesPaths = layout.description.sharesPaths
    if layout == .backgroundAssets {
      rules.writesLanguages = assets.writesLanguages
      let isForMacOS = assets.platforms.isEmpty || assets.platforms.contains(.macOS)
      rules.code = isForMacOS ? .refusedForMacOS : .accepted
    }
    return rules
  }
}

/// The error for the `hosted` layout without a URL prefix.
package struct MissingURLPrefix: Error {}

/// The options of packs for Background Assets.
package struct BackgroundAssetsChoice: Sendable {
  /// The platforms for which packs are built; empty for all platforms.
  package var platforms: [AssetPlatform] = []
  /// The path of the ID lockfile.
  package var idMap: String?
  package var version = AssetBundleVersion.v26
  /// The path of the version lockfile; nil for packs that Apple hosts.
  package var ledger: String?
  /// Whether the developer hosts the packs on their own server.
  package var isSelfHosted = false
  /// The URL of the folder that contains the archives.
  package var base: PackURLPrefix?

  /// Whether manifests state languages.
  ///
  /// This requires version 27 and packs that Apple hosts.
  package var writesLanguages: Bool { version != .v26 && !isSelfHosted }

  /// Returns the URL of a pack's archive.
  ///
  /// The URL has no file name extension.
  func url(ofPack id: String) -> String { "\(base?.asFolder.text ?? "/")\(id)" }

  package init() {}
}
