import Findings
import System

/// A slice of a release: its packs and tags with their own sizes, some perhaps empty.
package struct ReleaseSlice: Sendable {
  package let release: Release
  /// The classes, which all get the same.
  package let devices: [DeviceClass]
  /// Proposals to split a pack, by its index, to fit a limit in bytes.
  let split: @Sendable (Int, Int64) -> [Diagnostic.Note]
}

extension Slices {
  /// The slices of the plan that these were made of, as releases.
  package func releases(of plan: PackPlan) -> [ReleaseSlice] {
    let all = Release(of: plan)
    return distinct.map { slice in
      let devices = slice.devices.map { self.devices[$0] }
      return ReleaseSlice(release: all.with(slice.packs), devices: devices) { number, limit in
        plan.split(ofPack: number, limit: limit, on: devices[0])
      }
    }
  }
}

extension PackPlan {
  /// Proposals to split what a class of devices gets of a pack, by the pack's index.
  fileprivate func split(ofPack number: Int, limit: Int64, on device: DeviceClass) -> [Diagnostic.Note] {
    let slice = thinned(for: device)
    let place = slice.packs.firstIndex { $0.identity == packs[number].identity }
    return place.map { slice.split(ofPack: $0, limit: limit) } ?? []
  }
}

extension Release {
  /// The release with other numbers of files and sizes of its packs.
  fileprivate func with(_ counts: [FileCount]) -> Release {
    Release(
      bundleIdentifier: bundleIdentifier, profile: profile,
      packs: zip(packs, counts).map { pack, count in
        Pack(
          id: pack.id, name: pack.name, tags: pack.tags, delivery: pack.delivery, priority: pack.priority,
          fileCount: Int64(count.files), size: count.size, published: pack.published)
      },
      tags: tags.map { tag in
        Tag(
          name: tag.name, delivery: tag.delivery, packs: tag.packs,
          size: tag.packs.reduce(0) { $0.saturatingSum(with: counts[$1].size) })
      },
      order: Dictionary(uniqueKeysWithValues: Delivery.allCases.map { ($0, order(of: $0)) }),
      untagged: untagged, contents: contents, device: device)
  }
}
