import Foundation

/// The state of a store: the schedule, who waits for it, and which folders its packs have.
///
/// Used under the store's lock. What must not be done there is put into `after`.
struct Core: Sendable {
  /// The pack that is on its way.
  struct Job: Sendable {
    let number: Int
    let pack: Int
    let task: Task<Void, Never>
  }

  /// What is known of the network.
  enum Network: Sendable {
    case unknown
    /// The server has answered before.
    case met
    /// The server could not be reached; the next request tries again.
    case lost
    /// The app says that there is none.
    case absent
  }

  var schedule: Schedule
  var catalog: Catalog?
  /// Packs by their number in the schedule, those that an update replaced included.
  var known: [Int: Catalog.Pack] = [:]
  var network = Network.unknown
  /// The highest release of a signed index.
  var seen: Int64 = 0
  var isInstalled = false
  private var isPrefetching = false
  /// Old packs that patches may be made from.
  private var sources: Set<String> = []

  private var open: [Int: RequestState] = [:]
  private var installs: [CheckedContinuation<Void, any Error>] = []
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
    try use(request)
    do throws(OnDemandError) {
      if catalog == nil { throw .offline }
      seekServer(at: time)
      let number = try schedule.begin(tags, priority: request.priority, at: time)
      request.number = number
      open[number] = request
      report(request)
    } catch {
      finishWatchers(of: request)
      throw error
    }
  }

  mutating func beginConditionally(
    _ request: RequestState, _ tags: [String], at time: Int64
  ) throws(OnDemandError) -> Bool {
    if request.isUsed || isClosed { throw .ended }
    guard let number = try schedule.beginConditionally(tags, at: time) else { return false }
    try use(request)
    request.number = number
    open[number] = request
    return true
  }

  private func use(_ request: RequestState) throws(OnDemandError) {
    if request.isUsed || isClosed { throw .ended }
    request.isUsed = true
  }

  mutating func end(_ request: RequestState, at time: Int64) {
    request.isUsed = true
    if let number = request.number { schedule.end(number, at: time) }
    if request.outcome == nil { settle(request, .failure(.ended)) }
    if let number = request.number { open[number] = nil }
    request.number = nil
  }

  mutating func install(_ waiter: CheckedContinuation<Void, any Error>, at time: Int64) {
    do throws(OnDemandError) {
      if isClosed { throw .ended }
      if isInstalled { return after.append { waiter.resume() } }
      if catalog == nil { throw .offline }
      seekServer(at: time)
      try schedule.install(at: time)
      installs.append(waiter)
    } catch {
      after.append { [error] in waiter.resume(throwing: error) }
    }
  }

  mutating func resumePrefetch(at time: Int64) {
    if isInstalled && isPrefetching { schedule.resumePrefetch(at: time) }
  }

  mutating func close(at time: Int64) {
    isClosed = true
    schedule.endAll(at: time)
    schedule.setOnline(false, at: time)
    for request in open.values { end(request, at: time) }
    settleInstalls(.failure(.ended))
    let lowSpace = lowSpace
    after.append { for continuation in lowSpace { continuation.finish() } }
  }

  private mutating func settle(_ request: RequestState, _ outcome: Result<Void, OnDemandError>) {
    request.outcome = outcome
    let waiter = request.waiter
    request.waiter = nil
    after.append { waiter?.resume(with: outcome.mapError { $0 as any Error }) }
    finishWatchers(of: request)
  }

  private mutating func finishWatchers(of request: RequestState) {
    let watchers = request.watchers
    request.watchers = []
    after.append { for watcher in watchers { watcher.finish() } }
  }

  private mutating func settleInstalls(_ outcome: Result<Void, OnDemandError>) {
    let waiters = installs
    installs = []
    after.append { for waiter in waiters { waiter.resume(with: outcome.mapError { $0 as any Error }) } }
  }
}

/// What the network did.
extension Core {
  /// The server answered.
  mutating func meetServer(at time: Int64) {
    if network == .absent { return }
    network = .met
    if !schedule.isOnline && !isClosed { schedule.setOnline(true, at: time) }
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
    schedule.setTransfer(total, of: pack)
    schedule.received(bytes, of: pack)
    for number in schedule.waiting(for: pack) { if let request = open[number] { report(request) } }
  }

