import Published
package import PackKit
import System

/// The download of an update by class of devices.
package struct DeviceReach: Sendable {
  /// Classes that download as much.
  package struct Group: Sendable {
    /// Bytes of whole packs, as each of the devices has them.
    package let download: Int64
    package internal(set) var devices: [DeviceClass]
  }

  /// The classes by their download, the largest first; those that download nothing are the last.
  package let groups: [Group]
  /// The number of all classes.
  package var count: Int { groups.reduce(0) { $0 + $1.devices.count } }

  /// The reach of an update; nil if its newer release has no variants.
  package init?(of update: Comparison) {
    guard let variants = update.new.variants else { return nil }
    let slices = UpdateSlices(update)
    var downloads: [[[Int?]]: Int64] = [:]
    var groups: [Int64: Group] = [:]
    for device in variants.devices {
      let picks = [variants.picks(on: device), update.old.variants?.picks(on: device) ?? []]
      let download = downloads[picks] ?? slices.download(on: device)
      downloads[picks] = download
      groups[download, default: Group(download: download, devices: [])].devices.append(device)
    }
    self.groups = groups.values.sorted { $0.download > $1.download }
  }
}

/// Both releases of an update, of which a device has only some files.
private struct UpdateSlices {
  private let update: Comparison
  /// For each file of the older release the one of the newer at the same path; used if the older has no variants of
  /// its own, as a built folder has none.
  private let twins: [Int?]

  init(_ update: Comparison) {
    self.update = update
    twins = update.old.variants == nil ? Self.twins(update.old.contents, update.new.contents) : []
  }

  /// Merges both lists of files, which are in byte order of their paths.
  private static func twins(_ old: PublishedContents, _ new: PublishedContents) -> [Int?] {
    var next = 0
    return (0..<old.count).map { file in
      let path = old.path(file)
      while next < new.count, new.path(next).lexicographicallyPrecedes(path) { next += 1 }
      return next < new.count && new.path(next) == path ? next : nil
    }
  }

  /// The bytes of packs that are new to a device, or not what it has.
  func download(on device: DeviceClass) -> Int64 {
    let droppedNew = update.new.variants?.isDropped(on: device) ?? []
    let droppedOld =
      update.old.variants?.isDropped(on: device) ?? twins.map { twin in twin.map { droppedNew[$0] } ?? false }
    return update.packs.reduce(0) { sum, change in
      guard let number = change.new else { return sum }
      let new = update.new.contents.files(of: number).filter { !droppedNew[Int($0)] }
      let old = change.old.map { update.old.contents.files(of: $0).filter { !droppedOld[Int($0)] } }
      if let old, isSame(old, new) { return sum }
      return new.reduce(sum) { $0.saturatingSum(with: update.new.size($1)) }
    }
  }

  private func isSame(_ old: [Int32], _ new: [Int32]) -> Bool {
    old.count == new.count
      && zip(old, new).allSatisfy { old, new in
        update.old.digest(old) == update.new.digest(new)
          && update.old.contents.path(Int(old)) == update.new.contents.path(Int(new))
      }
  }
}
