package import Published
package import PackKit
import System

// The one place that knows what plans and indexes look like.
extension SimulatedRelease {
  /// The packs of a plan, which is built of nothing yet: what comes over the link is taken to be their files.
  package init(_ plan: PackPlan, appSize: Int64?) {
    let files = plan.tree.files
    self.init(Release(of: plan), appSize: appSize) { number, _ in
      content(of: plan.packs[number].files.lazy.map { files[$0] })
    }
  }

  /// The packs of a built folder.
  package init(_ index: PublishedIndex) {
    self.init(index.release, appSize: nil) { _, pack in pack.published?.digest.prefixed ?? "" }
  }

  private init(_ release: Release, appSize: Int64?, content: (Int, Release.Pack) -> String) {
    let packs = release.packs.enumerated().map { number, pack in
      Pack(
        id: pack.id, tags: pack.tags, size: pack.size,
        transfer: pack.published?.archive.file.size ?? pack.size, content: content(number, pack))
    }
    self.init(
      packs: packs, initialInstall: release.order(of: .initialInstall),
      prefetch: release.order(of: .prefetch),
      appSize: appSize)
  }

  /// The same packs in the order that other lists of tags give them.
  func ordered(initialInstallTags: [String], prefetchTagOrder: [String]) -> SimulatedRelease {
    let order = DeliveryOrder(initialInstallTags: initialInstallTags, prefetchTagOrder: prefetchTagOrder)
    let deliveries = packs.map { order.delivery(of: $0.tags) }
    func places(_ delivery: Delivery) -> [Int] {
      let chosen = packs.indices.filter { deliveries[$0] == delivery }
      let keys = chosen.map {
        (order.place(of: packs[$0].tags, for: delivery), packs[$0].tags.count, packs[$0].id, $0)
      }
      return keys.sorted { $0 < $1 }.map(\.3)
    }
    var release = self
    release.initialInstall = places(.initialInstall)
    release.prefetch = places(.prefetch)
    return release
  }
}

/// What is equal for packs of the same files, sizes and times.
private func content(of files: some Sequence<AssetFile>) -> String {
  var lines = ByteBuffer()
  for file in files {
    lines.append("\(file.size) \(file.stamp.modified) \(file.packPath)\n")
  }
  return "files:\(lines.withBytes { SHA256.digest(of: $0) }.hex)"
}
