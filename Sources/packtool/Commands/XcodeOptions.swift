import Flags
import PackKit

/// How a build is laid out, for those who read it.
struct XcodeOptions: Sendable {
  var layout = Layout.packtool
  var urlPrefix: String?
  var embedsPacks = false
  var contentHash: ContentHash?

  static let missingPrefix = UsageMistake(
    "the layout \"hosted\" needs the URL that packs are below: --url-prefix https://example.com/packs/")

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<XcodeOptions>) -> [Flag<Options>] {
    own.map { $0.lifted(into: part).grouped(under: "flags of the layout") }
  }

  private static let own: [Flag<XcodeOptions>] = [
    .choice(
      "--layout", valueName: "LAYOUT",
      summary:
        "what is written: an index with packs, what Xcode's build leaves, or zipped packs for a web server",
      into: \.layout),
    .value(
      "--url-prefix", valueName: "URL",
      summary: "what stands in front of a pack's name in AssetPackManifest.plist; nothing is put between",
      into: \.urlPrefix),
    .toggle(
      "--embed-packs", summary: "let AssetPackManifest.plist name packs inside the app", sets: \.embedsPacks),
    .parsed(
      "--content-hash", valueName: "HASH",
      summary: "what tells devices that a pack changed (default: modtime, as Xcode does)",
      choices: ContentHash.allCases.map(\.rawValue), parse: { ContentHash(rawValue: $0) },
      into: \.contentHash),
  ]
}

extension XcodeOptions {
  /// What is wrong with flags that do not go together.
  var mistake: UsageMistake? {
    if layout == .packtool {
      let used = [
        urlPrefix == nil ? nil : "--url-prefix", embedsPacks ? "--embed-packs" : nil,
        contentHash == nil ? nil : "--content-hash",
      ].compactMap { $0 }
      return used.first.map { UsageMistake("flag \"\($0)\" needs the layout \"xcode\" or \"hosted\"") }
    }
    if embedsPacks && layout == .hosted {
      return UsageMistake(
        "flag \"--embed-packs\" needs the layout \"xcode\": hosted packs are not in the app")
    }
    return nil
  }

  /// Whether devices could not be told where the packs are.
  func lacksPrefix(for manifest: Manifest?) -> Bool {
    layout == .hosted && urlPrefix == nil && (manifest?.packURLPrefix ?? "").isEmpty
  }

  /// What the flags say, or else the project that the manifest was made from.
  func settings(for manifest: Manifest, sourceDate: Int64?) -> XcodeSettings {
    let prefix = urlPrefix ?? manifest.packURLPrefix ?? ""
    let location: PackLocation =
      if !prefix.isEmpty {
        .prefix(prefix)
      } else {
        embedsPacks || manifest.embedsPacks ? .app : .buildFolder
      }
    return XcodeSettings(location: location, contentHash: contentHash ?? .modtime, sourceDate: sourceDate)
  }
}
