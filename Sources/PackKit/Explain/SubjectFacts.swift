package import Findings

/// The facts of a plan about a subject that a word names.
package enum SubjectFacts: Sendable {
  case file(FileFacts)
  case untaggedFile(UntaggedFileFacts)
  case folder(FolderFacts)
  case tag(TagFacts)
  case pack(PackFacts, files: [PackedFile])
}

/// A tagged file: what gives its tags, and the pack that they put it into.
package struct FileFacts: Sendable {
  /// The path below the root.
  package let path: String
  /// The path inside the pack.
  package let packPath: String
  /// Whether a rule gives the path inside the pack.
  package let hasDestination: Bool
  /// Bytes.
  package let size: Int64
  /// Bytes inside the pack's archive; nil where that is not known.
  package let packedSize: Int64?
  package let tags: [String]
  /// The rules that match it, in the manifest's order.
  package let rules: [RuleFacts]
  /// The pack that it is in; nil where the plan has none for its tags.
  package let pack: PackFacts?
  /// Which devices get it; nil if all do.
  package let variant: VariantFacts?
}

/// A file that is in no pack, and why.
package struct UntaggedFileFacts: Sendable {
  /// The path below the root.
  package let path: String
  /// The glob or built-in name that keeps it out of every pack.
  package let exclusion: String?
  /// The rules that almost match it, each with the reason why it does not match; empty where it is excluded.
  package let nearRules: [(rule: RuleFacts, reason: String)]
  /// Whether it is among the app's resources, as all files below the root are unless a project names them.
  package let isResource: Bool
}

/// A folder: which packs its tagged files are in.
package struct FolderFacts: Sendable {
  /// The path below the root.
  package let path: String
  package let fileCount: Int
  /// Bytes of its tagged files.
  package let size: Int64
  /// The state of each pack, sorted by the packs' tags.
  package let shares: [PackShare]
  /// The rules that match some of its files, each once.
  package let rules: [RuleFacts]
  /// Its files without tags.
  package let untagged: [UntaggedFile]
  /// Where nothing is packed, the glob or built-in name that keeps its files out.
  package let exclusion: String?
}

/// The state of one pack in a folder.
package struct PackShare: Sendable {
  /// The pack's identifier.
  package let id: String
  package let tags: [String]
  package let delivery: Delivery
  package let fileCount: Int
  /// Bytes of the files.
  package let size: Int64
}

/// A tag: what a request for it downloads.
package struct TagFacts: Sendable {
  package let tag: String
  package let delivery: Delivery
  package let fileCount: Int
  /// Bytes of all its packs.
  package let size: Int64
  /// Bytes of their archives; nil where one is not built.
  package let packedSize: Int64?
  /// Where the manifest's lists name it.
  package let listings: [TagListing]
  /// The packs in the order in which they are downloaded.
  package let packs: [PackFacts]
  /// The rules that give it.
  package let rules: [RuleFacts]
  /// The packs that come along with the initial install or the prefetch.
  package let dragged: [DraggedTag]
}

/// The packs of a tag that are downloaded early beside tags that no list names.
package struct DraggedTag: Sendable {
  package let delivery: Delivery
  package let packCount: Int
  /// Bytes of these packs.
  package let size: Int64
  /// The bytes that the delivery would be smaller without the tag on their files; nil if no list names the tag.
  package let saving: Int64?
  /// The tags on the other side: those that no list names, or for such a tag those of lists.
  package let others: [String]
}

/// A pack: what it holds, and when it is downloaded.
package struct PackFacts: Sendable {
  package let identity: PackIdentity
  package let tags: [String]
  package let delivery: Delivery
  package let priority: Double?
  package let fileCount: Int
  /// Bytes of its files.
  package let size: Int64
  /// Bytes of its archive; nil where it is not built.
  package let packedSize: Int64?
  /// Its place among the packs of its delivery, counted from 1, and how many these are; nil where it is on demand.
  package let place: (number: Int, count: Int)?
  /// Its slices; nil if all get the same.
  package let sizes: DeviceRange?
  /// Where the manifest's lists name its tags, as far as they make its delivery.
  package let listings: [TagListing]
  /// Its tags that no list names, if others of its tags make it part of the initial install or the prefetch.
  package let draggedTags: [String]
}

/// A file inside a pack.
package struct PackedFile: Sendable {
  /// The path inside the pack.
  package let path: String
  /// Bytes.
  package let size: Int64
  /// Bytes inside the pack's archive; nil where that is not known.
  package let packedSize: Int64?
}

/// A rule of the manifest.
package struct RuleFacts: Sendable {
  /// The place of its pattern.
  package let place: Place
  /// The key that its pattern has in a manifest: `path` or `glob`.
  package let key: String
  /// The pattern as it was written.
  package let pattern: String
  /// The tags that every file gets.
  package let tags: [String]
  /// The templates of further tags.
  package let templates: [String]
  /// The tags that these make of the file or tag that is explained.
  package let made: [String]
}

/// A place of a tag in one of the manifest's two lists.
package struct TagListing: Sendable {
  /// Where the list names it.
  package let place: Place
  package let tag: String
  /// The list's key in the manifest.
  package let key: String
  /// When packs are downloaded that carry a tag of the list.
  package let delivery: Delivery
  /// The first place in the list, counted from 1.
  package let number: Int
}

/// A file that is a variant, and which devices get it.
package struct VariantFacts: Sendable {
  /// The assets that it is a variant of, each with the traits that it has there; none for what no device gets.
  package let assets: [(name: String, traits: Traits)]
  /// The classes of devices that get it.
  package let devices: [DeviceClass]
  /// The number of classes that were asked.
  package let count: Int
}

/// The least and the most that a class of devices gets.
package struct DeviceRange: Sendable {
  /// Bytes on a class of devices.
  package struct Bound: Sendable {
    package let device: DeviceClass
    /// Bytes.
    package let size: Int64
  }

  package let least: Bound
  package let most: Bound

  /// The range of a size on some classes, of each bound the first class; nil without classes.
  package init?(on devices: [DeviceClass], _ size: (Int) -> Int64) {
    let sizes = devices.indices.map(size)
    guard let least = sizes.min(), let most = sizes.max(), let first = sizes.firstIndex(of: least),
      let last = sizes.firstIndex(of: most)
    else { return nil }
    self.least = Bound(device: devices[first], size: least)
    self.most = Bound(device: devices[last], size: most)
  }
}

extension PackPlan {
  /// The variant facts of a file; nil if every device gets it.
  func variantFacts(ofFile number: Int, for devices: [DeviceClass]) -> VariantFacts? {
    let variants = tree.variants
    guard variants.isMember(Int32(number)) else { return nil }
    let assets = variants.variants(of: Int32(number))
    let count = tree.files.count
    let reached = devices.filter { !variants.isDropped(on: $0, of: count)[number] }
    return VariantFacts(assets: assets.map { ($0.owner, $0.traits) }, devices: reached, count: devices.count)
  }
}
