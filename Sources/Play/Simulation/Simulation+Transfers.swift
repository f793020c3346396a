import System

extension Simulation {
  /// A transfer that should run.
  private struct WantedTransfer {
    /// The number of the pack; nil for the app itself.
    let pack: Int?
    let isForRequest: Bool
  }

  /// Starts the most urgent transfers, up to the number of connections, and stops all other transfers.
  mutating func reschedule() {
    if network == nil { return stopAllTransfers() }
    var wanted = firstWanted()
    while !reserveSpace(for: wanted) { wanted = firstWanted() }
    for transfer in activeTransfers where !wanted.contains(where: { $0.pack == transfer.pack }) {
      stopTransfer(of: transfer.pack)
    }
    for transfer in wanted where !activeTransfers.contains(where: { $0.pack == transfer.pack }) {
      start(transfer)
    }
  }

  /// Returns the most urgent transfers that are still needed.
  private mutating func firstWanted() -> [WantedTransfer] {
    if install != nil {
      let items = firstOfInstall()
      if !items.isEmpty { return items.map { WantedTransfer(pack: $0, isForRequest: false) } }
      install = nil
      result.summary.installed = now
      prefetch = inBackground(release.prefetch)[...]
    }
    let found = firstWantedByRequests()
    if !found.isEmpty { return found.map { WantedTransfer(pack: $0, isForRequest: true) } }
    let missing = firstOfStaged()
    if !missing.isEmpty { return missing.map { WantedTransfer(pack: $0, isForRequest: false) } }
    while let pack = prefetch.first, packs[pack].isStored || packs[pack].wasPurged { prefetch.removeFirst() }
    var chosen: [WantedTransfer] = []
    for pack in prefetch {
      if chosen.count >= scenario.connections { break }
      lookups += 1
      if !packs[pack].isStored && !packs[pack].wasPurged {
        chosen.append(WantedTransfer(pack: pack, isForRequest: false))
      }
    }
    return chosen
  }

  /// Sorts packs into the order in which the system downloads them without a request.
  ///
  /// Packs of equal size are sorted by number.
  func inBackground(_ packs: [Int]) -> [Int] {
    switch scenario.rules.background {
    case .listed: packs
    case .id: packs.sorted()
    case .smallest: packs.sorted { (table.sizes[$0], $0) < (table.sizes[$1], $1) }
    case .largest: packs.sorted { (table.sizes[$1], $0) < (table.sizes[$0], $1) }
    }
  }

  private mutating func firstOfStaged() -> [Int] {
    while let staged, staged.firstMissing < staged.packs.count,
      packs[staged.packs[staged.firstMissing]].isStored
    {
      self.staged?.passFirst()
    }
    var chosen: [Int] = []
    for pack in staged.map({ $0.packs[$0.firstMissing...] }) ?? [] {
      if chosen.count >= scenario.connections { break }
      lookups += 1
      if !packs[pack].isStored { chosen.append(pack) }
    }
    return chosen
  }

  private mutating func firstOfInstall() -> [Int?] {
    while let pack = install?.packs.first, packs[pack].isStored { install?.packs.removeFirst() }
    guard let install else { return [] }
    var items: [Int?] = install.appSize == nil ? [] : [nil]
    for pack in install.packs {
      if items.count >= scenario.connections { break }
      lookups += 1
      if !packs[pack].isStored { items.append(pack) }
    }
    return items
  }

  /// Returns the packs to download next for the waiting requests, in the order of the requests.
  ///
  /// If there are urgent requests, returns only the packs of urgent requests.
  private mutating func firstWantedByRequests() -> [Int] {
    var found: [Int] = []
    var passed: [WaitingEntry] = []
    while found.count < scenario.connections, let entry = waiting.least {
      if let last = passed.last, last.priority == .urgent, entry.priority != .urgent { break }
      let isWaiting = addMissing(entry, to: &found)
      if found.count >= scenario.connections { break }
      waiting.removeLeast()
      if isWaiting { passed.append(entry) }
    }
    for entry in passed { waiting.insert(entry) }
    return found
  }

