package import Formats

/// A place of a tag in one of the manifest's two lists.
package struct TagListing: Sendable {
  /// The list's key in the manifest.
  package let key: String
  /// When packs are downloaded that carry a tag of the list.
  package let delivery: Delivery
  /// The first place in the list, counted from 1.
  package let number: Int
  package let tag: Located<String>
}

extension PackPlan {
  /// Where the manifest's lists name a tag.
  package func listings(of tag: String) -> [TagListing] {
    let lists = [
      ("initialInstallTags", Delivery.initialInstall, manifest.initialInstallTags),
      ("prefetchTagOrder", .prefetch, manifest.prefetchTagOrder),
    ]
    return lists.compactMap { key, delivery, list in
      list.firstIndex { $0.value == tag }.map { index in
        TagListing(key: key, delivery: delivery, number: index + 1, tag: list[index])
      }
    }
  }

  /// Where the lists name the tags of a pack, as far as they make its delivery.
  package func listings(ofPack number: Int) -> [TagListing] {
    let pack = packs[number]
    return pack.tags.flatMap { tag in listings(of: tag).filter { $0.delivery == pack.delivery } }
  }

  /// The place of a pack in the order of its delivery, counted from 1; nil where it is on demand.
  package func place(ofPack number: Int) -> Int? {
    let delivery = packs[number].delivery
    if delivery == .onDemand { return nil }
    return order(of: delivery).firstIndex(of: number).map { $0 + 1 }
  }
}
