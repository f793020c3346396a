import Findings
import Flags
import PackKit
import Packing

/// The layout flags of `build`.
struct LayoutOptions: Sendable {
  var choice = LayoutChoice()
  /// Whether `ba-package` is run.
  var packages = false

  static let missingPrefix = UsageMistake(
    "the layout \"hosted\" needs the URL that packs are below: --url-prefix https://example.com/packs/")

  /// The flags of these options.
  static let flags: [Flag<LayoutOptions>] = .grouped(
    under: "flags of the layout",
    [
      .choice(
        "--layout", valueName: "LAYOUT",
        summary:
          "what is written: an index with packs, what Xcode's build leaves, zipped packs for a web server, or packs for "
          + "Background Assets",
        into: \.choice.layout),
      .value(
        "--url-prefix", valueName: "URL",
        summary: "what stands in front of a pack's name in AssetPackManifest.plist; nothing is put between",
        into: \.choice.urlPrefix),
      .toggle(
        "--embed-packs", summary: "let AssetPackManifest.plist name packs inside the app",
        sets: \.choice.embedsPacks),
      .choice(
        "--content-hash", valueName: "HASH",
        summary:
          "what tells devices that a pack changed (default: sha256, of the contents; Xcode writes a modtime)",
        into: \.choice.contentHash),
      .parsed(
        "--platforms", valueName: "NAMES",
        summary: "the platforms of packs for Background Assets, with \",\" between (default: all)",
        parse: platforms,
        into: \.choice.assets.platforms),
      .value(
        "--id-map", valueName: "FILE", kind: .file(suffixes: [".json"]),
        summary: "the committed file that keeps the ids of packs for Background Assets; new ones are added",
        into: \.choice.assets.idMap),
      .choice(
        "--bundle-version", valueName: "VERSION",
        summary: "the version of Background Assets that manifests and code are for (default: 26)",
        into: \.choice.assets.version),
      .toggle(
        "--package", summary: "make archives of packs for Background Assets by ba-package", sets: \.packages),
    ])

  private static func platforms(_ text: String) throws(FlagMistake) -> [AssetPlatform] {
    var platforms: [AssetPlatform] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let platform = AssetPlatform(rawValue: name) else {
        throw FlagMistake("names \(quoted(name)), which \(AssetPlatform.mistake(in: name) ?? "is unknown")")
      }
      if !platforms.contains(platform) { platforms.append(platform) }
    }
    return platforms
  }

  /// The message on conflicting flags; each layout declares which flags it supports.
  var mistake: String? {
    let used: [(flag: String, isUsed: Bool)] = [
      ("--url-prefix", choice.urlPrefix != nil), ("--embed-packs", choice.embedsPacks),
      ("--content-hash", choice.contentHash != nil),
    ]
    let assets: [(flag: String, isUsed: Bool)] = [
      ("--platforms", !choice.assets.platforms.isEmpty), ("--id-map", choice.assets.idMap != nil),
      ("--bundle-version", choice.assets.version != .v26), ("--package", packages),
    ]
    if choice.layout != .backgroundAssets, let flag = assets.first(where: \.isUsed)?.flag {
      return "flag \"\(flag)\" needs the layout \"background-assets\""
    }
    switch choice.layout {
    case .packtool, .backgroundAssets:
      return used.first(where: \.isUsed).map {
        "flag \"\($0.flag)\" needs the layout \"xcode\" or \"hosted\""
      }
    case .hosted where choice.embedsPacks:
      return "flag \"--embed-packs\" needs the layout \"xcode\": hosted packs are not in the app"
    case .xcode, .hosted: return nil
    }
  }
}
