import PackKit

/// What each class of devices gets of a plan.
struct SlicesReport {
  /// The release for all devices, whose packs each slice has, some perhaps empty.
  let release: Release
  /// The size of the app bundle in bytes; nil if unknown.
  let appSize: Int64?
  /// Each class with its slice, in the order of the table.
  let devices: [(device: DeviceClass, slice: Release)]

  init(of plan: PackPlan, for classes: [DeviceClass], appSize: Int64?) {
    release = Release(of: plan)
    self.appSize = appSize
    let slices = Slices(of: plan, for: classes)
    let releases = slices.releases(of: plan).map(\.release)
    devices = zip(classes, slices.numbers).map { ($0, releases[$1]) }
  }

  /// The smallest and the largest of a size; nil without classes.
  func range(of size: (Release) -> Int64) -> DeviceRange? {
    DeviceRange(on: devices.map(\.device)) { size(devices[$0].slice) }
  }
}
