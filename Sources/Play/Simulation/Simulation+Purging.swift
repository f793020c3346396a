import System

extension Simulation {
  /// Bytes that a new pack can take up; negative if the space became smaller than the pinned packs.
  var free: Int64 { space - reserved }

  /// Purges packs until some bytes are free, for a new pack or because the space became smaller.
  mutating func freeSpace(bytes size: Int64, forPack pack: Int?) {
    if free >= size { return }
    while free < size, lookups <= bounds.maxLookups, let victim = nextToPurge() {
      purge(victim, for: pack)
    }
    result.summary.overPurged = result.summary.overPurged.saturatingSum(with: max(0, free - size))
  }

  private mutating func purge(_ pack: Int, for cause: Int?) {
    stopTransfer(of: pack)
    let size = packs[pack].reserved ?? 0
    endCopy(of: pack)
    packs[pack].reserved = nil
    packs[pack].isStored = false
    packs[pack].wasPurged = true
    reserved -= size
    purgeable -= size
    result.packs[pack].purges += 1
    result.summary.purges += 1
    result.summary.purged = result.summary.purged.saturatingSum(with: size)
    note(.purged, pack: pack)
    if isDetailed {
      result.add(SimulationResult.Purge(pack: pack, time: now, size: size, cause: cause))
    }
  }

  /// Counts the bytes of a discarded copy as unused, if no request used it.
  mutating func endCopy(of pack: Int) {
    if !packs[pack].isUsed {
      result.summary.unused = result.summary.unused.saturatingSum(with: packs[pack].arrived)
    }
    packs[pack].arrived = 0
    packs[pack].isUsed = false
  }

  /// Removes the next pack to purge from the queue; nil if all packs are pinned.
  private mutating func nextToPurge() -> Int? {
    while let candidate = purgeQueue.removeLeast() {
      lookups += 1
      if isPurgeable(candidate.pack),
        candidate == PurgeCandidate(candidate.pack, state: packs[candidate.pack])
      {
        return candidate.pack
      }
    }
    return nil
  }

  private func isPurgeable(_ pack: Int) -> Bool { packs[pack].pins == 0 && packs[pack].reserved != nil }

  /// Adds a pack to the queue with its current rank; call this after any change of the rank.
  mutating func rankForPurge(_ pack: Int) {
    if isPurgeable(pack) { purgeQueue.insert(PurgeCandidate(pack, state: packs[pack])) }
  }
}

/// An entry in the queue of packs to purge: the smallest entry is purged first.
///
/// An entry is void if the pack has a different rank now.
struct PurgeCandidate: Comparable {
  let preservation: Double
  let lastUse: Int64
  let pack: Int

  init(_ pack: Int, state: PackState) {
    preservation = state.preservation
    lastUse = state.wasStored ? state.lastUse : 0
    self.pack = pack
  }

  static func < (first: PurgeCandidate, second: PurgeCandidate) -> Bool {
    (first.preservation, first.lastUse, first.pack) < (second.preservation, second.lastUse, second.pack)
  }
}
