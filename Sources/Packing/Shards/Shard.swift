import Formats
import PackKit
import System

/// One part of a build whose parts are made apart, each on a machine of its own.
package struct Shard: Sendable, Hashable {
  /// The number of the part, from 1.
  package let number: Int
  /// How many parts there are.
  package let count: Int

  /// The most parts that a build may have.
  package static let mostParts = 10_000

  /// A part; nil unless 1 ≤ number ≤ count.
  package init?(_ number: Int, of count: Int) {
    guard (1...Self.mostParts).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// The indices of this part's packs in a plan, ascending.
  ///
  /// The largest pack goes first, each to the part with the fewest bytes so far: of equal parts to the lower number,
  /// and of equal packs by identifier.
  func packs(of plan: PackPlan) -> [Int] {
    var sizes = Array(repeating: Int64(0), count: count)
    var mine: [Int] = []
    // The packs of a plan are sorted by identifier.
    for pack in plan.packs.indices.sorted(by: { (-plan.packs[$0].size, $0) < (-plan.packs[$1].size, $1) }) {
      guard let part = sizes.indices.min(by: { (sizes[$0], $0) < (sizes[$1], $1) }) else { break }
      sizes[part] = sizes[part].saturatingSum(with: plan.packs[pack].size)
      if part == number - 1 { mine.append(pack) }
    }
    return mine.sorted()
  }
}

extension PackPlan {
  /// The digest of everything that all parts of a build must agree on: the index without archives, and the paths and
  /// sizes of all files.
  var digest: Digest {
    var digest = SHA256()
    IndexFormat.bytes(of: Release(of: self)).withBytes { digest.update($0) }
    var lines = ByteBuffer()
    for pack in packs {
      for number in pack.files {
        lines.append("\(tree.files[number].size) ")
        lines.append(json: tree.files[number].packPath)
        lines.append(UInt8(ascii: "\n"))
      }
      lines.withBytes { digest.update($0) }
      lines.clear()
    }
    return digest.finish()
  }
}

extension PackSettings {
  /// The same settings for a part of a plan, which publishes a description of the part in place of lists.
  func publishing(_ shard: Shard, of whole: PackPlan) -> PackSettings {
    PackSettings(
      self, ShardLayout(base: layout, format: ShardFormat(shard: shard, whole: whole, settings: self)))
  }
}
