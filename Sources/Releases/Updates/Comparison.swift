import Published
import Findings
import PackKit
import System

/// The changes of an update from an older to a newer release.
package struct Comparison: Sendable {
  package let old: ReleaseContents
  package let new: ReleaseContents
  /// Every pack of either release, by identifier.
  package private(set) var packs: [PackChange]
  /// Whether the newer release has patches from the older one.
  package let isPatched: Bool
  /// Bytes of the index and the list of patches as they are sent; nil where the newer release is not built.
  package let indexDownload: Int64?
  /// The contents of the older release, each with its first file.
  let oldContents: [Digest: Int32]
  private let numbers: [String: Int]

  package init(_ old: ReleaseContents, _ new: ReleaseContents) {
    self.old = old
    self.new = new
    let ids = Set(old.packs.map(\.id) + new.packs.map(\.id)).sorted { $0.precedesInBytes($1) }
    let patches = new.release.patches(from: old.release)
    isPatched = patches != nil
    indexDownload = new.indexDownload(from: old)
    packs = ids.map { PackChange($0, old, new, patch: patches?[$0]) }
    numbers = Dictionary(uniqueKeysWithValues: zip(ids, 0...))
    let isAnyNew = packs.contains { $0.download > 0 || !$0.files.isEmpty }
    let files = old.contents
    oldContents =
      isAnyNew
      ? Dictionary((0..<files.count).lazy.map { (files.digest($0), Int32($0)) }) { $1 } : [:]
    findMoves()
    findTwins()
  }

  /// The change of the pack with an identifier; nil if neither release has it.
  package func change(ofPack id: String) -> PackChange? { numbers[id].map { packs[$0] } }

  /// The number of packs with a status, and their size in bytes.
  package func count(_ status: PackChange.Status) -> (packs: Int, size: Int64) {
    let packs = packs.filter { $0.status == status }
    return (packs.count, packs.saturatingSum { $0.size })
  }

  /// The size in bytes of the archives of the packs with a status; nil where one is not built.
  package func packedSize(of status: PackChange.Status) -> Int64? {
    packs.reduce(0) { $1.status == status ? $0.saturatingSum(with: $1.packedSize) : $0 }
  }

  func isKnown(_ file: Int32) -> Bool { oldContents[new.digest(file)] != nil }

  /// A changed file, by the index of its pack in `packs` and its own index there.
  private typealias Spot = (pack: Int, file: Int)

  private func spots(_ change: PackChange.Change) -> [Spot] {
    packs.indices.flatMap { pack in
      packs[pack].files.indices.filter { packs[pack].files[$0].change == change }.map { (pack, $0) }
    }
  }

  /// Finds files that moved from one pack to another because their tag set changed.
  private mutating func findMoves() {
    // Several packs may have one path: the first that lost it gave it to the first that gained it.
    let removed = spots(.removed).sorted { file($0).old ?? 0 < file($1).old ?? 0 }
    var gone = Dictionary(grouping: removed) { old.contents.path(Int(file($0).old ?? 0)) }.mapValues {
      $0[...]
    }
    for spot in spots(.added).sorted(by: { file($0).new ?? 0 < file($1).new ?? 0 }) {
      guard let first = gone[new.contents.path(Int(file(spot).new ?? 0))]?.popFirst() else { continue }
      packs[first.pack].files[first.file].otherPack = packs[spot.pack].new
      packs[spot.pack].files[spot.file].otherPack = packs[first.pack].old
    }
  }

  private func file(_ spot: Spot) -> PackChange.File { packs[spot.pack].files[spot.file] }

  /// Finds files whose content the older release has at another path, preferably a removed one.
  private mutating func findTwins() {
    var gone: [Digest: Int32] = [:]
    for spot in spots(.removed) where file(spot).otherPack == nil {
      if let old = file(spot).old { gone[self.old.digest(old)] = old }
    }
    for spot in spots(.added) where file(spot).otherPack == nil {
      guard let number = file(spot).new, new.size(number) > 0 else { continue }
      let digest = new.digest(number)
      guard let twin = gone[digest] ?? oldContents[digest],
        old.contents.path(Int(twin)) != new.contents.path(Int(number))
      else { continue }
      packs[spot.pack].files[spot.file].twin = twin
    }
  }
}

extension Comparison {
  /// A file of the newer release that moved to another pack because its tag set changed, with the indices of both packs,
  /// each in its release, and whether its content changed too.
  package typealias Move = (file: Int32, from: Int, to: Int, isChanged: Bool)

  /// Every file that moved, in byte order of the paths.
  package var moves: [Move] {
    let moves = packs.flatMap { pack in
      pack.files.compactMap { file -> Move? in
        guard let from = file.otherPack, let number = file.new, let to = pack.new else { return nil }
        return (number, from, to, !isSame(number, from: from))
      }
    }
    return moves.sorted { $0.file < $1.file }
  }

  /// Whether a pack of the older release contains a file of the newer one unchanged.
  private func isSame(_ file: Int32, from pack: Int) -> Bool {
    let files = ExpectedFiles(of: pack, in: old.contents)
    let place = files.place(of: new.contents.path(Int(file)), guess: 0)
    return place.map(files.digest) == new.digest(file)
  }
}
