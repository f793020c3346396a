import Formats
import Model
import Pipeline

/// The facts of a plan about something in it that an argument of a command can name.
enum SubjectFacts: Sendable {
  case file(FileFacts)
  case untaggedFile(UntaggedFileFacts)
  case folder(FolderFacts)
  case tag(TagFacts)
  case pack(PackFacts, files: [PackedFile])
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
  /// The rules that almost match it, each with the reason why it does not match; empty where it is excluded.
  let nearRules: [(rule: RuleFacts, reason: String)]
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

/// The state of one pack in a folder, by its identifier, with the files that it has there and their bytes.
typealias PackShare = (id: String, tags: [String], delivery: Delivery, fileCount: Int, size: Int64)

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
  let dragged: [DraggedTag]
}

/// The packs of a tag that are downloaded early beside tags that no list names, and their bytes; `saving` are the bytes that
/// the delivery would be smaller without the tag on their files, nil if no list names it, and `others` the tags on the
/// other side: those that no list names, or for such a tag those of lists.
typealias DraggedTag = (delivery: Delivery, packCount: Int, size: Int64, saving: Int64?, others: [String])

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
  let draggedTags: [String]
}

/// A file by its path inside a pack, with its bytes and those inside the archive; nil where these are not known.
typealias PackedFile = (path: String, size: Int64, packedSize: Int64?)

/// A rule of the manifest as it was written, by the place, key and text of its pattern; `made` are the tags that its
/// templates make of the file or tag that is explained.
typealias RuleFacts = (
  place: Place, key: String, pattern: String, tags: [String], templates: [String], made: [String]
)

/// A place of a tag in one of the manifest's two lists, by the list's key; its number is counted from 1.
typealias TagListing = (place: Place, tag: String, key: String, delivery: Delivery, number: Int)

/// A file that is a variant: the assets that it is one of with its traits there, none for what no device gets; the classes
/// of devices that get it, and how many were asked.
typealias VariantFacts = (assets: [(name: String, traits: Traits)], devices: [DeviceClass], count: Int)

extension PackPlan {
  func variantFacts(ofFile number: Int, for devices: [DeviceClass]) -> VariantFacts? {
    let variants = tree.variants
    guard variants.isMember(Int32(number)) else { return nil }
    let assets = variants.variants(of: Int32(number))
    let count = tree.files.count
    let reached = devices.filter { !variants.isDropped(on: $0, of: count)[number] }
    return (assets.map { ($0.owner, $0.traits) }, reached, devices.count)
  }
}
