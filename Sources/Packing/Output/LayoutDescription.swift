package import Model
import Pipeline
import System

/// Everything that tells one layout from another while packs are planned, written and removed.
///
/// Each layout has one value, in the file of its `PackLayout`. No property has a default value, so a new layout
/// must decide about each of them.
package struct LayoutDescription: Sendable {
  /// A summary of the output, for the flag's help.
  package let summary: String
  /// The end of a message, which gives advice about variant files.
  let hintOnVariants: String
  /// The limit profile that the layout uses by default; nil to use the manifest's profile.
  package let profile: LimitProfile?
  /// The machine code that packs can contain; nil if the limit profile decides this.
  let code: CodeRule?
  /// Whether devices put the files of all packs into one folder.
  let sharesPaths: Bool
  /// The end of a message, which says why a build in this layout cannot be split into shards; nil if it can
  /// be split.
  package let reasonAgainstParts: String?

  /// The name of the file that every build publishes last.
  let indexName: String
  /// The paths, relative to the output folder, of folders that a build makes in addition to the folder of
  /// packs.
  let madeFolders: [String]
  /// The folders that only some builds have.
  ///
  /// A build removes outdated files from these folders.
  let cleanedFolders: [String]
  /// The paths, relative to the output folder, that every build in this layout has.
  let buildMarks: [String]

  let naming: PackNaming
  /// The container of all packs; nil to use the container that the user chooses.
  let container: Container?
  /// The compression of all packs; nil to use the compression that the user chooses.
  let compression: Compression?
  let extras: PackExtras
  /// Whether `XcodeSettings`, and the manifest's lists of tags, affect the bytes of packs.
  let usesXcodeSettings: Bool

  /// Returns the path of a file that another program wrote and that the first build in the folder would
  /// replace; nil if there is no such file.
  let foreignFile: @Sendable (_ output: OutputFolder) throws(SystemError) -> String?
  /// Returns the paths, relative to the folder, of other files that have to be removed together with packs of
  /// older builds.
  ///
  /// The packs are given by their paths. The release is the one that the build publishes.
  let leftovers:
    @Sendable (_ output: OutputFolder, _ removed: [String], _ release: Release) throws(SystemError)
      -> [String]
}

/// The entries that the packs of a layout have in addition to the files.
enum PackExtras: Sendable {
  case none
  /// The `Info.plist` at the top of a pack that is a folder.
  case info
  /// The entries with which a device can unpack a zip while it downloads it.
  case streaming

  /// Names that the layout itself uses at the top of a pack.
  ///
  /// Files cannot have these names there.
  var reservedNames: [String] {
    switch self {
    case .none: []
    case .info: [PublishedNames.packInfo]
    case .streaming: [PublishedNames.packInfo, PublishedNames.zipMetadataFolder]
    }
  }
}

/// The way in which a layout names packs.
struct PackNaming: Sendable {
  /// Returns the name of a pack's file or folder.
  let name: @Sendable (NamedPack) -> String
  /// Whether a file name has the format of a pack's name.
  let isName: @Sendable (String) -> Bool
  /// Whether a name contains the digest of the archive.
  ///
  /// If not, publishing replaces existing files.
  let containsDigest: Bool
  /// Whether a name begins with the app's bundle identifier.
  ///
  /// If not, only the build cache and the index show which packs are this app's.
  let containsBundleIdentifier: Bool

  /// A pack that gets a name.
  struct NamedPack {
    let pack: AssetPack
    let archive: WrittenFile
    let container: Container
    /// The ID of the pack in Background Assets.
    let id: () -> String
  }

  /// The names of packtool's own packs, which can be cached forever.
  static let digest = PackNaming(
    name: {
      PublishedNames.fileName(
        ofPack: $0.pack.identity.name, digest: $0.archive.digest.short, in: $0.container)
    },
    isName: { name in
      Container.allCases.contains { container in
        name.hasSuffix(container.suffix)
          && hasDigest(atEndOf: name.dropLast(container.suffix.count), digits: 16, after: ".")
      }
    },
    containsDigest: true, containsBundleIdentifier: true)

  /// The names that Xcode gives to packs.
  static let xcode = PackNaming(
    name: { $0.pack.identity.name + PublishedNames.packSuffix },
    isName: { name in
      name.hasSuffix(PublishedNames.packSuffix)
        && hasDigest(atEndOf: name.dropLast(PublishedNames.packSuffix.count), digits: 32, after: "-")
    },
    containsDigest: false, containsBundleIdentifier: true)

  /// The IDs of packs in Background Assets.
  static let assetPackID = PackNaming(
    name: { $0.id() }, isName: AssetPackID.isName, containsDigest: false, containsBundleIdentifier: false)
}

/// Whether a name ends with a mark and this number of lowercase hexadecimal digits.
func hasDigest(atEndOf name: Substring, digits: Int, after mark: Character) -> Bool {
  let digest = name.suffix(digits)
  return digest.count == digits && digest.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    && name.dropLast(digits).last == mark
}
