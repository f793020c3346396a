import Formats
import Model
import Pipeline

/// The facts of a plan about something in it that an argument of a command can name.
enum SubjectFacts: Sendable {
  case file(FileFacts)
  case untaggedFile(UntaggedFileFacts)
  case folder(FolderFacts)
  case tag(TagFacts)
  case pack(PackFacts, files: [MemberFile])
}

/// A tagged file: what gives its tags, and the pack that they put it into.
struct FileFacts: Sendable {
  let file: AssetFile
  /// Bytes inside the pack's archive; nil where that is not known.
  let packedSize: Int64?
  let tags: [String]
  /// The rules that match it, in the manifest's order.
  let rules: [RuleFacts]
  /// The pack that it is in; nil where the plan has none for its tags.
  let pack: PackFacts?
  /// Which devices get it; nil if all do.
  let variant: VariantFacts?
}

/// A file that is in no pack, and why.
struct UntaggedFileFacts: Sendable {
  /// The path below the root.
  let path: String
  /// The glob or built-in name that keeps it out of every pack.
  let exclusion: String?
  /// The rules that almost match it; empty where it is excluded.
  let nearRules: [NearRule]
  /// Whether it is among the app's resources, as all files below the root are unless a project names them.
  let isResource: Bool
}

/// A folder: which packs its tagged files are in.
struct FolderFacts: Sendable {
  /// The path below the root.
  let path: String
  let fileCount: Int
  /// Bytes of its tagged files.
  let size: Int64
  /// The state of each pack, sorted by the packs' tags.
  let shares: [PackShare]
  /// The rules that match some of its files, each once.
  let rules: [RuleFacts]
  /// Its files without tags.
  let untagged: [UntaggedFile]
  /// Where nothing is packed, the glob or built-in name that keeps its files out.
  let exclusion: String?
}

/// What one pack has in a folder.
struct PackShare: Sendable {
  /// The pack's identifier.
  let id: String
  let tags: [String]
  let delivery: Delivery
  /// The number of the pack's files in the folder.
  let fileCount: Int
  /// Bytes of these files.
  let size: Int64
}

/// A tag: what a request for it downloads.
struct TagFacts: Sendable {
  let tag: PackPlan.Tag
  let fileCount: Int
  /// Bytes of their archives; nil where one is not built.
  let packedSize: Int64?
  /// Where the manifest's lists name it.
  let listings: [TagListing]
  /// The packs in the order in which they are downloaded.
  let packs: [PackFacts]
  /// The rules that give it.
  let rules: [RuleFacts]
  /// The packs that come along with the initial install or the prefetch.
  let pulledIn: [PulledInTag]
}

/// The packs of a tag that are downloaded early although some of their tags are in no list.
struct PulledInTag: Sendable {
  let delivery: Delivery
  let packCount: Int
  /// Bytes of the packs.
  let size: Int64
  /// The bytes that the delivery would be smaller without the tag on their files; nil if no list names the tag.
  let saving: Int64?
  /// The tags of the packs that no list names or, for a tag that no list names, those that lists name.
  let others: [String]
}

/// A pack: what it holds, and when it is downloaded.
struct PackFacts: Sendable {
  let pack: Release.Pack
  /// Its place among the packs of its delivery, counted from 1, and how many these are; nil where it is on demand.
  let place: (number: Int, count: Int)?
  /// Its slices; nil if all get the same.
  let sizes: DeviceRange?
  /// Where the manifest's lists name its tags, as far as they make its delivery.
  let listings: [TagListing]
  /// Its tags that no list names, if others of its tags make it part of the initial install or the prefetch.
  let pulledInTags: [String]
}

/// A file of a pack.
struct MemberFile: Sendable {
  /// The path inside the pack.
  let path: String
  let size: Int64
  /// Bytes inside the archive; nil where that is not known.
  let packedSize: Int64?
}

/// A rule of the manifest as it was written.
struct RuleFacts: Sendable {
  /// The place of its pattern.
  let place: Place
  /// The key of its pattern: `path` or `glob`.
  let key: String
  let pattern: String
  let tags: [String]
  let templates: [String]
  /// The tags that its templates make of the file or tag that is explained.
  let generated: [String]
}

/// A rule that almost matches a file.
struct NearRule: Sendable {
  let rule: RuleFacts
  /// Why it does not match.
  let reason: String
}

/// A place of a tag in one of the manifest's two lists.
struct TagListing: Sendable {
  let place: Place
  let tag: String
  /// The key of the list.
  let key: String
  let delivery: Delivery
  /// The place in the list, counted from 1.
  let number: Int
}

/// What a variant file is, and which devices get it.
struct VariantFacts: Sendable {
  /// The assets that it is a variant of, each with the traits that the file has there; empty if no device gets it.
  let assets: [(name: String, traits: Traits)]
  /// The device classes that get it.
  let devices: [DeviceClass]
  /// The number of device classes that were asked.
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
