import Archiving

// The one place that knows what plans and indexes look like.
extension SimulatedRelease {
  /// The packs of a plan, which is built of nothing yet: what comes over the link is taken to be their files.
  package init(_ plan: PackPlan, appSize: Int64?) {
    let files = plan.tree.files
    let packs = plan.packs.map { pack in
      Pack(
        id: pack.identity.identifier, tags: pack.tags, size: pack.size, transfer: pack.size,
        content: content(of: pack.files.lazy.map { files[$0] }))
    }
    self.init(
      packs: packs, initialInstall: plan.order(of: .initialInstall), prefetch: plan.order(of: .prefetch),
      appSize: appSize)
  }

  /// The packs of a built folder.
  package init(_ index: PublishedIndex) {
    let packs = index.packs.map { pack in
      Pack(
        id: pack.id, tags: pack.tags, size: pack.size, transfer: pack.archive.file.size,
        content: pack.digest.prefixed)
    }
    let numbers = Dictionary(zip(packs.map(\.id), 0...)) { first, _ in first }
    func order(_ delivery: Delivery) -> [Int] {
      (index.deliveries[delivery]?.packs ?? []).compactMap { numbers[$0] }
    }
    self.init(packs: packs, initialInstall: order(.initialInstall), prefetch: order(.prefetch))
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
  var digest = SHA256()
  lines.withBytes { digest.update($0) }
  return "files:\(digest.finish().hex)"
}