  func progress(of request: RequestState) -> ResourceProgress? {
    guard let number = request.number else { return nil }
    let packs = schedule.packs(of: number).map { schedule.packs[$0] }
    let total = packs.reduce(0) { $0 + $1.transfer }
    let bytes = packs.reduce(0) { $0 + ($1.isStored ? $1.transfer : min($1.arrived, $1.transfer)) }
    return ResourceProgress(bytes: bytes, total: total)
  }

  private func report(_ request: RequestState) {
    if request.watchers.isEmpty { return }
    if let step = progress(of: request) { for watcher in request.watchers { watcher.yield(step) } }
  }

  /// Does what the schedule says; whether it has to be saved.
  mutating func handleEvents(_ folder: StoreFolder) -> Bool {
    let events = schedule.takeEvents()
    for event in events {
      switch event {
      case .stored: break
      case .purged(let pack), .dropped(let pack): discard(pack, event == .purged(pack), folder)
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
      case .lowSpace:
        let lowSpace = lowSpace
        after.append { for continuation in lowSpace { continuation.yield() } }
      }
    }
    if !sources.isEmpty && !wantsSources { dropSources(folder) }
    return !events.isEmpty
  }

  private mutating func discard(_ number: Int, _ isPurge: Bool, _ folder: StoreFolder) {
    guard let pack = known[number] else { return }
    let key = StoreFolder.key(id: pack.id, digest: pack.digest)
    for file in [pack.archive, pack.patch] { if let file { folder.remove(download: file.digest) } }
    if isPurge {
      // Old files take up space that nobody counts: they go first.
      dropSources(folder)
    } else {
      known[number] = nil
      if wantsSources {
        sources.insert(key)
        return
      }
    }
    folder.remove(pack: key)
  }

  /// Whether a pack is still to come by a patch.
  private var wantsSources: Bool {
    known.contains { number, pack in
      pack.patch != nil && schedule.packs[number].isCurrent && !schedule.packs[number].isStored
    }
  }

  private mutating func dropSources(_ folder: StoreFolder) {
    for key in sources { folder.remove(pack: key) }
    sources = []
  }

  /// The keys of packs that open requests hold.
  var heldKeys: [String] {
    known.compactMap { number, pack in
      let state = schedule.packs[number]
      return state.pins > 0 && state.isStored ? StoreFolder.key(id: pack.id, digest: pack.digest) : nil
    }
  }

  /// The identifiers of packs of the release in place that are stored.
  var storedIDs: Set<String> {
    Set(schedule.packs.lazy.filter { $0.isCurrent && $0.isStored }.map(\.id))
  }
}

/// Releases, and what is written of them.
extension Core {
  /// Reads what a folder has.
  init(opening folder: StoreFolder, _ schedule: Schedule, at time: Int64) throws(OnDemandError) {
    self.schedule = schedule
    var state = SavedState(try folder.read("state") ?? Data())
    seen = state.seen
    for (tag, priority) in state.preservation { self.schedule.preserve([tag], priority) }
    let stored = try folder.storedKeys()
    let downloads = try folder.downloads()
    if let name = state.catalog, let data = try folder.read("catalog.\(name)"),
      let catalog = Catalog(text: data)
    {
      place(catalog, at: time)
      (isInstalled, isPrefetching) = (state.isInstalled, state.isPrefetching)
    }
    var kept: Set<String> = []
    for (number, pack) in known.sorted(by: { $0.key < $1.key }) {
      let key = StoreFolder.key(id: pack.id, digest: pack.digest)
      kept.insert(key)
      let use = state.uses.removeValue(forKey: key)
      let files = [pack.patch, pack.archive].compactMap { $0?.digest }
      self.schedule.restore(
        number, isStored: stored.contains(key), arrived: files.compactMap { downloads[$0] }.first ?? 0,
        lastUse: use?.time ?? 0, wasPurged: use?.wasPurged ?? false)
    }
    let wanted = Set(known.values.flatMap { [$0.archive.digest, $0.patch?.digest] })
    for digest in downloads.keys where !wanted.contains(digest) { folder.remove(download: digest) }
    let strangers = stored.subtracting(kept)
    if wantsSources { sources = strangers } else { for key in strangers { folder.remove(pack: key) } }
    self.schedule.setSpace(schedule.space, at: time)
  }

