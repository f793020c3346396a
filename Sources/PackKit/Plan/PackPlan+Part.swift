import System

extension PackPlan {
  /// The plan with some of its packs, by their indices in ascending order; its tree still has all files.
  package func part(_ numbers: [Int]) -> PackPlan { part(numbers, of: packs) }

  /// The same with other files in its packs, which are `all` in the order of the plan's.
  func part(_ numbers: [Int], of all: [AssetPack]) -> PackPlan {
    let places = Dictionary(uniqueKeysWithValues: zip(numbers, 0...))
    let packs = numbers.map { all[$0] }
    let tags = tags.compactMap { tag -> TagSummary? in
      let kept = tag.packs.compactMap { places[$0] }
      if kept.isEmpty { return nil }
      return TagSummary(
        tag: tag.tag, delivery: tag.delivery, packs: kept, size: kept.saturatingSum { packs[$0].size })
    }
    let orders = Delivery.allCases.map { ($0, order(of: $0).compactMap { places[$0] }) }
    var part = PackPlan(
      manifest: manifest, tree: tree, packs: packs, tags: tags,
      downloadOrder: Dictionary(uniqueKeysWithValues: orders))
    part.device = device
    return part
  }
}
