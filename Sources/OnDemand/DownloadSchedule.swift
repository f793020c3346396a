/// Decides which packs the store downloads next, which packs it must keep, and which packs it purges.
///
/// The schedule does not move or remove any files itself: `events` and `serving` list the effects of changes.
/// Before each change, the owner of the schedule must report how many bytes have arrived.
struct DownloadSchedule: Sendable {
  /// A pack of a release, with its state in the store.
  struct Pack: Sendable {
    var info: Catalog.Pack
    /// The number of bytes that the pack needs in the store.
    let size: Int64
    /// The size of the pack's download in bytes, as an archive or a patch.
    var transfer: Int64
    /// Whether space is reserved for the pack, because it is stored or being downloaded.
    var isReserved = false
    var arrived: Int64 = 0
    var isStored = false
    /// Whether the pack's download is suspended, because it failed and will be retried later.
    var isSuspended = false
    /// Whether the pack was purged.
    ///
    /// A purged pack is not prefetched again.
    var wasPurged = false
    /// The last time when the pack was stored, or when a request released it; nil if the pack was never
    /// stored.
    var lastUse: Int64?
    /// The number of open requests that use the pack.
    var pins = 0
    /// Whether the pack belongs to the current release.
    var isCurrent = true
    /// Whether the pack belongs to the staged release.
    var isStaged = false

    init(_ info: Catalog.Pack, size: Int64? = nil) {
      (self.info, self.size, transfer) = (info, size ?? info.size, info.archive.size)
    }
  }

  /// The effects of changes to the schedule.
  struct Events: Sendable {
    /// Whether the state must be saved.
    var isChanged = false
    /// The packs that were removed because they were purged or replaced.
    var removed: [Int] = []
    /// Those packs in `removed` that were purged.
    var purged: [Int] = []
    /// For each time when there was too little space, the number of bytes that were missing.
    var shortages: [Int64] = []
    /// Whether any request became available or failed.
    var isSettled = false
  }

  /// The time that the next change uses, in microseconds since a fixed moment.
  ///
  /// The time never goes backwards.
  var now: Int64 = 0
  /// All packs by number.
  ///
  /// A number always stands for the same pack.
  private(set) var packs: [Pack] = []
  private(set) var numbersByTag: [String: [Int]] = [:]
  private var initialInstall: [Int] = []
  private var prefetchOrder: [Int] = []
  /// The requests that wait for the initial install.
  private(set) var installs: [RequestState] = []
  var isInstalled = false
  /// The packs of the prefetch that are not downloaded yet.
  private(set) var prefetch: ArraySlice<Int> = []
  /// The open requests, in the order in which they began.
  private(set) var requests: [RequestState] = []
  /// The downloads of a staged update.
  ///
  /// All these downloads have the same packs.
  private(set) var stagings: [RequestState] = []

  let connections: Int
  private let inUse: Int64
  /// Whether the store keeps packs as archives instead of unpacking them.
  ///
  /// An archive and its unpacked files have different sizes in the store.
  private let keepsArchives: Bool
  private(set) var space: Int64
  /// For each tag, how important it is to keep the packs of the tag, from 0 to 1.
  var preservation: [String: Double] = [:]
  /// The number of bytes that packs take up, including partial downloads.
  private(set) var reserved: Int64 = 0
  /// The total size in bytes of the packs that open requests use.
  ///
  /// A pack that several requests use counts once.
  private(set) var pinnedSize: Int64 = 0
  /// The total size in bytes of the packs that take up space and that no open request uses.
  private var purgeableSize: Int64 = 0

  private(set) var isOnline: Bool
  /// The packs that are being downloaded, in the order in which their downloads started.
  private(set) var serving: [Int] = []
  var events = Events()

  init(
    space: Int64 = .max, inUse: Int64, connections: Int = 1, isOnline: Bool = true,
    keepsArchives: Bool = false
  ) {
    self.space = space
    self.inUse = inUse
    self.isOnline = isOnline
    self.keepsArchives = keepsArchives
    self.connections = min(max(connections, 1), 64)
  }
}

/// Changes to requests.
extension DownloadSchedule {
  /// The action for a new request if some of its packs are missing.
  enum MissingPacks {
    /// The request is opened, and the packs are downloaded.
    case downloaded
    /// The request is not opened.
    case refused
  }

