package import Findings
import Formats
import Spelling
import System

extension AssetTree {
  /// The tree with the tag sets of a manifest's groups joined: files of one group get the tags of all.
  ///
  /// What is behind it need not know that packs were joined. Findings are about groups that name no pack.
  package func merging(by manifest: Manifest) -> (AssetTree, [Diagnostic]) {
    guard let rule = manifest.merge else { return (self, []) }
    let packs = mergePacks(of: manifest)
    switch rule {
    case .most(let most):
      if packs.count > MergePlan.mostPacks, packs.count > most {
        return (self, [manifest.tooManyPacks(packs.count)])
      }
      let plan = MergePlan(of: packs.map(\.pack), most: most)
      return (joining(plan.groups.map { $0.map { packs[$0].set } }), [])
    case .groups(let groups):
      let numbers = Dictionary(packs.enumerated().map { ($1.name, $0) }) { first, _ in first }
      let unknown = groups.joined().filter { numbers[$0.value] == nil }
      let sets = groups.map { $0.compactMap { numbers[$0.value] }.map { packs[$0].set } }
      var guesses = Guesses()
      let findings = unknown.map {
        manifest.unknownPack($0, guesses.nearest(to: $0.value, in: numbers.keys)?.name)
      }
      return (joining(sets), findings)
    }
  }

  /// The packs of the tree with the ids of their tag sets.
  private func mergePacks(of manifest: Manifest) -> [(set: TagSets.ID, name: String, pack: MergePlan.Pack)] {
    let order = DeliveryOrder(
      initialInstallTags: manifest.initialInstallTags.map(\.value),
      prefetchTagOrder: manifest.prefetchTagOrder.map(\.value))
    var sizes: [TagSets.ID: Int64] = [:]
    for file in files { sizes[file.tagSet] = (sizes[file.tagSet] ?? 0).saturatingSum(with: file.size) }
    return sizes.sorted { $0.key < $1.key }.map { set, size in
      let tags = tagSets.tags(of: set)
      let pack = MergePlan.Pack(tags: tags, size: size, delivery: order.delivery(of: tags))
      return (set, tags.joined(separator: "+"), pack)
    }
  }

  private func joining(_ groups: [[TagSets.ID]]) -> AssetTree {
    var tree = self
    var joined: [TagSets.ID: TagSets.ID] = [:]
    for group in groups {
      // A group may name a pack of an earlier one.
      let parts = Set(group.map { joined[$0] ?? $0 })
      guard let first = parts.min() else { continue }
      let union = parts.reduce(first) { tree.tagSets.union($0, $1) }
      for set in group + joined.filter({ parts.contains($0.value) }).keys { joined[set] = union }
    }
    if joined.isEmpty { return self }
    tree.files = FileList(files.lazy.map { $0.tagged(joined[$0.tagSet] ?? $0.tagSet) })
    return tree
  }
}

extension AssetFile {
  fileprivate func tagged(_ set: TagSets.ID) -> AssetFile {
    AssetFile(path: path, size: size, stamp: stamp, tagSet: set, destination: destination, pointer: pointer)
  }
}

extension Manifest {
  fileprivate func tooManyPacks(_ count: Int) -> Diagnostic {
    let message =
      "\"merge\" joins at most \(grouped(MergePlan.mostPacks)) packs, and there are \(grouped(count)); name groups of "
      + "packs in place of a number"
    return Diagnostic(.invalidValue, message, at: text.place(at: mergeOffset))
  }

  fileprivate func unknownPack(_ name: Located<String>, _ guess: String?) -> Diagnostic {
    Diagnostic(
      .unknownPack, "no pack has the tags \(quoted(name.value))\(suggestion(guess))",
      at: text.place(at: name.offset))
  }
}
