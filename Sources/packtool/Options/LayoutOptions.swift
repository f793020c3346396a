import Flags
import Packing

/// The layout flags of `build`.
struct LayoutOptions: Sendable {
  var choice = LayoutChoice()

  static let missingPrefix = UsageMistake(
    "the layout \"hosted\" needs the URL that packs are below: --url-prefix https://example.com/packs/")

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<LayoutOptions>) -> [Flag<Options>] {
    own.map { $0.lifted(into: part).grouped(under: "flags of the layout") }
  }

  private static let own: [Flag<LayoutOptions>] = [
    .choice(
      "--layout", valueName: "LAYOUT",
      summary:
        "what is written: an index with packs, what Xcode's build leaves, or zipped packs for a web server",
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
  ]

  /// The message on conflicting flags; each layout declares which flags it supports.
  var mistake: String? {
    let used: [(flag: String, isUsed: Bool)] = [
      ("--url-prefix", choice.urlPrefix != nil), ("--embed-packs", choice.embedsPacks),
      ("--content-hash", choice.contentHash != nil),
    ]
    switch choice.layout {
    case .packtool:
      return used.first(where: \.isUsed).map {
        "flag \"\($0.flag)\" needs the layout \"xcode\" or \"hosted\""
      }
    case .hosted where choice.embedsPacks:
      return "flag \"--embed-packs\" needs the layout \"xcode\": hosted packs are not in the app"
    case .xcode, .hosted: return nil
    }
  }
}