  /// Begins a request; returns whether the request is open now.
  mutating func begin(_ request: RequestState, missing: MissingPacks) throws(OnDemandError) -> Bool {
    let numbers = try resolved(request.tags)
    let needed = numbers.reduce(pinnedSize) { $0 + (packs[$1].pins == 0 ? packs[$1].size : 0) }
    if needed > inUse { throw .inUseLimit(needed: needed, limit: inUse) }
    let isAvailable = numbers.allSatisfy { packs[$0].isStored }
    if !isAvailable && missing == .refused { return false }
    if !isAvailable && !isOnline { throw .offline }
    open(request, packs: numbers)
    return true
  }

  /// Opens a request for the given packs, without using the request's tags.
  mutating func open(_ request: RequestState, packs numbers: [Int]) {
    request.setPacks(numbers)
    requests.append(request)
    for number in numbers { pin(number) }
    events.isChanged = true
    settleIfStored(request)
  }

  /// The requests that still wait, in the order in which they began.
  var waiting: [RequestState] { requests.filter { $0.outcome == nil } }

  /// Whether a request, an install or an update waits for a pack.
  ///
  /// The prefetch does not count.
  func isAwaited(_ pack: Int) -> Bool { !awaiting(pack).isEmpty }

  private func awaiting(_ pack: Int) -> [RequestState] {
    (requests + installs + stagings).filter { $0.outcome == nil && $0.uses(pack) }
  }

  /// Returns the packs of some tags in the current release.
  func resolved(_ tags: [String]) throws(OnDemandError) -> [Int] {
    if let unknown = tags.first(where: { numbersByTag[$0] == nil }) { throw .invalidTag(unknown) }
    let numbers = Set(tags.flatMap { numbersByTag[$0] ?? [] })
    return numbers.sorted { packs[$0].info.id < packs[$1].info.id }
  }

  private mutating func pin(_ pack: Int) {
    packs[pack].pins += 1
    if packs[pack].pins > 1 { return }
    pinnedSize += packs[pack].size
    if packs[pack].isReserved { purgeableSize -= packs[pack].size }
  }

  private mutating func unpin(_ pack: Int) {
    packs[pack].pins -= 1
    if packs[pack].lastUse != nil { packs[pack].lastUse = now }
    if packs[pack].pins > 0 { return }
    pinnedSize -= packs[pack].size
    if !packs[pack].isReserved { return }
    purgeableSize += packs[pack].size
    removeIfReplaced(pack)
  }

  mutating func close(_ request: RequestState, error: OnDemandError = .ended) {
    request.settle(.failure(error))
    installs.removeAll { $0 === request }
    stagings.removeAll { $0 === request }
    guard let place = requests.firstIndex(where: { $0 === request }) else { return }
    requests.remove(at: place)
    for pack in request.packs { unpin(pack) }
    events.isChanged = true
  }

  /// The number of bytes that must still be downloaded for some packs.
  func downloadSize(of numbers: some Sequence<Int>) -> Int64 {
    numbers.reduce(0) { sum, number in
      let pack = packs[number]
      return pack.isStored ? sum : sum + max(0, pack.transfer - pack.arrived)
    }
  }

  /// Reports the progress of a request to a watcher until the request is settled.
  func watch(_ request: RequestState, watcher: AsyncStream<ResourceProgress>.Continuation) {
    if !request.packs.isEmpty && !request.hasFailed { request.report(progress(of: request.packs)) }
    request.watch(watcher)
  }

  /// Closes an open request, which can then begin again.
  mutating func reopen(_ request: RequestState) {
    guard let place = requests.firstIndex(where: { $0 === request }) else { return }
    requests.remove(at: place)
    for pack in request.packs { unpin(pack) }
    request.reopen()
  }

  private func report(_ request: RequestState) {
    if !request.isWatched { return }
    request.report(progress(of: request.packs))
  }

  /// Returns the progress of downloading some packs, in bytes.
  func progress(of numbers: [Int], after last: ResourceProgress? = nil) -> ResourceProgress {
    var (bytes, total) = (Int64(0), Int64(0))
    for number in numbers {
      let transfer = packs[number].transfer
      total += transfer
      bytes += packs[number].isStored ? transfer : min(packs[number].arrived, transfer)
    }
    return ResourceProgress(bytes: bytes, total: total, after: last)
  }
}

/// Starts downloads and reserves space for them.
extension DownloadSchedule {
  /// The reason why packs are wanted.
  private enum Purpose { case install, request, staging, prefetch }

  private struct Wanted {
    let purpose: Purpose
    let packs: [Int]
  }

  mutating func install(_ request: RequestState) throws(OnDemandError) {
    let needed = initialInstall.reduce(0) { $0 + packs[$1].size }
    if !isOnline { throw .offline }
    if needed > space { throw .outOfSpace(needed: needed) }
    request.setPacks(initialInstall)
    installs.append(request)
    report(request)
  }

