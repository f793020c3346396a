package import PackKit

/// The variants among the files of a release that was read from a manifest.
package struct ReleaseVariants: Sendable {
  /// The classes of devices that count.
  package let devices: [DeviceClass]
  private let plan: PackPlan
  /// The index in the tree of each file of the release.
  private let numbers: [Int]

  /// The variants of a plan with its files in the order of a release; nil if there are none.
  init?(of plan: PackPlan, for devices: [DeviceClass], _ numbers: [Int]) {
    if plan.tree.variants.isEmpty || devices.isEmpty || plan.device != nil { return nil }
    self.devices = devices
    self.plan = plan
    self.numbers = numbers
  }

  /// The slices; classes of devices that get the same share one slice.
  package var slices: [ReleaseSlice] { Slices(of: plan, for: devices).releases(of: plan) }

  /// For each kind of asset the variant that a class of devices gets; equal where two classes get the same.
  func picks(on device: DeviceClass) -> [Int?] { plan.tree.variants.picks(on: device) }

  /// Whether a class of devices lacks each file of the release.
  func isDropped(on device: DeviceClass) -> [Bool] {
    let dropped = plan.tree.variants.isDropped(on: device, of: plan.tree.files.count)
    return numbers.map { dropped[$0] }
  }
}
