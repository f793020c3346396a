package import Formats

/// An entry of a tag in one of the manifest's two lists.
package struct TagListing: Sendable {
  /// The list's key in the manifest.
  package let key: String
  /// When packs with a tag of the list are downloaded.
  package let delivery: Delivery
  /// The first position in the list, counted from 1.
  package let number: Int
  package let tag: Located<String>
}

extension PackPlan {
  /// The entries of a tag in the manifest's lists.
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

  /// The entries of a pack's tags in the list that decides its delivery.
  package func listings(ofPack number: Int) -> [TagListing] {
    let pack = packs[number]
    return pack.tags.flatMap { tag in listings(of: tag).filter { $0.delivery == pack.delivery } }
  }

  /// The position of a pack in the order of its delivery, counted from 1; nil if it is on demand.
  package func place(ofPack number: Int) -> Int? {
    let delivery = packs[number].delivery
    if delivery == .onDemand { return nil }
    return order(of: delivery).firstIndex(of: number).map { $0 + 1 }
  }
}