  mutating func resumePrefetch() { prefetch = prefetchOrder[...] }

  /// Sets whether the device has a network connection.
  mutating func setOnline(_ isOnline: Bool) {
    self.isOnline = isOnline
    if !isOnline { for request in waiting + stagings { close(request, error: .offline) } }
  }

  /// Records how many bytes of a pack have arrived.
  mutating func receive(_ bytes: Int64, pack: Int) {
    packs[pack].arrived = bytes
    for request in awaiting(pack) { report(request) }
  }

  /// Records that a pack is stored.
  mutating func store(_ pack: Int) {
    serving.removeAll { $0 == pack }
    reserve(pack)
    (packs[pack].isStored, packs[pack].isSuspended, packs[pack].lastUse) = (true, false, now)
    events.isChanged = true
    for request in awaiting(pack) { settleIfStored(request) }
  }

  /// Records that a stored pack is damaged or no longer on the disk.
  mutating func markMissing(_ pack: Int) {
    (packs[pack].isStored, packs[pack].arrived) = (false, 0)
    events.isChanged = true
  }

  /// Suspends a pack's download until `resume` is called.
  mutating func suspend(_ pack: Int) {
    serving.removeAll { $0 == pack }
    packs[pack].isSuspended = true
  }

  mutating func resume(_ pack: Int) { packs[pack].isSuspended = false }

  /// Sets the size of a pack's download in bytes.
  mutating func setTransfer(_ bytes: Int64, pack: Int) { packs[pack].transfer = bytes }

  /// Gives up a pack.
  ///
  /// All requests that wait for the pack fail.
  mutating func fail(_ error: OnDemandError, pack: Int) {
    prefetch.removeAll { $0 == pack }
    failRequests(error, pack: pack)
  }

  /// Fails all requests that wait for a pack.
  ///
  /// The prefetch can still download the pack.
  mutating func failRequests(_ error: OnDemandError, pack: Int) {
    serving.removeAll { $0 == pack }
    for request in awaiting(pack) { close(request, error: error) }
  }

  private mutating func settleIfStored(_ request: RequestState) {
    report(request)
    if !request.packs.allSatisfy({ packs[$0].isStored }) { return }
    // This function does not end an install. `firstWanted` ends the install and begins the prefetch.
    if installs.contains(where: { $0 === request }) { return }
    stagings.removeAll { $0 === request }
    request.settle()
    events.isSettled = true
  }

  /// Decides which packs are downloaded now, and frees the space for them.
  mutating func reschedule() {
    if !isOnline {
      serving = []
      return
    }
    var wanted = firstWanted()
    while !reserveSpace(for: wanted) { wanted = firstWanted() }
    serving.removeAll { !wanted.packs.contains($0) }
    serving += wanted.packs.filter { !serving.contains($0) }
  }

  /// Returns the first packs that are wanted, missing and not suspended.
  ///
  /// The number of packs is at most the number of connections. All these packs have the same purpose.
  private mutating func firstWanted() -> Wanted {
    if !installs.isEmpty {
      if initialInstall.contains(where: { !packs[$0].isStored }) {
        let missing = firstMissing(initialInstall)
        if !missing.isEmpty { return Wanted(purpose: .install, packs: missing) }
      } else {
        finishInstall()
      }
    }
    let requested = firstRequested()
    if !requested.isEmpty { return Wanted(purpose: .request, packs: requested) }
    if let staging = stagings.first {
      let missing = firstMissing(staging.packs)
      if !missing.isEmpty { return Wanted(purpose: .staging, packs: missing) }
    }
    prefetch = prefetch.drop { packs[$0].isStored || packs[$0].wasPurged }
    return Wanted(purpose: .prefetch, packs: firstMissing(prefetch.filter { !packs[$0].wasPurged }))
  }

  private func firstMissing(_ numbers: some Sequence<Int>) -> [Int] {
    Array(numbers.lazy.filter { !packs[$0].isStored && !packs[$0].isSuspended }.prefix(connections))
  }

  private mutating func finishInstall() {
    for request in installs {
      report(request)
      request.settle()
    }
    (installs, isInstalled, prefetch) = ([], true, prefetchOrder[...])
    (events.isChanged, events.isSettled) = (true, true)
  }

