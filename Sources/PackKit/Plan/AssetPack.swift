/// All files with the same tag set, which are downloaded together.
package struct AssetPack: Sendable {
  /// The tags, sorted as Swift strings.
  package let tags: [String]
  package let identity: PackIdentity
  package let delivery: Delivery
  /// Xcode's download priority; nil if the pack is on demand.
  package let priority: Double?
  /// The indices of the files in the tree, in byte order of their paths inside the pack.
  package let files: [Int]
  /// The size of the files in bytes.
  package let size: Int64
}