  /// Takes a release over from the index that was fetched.
  mutating func take(
    _ catalog: Catalog, isSigned: Bool, _ folder: StoreFolder, at time: Int64
  ) throws(OnDemandError) -> PackStore.Update {
    if isSigned && catalog.number < seen { throw .untrusted("its release is below \(seen), which was seen before") }
    let update = PackStore.Update(from: self.catalog, to: catalog, stored: storedIDs)
    if isSigned { seen = catalog.number }
    if !update.isNew { return update }
    try folder.write(catalog.text, to: "catalog.\(catalog.digest)")
    let old = self.catalog
    self.catalog = catalog
    do throws(OnDemandError) {
      // From here on the new release is in place, whenever the process ends.
      try folder.write(stateText, to: "state")
    } catch {
      self.catalog = old
      throw error
    }
    if let old { folder.remove("catalog.\(old.digest)") }
    dropSources(folder)
    place(catalog, at: time)
    return update
  }

  private mutating func place(_ catalog: Catalog, at time: Int64) {
    self.catalog = catalog
    let packs = catalog.packs.map { pack in
      Schedule.Pack(
        id: pack.id, tags: pack.tags, size: pack.size, transfer: (pack.patch ?? pack.archive).size,
        content: pack.digest)
    }
    schedule.update(
      to: packs, initialInstall: catalog.initialInstall, prefetch: catalog.prefetch, at: time)
    let byID = Dictionary(uniqueKeysWithValues: catalog.packs.map { ($0.id, $0) })
    for (number, pack) in schedule.packs.enumerated() where pack.isCurrent { known[number] = byID[pack.id] }
  }

  /// What is kept of the store besides its files: a line for each fact, its fields between tabs.
  var stateText: String {
    var lines = ["packtool store\t1", "seen\t\(seen)"]
    if let catalog { lines.append("catalog\t\(catalog.digest)") }
    if isInstalled { lines.append("installed") }
    if schedule.isPrefetching { lines.append("prefetching") }
    for (tag, priority) in schedule.preservation.sorted(by: { $0.key < $1.key }) {
      lines.append("keep\t\(priority)\t\(tag)")
    }
    for (number, pack) in known {
      let state = schedule.packs[number]
      if !state.isCurrent || state.lastUse == 0 && !state.wasPurged { continue }
      let key = StoreFolder.key(id: pack.id, digest: pack.digest)
      lines.append("pack\t\(key)\t\(state.lastUse)\t\(state.wasPurged ? 1 : 0)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// `state`, read back.
private struct SavedState {
  var seen: Int64 = 0
  var catalog: String?
  var isInstalled = false
  var isPrefetching = false
  var preservation: [String: Double] = [:]
  var uses: [String: (time: Int64, wasPurged: Bool)] = [:]

  /// Takes what it can: what is missing is only slower.
  init(_ data: Data) {
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      switch (fields[0], fields.count) {
      case ("seen", 2): seen = Int64(fields[1]) ?? 0
      case ("catalog", 2): catalog = fields[1]
      case ("installed", 1): isInstalled = true
      case ("prefetching", 1): isPrefetching = true
      case ("keep", 3): preservation[fields[2]] = Double(fields[1])
      case ("pack", 4): uses[fields[1]] = (Int64(fields[2]) ?? 0, fields[3] == "1")
      default: continue
      }
    }
  }
}

extension Catalog {
  /// Takes the patches of a list for packs whose old contents are there.
  mutating func addPatches(_ list: PatchList?, ofPacks stored: Set<String>) {
    guard let list, list.formatVersion == 1 else { return }
    let patches = Dictionary(list.packs.map { ($0.id, $0) }) { first, _ in first }
    for index in packs.indices where stored.contains(packs[index].id) {
      guard let patch = patches[packs[index].id], hexDigest(patch.digest) == packs[index].digest else { continue }
      packs[index].patch = PublishedFile(patch.patch)
    }
  }
}

extension PackStore.Update {
  fileprivate init(from old: Catalog?, to new: Catalog, stored: Set<String>) {
    isNew = old?.digest != new.digest
    let before = Dictionary(uniqueKeysWithValues: (old?.packs ?? []).map { ($0.id, $0.digest) })
    let after = Set(new.packs.map(\.id))
    let changed = new.packs.filter { before[$0.id] != nil && before[$0.id] != $0.digest }
    added = new.packs.map(\.id).filter { before[$0] == nil }
    self.changed = changed.map(\.id)
    removed = before.keys.filter { !after.contains($0) }.sorted()
    downloadSize = changed.filter { stored.contains($0.id) }.reduce(0) { $0 + ($1.patch ?? $1.archive).size }
  }
}
