import Formats
import Model
import Pipeline

/// The facts of a plan about a subject that an argument of a command can name.
enum SubjectFacts: Sendable {
  case file(FileFacts)
  case untaggedFile(UntaggedFileFacts)
  case folder(FolderFacts)
  case tag(TagFacts)
  case pack(PackFacts, files: [MemberFile])
}

/// A tagged file: the rules that give its tags, and the pack that it is in.
struct FileFacts: Sendable {
  let file: AssetFile
  /// Its compressed size in the pack's archive in bytes; nil if unknown.
  let packedSize: Int64?
  let tags: [String]
  /// The rules that match it, in the manifest's order.
  let rules: [RuleFacts]
  /// The pack that it is in; nil if the plan has no pack for its tags.
  let pack: PackFacts?
  /// The devices that get it; nil if all devices do.
  let variant: VariantFacts?
}

/// A file that is in no pack, with the reason.
struct UntaggedFileFacts: Sendable {
  /// The path below the root.
  let path: String
  /// The glob or built-in name that excludes it from every pack.
  let exclusion: String?
  /// The rules that almost match it; empty if it is excluded.
  let nearRules: [NearRule]
  /// Whether it is a resource of the app; all files below the root are, unless a project lists the resources.
  let isResource: Bool
}

/// A folder: the packs that its tagged files are in.
struct FolderFacts: Sendable {
  /// The path below the root.
  let path: String
  let fileCount: Int
  /// The size of its tagged files in bytes.
  let size: Int64
  /// The part of each pack, sorted by the packs' tags.
  let shares: [PackShare]
  /// The rules that match some of its files, each once.
  let rules: [RuleFacts]
  /// Its files without tags.
  let untagged: [UntaggedFile]
  /// If nothing in it is packed, the glob or built-in name that excludes its files.
  let exclusion: String?
}

/// The part of one pack that is in a folder.
struct PackShare: Sendable {
  /// The pack's identifier.
  let id: String
  let tags: [String]
  let delivery: Delivery
  /// The number of the pack's files in the folder.
  let fileCount: Int
  /// The size of these files in bytes.
  let size: Int64
}

/// A tag: the packs that a request for it downloads.
struct TagFacts: Sendable {
  let tag: PackPlan.Tag
  let fileCount: Int
  /// The compressed size of the packs in bytes; nil if one of them is not built.
  let packedSize: Int64?
  /// The places in the manifest's lists that name the tag.
  let listings: [TagListing]
  /// The packs, in the order in which they are downloaded.
  let packs: [PackFacts]
  /// The rules that give the tag to files.
  let rules: [RuleFacts]
  /// The packs that are pulled into the initial install or the prefetch by another tag, or by this tag.
  let pulledIn: [PulledInTag]
}

/// Packs with the tag that are downloaded early, although some of their tags are in no list.
struct PulledInTag: Sendable {
  let delivery: Delivery
  let packCount: Int
  /// The size of the packs in bytes.
  let size: Int64
  /// The number of bytes that the delivery would save if these files did not have the tag; nil if no list
  /// names the tag.
  let saving: Int64?
  /// The tags of the packs that no list names.
  ///
  /// For a tag that no list names, they are the tags that lists name.
  let others: [String]
}

/// A pack: its files, and when it is downloaded.
struct PackFacts: Sendable {
  let pack: Release.Pack
  /// Its place among the packs of its delivery mode, counted from 1, and their number; nil for packs on
  /// demand.
  let place: (number: Int, count: Int)?
  /// Its smallest and largest size on devices; nil if all devices get the same.
  let sizes: DeviceRange?
  /// The places in the manifest's lists that name its tags, if they decide its delivery mode.
  let listings: [TagListing]
  /// Its tags that no list names, if its other tags pull it into the initial install or the prefetch.
  let pulledInTags: [String]
}

/// A file of a pack.
struct MemberFile: Sendable {
  /// The path inside the pack.
  let path: String
  let size: Int64
  /// Its compressed size in the archive in bytes; nil if unknown.
  let packedSize: Int64?
}

/// A rule of the manifest, as it was written.
struct RuleFacts: Sendable {
  /// The place of its pattern.
  let place: Place
  /// The key of its pattern: `path` or `glob`.
  let key: String
  let pattern: String
  let tags: [String]
  let templates: [String]
  /// The generated tags of its templates for the file or tag that is explained.
  let generated: [String]
}

/// A rule that almost matches a file.
struct NearRule: Sendable {
  let rule: RuleFacts
  /// The reason why it does not match.
  let reason: String
}

/// The place of a tag in one of the manifest's two lists.
struct TagListing: Sendable {
  let place: Place
  let tag: String
  /// The key of the list.
  let key: String
  let delivery: Delivery
  /// The position in the list, counted from 1.
  let number: Int
}

/// The assets of a variant file, and the devices that get it.
struct VariantFacts: Sendable {
  /// The assets that it is a variant of, with the traits that the file has there; empty if no device gets it.
  let assets: [(name: String, traits: Traits)]
  /// The device classes that get it.
  let devices: [DeviceClass]
  /// The number of device classes that were checked.
  let count: Int
}

extension PackPlan {
  func variantFacts(ofFile number: Int, for devices: [DeviceClass]) -> VariantFacts? {
    let variants = tree.variants
    guard variants.isMember(Int32(number)) else { return nil }
    let assets = variants.variants(of: Int32(number))
    let count = tree.files.count
    let reached = devices.filter { !variants.isDropped(on: $0, fileCount: count)[number] }
    return VariantFacts(
      assets: assets.map { ($0.owner, $0.traits) }, devices: reached, count: devices.count)
  }
}
