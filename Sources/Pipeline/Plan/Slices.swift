package import Model
import System

/// The slices of a plan.
package struct Slices: Sendable {
  /// The device classes for which slices are computed, in the order of the table.
  package let devices: [DeviceClass]
  /// The distinct slices; device classes that get the same files share one slice.
  package private(set) var distinct: [Slice] = []
  /// For each device class, the index of its slice in `distinct`.
  package private(set) var numbers: [Int] = []

  /// The files that some device classes get.
  package struct Slice: Sendable {
    /// The device classes, by their index in `devices`.
    package fileprivate(set) var devices: [Int]
    /// The number of files and bytes that the slice has of each pack, by the pack's index in the plan.
    package let packs: [FileCount]
  }

  /// Computes the slices of a plan for some device classes.
  package init(of plan: PackPlan, for devices: [DeviceClass]) {
    self.devices = devices
    let variants = plan.tree.variants
    let all = plan.packs.map { FileCount(files: $0.files.count, size: $0.size) }
    let packOfFile = variants.isEmpty ? [] : plan.packOfFile
    var known: [[Int?]: Int] = [:]
    for (number, device) in devices.enumerated() {
      let picks = variants.picks(on: device)
      if let slice = known[picks] {
        distinct[slice].devices.append(number)
        numbers.append(slice)
        continue
      }
      known[picks] = distinct.count
      numbers.append(distinct.count)
      let dropped = variants.isEmpty ? [] : variants.isDropped(byPicks: picks, fileCount: packOfFile.count)
      let counts = dropped.isEmpty ? all : plan.counts(without: dropped, packOfFile: packOfFile)
      distinct.append(Slice(devices: [number], packs: counts))
    }
  }

  /// Returns the slice of a device class, by its index.
  package func slice(_ device: Int) -> Slice { distinct[numbers[device]] }
}

extension PackPlan {
  /// The index of each file's pack; -1 for a file that is in no pack.
  package var packOfFile: [Int32] {
    var numbers = Array(repeating: Int32(-1), count: tree.files.count)
    for (number, pack) in packs.enumerated() {
      for file in pack.files { numbers[file] = Int32(number) }
    }
    return numbers
  }

  fileprivate func counts(without dropped: [Bool], packOfFile: [Int32]) -> [FileCount] {
    var counts = packs.map { _ in FileCount() }
    for (file, pack) in packOfFile.enumerated() where pack >= 0 && !dropped[file] {
      counts[Int(pack)].files += 1
      counts[Int(pack)].size = counts[Int(pack)].size.saturatingSum(with: tree.files[file].size)
    }
    return counts
  }

  /// Returns the plan with only the files that one device class gets.
  ///
  /// The tree of the new plan still has all files.
  package func thinned(for device: DeviceClass) -> PackPlan {
    var plan = self
    if !tree.variants.isEmpty {
      let dropped = tree.variants.isDropped(on: device, fileCount: tree.files.count)
      let packs = packs.map { pack in pack.with(pack.files.filter { !dropped[$0] }, of: tree) }
      let left = packs.indices.filter { !packs[$0].files.isEmpty }
      plan = part(left, of: packs)
    }
    plan.device = device
    return plan
  }
}

extension AssetPack {
  fileprivate func with(_ files: [Int], of tree: AssetTree) -> AssetPack {
    AssetPack(
      tags: tags, identity: identity, delivery: delivery, priority: priority, files: files,
      size: files.saturatingSum { tree.files[$0].size })
  }
}