  /// Returns the packs to download next for the waiting requests, in the order of the requests.
  ///
  /// If there are urgent requests, returns only the packs of urgent requests.
  private func firstRequested() -> [Int] {
    var found: [Int] = []
    var isUrgent = false
    let open = requests.enumerated().filter { $0.element.outcome == nil && !$0.element.isPaused }
    let sorted = open.sorted {
      ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset)
    }
    for (_, request) in sorted {
      if isUrgent && request.priority != .urgent { break }
      for pack in request.packs
      where !packs[pack].isStored && !packs[pack].isSuspended && !found.contains(pack) {
        found.append(pack)
        if found.count == connections { return found }
      }
      isUrgent = request.priority == .urgent && !found.isEmpty
    }
    return found
  }

  /// Reserves space for packs that will be downloaded.
  ///
  /// Returns false if a pack had to be given up because it does not fit.
  private mutating func reserveSpace(for wanted: Wanted) -> Bool {
    for pack in wanted.packs where !packs[pack].isReserved {
      let size = packs[pack].size
      let canPurge = wanted.purpose == .install || wanted.purpose == .request
      if size > space - reserved + (canPurge ? purgeableSize - protectedSize : 0) {
        giveUp(pack, wanted: wanted.purpose)
        return false
      }
      purge(until: size)
      reserve(pack)
    }
    return true
  }

  private mutating func giveUp(_ pack: Int, wanted purpose: Purpose) {
    if purpose == .prefetch {
      prefetch.removeAll { $0 == pack }
      return
    }
    events.shortages.append(packs[pack].size)
    for request in awaiting(pack) { close(request, error: .outOfSpace(needed: packs[pack].size)) }
  }

  private mutating func reserve(_ pack: Int) {
    if packs[pack].isReserved { return }
    packs[pack].isReserved = true
    reserved += packs[pack].size
    if packs[pack].pins == 0 { purgeableSize += packs[pack].size }
  }

  /// Changes the maximum total size of packs.
  ///
  /// Packs are purged only when their space is needed.
  mutating func limit(to bytes: Int64) { space = bytes }

  mutating func setSpace(_ space: Int64) {
    self.space = space
    purge(until: 0)
    if reserved > space { events.shortages.append(reserved - space) }
  }

  /// Purges packs until the given number of additional bytes is free.
  ///
  /// Returns false if no pack could be purged.
  mutating func free(_ bytes: Int64) -> Bool {
    let (before, limit) = (reserved, space)
    space = min(space, reserved)
    purge(until: bytes)
    space = limit
    return reserved < before
  }

  /// Whether the pack takes up space that the store can free for other packs.
  private func isPurgeable(_ pack: Int) -> Bool {
    packs[pack].isReserved && packs[pack].pins == 0 && !isProtected(pack)
  }

  /// Whether an install is running and needs the pack.
  ///
  /// A pack of an install must not be purged to make room for another pack of the install.
  private func isProtected(_ pack: Int) -> Bool { !installs.isEmpty && initialInstall.contains(pack) }

  private var protectedSize: Int64 {
    if installs.isEmpty { return 0 }
    return initialInstall.reduce(0) {
      packs[$1].isReserved && packs[$1].pins == 0 ? $0 + packs[$1].size : $0
    }
  }

  private mutating func remove(_ pack: Int) {
    if packs[pack].isReserved {
      reserved -= packs[pack].size
      if packs[pack].pins == 0 { purgeableSize -= packs[pack].size }
    }
    (packs[pack].isReserved, packs[pack].isStored, packs[pack].arrived) = (false, false, 0)
    serving.removeAll { $0 == pack }
    events.isChanged = true
    events.removed.append(pack)
  }

  /// Deletes those of the given packs that no request uses.
  mutating func discard(_ numbers: some Sequence<Int>) {
    for pack in numbers where packs[pack].isReserved && packs[pack].pins == 0 {
      remove(pack)
      packs[pack].wasPurged = true
    }
  }

  private struct PurgeRank: Comparable {
    let preservation: Double
    let lastUse: Int64
    let id: String
    /// If two packs have the same identifier, the pack of the current release is purged first.
    let isCurrent: Bool
    let pack: Int

    static func < (first: PurgeRank, second: PurgeRank) -> Bool {
      (first.preservation, first.lastUse, first.id, first.isCurrent ? 0 : 1)
        < (second.preservation, second.lastUse, second.id, second.isCurrent ? 0 : 1)
    }
  }

  private mutating func purge(until needed: Int64) {
    if space - reserved >= needed { return }
    let ranks = packs.indices.filter(isPurgeable).map { pack in
      PurgeRank(
        preservation: packs[pack].info.tags.compactMap { preservation[$0] }.max() ?? 0,
        lastUse: packs[pack].lastUse ?? 0, id: packs[pack].info.id,
        isCurrent: packs[pack].isCurrent, pack: pack)
    }
    for rank in ranks.sorted() where space - reserved < needed {
      remove(rank.pack)
      packs[rank.pack].wasPurged = true
      events.purged.append(rank.pack)
    }
  }
}

