import Formats
import System

/// The packs and tags of all releases of a scenario, with numbers that are the same in every release.
///
/// The numbers of packs are in the order of their identifiers, so comparing two numbers compares the
/// identifiers.
package struct PackTable: Sendable {
  let ids: [String]
  package let tagNumbers: [String: Int]
  let first: Catalog
  /// The releases that updates install, by the names that the scenario uses.
  let updates: [String: Catalog]

  struct Catalog: Sendable {
    /// The packs by number; nil if the release has no pack with that identifier.
    var packs: [SimulatedRelease.Pack?]
    var tags: [[Int]]
    /// The packs of each tag, by number; empty if the release does not have the tag.
    var packsOfTag: [[Int32]]
    var initialInstall: [Int]
    var prefetch: [Int]
    let source: SimulatedRelease
  }

  /// Numbers the packs of a release and of the named releases that updates install.
  ///
  /// Returns nil if the sum of all sizes cannot be represented.
  package init?(_ release: SimulatedRelease, updates: [String: SimulatedRelease] = [:]) {
    let all = [release] + updates.values
    let ids = Set(all.lazy.flatMap { $0.packs.lazy.map(\.id) }).sorted { $0.precedesInBytes($1) }
    let sizes: [Int64] = all.flatMap { [$0.appSize ?? 0] + $0.packs.map(\.size) }
    if sizes.exactSum == nil { return nil }
    let tags = Set(all.lazy.flatMap { $0.packs.lazy.flatMap(\.tags) })
    let tagNumbers = Dictionary(uniqueKeysWithValues: zip(tags, 0...))
    let numbers = Dictionary(uniqueKeysWithValues: zip(ids, 0...))
    (self.ids, self.tagNumbers) = (ids, tagNumbers)
    first = Catalog(release, numbers: numbers, tagNumbers: tagNumbers)
    self.updates = updates.mapValues { Catalog($0, numbers: numbers, tagNumbers: tagNumbers) }
  }
}

extension PackTable.Catalog {
  fileprivate init(_ release: SimulatedRelease, numbers: [String: Int], tagNumbers: [String: Int]) {
    packs = Array(repeating: nil, count: numbers.count)
    tags = Array(repeating: [], count: numbers.count)
    packsOfTag = Array(repeating: [], count: tagNumbers.count)
    let places = release.packs.map { numbers[$0.id] ?? 0 }
    for (pack, number) in zip(release.packs, places) where packs[number] == nil {
      packs[number] = pack
      tags[number] = Set(pack.tags).compactMap { tagNumbers[$0] }
    }
    for number in packs.indices {
      for tag in tags[number] { packsOfTag[tag].append(Int32(number)) }
    }
    initialInstall = Self.once(release.initialInstall.map { places[$0] })
    prefetch = Self.once(release.prefetch.map { places[$0] })
    source = release
  }

  /// Removes repeated packs from an order, because an index may contain anything.
  private static func once(_ order: [Int]) -> [Int] {
    var seen: Set<Int> = []
    return order.filter { seen.insert($0).inserted }
  }

  /// The size of a pack on a device, in bytes.
  func size(_ pack: Int) -> Int64 { packs[pack]?.size ?? 0 }

  /// Returns the bytes of a pack over the network: of a patch, if there is one from the release whose pack
  /// the device has.
  func transferSize(ofPack pack: Int, fromRelease old: Digest?) -> Int64 {
    guard let pack = packs[pack] else { return 0 }
    return old.flatMap { source.patches[$0]?[pack.id] } ?? pack.transfer
  }

  func packs(of tags: [Int]) -> [Int32] {
    guard let first = tags.first else { return [] }
    if tags.count == 1 { return packsOfTag[first] }
    return Set(tags.lazy.flatMap { packsOfTag[$0] }).sorted()
  }
}

extension PackTable {
  /// Returns the tags of a pack by its number, from the first release that has it.
  package func tags(of pack: Int) -> [String] {
    let all = [first.packs[pack]] + updates.sorted { $0.key < $1.key }.map { $0.value.packs[pack] }
    return all.lazy.compactMap { $0 }.first?.tags ?? []
  }

  /// All tags of the first release, sorted.
  package var tags: [String] {
    Set(first.packs.lazy.flatMap { $0?.tags ?? [] }).sorted { $0.precedesInBytes($1) }
  }
}
