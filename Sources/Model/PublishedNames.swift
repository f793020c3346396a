import Formats
package import System

/// The names of published files, shared by the writers and readers of built folders.
package enum PublishedNames {
  /// The index in the layout `packtool`.
  package static let index = "index.json"
  /// The signature of the index, in the form of minisign.
  package static let signature = "\(index)\(signatureSuffix)"
  /// The most bytes of a signature, of which minisign's comments may have most.
  package static let maxSignatureSize = 1 << 14
  /// What the name of a signature has behind that of the file.
  package static let signatureSuffix = ".minisig"

  /// The signed comment of a signature that a build writes.
  ///
  /// It says which index it is of, so that a wrong one is noticed without a key; no time makes it differ.
  package static func signatureComment(releaseNumber: Int64, indexDigest digest: Digest) -> String {
    "\(signatureCommentStart)\(releaseNumber)\tsha256:\(digest.hex)"
  }

  /// The number and the digest of the index in such a comment; nil for any other.
  package static func parts(ofSignatureComment comment: String) -> (number: Int64, index: Digest)? {
    guard comment.hasPrefix(signatureCommentStart) else { return nil }
    let parts = comment.dropFirst(signatureCommentStart.count).split(separator: "\t")
    guard parts.count == 2, let number = Int64(parts[0]),
      let digest = Digest(prefixed: Array(parts[1].utf8)[...])
    else { return nil }
    return (number, digest)
  }

  /// What that comment begins with.
  package static let signatureCommentStart = "file:\(index)\trelease:"

  /// The folder of the packs, in the layout `packtool`.
  package static let packsFolder = "packs"
  /// The folder of the record, which only the next build uses.
  package static let recordFolder = ".packtool"
  /// The file beside the record that says that the app brings its own list of packs, so that the build has none.
  package static let ownManifest = "\(recordFolder)/own-manifest"
  /// The description of a part of a build, in place of an index.
  package static let shardFile = "shard.json"
  /// The path of the file that a build locks while it works, relative to the output folder.
  package static let lock = "\(recordFolder)/lock"
  /// The file name extension of Xcode's packs, both folders and zipped ones.
  package static let packSuffix = ".assetpack"
  /// The file that describes one of Xcode's packs, at the top of the pack.
  package static let packInfo = "Info.plist"
  /// The list of tags and packs that Xcode puts into the app.
  package static let onDemandResources = "OnDemandResources.plist"
  /// The list of packs that devices download from.
  package static let assetPackManifest = "AssetPackManifest.plist"
  /// The same list for packs inside the app.
  package static let assetPackManifestTemplate = "AssetPackManifestTemplate.plist"
  /// Both names of that list, of which a build has one.
  package static let assetPackManifests = [assetPackManifest, assetPackManifestTemplate]
  /// The folder of the packs next to Xcode's property lists.
  package static let onDemandResourcesFolder = "OnDemandResources"
  /// The folder at the front of a hosted pack with the metadata for unpacking.
  package static let zipMetadataFolder = "META-INF"
  /// The folder in a signed pack with its signature.
  package static let signatureFolder = "_CodeSignature"

  /// The folder of manifests for `ba-package`, in the layout `background-assets`.
  package static let manifestsFolder = "manifests"
  /// The folder of the archives that `ba-package` makes of them.
  package static let archivesFolder = "archives"
  /// The list of tags and packs in that layout.
  package static let tags = "tags.json"
  /// What devices download from a server of one's own, with versions.
  package static let downloadManifest = "download-manifest.json"
  /// The tags as Swift code.
  package static let tagsSource = "AssetTags.swift"
  /// The script that makes and uploads the archives.
  package static let packageScript = "package.sh"

  /// The index that a build in a layout without one leaves beside its record.
  package static let sidecarIndex = "\(recordFolder)/\(index)"

  /// The layout of a folder that holds a build in one without an index.
  package static func layout(of folder: String) throws(SystemError) -> String? {
    let layouts = [
      (onDemandResourcesFolder, "xcode"), (tagsSource, "background-assets"), (assetPackManifest, "hosted"),
    ]
    for (file, layout) in layouts where try FileOperations.exists(joined(folder, file)) { return layout }
    return nil
  }

  /// The message where a folder was to have a manifest or an index, but holds a build in a layout without one.
  package static func hint(onBuild folder: String) throws(SystemError) -> String? {
    guard let layout = try layout(of: folder) else { return nil }
    let isSidecar = try FileOperations.exists(joined(folder, sidecarIndex))
    let what = isSidecar ? "" : " without the \(recordFolder) that packtool leaves in it"
    return "\(quoted(folder)) is a build in the layout \(quoted(layout))\(what); name its manifest"
  }

  /// The folder of patches from earlier releases.
  package static let patchesFolder = "patches"

  /// The path of a pack's patch from the release whose index has the digest `old`.
  package static func patchPath(ofPack id: String, fromIndex old: Digest, patchDigest: Digest) -> String {
    let mark = id.lastIndex(of: "-").map { id.index(after: $0) } ?? id.startIndex
    return "\(patchesFolder)/\(id[mark...]).\(old.short).\(patchDigest.short).zip"
  }

  /// The path of the list of all patches from that release.
  package static func patchListPath(fromIndex old: Digest, listDigest: Digest) -> String {
    "\(patchesFolder)/\(old.short).\(listDigest.short).json"
  }

  /// The file name of the list of all files.
  package static func contents(_ digest: Digest) -> String { "contents.\(digest.short).json" }

  /// The file name of the list of packs in other folders that an index with this digest names.
  package static func elsewhere(_ index: Digest) -> String { "elsewhere.\(index.short).json" }

  /// The path of a pack's folder, relative to the output folder, in the layout `background-assets`.
  package static func folderPath(ofPack id: String) -> String { "\(packsFolder)/\(id)" }

  /// The path of a pack's folder as its manifest has it.
  package static func sourceRoot(ofPack id: String) -> String { "../\(folderPath(ofPack: id))" }

  /// The path of the manifest for `ba-package` of a pack, relative to the output folder.
  package static func manifestPath(ofPack id: String) -> String { "\(manifestsFolder)/\(id).json" }

  /// The path of the archive that `ba-package` makes of a pack, relative to the output folder.
  ///
  /// It is named by what goes into it, contents and manifest, so that an archive of another state has another name.
  package static func archivePath(ofPack id: String, contentsDigest: Digest, manifestBytes: [UInt8]) -> String
  {
    var key = ByteBuffer()
    key.append(contentsDigest.hex)
    key.append(manifestBytes[...])
    return "\(archivesFolder)/\(id).\(key.withBytes { SHA256.digest(of: $0) }.short)\(archiveSuffix)"
  }

  /// The pack that an archive is of, by its file name in any state; nil for other files.
  package static func pack(ofArchive name: String) -> String? {
    guard name.hasSuffix(archiveSuffix) else { return nil }
    let stem = name.dropLast(archiveSuffix.count)
    guard let dot = stem.lastIndex(of: "."), stem[dot...].count == 17 else { return String(stem) }
    return String(stem[..<dot])
  }

  private static let archiveSuffix = ".aar"

  /// The path of a pack, relative to the output folder, in the layout `packtool`.
  package static func archive(ofPack name: String, digest: Digest, in container: Container) -> String {
    "\(packsFolder)/\(fileName(ofPack: name, digest: digest.short, in: container))"
  }

  /// A pack's name in its folder, in the layout `packtool`; `digest` is the short one of its archive.
  package static func fileName(ofPack name: String, digest: String, in container: Container) -> String {
    "\(name).\(digest)\(container.suffix)"
  }
}
