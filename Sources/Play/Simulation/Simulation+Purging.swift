import System

extension Simulation {
  /// Bytes that a new pack may take up; below 0 where the space became less than what is pinned.
  var free: Int64 { space - reserved }

  /// Purges packs until some bytes are free, for a new pack or in less space.
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

  /// Counts the bytes of a discarded copy as unused.
  mutating func endCopy(of pack: Int) {
    if !packs[pack].isUsed {
      result.summary.unused = result.summary.unused.saturatingSum(with: packs[pack].arrived)
    }
    packs[pack].arrived = 0
    packs[pack].isUsed = false
  }

  /// Takes the pack that is purged first out of the queue; nil where all are pinned.
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

  /// Puts a pack into the queue at its present rank, after anything changed that decides about it.
  mutating func rankForPurge(_ pack: Int) {
    if isPurgeable(pack) { purgeQueue.insert(PurgeCandidate(pack, state: packs[pack])) }
  }
}

/// A pack as the queue of purges sees it: the least is purged first.
///
/// It is void once the pack has another rank.
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
