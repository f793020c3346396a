import Formats
import System

/// Packs that devices download early because of one of their tags, although the packs also have tags that are
/// in neither list.
///
/// The packs all have the same delivery mode: the initial install or the prefetch.
///
/// If all packs of a delivery mode are pulled in, nothing is reported, because without the tag that pulls
/// them in, the delivery mode would have no packs. A tag that extends a listed tag, as "Level 1 update"
/// extends "Level 1", counts as listed.
package struct PulledInPacks: Sendable {
  package let delivery: Delivery
  /// The indices of the packs in the release, the largest pack first.
  package let packs: [Int]
  /// The size of these packs in bytes.
  package let size: Int64
  /// The tags that are in no list.
  ///
  /// Each tag has the total size of the pulled-in packs that carry it. The tags are in descending order of
  /// this size.
  package let unlisted: [(tag: String, size: Int64)]
  /// The tags that pull in the packs, in descending order of saving.
  ///
  /// The saving of a tag is the number of bytes that would not be pulled in if the files of these packs did
  /// not have the tag.
  package let listed: [(tag: String, saving: Int64)]
  /// For each pack, its tags that are in no list.
  package let unlistedOfPack: [Int: [String]]

  /// Finds the packs that a release pulls in; nil if no pack is pulled in.
  fileprivate init?(_ delivery: Delivery, of release: Release, deliveries: [String: Delivery]) {
    var unlistedOfPack: [Int: [String]] = [:]
    for number in release.order(of: delivery) {
      let tags = release.packs[number].tags
      let listed = tags.filter { deliveries[$0] != .onDemand }
      let others = tags.filter { tag in deliveries[tag] == .onDemand && !listed.contains { tag.extends($0) } }
      if !others.isEmpty { unlistedOfPack[number] = others }
    }
    if unlistedOfPack.isEmpty { return nil }
    self.delivery = delivery
    self.unlistedOfPack = unlistedOfPack
    packs = unlistedOfPack.keys.sorted { (release.packs[$1].size, $0) < (release.packs[$0].size, $1) }
    size = packs.saturatingSum { release.packs[$0].size }
    if size == release.count(of: delivery).size { return nil }
    var sizes: [String: Int64] = [:]
    var savings: [String: Int64] = [:]
    for number in packs {
      let pack = release.packs[number]
      for tag in unlistedOfPack[number] ?? [] {
        sizes[tag] = (sizes[tag] ?? 0).saturatingSum(with: pack.size)
      }
      let ownTags = pack.tags.filter { deliveries[$0] == delivery }
      for tag in ownTags {
        savings[tag] = (savings[tag] ?? 0).saturatingSum(with: ownTags.count == 1 ? pack.size : 0)
      }
    }
    unlisted = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    listed = savings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }
}

extension String {
  /// Whether this tag consists of another tag, followed by more words.
  fileprivate func extends(_ tag: String) -> Bool {
    guard hasPrefix(tag), let next = dropFirst(tag.count).first else { return false }
    return !next.isLetter && !next.isNumber
  }
}

extension Release {
  /// The packs that are pulled into the initial install and into the prefetch.
  ///
  /// A delivery mode without pulled-in packs is left out.
  package var pulledInPacks: [PulledInPacks] {
    let deliveries = Dictionary(tags.map { ($0.name, $0.delivery) }) { first, _ in first }
    return [Delivery.initialInstall, .prefetch].compactMap {
      PulledInPacks($0, of: self, deliveries: deliveries)
    }
  }
}

extension PulledInPacks {
  /// A text for people: the tags that are in no list, with the size of their packs.
  package var unlistedText: String {
    let shown = unlisted.count > Self.maxNamed ? Self.maxNamed - 1 : unlisted.count
    let names = unlisted.prefix(shown).map { "\(quoted($0.tag)) (\(ByteSize.text($0.size)))" }
    let more = shown < unlisted.count ? " and \(grouped(unlisted.count - shown)) more" : ""
    return names.joined(separator: ", ") + more
  }

  private static let maxNamed = 4
}
