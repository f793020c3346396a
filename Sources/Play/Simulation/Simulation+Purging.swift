import System

extension Simulation {
  /// The number of bytes that are free for a new pack.
  ///
  /// The number is negative if the space for packs became smaller than the pinned packs.
  var free: Int64 { space - reserved }

  /// Purges packs until a number of bytes is free.
  ///
  /// The reason is that a new pack needs space, or that the space for packs became smaller.
  mutating func freeSpace(bytes size: Int64, forPack pack: Int?) {
    if free >= size { return }
    while free < size, lookups <= bounds.maxLookups, let victim = nextToPurge() {
      purge(victim, for: pack)
    }
    result.summary.overPurged = result.summary.overPurged.saturatingSum(with: max(0, free - size))
  }

  private mutating func purge(_ pack: Int, for cause: Int?) {
    deletePatchSources()
    stopTransfer(of: pack)
    if packs[pack].isStored { staged?.notePurged(pack) }
    let size = packs[pack].reserved ?? 0
    endCopy(of: pack)
    packs[pack].reserved = nil
    packs[pack].isStored = false
    packs[pack].wasPurged = true
    reserved -= size
    purgeable -= size
    result.packs[table.rows[pack]].purges += 1
    result.summary.purges += 1
    result.summary.purged = result.summary.purged.saturatingSum(with: size)
    note(.purged, pack: pack)
    if isDetailed {
      result.add(
        SimulationResult.Purge(
          pack: table.rows[pack], time: now, size: size, cause: cause.map { table.rows[$0] }))
    }
  }

  /// Deletes all replaced packs that no open request uses.
  ///
  /// OnDemand keeps them only for patches, in addition to the space for packs, until it needs space.
  private mutating func deletePatchSources() {
    if !hasUnpinnedPatchSources { return }
    patchSources = patchSources.filter { packs[$0.value.pack].isStored }
    hasUnpinnedPatchSources = false
  }

  /// Counts the bytes of a discarded copy of a pack as unused, if no request used this copy.
  mutating func endCopy(of pack: Int) {
    if !packs[pack].isUsed {
      let (row, size) = (table.rows[pack], packs[pack].arrived)
      result.packs[row].unused = result.packs[row].unused.saturatingSum(with: size)
      result.summary.unused = result.summary.unused.saturatingSum(with: size)
    }
    packs[pack].arrived = 0
    packs[pack].isUsed = false
  }

  /// Removes the next pack to purge from the queue.
  ///
  /// Returns nil if all packs are pinned.
  private mutating func nextToPurge() -> Int? {
    while let candidate = purgeQueue.removeLeast() {
      lookups += 1
      if isPurgeable(candidate.pack),
        candidate == purgeCandidate(candidate.pack)
      {
        return candidate.pack
      }
    }
    return nil
  }

  private func isPurgeable(_ pack: Int) -> Bool { packs[pack].pins == 0 && packs[pack].reserved != nil }

  /// Adds a pack to the queue with its current rank.
  ///
  /// Call this function after each change of the rank.
  mutating func rankForPurge(_ pack: Int) {
    if isPurgeable(pack) { purgeQueue.insert(purgeCandidate(pack)) }
  }

  private func purgeCandidate(_ pack: Int) -> PurgeCandidate {
    PurgeCandidate(
      pack, state: packs[pack], row: table.rows[pack],
      release: release.packs[pack] == nil ? .staged : .current)
  }
}

/// An entry in the queue of packs to purge.
///
/// The pack of the smallest entry is purged first.
///
/// An entry is void if the pack's rank has changed since the entry was made.
struct PurgeCandidate: Comparable {
  let preservation: Double
  let lastUse: Int64
  /// The position of the pack's identifier.
  let row: Int
  let release: Owner
  let pack: Int

  /// The release that a pack belongs to.
  ///
  /// If two packs have the same identifier, the current release's pack is purged first.
  enum Owner: Int {
    case current
    case staged
  }

  init(_ pack: Int, state: PackState, row: Int, release: Owner) {
    preservation = state.preservation
    lastUse = state.wasStored ? state.lastUse : 0
    (self.pack, self.row, self.release) = (pack, row, release)
  }

  static func < (first: PurgeCandidate, second: PurgeCandidate) -> Bool {
    (first.preservation, first.lastUse, first.row, first.release.rawValue)
      < (second.preservation, second.lastUse, second.row, second.release.rawValue)
  }
}
