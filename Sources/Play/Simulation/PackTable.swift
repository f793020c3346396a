import Formats
import System

/// The packs and tags of all releases of a scenario, with numbers that are the same in every release.
///
/// Packs with the same identifier, contents and size have the same number in all releases. If contents or
/// sizes differ, the numbers also differ, because a device can store two such packs at the same time. The
/// numbers are in the order of the identifiers, so comparing two numbers compares the identifiers.
package struct PackTable: Sendable {
  let ids: [String]
  /// For each pack number, the position of the pack's identifier in `ids`.
  let rows: [Int]
  /// The size of each pack on a device in bytes, by the pack's number.
  let sizes: [Int64]
  /// The tags of the packs with each identifier, from the first release that has such a pack.
  private let tagsOfRow: [[String]]
  package let tagNumbers: [String: Int]
  let first: Catalog
  /// The releases that updates install, by the names that the scenario uses.
  let updates: [String: Catalog]

  struct Catalog: Sendable {
    /// The release's packs by number.
    ///
    /// The element of a number is nil if the release does not have that pack.
    var packs: [SimulatedRelease.Pack?]
    /// For each identifier, the number of the release's pack with this identifier; nil if the release has no
    /// such pack.
    var numbersByRow: [Int?]
    var tags: [[Int]]
    /// The numbers of the packs of each tag; empty if the release does not have the tag.
    var packsOfTag: [[Int32]]
    var initialInstall: [Int]
    var prefetch: [Int]
    let source: SimulatedRelease
  }

  /// Assigns numbers to the packs of a release, and of the releases that updates install.
  ///
  /// Returns nil if the sum of all sizes cannot be represented.
  package init?(_ release: SimulatedRelease, updates: [String: SimulatedRelease] = [:]) {
    let all = [release] + updates.sorted { $0.key < $1.key }.map(\.value)
    let ids = Set(all.lazy.flatMap { $0.packs.lazy.map(\.id) }).sorted { $0.precedesInBytes($1) }
    let sizes: [Int64] = all.flatMap { [$0.appSize ?? 0] + $0.packs.map(\.size) }
    if sizes.exactSum == nil { return nil }
    let tags = Set(all.lazy.flatMap { $0.packs.lazy.flatMap(\.tags) })
    let tagNumbers = Dictionary(uniqueKeysWithValues: zip(tags, 0...))
    let numbering = PackNumbers(of: all, ids: ids)
    (self.ids, self.tagNumbers) = (ids, tagNumbers)
    (rows, self.sizes, tagsOfRow) = (numbering.rows, numbering.sizes, numbering.tagsOfRow)
    first = Catalog(release, numbering: numbering, tagNumbers: tagNumbers)
    self.updates = updates.mapValues { Catalog($0, numbering: numbering, tagNumbers: tagNumbers) }
  }
}

/// Assigns numbers to the packs of several releases.
private struct PackNumbers {
  /// The properties that decide whether two packs with the same identifier are the same pack.
  struct Contents: Hashable {
    let content: String
    let size: Int64
  }

  private(set) var rows: [Int] = []
  private(set) var sizes: [Int64] = []
  private(set) var tagsOfRow: [[String]]
  let rowsByID: [String: Int]
  /// For each identifier, by its position, the numbers of the packs that have this identifier.
  private(set) var numbers: [[Contents: Int]]

  init(of releases: [SimulatedRelease], ids: [String]) {
    rowsByID = Dictionary(uniqueKeysWithValues: zip(ids, 0...))
    tagsOfRow = Array(repeating: [], count: ids.count)
    numbers = Array(repeating: [:], count: ids.count)
    var found: [[Contents]] = Array(repeating: [], count: ids.count)
    for release in releases {
      var seen = Set<Int>()
      // A hostile index can contain an identifier twice. Only the first pack with this identifier is used.
      for pack in release.packs {
        guard let row = rowsByID[pack.id], seen.insert(row).inserted else { continue }
        if found[row].isEmpty { tagsOfRow[row] = pack.tags }
        let contents = Contents(content: pack.content, size: pack.size)
        if numbers[row].updateValue(0, forKey: contents) == nil { found[row].append(contents) }
      }
    }
    for (row, contents) in found.enumerated() {
      for one in contents {
        numbers[row][one] = rows.count
        rows.append(row)
        sizes.append(one.size)
      }
    }
  }

  /// Returns the position of a pack's identifier.
  func row(of pack: SimulatedRelease.Pack) -> Int { rowsByID[pack.id] ?? 0 }

  /// Returns the number of a pack.
  ///
  /// The pack must be the first pack with its identifier in its release.
  func number(of pack: SimulatedRelease.Pack) -> Int {
    numbers[row(of: pack)][Contents(content: pack.content, size: pack.size)] ?? 0
  }
}

extension PackTable.Catalog {
  fileprivate init(_ release: SimulatedRelease, numbering: PackNumbers, tagNumbers: [String: Int]) {
    packs = Array(repeating: nil, count: numbering.rows.count)
    tags = Array(repeating: [], count: numbering.rows.count)
    packsOfTag = Array(repeating: [], count: tagNumbers.count)
    numbersByRow = Array(repeating: nil, count: numbering.rowsByID.count)
    var places: [Int] = []
    places.reserveCapacity(release.packs.count)
    for pack in release.packs {
      let row = numbering.row(of: pack)
      if let number = numbersByRow[row] {
        places.append(number)
        continue
      }
      let number = numbering.number(of: pack)
      numbersByRow[row] = number
      packs[number] = pack
      tags[number] = Set(pack.tags).compactMap { tagNumbers[$0] }
      places.append(number)
    }
    for number in packs.indices {
      for tag in tags[number] { packsOfTag[tag].append(Int32(number)) }
    }
    initialInstall = Self.once(release.initialInstall.map { places[$0] })
    prefetch = Self.once(release.prefetch.map { places[$0] })
    source = release
  }

  /// Removes repeated packs from an order, because a hostile index can contain a pack several times.
  private static func once(_ order: [Int]) -> [Int] {
    var seen: Set<Int> = []
    return order.filter { seen.insert($0).inserted }
  }

  /// Returns the size of a pack on a device, in bytes.
  func size(_ pack: Int) -> Int64 { packs[pack]?.size ?? 0 }

  /// Returns the number of bytes that a device downloads for a pack.
  ///
  /// If a patch exists that starts from the release of the pack on the device, this is the size of the patch.
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
  /// Returns the tags of a pack, from the first release that has a pack with the same identifier.
  package func tags(of pack: Int) -> [String] { tagsOfRow[pack] }

  /// All tags of the first release, sorted.
  package var tags: [String] {
    Set(first.packs.lazy.flatMap { $0?.tags ?? [] }).sorted { $0.precedesInBytes($1) }
  }
}
