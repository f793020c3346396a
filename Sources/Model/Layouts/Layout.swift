/// A layout of the output folder; the raw value is its name in flags and manifests.
package enum Layout: String, Sendable, CaseIterable {
  /// Packs named after their digest, with an index.
  case packtool
  /// The output of Xcode: folders of packs and property lists.
  case xcode
  /// Zipped packs for a plain web server, with the manifest that devices read.
  case hosted
  /// Folders of packs with manifests for `ba-package`, and the tags as Swift code.
  case backgroundAssets = "background-assets"

  /// Whether builds have packtool's index, which contains the digests of all other files.
  package var hasIndex: Bool {
    switch self {
    case .packtool: true
    case .xcode, .hosted, .backgroundAssets: false
    }
  }

  /// The path of the folder of packs, relative to the built folder; "." for the built folder itself.
  package var packsFolder: String {
    switch self {
    case .packtool, .backgroundAssets: PublishedNames.packsFolder
    case .xcode: PublishedNames.onDemandResourcesFolder
    case .hosted: "."
    }
  }

  /// The file or folder that identifies a build in the layout.
  ///
  /// If the layout has no index, no build in another layout has this file or folder.
  package var mark: String {
    switch self {
    case .packtool: PublishedNames.index
    case .xcode: PublishedNames.onDemandResourcesFolder
    case .hosted: PublishedNames.assetPackManifest
    case .backgroundAssets: PublishedNames.tagsSource
    }
  }

  /// Returns the layout of a build with packtool's index, given the folder of its packs.
  ///
  /// If no layout has such a folder, the result is `packtool`, whose readers then report the folder.
  package init(indexingPacksIn folder: String) {
    self = Layout.allCases.first { $0.hasIndex && $0.packsFolder == folder } ?? .packtool
  }

  /// Whether builds have the property lists from which devices download On-Demand Resources.
  package var hasAppleLists: Bool {
    switch self {
    case .xcode, .hosted: true
    case .packtool, .backgroundAssets: false
    }
  }
}
