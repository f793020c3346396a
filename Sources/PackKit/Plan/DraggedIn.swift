import Findings
import System

/// The packs of a delivery that come along only because they carry a tag of its list beside tags that no list names.
package struct DraggedIn: Sendable {
  package let delivery: Delivery
  /// The indices of the packs in the release, the largest first.
  package let packs: [Int]
  /// Bytes of these packs.
  package let size: Int64
  /// The tags that no list names, with the bytes of these packs that carry each, the largest first.
  package let unlisted: [(tag: String, size: Int64)]
  /// The tags that bring the packs along, with the bytes that would stay away if the files of these packs did not have
  /// the tag, the largest first.
  package let listed: [(tag: String, saving: Int64)]

  /// The packs that a release downloads in such a way; nil if there are none.
  fileprivate init?(_ delivery: Delivery, of release: Release, _ deliveries: [String: Delivery]) {
    let packs = release.order(of: delivery).filter { number in
      release.packs[number].tags.contains { deliveries[$0] == .onDemand }
    }
    if packs.isEmpty || delivery == .onDemand { return nil }
    self.delivery = delivery
    self.packs = packs.sorted { (release.packs[$1].size, $0) < (release.packs[$0].size, $1) }
    size = packs.saturatingSum { release.packs[$0].size }
    var sizes: [String: Int64] = [:]
    var savings: [String: Int64] = [:]
    for pack in packs.map({ release.packs[$0] }) {
      for tag in pack.tags where deliveries[tag] == .onDemand {
        sizes[tag] = (sizes[tag] ?? 0).saturatingSum(with: pack.size)
      }
      let bearers = pack.tags.filter { deliveries[$0] == delivery }
      for tag in bearers {
        savings[tag] = (savings[tag] ?? 0).saturatingSum(with: bearers.count == 1 ? pack.size : 0)
      }
    }
    unlisted = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    listed = savings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }
}

extension Release {
  /// The packs that are dragged into the initial install and the prefetch; none of a delivery without such packs.
  package var draggedIn: [DraggedIn] {
    let deliveries = Dictionary(tags.map { ($0.name, $0.delivery) }) { first, _ in first }
    return Delivery.allCases.compactMap { DraggedIn($0, of: self, deliveries) }
  }
}

extension DraggedIn {
  /// The tags that no list names, with their bytes, for people.
  package var unlistedText: String {
    let shown = unlisted.count > Self.mostNamed ? Self.mostNamed - 1 : unlisted.count
    let more = unlisted.count - shown
    let names = unlisted.prefix(shown).map { "\(quoted($0.tag)) (\(ByteSize.text($0.size)))" }
    return names.joined(separator: ", ") + (more > 0 ? " and \(grouped(more)) more" : "")
  }

  /// The number of tags that texts name.
  private static let mostNamed = 4
}