  /// Adds the missing packs of a request until no connections are left.
  ///
  /// Returns false if the request no longer waits for packs.
  private mutating func addMissing(_ entry: WaitingEntry, to found: inout [Int]) -> Bool {
    guard let request = requests[entry.request], request.version == entry.version, request.missing > 0 else {
      return false
    }
    var stored = request.stored
    // The packs of an open request are pinned, so packs that are stored now stay stored.
    while stored < request.packs.count, packs[Int(request.packs[stored])].isStored { stored += 1 }
    if stored != request.stored { requests[entry.request]?.stored = stored }
    for pack in request.packs[stored...] {
      if found.count >= scenario.connections { break }
      lookups += 1
      if !packs[Int(pack)].isStored && !found.contains(Int(pack)) { found.append(Int(pack)) }
    }
    return true
  }

  /// Reserves space for all wanted transfers.
  ///
  /// Returns false if a transfer had to be given up.
  private mutating func reserveSpace(for wanted: [WantedTransfer]) -> Bool {
    for transfer in wanted {
      guard let pack = transfer.pack, packs[pack].reserved == nil else { continue }
      // A transfer for a request can purge all packs that no open request uses.
      let space = transfer.isForRequest && scenario.rules.purges ? free + purgeable : free
      let size = table.sizes[pack]
      guard size <= space else {
        giveUp(transfer, pack: pack)
        return false
      }
      freeSpace(bytes: size, forPack: pack)
      packs[pack].reserved = size
      reserved += size
      if packs[pack].pins == 0 { purgeable += size }
      rankForPurge(pack)
      result.summary.peakStored = max(result.summary.peakStored, reserved)
    }
    return true
  }

  /// Gives up a pack that does not fit.
  ///
  /// Requests for the pack fail. If a staged update needs the pack, the download of the update is aborted.
  private mutating func giveUp(_ transfer: WantedTransfer, pack: Int) {
    if transfer.isForRequest {
      for request in packs[pack].waiters { closeRequest(Int(request), error: .outOfSpace) }
    } else if staged?.downloads(pack) == true {
      staged?.endDownload()
    } else {
      prefetch.removeAll { $0 == pack }
    }
  }

  private mutating func start(_ transfer: WantedTransfer) {
    var bytes = install?.appSize ?? 0
    if let pack = transfer.pack {
      bytes = max(0, transferSize(of: pack) - packs[pack].arrived)
      note(.downloading, pack: pack)
    }
    activeTransfers.append(
      ActiveTransfer(
        transfer.pack, isForRequest: transfer.isForRequest, start: now, bytes: bytes,
        latency: (network?.latency ?? 0).saturatingSum(with: useConnection())))
  }

  /// Uses an idle connection to the server, or opens a new connection.
  ///
  /// Returns the number of microseconds that the name look-up takes.
  private mutating func useConnection() -> Int64 {
    if connections > activeTransfers.count { return 0 }
    connections += 1
    return network?.lookup ?? 0
  }

  /// Returns the size in bytes of the whole download of a pack, as a patch or an archive.
  func transferSize(of pack: Int) -> Int64 {
    let row = table.rows[pack]
    if release.packs[pack] != nil {
      return release.transferSize(ofPack: pack, fromRelease: patchSources[row]?.release)
    }
    guard let staged, staged.catalog.packs[pack] != nil else { return packs[pack].transfer }
    let isCurrentStored = release.numbersByRow[row].map { packs[$0].isStored } == true
    return staged.catalog.transferSize(
      ofPack: pack, fromRelease: isCurrentStored ? release.source.digest : patchSources[row]?.release)
  }

  /// Records a pack's new state in the current step, if the pack is in the current release.
  mutating func note(_ state: TagGauge.State, pack: Int) {
    if release.packs[pack] != nil { note(state, row: table.rows[pack]) }
  }

  /// Records the new state of the pack with an identifier.
  ///
  /// `row` is the position of the identifier.
  mutating func note(_ state: TagGauge.State, row: Int) {
    if isDetailed { result.states[row].append((result.steps.count - 1, state)) }
  }

  /// The time at which a transfer next gets its first or its last byte; nil if the time cannot be
  /// represented.
  var nextEvent: Int64? {
    guard let network, !network.losesAll else { return nil }
    let (flowing, rate) = (UInt128(activeTransfers.count { $0.isFlowing }), UInt128(network.rate))
    var next: Int64?
    for transfer in activeTransfers {
      var time = transfer.firstByte
      if transfer.isFlowing {
        time = Int64(exactly: (transfer.rest * flowing + rate - 1) / rate + UInt128(settled))
      }
      if let time { next = min(next ?? time, time) }
    }
    return next
  }

