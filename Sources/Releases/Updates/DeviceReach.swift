import Published
package import PackKit
import System

/// Classes of devices that download as much of an update.
package struct DeviceReach: Sendable {
  /// Bytes of whole packs, as each of the devices has them.
  package let download: Int64
  package private(set) var devices: [DeviceClass] = []

  /// The classes by their download, the largest first and those that download nothing last; nil if the newer release has
  /// no variants.
  package static func all(of update: Comparison) -> [DeviceReach]? {
    guard let variants = update.new.variants else { return nil }
    // For each file of the older release the one of the newer at the same path; used if the older has no variants of
    // its own, as a built folder has none.
    let twins = update.old.variants == nil ? twins(update.old.contents, update.new.contents) : []
    var downloads: [[[Int?]]: Int64] = [:]
    var groups: [Int64: DeviceReach] = [:]
    for device in variants.devices {
      let picks = [variants.picks(on: device), update.old.variants?.picks(on: device) ?? []]
      let download = downloads[picks] ?? update.download(on: device, twins)
      downloads[picks] = download
      groups[download, default: DeviceReach(download: download)].devices.append(device)
    }
    return groups.values.sorted { $0.download > $1.download }
  }
}

private func twins(_ old: PublishedContents, _ new: PublishedContents) -> [Int?] {
  let numbers = Dictionary(new.indices.map { (new.path($0), $0) }) { first, _ in first }
  return old.indices.map { numbers[old.path($0)] }
}

extension Comparison {
  /// The bytes of packs that are new to a device, which has only some files of both releases, or not what it has.
  fileprivate func download(on device: DeviceClass, _ twins: [Int?]) -> Int64 {
    let droppedNew = self.new.variants?.isDropped(on: device) ?? []
    let droppedOld =
      self.old.variants?.isDropped(on: device) ?? twins.map { twin in twin.map { droppedNew[$0] } ?? false }
    return packs.reduce(0) { sum, change in
      guard let number = change.new else { return sum }
      let new = self.new.contents.files(of: number).filter { !droppedNew[Int($0)] }
      let old = change.old.map { self.old.contents.files(of: $0).filter { !droppedOld[Int($0)] } }
      if let old, isSame(old, new) { return sum }
      return new.reduce(sum) { $0.saturatingSum(with: self.new.size($1)) }
    }
  }

  private func isSame(_ old: [Int32], _ new: [Int32]) -> Bool {
    old.count == new.count
      && zip(old, new).allSatisfy { old, new in
        self.old.digest(old) == self.new.digest(new)
          && self.old.contents.path(Int(old)) == self.new.contents.path(Int(new))
      }
  }
}
