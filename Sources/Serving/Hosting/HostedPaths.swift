/// Which paths of a built folder others are to be served, and how long they keep them: what a table says, as rules for
/// servers that know no table.
struct HostedPaths {
  /// Some paths.
  struct Rule {
    /// A regular expression of the whole path, in the dialect that PCRE, RE2 and Apache share.
    let pattern: String
    let caching: ServedFile.Caching

    var cacheControl: String { caching == .immutable ? "public, max-age=31536000, immutable" : "no-cache" }
  }

  let rules: [Rule]

  init(_ layout: ServedTable.Layout) {
    switch layout {
    case .packtool:
      rules = [
        Rule(pattern: "^/index\\.json$", caching: .revalidated),
        Rule(pattern: "^/(contents\\.[0-9a-f]+\\.json|packs/.+)$", caching: .immutable),
      ]
    case .hosted:
      rules = [Rule(pattern: "^/(AssetPackManifest\\.plist|[^/]+\\.assetpack)$", caching: .revalidated)]
    case .backgroundAssets:
      let pattern = "^/(tags\\.json|manifests/[^/]+\\.json|archives/[^/]+\\.aar|packs/.+)$"
      rules = [Rule(pattern: pattern, caching: .revalidated)]
    }
  }
}
