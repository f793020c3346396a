import System

/// What takes up space, and what is purged for more.
extension Simulation {
  /// Bytes that a new pack may take up; below 0 where the space became less than what is pinned.
  var free: Int64 { space - reserved }

  mutating func reserve(_ pack: Int) {
    let size = release.size(pack)
    packs[pack].reserved = size
    reserved += size
    if packs[pack].pins == 0 { purgeable += size }
    result.summary.peakStored = max(result.summary.peakStored, reserved)
    markStale(pack)
  }

  /// Whether a pack fits once all has been purged that may be.
  func canFit(_ pack: Int) -> Bool { release.size(pack) <= space - (reserved - purgeable) }

  /// Purges until a pack fits that can.
  mutating func makeRoom(for pack: Int) {
    let size = release.size(pack)
    if free >= size { return }
    while free < size, let victim = nextToPurge() { purge(victim, for: pack) }
    countOverPurged(free - size)
  }

  mutating func countOverPurged(_ bytes: Int64) {
    result.summary.overPurged = result.summary.overPurged.saturatingSum(with: bytes)
  }

  mutating func purge(_ pack: Int, for cause: Int?) {
    if service?.item == .pack(pack) { leave() }
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
    if isDetailed {
      result.purges.append(SimulationResult.Purge(pack: pack, time: now, size: size, cause: cause))
    }
  }

  /// Counts what came of a copy in vain.
  mutating func endCopy(of pack: Int) {
    if !packs[pack].isUsed {
      result.summary.unused = result.summary.unused.saturatingSum(with: packs[pack].arrived)
    }
    packs[pack].arrived = 0
    packs[pack].isUsed = false
  }

  /// Notes that a pack's place in the queue of packs to purge may be another.
  mutating func markStale(_ pack: Int) {
    if packs[pack].isStale { return }
    packs[pack].isStale = true
    stale.append(pack)
  }

  /// The pack that is purged first; nil where all are pinned.
  mutating func nextToPurge() -> Int? {
    renewQueue()
    while let entry = purgeQueue.removeLeast() {
      let state = packs[entry.pack]
      if entry.version == state.version && state.isPurgeable { return entry.pack }
    }
    return nil
  }

  private mutating func renewQueue() {
    if purgeQueue.count > 2 * packs.count + 64 {
      // Most entries are void: the queue is made anew, so that it never grows beyond the packs.
      purgeQueue.removeAll()
      for pack in packs.indices { markStale(pack) }
    }
    for pack in stale {
      packs[pack].isStale = false
      packs[pack].version &+= 1
      if packs[pack].isPurgeable { purgeQueue.insert(PurgeEntry(packs[pack], pack)) }
    }
    stale.removeAll(keepingCapacity: true)
  }
}
