import Foundation

/// The state of a store: the schedule, who waits for it, and what is written of it.
///
/// Used under the store's lock. What must not be done there is put into `after`.
struct Core: Sendable {
  struct Job: Sendable {
    let number: Int, pack: Int
    let task: Task<Void, Never>
  }

  /// What is known of the network: lost is a server that could not be reached when it was first tried, absent a network
  /// of which the app says so.
  enum Network: Sendable { case unknown, met, lost, absent }

  /// Models `state`, what is known of a store besides its files.
  struct Saved: Codable {
    struct Use: Codable { let time: Int64, wasPurged: Bool }

    var catalog: String?
    /// The highest release of a signed index.
    var seen: Int64 = 0
    var isInstalled = false, isPrefetching = false
    var preservation: [String: Double] = [:]
    var uses: [String: Use] = [:]
  }

  var schedule: Schedule
  private(set) var catalog: Catalog?
  private(set) var seen: Int64 = 0
  private var isInstalled = false
  var network = Network.unknown
  /// Old packs that patches may be made from.
  private var sources: Set<String> = []

  private var open: [Int: RequestState] = [:]
  private var installs: [CheckedContinuation<Outcome, Never>] = []
  var lowSpace: [AsyncStream<Void>.Continuation] = []
  var job: Job?
  /// Also one that was cancelled, and may still end.
  var lastJob: Task<Void, Never>?
  var jobs = 0
  private(set) var isClosed = false
  /// Whether a save is to come that takes in all changes until then.
  var isSaving = false
  /// What follows from a change once the lock is given back.
  var after: [@Sendable () -> Void] = []
}

/// Requests and installs.
extension Core {
  mutating func begin(_ request: RequestState, _ tags: [String], at time: Int64) throws(OnDemandError) {
    if request.isUsed || isClosed { throw .ended }
    request.isUsed = true
    do throws(OnDemandError) {
      if catalog == nil { throw .offline }
      seekServer(at: time)
      let number = try schedule.begin(tags, priority: request.priority, at: time)
      (request.number, open[number]) = (number, request)
      report(request)
    } catch {
      settle(request, .failure(error))
      throw error
    }
  }

  mutating func beginConditionally(
    _ request: RequestState, _ tags: [String], at time: Int64
  ) throws(OnDemandError) -> Bool {
    if request.isUsed || isClosed { throw .ended }
    guard let number = try schedule.beginConditionally(tags, at: time) else { return false }
    request.isUsed = true
    (request.number, open[number]) = (number, request)
    return true
  }

  mutating func wait(for request: RequestState, _ waiter: CheckedContinuation<Outcome, Never>) {
    if let outcome = request.outcome { return after.append { waiter.resume(returning: outcome) } }
    request.waiter = waiter
  }

  mutating func end(_ request: RequestState, at time: Int64) {
    request.isUsed = true
    if let number = request.number { schedule.end(number, at: time) }
    if request.outcome == nil { settle(request, .failure(.ended)) }
    if let number = request.number { open[number] = nil }
    request.number = nil
  }

  mutating func install(_ waiter: CheckedContinuation<Outcome, Never>, at time: Int64) {
    installs.append(waiter)
    do throws(OnDemandError) {
      if isClosed { throw .ended }
      if isInstalled { return settleInstalls(.success(())) }
      if catalog == nil { throw .offline }
      seekServer(at: time)
      try schedule.install(at: time)
    } catch {
      settleInstalls(.failure(error))
    }
  }

  mutating func close(at time: Int64) {
    isClosed = true
    schedule.endAll(at: time)
    schedule.setOnline(false, at: time)
    for request in open.values { end(request, at: time) }
    settleInstalls(.failure(.ended))
    after.append { [lowSpace] in for continuation in lowSpace { continuation.finish() } }
  }

  private mutating func settle(_ request: RequestState, _ outcome: Outcome) {
    request.outcome = outcome
    after.append { [waiter = request.waiter, watchers = request.watchers] in
      waiter?.resume(returning: outcome)
      for watcher in watchers { watcher.finish() }
    }
    (request.waiter, request.watchers) = (nil, [])
  }

  private mutating func settleInstalls(_ outcome: Outcome) {
    after.append { [installs] in
      for waiter in installs { waiter.resume(returning: outcome) }
    }
    installs = []
  }
}

/// What the network did, and what follows.
extension Core {
  mutating func meetServer(at time: Int64) {
    if network == .absent || isClosed { return }
    network = .met
    if !schedule.isOnline { schedule.setOnline(true, at: time) }
  }

  /// Tries a server again that could not be reached.
  private mutating func seekServer(at time: Int64) {
    if network != .lost { return }
    network = .unknown
    schedule.setOnline(true, at: time)
  }

  /// The server cannot be reached; false where it could before, so that it may come back by itself.
  mutating func loseServer(_ job: Int, at time: Int64) -> Bool {
    if network == .met || self.job?.number != job { return false }
    network = .lost
    if !installs.isEmpty { schedule.fail(.offline, at: time) }
    schedule.setOnline(false, at: time)
    return true
  }

  mutating func receive(_ bytes: Int64, of total: Int64, _ pack: Int) {
    schedule.receive(bytes, of: total, pack)
    for number in schedule.waiting(for: pack) { if let request = open[number] { report(request) } }
  }

  mutating func watch(_ request: RequestState, _ watcher: AsyncStream<ResourceProgress>.Continuation) {
    if request.outcome != nil { return after.append { watcher.finish() } }
    request.watchers.append(watcher)
    report(request)
  }

