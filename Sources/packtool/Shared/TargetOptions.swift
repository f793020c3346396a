import Formats
import Model
import Packing
import Pipeline
import System

// The flags for the target of packs, which is the layout and its settings. Commands that check packs accept
// the same flags as commands that write packs.
extension ManifestOptions {
  static let targetGroup = "layout flags"
  static let assetGroup = "flags for Background Assets"

  /// All flags for the target.
  ///
  /// Some flags decide which packs are made, and the other flags decide how the packs are written.
  static let targetFlags: [Flag<ManifestOptions>] = packFlags + writingFlags

  /// The flags that decide which files a device gets.
  ///
  /// Commands that simulate packs without writing them accept only these flags.
  static let packFlags: [Flag<ManifestOptions>] =
    [Flag<ManifestOptions>].helpGroup(
      under: targetGroup,
      flags: [
        .choice(
          "--layout", valueName: "LAYOUT",
          summary:
            "files and folders to write: \(Layout.allCases.dropLast().map(\.description.summary).joined(separator: ", ")), "
            + "or "
            + (Layout.allCases.last?.description.summary ?? ""),
          into: \.choice.layout
        ).recorded(in: \.givenFlags)
      ])
    + [Flag<ManifestOptions>].helpGroup(
      under: assetGroup,
      flags: [
        .choice(
          "--bundle-version", valueName: "VERSION",
          summary: "version of Background Assets for manifests and code (default: 26)",
          into: \.choice.assets.version
        ).recorded(in: \.givenFlags)
      ])

  /// The flags that decide only how packs and their lists are written.
  private static let writingFlags: [Flag<ManifestOptions>] =
    [Flag<ManifestOptions>].helpGroup(
      under: targetGroup,
      flags: [
        .parsed(
          "--url-prefix", valueName: "URL",
          summary:
            "URL prefix of packs: packtool appends a pack's name directly in AssetPackManifest.plist, and its "
            + "id in a download manifest",
          parse: urlPrefix, into: \.choice.urlPrefix
        ).asSetting("layout.urlPrefix"),
        .toggle(
          "--embed-packs", summary: "make AssetPackManifest.plist name packs inside the app",
          sets: \.choice.embedsPacks
        ).asSetting("layout.embedPacks"),
        .choice(
          "--content-hash", valueName: "HASH",
          summary:
            "content hash of a pack, either a digest of its contents or, as in Xcode builds, a modification "
            + "time (default: sha256)",
          into: \.choice.contentHash
        ).asSetting("layout.contentHash"),
      ])
    + [Flag<ManifestOptions>].helpGroup(
      under: assetGroup,
      flags: [
        .parsed(
          "--platforms", valueName: "NAMES",
          summary: "platforms of packs for Background Assets, separated with \",\" (default: all)",
          parse: platforms, into: \.choice.assets.platforms),
        .value(
          "--id-map", valueName: "FILE", kind: .file(.lockfile, suffixes: [".json"]),
          summary:
            "the ID lockfile, a committed file with the ids of packs for Background Assets; build adds new ids",
          into: \.choice.assets.idMap),
        .toggle(
          "--self-hosted",
          summary: "write a download manifest, for packs for Background Assets on your own server",
          sets: \.choice.assets.isSelfHosted
        ).asSetting("layout.selfHosted"),
        .value(
          "--ledger", valueName: "FILE", kind: .file(.lockfile, suffixes: [".json"]),
          summary:
            "the version lockfile, a committed file with the versions of self-hosted packs; can be the file of "
            + "--id-map",
          into: \.choice.assets.ledger
        ).asSetting("layout.ledger"),
      ])

