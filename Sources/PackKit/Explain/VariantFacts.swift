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
    return VariantFacts(
      assets: assets.map { ($0.owner, $0.traits) }, devices: reached, count: devices.count)
  }
}
