package import Model

extension Release {
  /// Creates the release that a build of a plan publishes.
  ///
  /// `packs` are the published packs in the order of the plan. If there is no build, the array is nil. If a
  /// pack is not built, its element is nil.
  package init(
    of plan: PackPlan, packs: [PublishedPack?]? = nil, contents: PublishedFile? = nil,
    patches: [PatchSet] = []
  ) {
    self.init(
      bundleIdentifier: plan.manifest.bundleIdentifier, profile: plan.manifest.limits.profile.name,
      ownLimits: plan.manifest.limits.overrides,
      packs: plan.packs.enumerated().map {
        Pack($1, published: packs?[$0], language: plan.manifest.writtenLanguage(of: $1.tags))
      }, tags: plan.tags,
      order: Dictionary(uniqueKeysWithValues: Delivery.allCases.map { ($0, plan.order(of: $0)) }),
      lists: TagLists(plan.manifest).keeping(plan.tags),
      untagged: plan.tree.untagged, contents: contents, device: plan.device.map { ReleaseDevice($0) },
      patches: patches)
  }
}

extension Release.Pack {
  fileprivate init(_ pack: AssetPack, published: PublishedPack?, language: String?) {
    self.init(
      id: pack.identity.identifier, name: pack.identity.name, tags: pack.tags, delivery: pack.delivery,
      priority: pack.priority, fileCount: Int64(pack.files.count), size: pack.size, published: published,
      language: language)
  }
}
