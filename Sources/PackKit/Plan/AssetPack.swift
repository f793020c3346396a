/// All files with the same tag set: the unit of download.
package struct AssetPack: Sendable {
  /// Sorted as Swift strings.
  package let tags: [String]
  package let identity: PackIdentity
  package let delivery: Delivery
  /// Xcode's download priority; nil where the pack is on demand.
  package let priority: Double?
  /// The files by their number in the tree, in byte order of their paths inside the pack.
  package let files: [Int]
  /// Bytes of the files.
  package let size: Int64
}
