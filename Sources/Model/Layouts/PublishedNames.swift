import Formats
package import System

/// The names of published files.
///
/// The code that writes built folders and the code that reads them both use these names.
package enum PublishedNames {
  /// The index in the layout `packtool`.
  package static let index = "index.json"
  /// The signature of the index, in minisign format.
  package static let signature = "\(index)\(signatureSuffix)"
  /// The maximum size of a signature file in bytes.
  ///
  /// Most of this size is room for minisign's comments.
  package static let maxSignatureSize = 1 << 14
  /// The name of a signature file is the name of the signed file with this suffix.
  package static let signatureSuffix = ".minisig"

  /// Returns the trusted comment of a signature that a build writes.
  ///
  /// It states which index the signature is for, so a mismatch can be detected without a key. It contains no
  /// time, so the same index always has the same comment.
  package static func signatureComment(releaseNumber: Int64, indexDigest digest: Digest) -> String {
    "\(signatureCommentStart)\(releaseNumber)\tsha256:\(digest.hex)"
  }

  /// Returns the release number and the digest of the index from a signature's trusted comment; nil for any
  /// other comment.
  package static func parts(ofSignatureComment comment: String) -> (number: Int64, index: Digest)? {
    guard comment.hasPrefix(signatureCommentStart) else { return nil }
    let parts = comment.dropFirst(signatureCommentStart.count).split(separator: "\t")
    guard parts.count == 2, let number = Int64(parts[0]),
      let digest = Digest(prefixed: Array(parts[1].utf8)[...])
    else { return nil }
    return (number, digest)
  }

  /// The beginning of a signature's trusted comment.
  package static let signatureCommentStart = "file:\(index)\trelease:"

  /// The folder of the packs in the layout `packtool`.
  package static let packsFolder = "packs"
  /// The folder of the build cache, which only the next build uses.
  package static let recordFolder = ".packtool"
  /// The file in the build cache's folder that marks a build without a pack list, because the app has its own
  /// pack list.
  package static let ownManifest = "\(recordFolder)/own-manifest"
  /// The file that describes a shard of a build.
  ///
  /// A shard has this file instead of an index.
  package static let shardFile = "shard.json"
  /// The path of the file that a build locks while it works, relative to the output folder.
  package static let lock = "\(recordFolder)/lock"
  /// The file name extension of Xcode's packs, which are folders or zip files.
  package static let packSuffix = ".assetpack"
  /// The file at the top of an Xcode pack that describes the pack.
  package static let packInfo = "Info.plist"
  /// The list of tags and packs that Xcode puts into the app.
  package static let onDemandResources = "OnDemandResources.plist"
  /// The list of packs that devices read to download packs.
  package static let assetPackManifest = "AssetPackManifest.plist"
  /// The list of packs if the packs are inside the app.
  package static let assetPackManifestTemplate = "AssetPackManifestTemplate.plist"
  /// Both names of the list of packs; a build has one of them.
  package static let assetPackManifests = [assetPackManifest, assetPackManifestTemplate]
  /// The folder of the packs next to Xcode's property lists.
  package static let onDemandResourcesFolder = "OnDemandResources"
  /// The folder at the beginning of a hosted pack that contains metadata for unpacking.
  package static let zipMetadataFolder = "META-INF"
  /// The folder in a signed pack that contains its signature.
  package static let signatureFolder = "_CodeSignature"

  /// The folder of manifests for `ba-package`, in the layout `background-assets`.
  package static let manifestsFolder = "manifests"
  /// The folder of the archives that `ba-package` makes from the manifests.
  package static let archivesFolder = "archives"
  /// The list of tags and packs in the layout `background-assets`.
  package static let tags = "tags.json"
  /// The list of packs and their versions.
  ///
  /// Devices download it if you host the packs on your own server.
  package static let downloadManifest = "download-manifest.json"
  /// The file that contains the tags as Swift code.
  package static let tagsSource = "AssetTags.swift"
  /// The script that makes and uploads the archives.
  package static let packageScript = "package.sh"

  /// The index that a build writes into the build cache's folder if its layout has no index.
  package static let sidecarIndex = "\(recordFolder)/\(index)"

  /// Returns the layout of a built folder without an index; nil for any other folder.
  package static func layout(of folder: String) throws(SystemError) -> Layout? {
    for layout in Layout.allCases where !layout.hasIndex {
      if try FileOperations.exists(joined(folder, layout.mark)) { return layout }
    }
    return nil
  }

  /// Returns the message for a folder that should contain a manifest or an index but contains a shard of a
  /// build; nil for any other folder.
  package static func hint(onShard folder: String) throws(SystemError) -> String? {
    guard try FileOperations.exists(joined(folder, shardFile)),
      try !FileOperations.exists(joined(folder, index))
    else { return nil }
    return "\(quoted(folder)) is a shard of a build; merge all shards first, with \"packtool merge\""
  }

  /// Returns the message for a folder that should contain a manifest or an index but contains a build in a
  /// layout that has no manifest or index.
  package static func hint(onBuild folder: String) throws(SystemError) -> String? {
    if let hint = try hint(onShard: folder) { return hint }
    guard let layout = try layout(of: folder) else { return nil }
    let isSidecar = try FileOperations.exists(joined(folder, sidecarIndex))
    let what = isSidecar ? "" : " without the folder \(recordFolder) that a build leaves in it"
    return
      "\(quoted(folder)) is a built folder in the layout \(quoted(layout.rawValue))\(what); name its manifest instead"
  }

  /// The folder of patches from earlier releases.
  package static let patchesFolder = "patches"

  /// Returns the path of a pack's patch from the release whose index has the digest `old`.
  package static func patchPath(ofPack id: String, fromIndex old: Digest, patchDigest: Digest) -> String {
    let mark = id.lastIndex(of: "-").map { id.index(after: $0) } ?? id.startIndex
    return "\(patchesFolder)/\(id[mark...]).\(old.short).\(patchDigest.short).zip"
  }

  /// Returns the path of the list of all patches from an earlier release.
  package static func patchListPath(fromIndex old: Digest, listDigest: Digest) -> String {
    "\(patchesFolder)/\(old.short).\(listDigest.short).json"
  }

  /// Returns the file name of the list of all files.
  package static func contents(_ digest: Digest) -> String { "contents.\(digest.short).json" }

  /// Returns the name of the file that lists the packs in other folders, for the index with this digest.
  package static func elsewhere(_ index: Digest) -> String { "elsewhere.\(index.short).json" }

  /// Returns the path of a pack's folder, relative to the output folder, in the layout `background-assets`.
  package static func folderPath(ofPack id: String) -> String { "\(packsFolder)/\(id)" }

  /// Returns the path of a pack's folder, relative to its manifest for `ba-package`.
  package static func sourceRoot(ofPack id: String) -> String { "../\(folderPath(ofPack: id))" }

  /// Returns the path of a pack's manifest for `ba-package`, relative to the output folder.
  package static func manifestPath(ofPack id: String) -> String { "\(manifestsFolder)/\(id).json" }

  /// Returns the path of the archive that `ba-package` makes from a pack, relative to the output folder.
  ///
  /// The name contains a digest of the contents and the manifest, so archives with different contents have
  /// different names.
  package static func archivePath(ofPack id: String, contentsDigest: Digest, manifestBytes: [UInt8]) -> String
  {
    var key = ByteBuffer()
    key.append(contentsDigest.hex)
    key.append(manifestBytes[...])
    return "\(archivesFolder)/\(id).\(key.withBytes { SHA256.digest(of: $0) }.short)\(archiveSuffix)"
  }

  /// Returns the id of the pack that an archive contains, taken from the archive's file name with or without
  /// a digest; nil for other files.
  package static func pack(ofArchive name: String) -> String? {
    guard name.hasSuffix(archiveSuffix) else { return nil }
    let stem = name.dropLast(archiveSuffix.count)
    guard let dot = stem.lastIndex(of: "."), stem[dot...].count == 17 else { return String(stem) }
    return String(stem[..<dot])
  }

  private static let archiveSuffix = ".aar"
}
