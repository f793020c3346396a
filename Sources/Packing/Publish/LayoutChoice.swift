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

  /// The layout for the packs of a plan, with all of its settings; nil without a manifest.
  ///
  /// `output` is the folder that a build writes to, whose last build some findings are about.
  func settledLayout(
    for prepared: Preparation, sourceDate: Int64?, output: String?
  ) throws -> (any PackLayout)? {
    guard let manifest = prepared.manifest else { return nil }
    let settings = try settings(for: manifest, sourceDate: sourceDate)
    guard layout == .backgroundAssets, let plan = prepared.plan else { return layout.type(settings) }
    var choice = assets
    choice.base = urlPrefix
    return try BackgroundAssetsLayout(choice, plan, in: output)
  }
}

extension LayoutChoice {
  /// What the layout makes of packs, which decides about checks.
  package var rules: LayoutRules {
    var rules = LayoutRules()
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

extension Layout {
  func type(_ settings: XcodeSettings) -> any PackLayout {
    switch self {
    case .packtool: PacktoolLayout()
    case .xcode, .hosted: AppleLayout(kind: self, settings: settings)
    case .backgroundAssets: BackgroundAssetsLayout()
    }
  }

  /// The published file that exists in every build of the layout, relative to the output folder.
  package var indexName: String { type(XcodeSettings()).indexName }

  /// The layout of the build in a folder; nil if there is no build.
  static func found(in folder: OutputFolder) throws(SystemError) -> Layout? {
    for layout in allCases where try layout.type(XcodeSettings()).stands(in: folder) { return layout }
    return nil
  }
}

extension OutputFolder {
  package init(_ path: String, layout: Layout = .packtool, xcode: XcodeSettings = XcodeSettings()) {
    self.init(path, layout: layout.type(xcode))
  }
}

extension PackSettings {
  package init(
    container: Container, compression: Compression = .default, modified: Int64, layout: Layout = .packtool,
    xcode: XcodeSettings = XcodeSettings()
  ) {
    self.init(container, compression, modified, layout.type(xcode), xcode)
  }
}