/// Changes to releases.
extension DownloadSchedule {
  /// The state of a pack in the folder when the store is opened.
  struct Restored {
    let isStored: Bool
    /// The number of bytes of the pack's partial download on the disk.
    var arrived: Int64 = 0
    /// The time of the last use, in microseconds since 1970; nil if the pack was never used.
    var lastUse: Int64?
    var wasPurged = false
  }

  mutating func restore(_ pack: Int, as restored: Restored) {
    packs[pack].arrived = restored.arrived
    packs[pack].isStored = restored.isStored
    packs[pack].lastUse = restored.lastUse ?? (restored.isStored ? 0 : nil)
    packs[pack].wasPurged = restored.wasPurged
    if restored.isStored || restored.arrived > 0 { reserve(pack) }
  }

  /// Returns the numbers for the packs of a release, and adds packs that are new.
  ///
  /// If the schedule already has a pack with the same identifier, contents and size, the pack gets that
  /// pack's number.
  private mutating func numbers(of catalog: Catalog) -> [String: Int] {
    var known: [String: Int] = [:]
    for number in packs.indices
    where packs[number].isCurrent || packs[number].isStaged || packs[number].isReserved {
      known[packs[number].info.key] = number
    }
    var numbers: [String: Int] = [:]
    for pack in catalog.packs {
      let number = known[pack.key] ?? packs.count
      if number == packs.count {
        packs.append(Pack(pack, size: keepsArchives ? pack.archive.size : nil))
        (packs[number].isCurrent, packs[number].isStaged) = (false, false)
      } else {
        packs[number].info = pack
      }
      numbers[pack.id] = number
    }
    return numbers
  }

  /// Stages a release, replacing any other staged release; returns the numbers of the new release's packs, by
  /// identifier.
  mutating func stage(_ next: Catalog) -> [String: Int] {
    for request in stagings { close(request, error: .updateReplaced) }
    // Packs of the previously staged release keep their numbers, because some of them can already be stored.
    let numbers = numbers(of: next)
    let kept = Set(numbers.values)
    for number in packs.indices where packs[number].isStaged && !kept.contains(number) {
      packs[number].isStaged = false
      removeIfReplaced(number)
    }
    for number in kept { packs[number].isStaged = true }
    return numbers
  }

  /// Returns the packs that this device needs from a release, sorted by identifier.
  ///
  /// These are the packs of all tags that are stored now.
  func stagedPacks(of next: Catalog, numbers: [String: Int]) -> [Int] {
    let stored = Set(numbersByTag.filter { $0.value.allSatisfy { packs[$0].isStored } }.keys)
    return next.packs.filter { $0.tags.contains(where: stored.contains) }.sorted { $0.id < $1.id }
      .compactMap { numbers[$0.id] }
  }

  /// Removes the staged release.
  mutating func unstage(error: OnDemandError) {
    for request in stagings { close(request, error: error) }
    for number in packs.indices where packs[number].isStaged {
      packs[number].isStaged = false
      removeIfReplaced(number)
    }
  }

  /// Downloads packs of the staged release.
  ///
  /// Packs that requests wait for are downloaded first.
  mutating func download(_ request: RequestState, packs numbers: [Int]) throws(OnDemandError) {
    request.setPacks(numbers)
    if !numbers.allSatisfy({ packs[$0].isStored }) && !isOnline { throw .offline }
    stagings.append(request)
    settleIfStored(request)
  }

  /// Makes a release the current release.
  ///
  /// Open requests keep the packs that they use.
  mutating func update(to next: Catalog) {
    for number in packs.indices { packs[number].isStaged = false }
    for request in stagings { close(request, error: .updateReplaced) }
    let numbers = numbers(of: next)
    for number in packs.indices { packs[number].isCurrent = false }
    numbersByTag = [:]
    for pack in next.packs {
      guard let number = numbers[pack.id] else { continue }
      packs[number].isCurrent = true
      for tag in Set(pack.tags) { numbersByTag[tag, default: []].append(number) }
    }
    initialInstall = next.initialInstall.compactMap { numbers[$0] }
    prefetchOrder = next.prefetch.compactMap { numbers[$0] }
    prefetch = []
    for request in installs { request.setPacks(initialInstall) }
    for number in packs.indices { removeIfReplaced(number) }
    events.isChanged = true
  }

  private mutating func removeIfReplaced(_ pack: Int) {
    let isWanted = packs[pack].isCurrent || packs[pack].isStaged || packs[pack].pins > 0
    if !isWanted && packs[pack].isReserved { remove(pack) }
  }
}
