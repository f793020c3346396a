import System

/// The transfer on the link.
struct Service {
  /// The transfer.
  enum Item: Hashable {
    case app
    /// A pack by its number.
    case pack(Int)
  }

  let item: Item
  /// Whether a request wanted it when the link began.
  let isForRequest: Bool
  let start: Int64
  /// Bytes that are still to come at the start.
  let bytes: Int64
  /// When it arrives whole; nil for later than can be counted.
  let arrival: Int64?
}

/// An install that is under way.
struct InstallProgress {
  /// The size of the app in bytes; nil once it is stored, or if unknown.
  var appSize: Int64?
  /// The packs of the initial install that are not stored, in order.
  var packs: ArraySlice<Int>

  /// The next transfer; nil where all is stored.
  var next: Service.Item? { appSize != nil ? .app : packs.first.map(Service.Item.pack) }
}

/// The transfer on the link.
extension Simulation {
  /// Starts the most urgent transfer, or keeps it if it is running.
  mutating func reschedule() {
    while true {
      guard link != nil, let (item, isForRequest) = firstWanted() else { return leave() }
      if item == service?.item { return }
      if case .pack(let pack) = item, packs[pack].reserved == nil {
        let fits = isForRequest ? canFit(pack) : free >= release.size(pack)
        if !fits {
          passOver(pack, isForRequest: isForRequest)
          continue
        }
      }
      leave()
      return start(item, isForRequest: isForRequest)
    }
  }

  /// The first of what is wanted and not stored, and whether a request wants it.
  private mutating func firstWanted() -> (Service.Item, isForRequest: Bool)? {
    if let install {
      if let next = install.next { return (next, false) }
      self.install = nil
      result.summary.installed = now
      prefetch = inBackground(release.prefetch)[...]
    }
    if let pack = firstWantedByRequests() { return (.pack(pack), true) }
    while let pack = prefetch.first {
      if !packs[pack].isStored && !packs[pack].wasPurged { return (.pack(pack), false) }
      prefetch.removeFirst()
    }
    return nil
  }

  /// Packs in the order in which the system downloads them by itself; those of one size by their numbers.
  func inBackground(_ packs: [Int]) -> [Int] {
    switch scenario.rules.background {
    case .listed: packs
    case .id: packs.sorted()
    case .smallest: packs.sorted { (release.size($0), $0) < (release.size($1), $1) }
    case .largest: packs.sorted { (release.size($1), $0) < (release.size($0), $1) }
    }
  }

  /// The first missing pack of the first waiting request.
  private mutating func firstWantedByRequests() -> Int? {
    while let entry = waiting.least {
      if let pack = firstMissing(entry) { return pack }
      waiting.removeLeast()
    }
    return nil
  }

  private mutating func firstMissing(_ entry: WaitingEntry) -> Int? {
    guard let request = requests[entry.request], request.version == entry.version, request.missing > 0 else {
      return nil
    }
    var stored = request.stored
    // Packs of an open request are pinned: what is stored stays so.
    while stored < request.packs.count, packs[Int(request.packs[stored])].isStored { stored += 1 }
    if stored != request.stored { requests[entry.request]?.stored = stored }
    return stored < request.packs.count ? Int(request.packs[stored]) : nil
  }

  /// Gives up on a pack for which there is too little space.
  private mutating func passOver(_ pack: Int, isForRequest: Bool) {
    if isForRequest {
      for request in packs[pack].waiters { close(Int(request), .outOfSpace) }
    } else {
      prefetch.removeFirst()
    }
  }

  private mutating func start(_ item: Service.Item, isForRequest: Bool) {
    var bytes = install?.appSize ?? 0
    if case .pack(let pack) = item {
      if packs[pack].reserved == nil {
        makeRoom(for: pack)
        reserve(pack)
      }
      bytes = max(0, release.transfer(pack, from: packs[pack].patchSource) - packs[pack].arrived)
    }
    service = Service(
      item: item, isForRequest: isForRequest, start: now, bytes: bytes, arrival: arrival(of: bytes))
  }

  private func arrival(of bytes: Int64) -> Int64? {
    guard let link, let time = link.time(for: bytes) else { return nil }
    let (flowing, overflows) = now.addingReportingOverflow(link.latency)
    let (end, endOverflows) = flowing.addingReportingOverflow(time)
    return overflows || endOverflows ? nil : end
  }

  /// Takes over what the link serves when it has arrived whole.
  mutating func arrive() {
    guard let service else { return }
    self.service = nil
    count(service, service.bytes, isComplete: true)
    switch service.item {
    case .app: install?.appSize = nil
    case .pack(let pack): store(pack)
    }
    reschedule()
  }

  private mutating func store(_ pack: Int) {
    if install != nil { install?.packs.removeFirst() }
    packs[pack].isStored = true
    packs[pack].wasStored = true
    packs[pack].lastUse = now
    result.packs[pack].downloads += 1
    if packs[pack].pins > 0 { packs[pack].isUsed = true }
    markStale(pack)
    let waiters = packs[pack].waiters
    packs[pack].waiters = []
    packs[pack].openWaiters = 0
    for waiter in waiters where requests[Int(waiter)] != nil { receive(Int(waiter)) }
  }

  private mutating func receive(_ number: Int) {
    requests[number]?.missing -= 1
    if requests[number]?.missing == 0 { result.requests[number].available = now }
  }

  /// Leaves what the link serves; what has arrived stays.
  mutating func leave() {
    guard let service, let link else { return }
    self.service = nil
    // Within the bounds of the time counted: the start lies before now.
    let (flowing, overflows) = (now - service.start).subtractingReportingOverflow(link.latency)
    let bytes = overflows ? 0 : link.bytes(in: flowing, atMost: service.bytes)
    count(service, bytes, isComplete: false)
  }

  private mutating func count(_ service: Service, _ bytes: Int64, isComplete: Bool) {
    var number: Int?
    switch service.item {
    case .app: appTransferred = bytes
    case .pack(let pack):
      number = pack
      packs[pack].arrived = packs[pack].arrived.saturatingSum(with: bytes)
      result.packs[pack].transferred = result.packs[pack].transferred.saturatingSum(with: bytes)
    }
    if isDetailed {
      result.transfers.append(
        SimulationResult.Transfer(
          pack: number, isForRequest: service.isForRequest, from: service.start, to: now, bytes: bytes,
          isComplete: isComplete))
    }
  }
}

/// The space of a device, and its purges.
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
  func canFit(_ pack: Int) -> Bool {
    release.size(pack) <= space - (reserved - (scenario.rules.purges ? purgeable : 0))
  }

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

  /// Counts the bytes of a discarded copy as unused.
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
