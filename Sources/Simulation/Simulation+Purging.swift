import System

extension Simulation {
  /// Bytes that a new pack may take up; below 0 where the space became less than what is pinned.
  var free: Int64 { space - reserved }

  /// Purges packs until some bytes are free, for a new pack or in less space.
  mutating func makeRoom(of size: Int64, for pack: Int?) {
    if free >= size { return }
    while free < size, looks <= bounds.looks, let victim = nextToPurge() {
      looks += packs.count
      purge(victim, for: pack)
    }
    result.summary.overPurged = result.summary.overPurged.saturatingSum(with: max(0, free - size))
  }

  private mutating func purge(_ pack: Int, for cause: Int?) {
    leave(pack)
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
    note(.purged, pack)
    if isDetailed {
      result.purges.append(SimulationResult.Purge(pack: pack, time: now, size: size, cause: cause))
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

  /// The pack that is purged first; nil where all are pinned.
  private func nextToPurge() -> Int? {
    func rank(_ pack: Int) -> (Double, Int64, Int) {
      (packs[pack].preservation, packs[pack].wasStored ? packs[pack].lastUse : 0, pack)
    }
    let purgeable = packs.indices.lazy.filter { packs[$0].pins == 0 && packs[$0].reserved != nil }
    return purgeable.min { rank($0) < rank($1) }
  }
}