  private static func platforms(_ text: String) throws(FlagMistake) -> [AssetPlatform] {
    var platforms: [AssetPlatform] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let platform = AssetPlatform(rawValue: name) else {
        throw FlagMistake(
          "contains \(quoted(name)), which \(AssetPlatform.mistake(in: name) ?? "is unknown")")
      }
      if !platforms.contains(platform) { platforms.append(platform) }
    }
    return platforms
  }

  private static func urlPrefix(_ text: String) throws(FlagMistake) -> PackURLPrefix? {
    do throws(PackURLPrefix.Mistake) {
      return try PackURLPrefix(text)
    } catch {
      throw FlagMistake("needs a URL prefix, but \(quoted(text)) \(error.reason)")
    }
  }

  /// Adds the settings in the `layout` of a manifest that the command line does not set.
  ///
  /// Settings that have no meaning for the chosen layout are ignored, because a flag can choose another layout
  /// than the manifest.
  mutating func adoptLayout(ofManifest argument: String?) throws(SystemError) {
    let path = if let argument { argument } else { try ManifestSource.search() }
    guard ManifestSource(argument: path) == .manifest,
      let read = try LayoutSettings.read(fromManifestAt: path)
    else { return }
    let settings = read.settings
    func inFolder(_ file: Located<String>?) -> String? { file.map { joined(read.folder, $0.value) } }
    if let name = settings.name, !givenFlags.contains("--layout") { choice.layout = name }
    if choice.layout.hasIndex {
      device = device ?? settings.deviceClass
    } else if choice.layout.hasAppleLists {
      if !choice.embedsPacks { choice.urlPrefix = choice.urlPrefix ?? settings.urlPrefix }
    } else if choice.layout == .backgroundAssets {
      if choice.assets.platforms.isEmpty { choice.assets.platforms = settings.platforms }
      if let version = settings.bundleVersion, !givenFlags.contains("--bundle-version") {
        choice.assets.version = version
      }
      choice.assets.idMap = choice.assets.idMap ?? inFolder(settings.idMap)
      if settings.isSelfHosted { choice.assets.isSelfHosted = true }
      if choice.assets.isSelfHosted {
        choice.assets.ledger = choice.assets.ledger ?? inFolder(settings.ledger)
        choice.urlPrefix = choice.urlPrefix ?? settings.urlPrefix
      }
    }
  }

  /// Throws the first mistake in the flags of the layout or of a device class.
  func refuseTargetMistake() throws(FlagMistake) {
    if let targetMistake { throw FlagMistake(targetMistake) }
  }

  /// The first mistake in the flags of the layout or of a device class.
  var targetMistake: String? {
    let (layout, assets) = (choice.layout, choice.assets)
    let ofAssets = firstMistake([
      !assets.platforms.isEmpty: "--platforms", assets.idMap != nil: "--id-map",
      assets.version != .v26: "--bundle-version", assets.isSelfHosted: "--set layout.selfHosted",
      assets.ledger != nil: "--set layout.ledger",
    ])
    let ofLists = firstMistake([
      choice.urlPrefix != nil: "--set layout.urlPrefix", choice.embedsPacks: "--set layout.embedPacks",
      choice.contentHash != nil: "--set layout.contentHash",
    ])
    let thinning = layout == .backgroundAssets ? "" : ", and the store selects the files for each device"
    let mistakes: Mistakes = [
      device != nil && !layout.hasIndex:
        "flag \"--device\" cannot be used with the layout \(quoted(layout.rawValue)), because its packs are "
        + "for all devices\(thinning)",
      layout != .backgroundAssets && ofAssets != nil:
        "flag \"\(ofAssets ?? "")\" can only be used with the layout \"background-assets\"",
      assets.isSelfHosted != (assets.ledger != nil):
        "settings \"layout.selfHosted\" and \"layout.ledger\" must be used together, because devices download a pack "
        + "again only if its version is higher",
      assets.isSelfHosted && choice.urlPrefix == nil:
        "setting \"layout.selfHosted\" needs the URL of the folder with the packs: --set "
        + "layout.urlPrefix=https://example.com/packs/",
      assets.isSelfHosted && choice.urlPrefix?.hasQuery == true:
        "setting \"layout.urlPrefix\" cannot have a query with \"layout.selfHosted\", because packtool appends each "
        + "pack's id to the path of the URL",
      !layout.hasAppleLists && !assets.isSelfHosted && ofLists != nil:
        "flag \"\(ofLists ?? "")\" can only be used with the layout \"xcode\" or \"hosted\"",
      layout == .hosted && choice.embedsPacks:
        "setting \"layout.embedPacks\" needs the layout \"xcode\", because hosted packs are not in the app",
    ]
    return firstMistake(mistakes)
  }

  /// The flags for the target that are on the command line, for commands that also read built folders.
  ///
  /// These flags do not apply to built folders.
  var flagsOfTargets: ManifestFlags {
    let assets = choice.assets
    return [
      "--layout": choice.layout != .packtool, "--set layout.urlPrefix": choice.urlPrefix != nil,
      "--set layout.embedPacks": choice.embedsPacks, "--set layout.contentHash": choice.contentHash != nil,
      "--platforms": !assets.platforms.isEmpty, "--id-map": assets.idMap != nil,
      "--set layout.selfHosted": assets.isSelfHosted, "--set layout.ledger": assets.ledger != nil,
      "--bundle-version": assets.version != .v26,
    ]
  }

  /// Sets, in a request, the rules and limits of the layout.
  func applyTarget(to request: inout Preparation.Request) {
    request.profile = request.profile ?? choice.layout.description.profile
    request.layoutRules = choice.rules
  }

  static let missingPrefix =
    "the layout \"hosted\" needs the URL of the folder with the packs: --set "
    + "layout.urlPrefix=https://example.com/packs/"

  /// Returns the findings that a build would report about files that packs cannot contain in this layout.
  func targetFindings(about prepared: Preparation) throws -> [Diagnostic] {
    do {
      return try choice.findings(about: prepared)
    } catch is MissingURLPrefix {
      throw FlagMistake(Self.missingPrefix)
    }
  }
}