  private func report(_ request: RequestState) {
    guard !request.watchers.isEmpty, let number = request.number else { return }
    let packs = schedule.packs(of: number).map { schedule.packs[$0] }
    let total = packs.reduce(0) { $0 + $1.transfer }
    let bytes = packs.reduce(0) { $0 + ($1.isStored ? $1.transfer : min($1.arrived, $1.transfer)) }
    for watcher in request.watchers { watcher.yield(ResourceProgress(bytes: bytes, total: total)) }
  }

  /// Does what the schedule says; whether it has to be saved.
  mutating func handleEvents(_ folder: StoreFolder) -> Bool {
    let events = schedule.takeEvents()
    for event in events {
      switch event {
      case .stored: break
      case .purged(let pack), .dropped(let pack): discard(schedule.packs[pack], folder)
      case .available(let number):
        guard let request = open[number] else { continue }
        report(request)
        settle(request, .success(()))
      case .failed(let number, let error):
        guard let request = open.removeValue(forKey: number) else { continue }
        request.number = nil
        settle(request, .failure(error))
      case .installed:
        isInstalled = true
        settleInstalls(.success(()))
      case .installFailed(let error): settleInstalls(.failure(error))
      case .lowSpace: after.append { [lowSpace] in for continuation in lowSpace { continuation.yield() } }
      }
    }
    if !wantsSources { dropSources(folder) }
    return !events.isEmpty
  }

  private mutating func discard(_ pack: Schedule.Pack, _ folder: StoreFolder) {
    for file in pack.info.files { folder.remove(download: file.digest) }
    if !pack.isCurrent && wantsSources {
      sources.insert(pack.info.key)
    } else {
      // Old files take up space that nobody counts: they go before anything is purged.
      if pack.isCurrent { dropSources(folder) }
      folder.remove(pack: pack.info.key)
    }
  }

  /// Whether a pack is still to come by a patch.
  private var wantsSources: Bool {
    schedule.packs.contains { $0.info.patch != nil && $0.isCurrent && !$0.isStored }
  }

  private mutating func dropSources(_ folder: StoreFolder) {
    for key in sources { folder.remove(pack: key) }
    sources = []
  }

  var heldKeys: [String] { schedule.packs.filter { $0.pins > 0 && $0.isStored }.map(\.info.key) }

  var storedIDs: Set<String> {
    Set(schedule.packs.lazy.filter { $0.isCurrent && $0.isStored }.map(\.info.id))
  }
}

/// What is written of a store, and read back.
extension Core {
  init(opening folder: StoreFolder, _ schedule: Schedule, at time: Int64) throws(OnDemandError) {
    self.schedule = schedule
    // What cannot be read is as if it were not there: packs come again.
    let saved = try folder.read(Saved.self, "state") ?? Saved()
    seen = saved.seen
    for (tag, priority) in saved.preservation { self.schedule.preserve([tag], priority) }
    catalog = try saved.catalog.flatMap { name throws(OnDemandError) in
      try folder.read(Catalog.self, "catalog.\(name)")
    }
    if let catalog { self.schedule.update(to: catalog, at: time) }
    var strangers = try folder.storedKeys()
    var downloads = try folder.downloads()
    for (number, pack) in self.schedule.packs.enumerated() {
      let key = pack.info.key
      let arrived = pack.info.files.compactMap { downloads.removeValue(forKey: $0.digest) }.first
      self.schedule.restore(
        number, isStored: strangers.remove(key) != nil, arrived: arrived ?? 0,
        lastUse: saved.uses[key]?.time ?? 0, wasPurged: saved.uses[key]?.wasPurged ?? false)
    }
    for digest in downloads.keys { folder.remove(download: digest) }
    sources = strangers
    isInstalled = saved.isInstalled
    if isInstalled && saved.isPrefetching { self.schedule.resumePrefetch(at: time) }
    self.schedule.setSpace(schedule.space, at: time)
  }

  func save(to folder: StoreFolder) throws(OnDemandError) {
    var saved = Saved(catalog: catalog?.digest, seen: seen, isInstalled: isInstalled)
    saved.isPrefetching = schedule.isPrefetching
    saved.preservation = schedule.preservation
    for pack in schedule.packs where pack.isCurrent && (pack.lastUse > 0 || pack.wasPurged) {
      saved.uses[pack.info.key] = Saved.Use(time: pack.lastUse, wasPurged: pack.wasPurged)
    }
    try folder.write(saved, to: "state")
  }

  mutating func take(
    _ next: Catalog, isSigned: Bool, _ folder: StoreFolder, at time: Int64
  ) throws(OnDemandError) -> PackStore.Update {
    if isSigned && next.number < seen { throw .untrusted("release \(seen) was seen before \(next.number)") }
    let (old, update) = (catalog, PackStore.Update(from: catalog, to: next, stored: storedIDs))
    if isSigned { seen = next.number }
    if !update.isNew { return update }
    try folder.write(next, to: "catalog.\(next.digest)")
    catalog = next
    do throws(OnDemandError) {
      // From here on the new release is in place, whenever the process ends.
      try save(to: folder)
    } catch {
      catalog = old
      throw error
    }
    if let old { folder.remove("catalog.\(old.digest)") }
    dropSources(folder)
    schedule.update(to: next, at: time)
    return update
  }
}

extension PackStore.Update {
  fileprivate init(from old: Catalog?, to new: Catalog, stored: Set<String>) {
    isNew = old?.digest != new.digest
    let before = Dictionary(uniqueKeysWithValues: (old?.packs ?? []).map { ($0.id, $0.digest) })
    let changed = new.packs.filter { before[$0.id] != nil && before[$0.id] != $0.digest }
    added = new.packs.map(\.id).filter { before[$0] == nil }
    self.changed = changed.map(\.id)
    removed = Set(before.keys).subtracting(new.packs.map(\.id)).sorted()
    downloadSize = changed.filter { stored.contains($0.id) }.reduce(0) { $0 + $1.transfer }
  }
}
