import Formats
import Model
import Pipeline

/// The facts about a subject, which is a file, folder, tag or pack of a plan that an argument names.
enum SubjectFacts: Sendable {
  case file(FileFacts)
  case untaggedFile(UntaggedFileFacts)
  case folder(FolderFacts)
  case tag(TagFacts)
  case pack(PackFacts, files: [MemberFile])
}

/// A tagged file: the rules that assign its tags, and the pack that contains it.
struct FileFacts: Sendable {
  let file: AssetFile
  /// The file's compressed size in the pack's archive in bytes; nil if unknown.
  let packedSize: Int64?
  let tags: [String]
  /// The rules that match the file, in the manifest's order.
  let rules: [RuleFacts]
  /// The rules that match the file but do not take it.
  let passed: [PassedRuleFacts]
  /// The pack that contains the file; nil if the plan has no pack for the file's tags.
  let pack: PackFacts?
  /// The devices that get the file; nil if all devices get the file.
  let variant: VariantFacts?
}

/// A file that is not in any pack, and the reason why it is not.
struct UntaggedFileFacts: Sendable {
  /// The path of the file below the root.
  let path: String
  /// The glob, or packtool's own rule, that excludes the file from every pack; nil if the file is not
  /// excluded.
  let exclusion: String?
  /// The rules that almost match the file; empty if the file is excluded.
  let nearRules: [NearRule]
  /// The rules that match the file but do not take it.
  let passed: [PassedRuleFacts]
  /// Whether the file is a resource of the app.
  ///
  /// All files below the root are resources, unless a project lists the resources.
  let isResource: Bool
}

/// A folder, and the packs that contain its tagged files.
struct FolderFacts: Sendable {
  /// The path of the folder below the root.
  let path: String
  let fileCount: Int
  /// The total size of the folder's tagged files in bytes.
  let size: Int64
  /// For each pack, the files of the pack that are in the folder.
  ///
  /// The list is sorted by the packs' tags.
  let shares: [FolderShareOfPack]
  /// The rules that match any of the folder's files.
  ///
  /// Each rule is included once.
  let rules: [RuleFacts]
  /// The rules that match any of the folder's files but do not take it.
  ///
  /// Each rule is listed once.
  let passed: [PassedRuleFacts]
  /// The folder's files without tags.
  let untagged: [UntaggedFile]
  /// The glob, or packtool's own rule, that excludes all files in the folder; nil if a file in the folder is
  /// packed.
  let exclusion: String?
}

/// The number and total size of those files of a pack that are in a folder.
struct FolderShareOfPack: Sendable {
  /// The pack's identifier.
  let id: String
  let tags: [String]
  let delivery: Delivery
  /// The number of the pack's files in the folder.
  let fileCount: Int
  /// The total size of these files in bytes.
  let fileSize: Int64
}

/// A tag, and the packs that a request for the tag downloads.
struct TagFacts: Sendable {
  let tag: PackPlan.Tag
  let fileCount: Int
  /// The total compressed size of the packs in bytes; nil if any of the packs is not built.
  let packedSize: Int64?
  /// The tag's positions in the manifest's lists.
  let listings: [TagListing]
  /// The packs, in the order in which they are downloaded.
  let packs: [PackFacts]
  /// The rules that assign the tag to files.
  let rules: [RuleFacts]
  /// The packs that this tag or another tag pulls into the initial install or the prefetch.
  let pulledIn: [PulledInTag]
}

/// The packs with the explained tag that are in the initial install or in the prefetch, although some of the
/// packs' tags are not in any list.
struct PulledInTag: Sendable {
  let delivery: Delivery
  let packCount: Int
  /// The total size of the packs in bytes.
  let size: Int64
  /// If the files of the packs did not have the tag, the initial install or the prefetch would be smaller by
  /// this number of bytes.
  ///
  /// The value is nil if the tag is not in any list.
  let saving: Int64?
  /// Those tags of the packs that are not in any list.
  ///
  /// If the explained tag itself is not in any list, these are the tags that are in a list.
  let others: [String]
}

/// A pack: its files, and the time when it is downloaded.
struct PackFacts: Sendable {
  let pack: Release.Pack
  /// The pack's position among the packs of its delivery mode, counted from 1, and the number of these packs;
  /// nil if the pack is on demand.
  let place: (number: Int, count: Int)?
  /// The pack's smallest and largest size on devices; nil if all devices get the same files.
  let sizes: DeviceRange?
  /// The positions of the pack's tags in the manifest's lists, if these positions decide the delivery mode.
  let listings: [TagListing]
  /// The pack's tags that are not in any list, if another tag pulls the pack into the initial install or the
  /// prefetch; otherwise empty.
  let pulledInTags: [String]
}

/// A file of a pack.
struct MemberFile: Sendable {
  /// The path of the file inside the pack.
  let path: String
  let size: Int64
  /// The file's compressed size in the archive in bytes; nil if unknown.
  let packedSize: Int64?
}

/// A rule as the manifest contains it.
struct RuleFacts: Sendable {
  /// The file, line and column of the rule's pattern.
  let place: Place
  /// The key of the rule's pattern: `path` or `glob`.
  let key: String
  let pattern: String
  let tags: [String]
  let templates: [String]
  /// The tags that the rule's tag templates generate for the explained file or tag.
  let generated: [String]
}

/// A rule that matches a file but does not take it.
struct PassedRuleFacts: Sendable {
  let rule: RuleFacts
  /// The glob in the rule's `except` that leaves out the file; nil if the rule has `otherwise`, and another
  /// rule takes the file.
  let except: String?
}

/// A rule that almost matches a file.
struct NearRule: Sendable {
  let rule: RuleFacts
  /// The reason why the rule does not match.
  let reason: String
}

/// The position of a tag in one of the manifest's two lists.
struct TagListing: Sendable {
  let place: Place
  let tag: String
  /// The key of the list in the manifest.
  let key: String
  let delivery: Delivery
  /// The tag's position in the list, counted from 1.
  let number: Int
}

/// The assets to which a variant file belongs, and the devices that get the file.
struct VariantFacts: Sendable {
  /// The assets of which the file is a variant, with the file's traits in each asset.
  ///
  /// The list is empty if no device gets the file.
  let assets: [(name: String, traits: Traits)]
  /// The device classes that get the file.
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