  /// Credits the bytes that have arrived until now to the transfers, in equal shares.
  ///
  /// Call this function before the number of shares changes.
  private mutating func creditTransferredBytes() {
    let flowing = UInt128(activeTransfers.count { $0.isFlowing })
    if let network, flowing > 0, now > settled {
      let share = UInt128(now - settled) * UInt128(network.rate) / flowing
      for index in activeTransfers.indices where activeTransfers[index].isFlowing {
        activeTransfers[index].rest -= min(share, activeTransfers[index].rest)
      }
    }
    settled = now
  }

  /// Handles the next event: marks transfers as flowing if their latency has passed, and stores the pack, or
  /// the app, of the first complete transfer.
  mutating func followEvent() {
    creditTransferredBytes()
    for index in activeTransfers.indices where activeTransfers[index].firstByte.map({ $0 <= now }) ?? false {
      activeTransfers[index].isFlowing = true
    }
    guard let index = activeTransfers.firstIndex(where: { $0.isFlowing && $0.rest == 0 }) else { return }
    let transfer = activeTransfers.remove(at: index)
    count(transfer, bytes: transfer.bytes, ending: .complete)
    if let pack = transfer.pack { store(pack) } else { install?.appSize = nil }
    reschedule()
  }

  private mutating func store(_ pack: Int) {
    packs[pack].isStored = true
    packs[pack].wasStored = true
    packs[pack].lastUse = now
    result.packs[table.rows[pack]].downloads += 1
    note(.downloaded, pack: pack)
    rankForPurge(pack)
    if packs[pack].pins > 0 { packs[pack].isUsed = true }
    let waiters = packs[pack].waiters
    packs[pack].waiters = []
    packs[pack].openWaiters = 0
    for number in waiters.lazy.map(Int.init) where requests[number] != nil {
      requests[number]?.missing -= 1
      if requests[number]?.missing == 0 { result.requests[number].available = now }
    }
    staged?.noteStored(pack)
  }

  /// Returns the number of whole bytes of a pack that have arrived in the running transfer and are not
  /// counted yet.
  func arriving(_ pack: Int) -> Int64 {
    guard let transfer = activeTransfers.first(where: { $0.pack == pack }) else { return 0 }
    var rest = transfer.rest
    let flowing = UInt128(activeTransfers.count { $0.isFlowing })
    if let network, transfer.isFlowing, now > settled {
      rest -= min(UInt128(now - settled) * UInt128(network.rate) / flowing, rest)
    }
    return transfer.bytes - Int64((rest + ActiveTransfer.parts - 1) / ActiveTransfer.parts)
  }

  /// Stops all transfers.
  ///
  /// The bytes that have arrived are kept.
  mutating func stopAllTransfers() { for transfer in activeTransfers { stopTransfer(of: transfer.pack) } }

  mutating func stopTransfer(of pack: Int?) {
    creditTransferredBytes()
    guard let index = activeTransfers.firstIndex(where: { $0.pack == pack }) else { return }
    let transfer = activeTransfers.remove(at: index)
    // An interrupted download closes its connection.
    connections -= 1
    let missing = Int64((transfer.rest + ActiveTransfer.parts - 1) / ActiveTransfer.parts)
    count(transfer, bytes: transfer.bytes - missing, ending: .interrupted)
  }

  /// The reason why a transfer ended.
  private enum TransferEnding {
    case complete
    case interrupted
  }

  private mutating func count(_ transfer: ActiveTransfer, bytes: Int64, ending: TransferEnding) {
    if let pack = transfer.pack {
      packs[pack].arrived = packs[pack].arrived.saturatingSum(with: bytes)
      let row = table.rows[pack]
      result.packs[row].transferred = result.packs[row].transferred.saturatingSum(with: bytes)
    } else {
      appTransferred = bytes
    }
    if isDetailed {
      result.add(
        SimulationResult.Transfer(
          pack: transfer.pack.map { table.rows[$0] }, isForRequest: transfer.isForRequest,
          from: transfer.start, to: now,
          bytes: bytes,
          isComplete: ending == .complete))
    }
  }
}
