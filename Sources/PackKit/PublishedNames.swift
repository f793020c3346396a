package import System

/// The names of what a build publishes: what writes a built folder and what reads it agree on them here.
package enum PublishedNames {
  /// The index, in the layout `packtool`.
  package static let index = "index.json"
  /// The folder of the packs, in the layout `packtool`.
  package static let packsFolder = "packs"
  /// The folder that serves only the next build.
  package static let recordFolder = ".packtool"
  /// What the names of Xcode's packs end in, folders and zipped ones.
  package static let packSuffix = ".assetpack"
  /// The file that describes one of Xcode's packs, at the top of the pack.
  package static let packInfo = "Info.plist"
  /// The list of tags and packs that Xcode puts into the app.
  package static let onDemandResources = "OnDemandResources.plist"
  /// The list of packs that devices download from.
  package static let assetPackManifest = "AssetPackManifest.plist"
  /// The same list where the packs lie in the app.
  package static let assetPackManifestTemplate = "AssetPackManifestTemplate.plist"
  /// Both names of that list; only one of the two is there at a time.
  package static let assetPackManifests = [assetPackManifest, assetPackManifestTemplate]
  /// The folder of the packs beside Xcode's property lists.
  package static let onDemandResourcesFolder = "OnDemandResources"
  /// The folder at the front of a hosted pack that tells devices how to unpack it.
  package static let zipMetadataFolder = "META-INF"

  /// The list of all files, by its digest.
  package static func contents(_ digest: Digest) -> String { "contents.\(digest.short).json" }

  /// A pack's archive or folder below the output folder, in the layout `packtool`.
  package static func archive(ofPack name: String, _ digest: Digest, in container: Container) -> String {
    "\(packsFolder)/\(name).\(digest.short)\(container.suffix)"
  }
}
