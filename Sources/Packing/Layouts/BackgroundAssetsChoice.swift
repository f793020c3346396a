package import PackKit

/// The options of packs for Background Assets.
package struct BackgroundAssetsChoice: Sendable {
  /// The platforms of all packs; none for all platforms.
  package var platforms: [AssetPlatform] = []
  /// The path of the file that keeps ids.
  package var idMap: String?
  package var version = AssetBundleVersion.v26

  package init() {}
}
