package import Model
package import Pipeline
import System

/// The layout that the command line asks for, with its settings.
package struct LayoutChoice: Sendable {
  package var layout = Layout.packtool
  /// The URL prefix of packs in the manifest that devices read.
  package var urlPrefix: PackURLPrefix?
  /// Whether that manifest refers to packs inside the app.
  package var embedsPacks = false
  /// How devices see that a pack has changed.
  package var contentHash: ContentHash?
  /// Whether each class of devices is planned by itself, so that no pack has variants for one place side by side.
  package var isForEachDevice = false
  /// The settings of packs for Background Assets.
  package var assets = BackgroundAssetsChoice()

  package init(layout: Layout = .packtool) { self.layout = layout }

  /// The settings of the command line, or else those of the Xcode project.
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

  /// The way to publish a plan's packs.
  ///
  /// `signing` says how the layout `packtool` is signed; nil for no signature. `output` is the folder that a build writes
  /// to, whose last build some findings are about; nil if nothing is built.
  ///
  /// - Throws: if a file of ids or versions exists but cannot be read.
  func packLayout(
    for plan: PackPlan, settings: PackSettings, signing: Signing?, output: String?
  ) throws(SystemError) -> any PackLayout {
    switch layout {
    case .packtool: return PacktoolLayout(signing: signing)
    case .xcode, .hosted: return AppleLayout(settings)
    case .backgroundAssets:
      var choice = assets
      choice.base = urlPrefix
      return try BackgroundAssetsLayout(choice, plan: plan, in: output)
    }
  }
}

extension LayoutChoice {
  /// What the layout makes of packs, which decides about checks.
  package var rules: LayoutCapabilities {
    var rules = LayoutCapabilities()
    switch layout {
    case .packtool: break
    case .xcode, .hosted: rules.code = .refused
    case .backgroundAssets:
      rules.sharesPaths = true
      rules.writesLanguages = assets.writesLanguages
      let isForMacOS = assets.platforms.isEmpty || assets.platforms.contains(.macOS)
      rules.code = isForMacOS ? .refusedForMacOS : .accepted
    }
    return rules
  }
}

/// The URL prefix of hosted packs is missing.
package struct MissingURLPrefix: Error {}

/// The options of packs for Background Assets.
package struct BackgroundAssetsChoice: Sendable {
  /// The platforms of all packs; none for all platforms.
  package var platforms: [AssetPlatform] = []
  /// The path of the file that keeps ids.
  package var idMap: String?
  package var version = AssetBundleVersion.v26
  /// The path of the file that keeps versions; nil for packs that Apple hosts.
  package var ledger: String?
  /// Whether packs are on a server of one's own.
  package var isSelfHosted = false
  /// The URL of the folder that archives are put into.
  package var base: PackURLPrefix?

  /// Whether manifests have languages: for 27, and in packs that Apple hosts.
  package var writesLanguages: Bool { version != .v26 && !isSelfHosted }

  /// The URL of a pack's archive, which has no extension there.
  func url(ofPack id: String) -> String { "\(base?.asFolder.text ?? "/")\(id)" }

  package init() {}
}
