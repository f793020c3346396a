import Foundation

/// The state of a store: the schedule, who waits for it, and what is written of it.
///
/// Used under the store's lock.
struct Core: Sendable {
  /// Models `state`, what is known of a store besides its files and its catalog.
  private struct Saved: Codable {
    struct Use: Codable { let time: Int64, wasPurged: Bool }

    var isInstalled = false
    /// The digest of the index whose prefetch is under way.
    var prefetching: String?
    var preservation: [String: Double] = [:]
    var uses: [String: Use] = [:]
  }

  var schedule: Schedule
  private let folder: StoreFolder
  private(set) var catalog: Catalog?
  /// Whether the server answered, after which it is waited for where it cannot be reached.
  private var isServerKnown = false
  /// Whether the app says that there is no network, or has closed the store.
  private var isCutOff = false
  /// Packs that were removed, whose files stay while patches may be made from them.
  private var sources: Set<String> = []

  var lowSpace: [AsyncStream<Void>.Continuation] = []
  /// The pack whose download is under way.
  var job: Int?
  /// Its task, or the last one's, which may still end; it is cancelled when it is left.
  var task: Task<Void, Never>?
  private(set) var isClosed = false
  /// Whether a save is to come that takes in all changes until then.
  var isSaving = false

  init(opening folder: StoreFolder, schedule: Schedule) throws {
    (self.folder, self.schedule) = (folder, schedule)
    // What cannot be read is as if it were not there: packs come again.
    let saved = try folder.read(Saved.self, name: "state") ?? Saved()
    self.schedule.preservation = saved.preservation
    catalog = try folder.read(Catalog.self, name: "catalog")
    if let catalog { self.schedule.update(to: catalog) }
    sources = try folder.storedKeys()
    var downloads = try folder.downloads()
    for (number, var pack) in self.schedule.packs.enumerated() {
      let (key, files) = (pack.info.key, pack.info.files)
      pack.isStored = sources.remove(key) != nil
      pack.arrived = files.compactMap { downloads.removeValue(forKey: $0.digest.hex) }.first ?? 0
      pack.isReserved = pack.isStored || pack.arrived > 0
      pack.lastUse = saved.uses[key]?.time ?? (pack.isStored ? 0 : nil)
      pack.wasPurged = saved.uses[key]?.wasPurged == true
      self.schedule.packs[number] = pack
    }
    for digest in downloads.keys { folder.remove(download: digest) }
    self.schedule.isInstalled = saved.isInstalled
    if let digest = saved.prefetching, digest == catalog?.indexDigest { self.schedule.resumePrefetch() }
    self.schedule.setSpace(schedule.space)
  }

  /// Whether the request is open now; where packs are missing, one that is to find all stored stays as it was.
  mutating func begin(_ request: RequestState, ifStored: Bool) throws(OnDemandError) -> Bool {
    let isOpen = schedule.requests.contains { $0 === request }
    if isOpen || request.outcome != nil || isClosed { throw .ended }
    do throws(OnDemandError) {
      if !ifStored { try seekServer() }
      return try schedule.begin(request, ifStored: ifStored)
    } catch {
      if !ifStored { request.settle(.failure(error)) }
      throw error
    }
  }

  mutating func install(_ request: RequestState) throws(OnDemandError) {
    if isClosed { throw .ended }
    if schedule.isInstalled { return request.settle() }
    try seekServer()
    try schedule.install(request)
  }

  /// Ends all; the task that may still go on.
  mutating func close() -> Task<Void, Never>? {
    if isClosed { return task }
    (isClosed, isSaving) = (true, true)
    setNetwork(isAvailable: false)
    for request in schedule.requests + schedule.installs { schedule.close(request) }
    for continuation in lowSpace { continuation.finish() }
    return task
  }

  mutating func setNetwork(isAvailable: Bool) {
    (isCutOff, isServerKnown) = (!isAvailable, false)
    schedule.setOnline(isAvailable)
  }

  mutating func connect() {
    isServerKnown = !isCutOff
    schedule.setOnline(!isCutOff)
  }

  /// Tries a server again that could not be reached.
  private mutating func seekServer() throws(OnDemandError) {
    if catalog == nil { throw .offline }
    schedule.setOnline(!isCutOff)
  }

  /// The server cannot be reached; false where it could before, so that it may come back by itself.
  mutating func loseServer() -> Bool {
    if isServerKnown || Task.isCancelled { return false }
    if !schedule.installs.isEmpty { schedule.fail(.offline) }
    schedule.setOnline(false)
    return true
  }

  /// Takes the files of a pack, which are on the disk, unless its download was left before.
  mutating func finish(_ pack: Catalog.Pack, made: URL) throws {
    if Task.isCancelled { return }
    try folder.publish(made, as: pack.key)
    for file in pack.files { folder.remove(download: file.digest.hex) }
    job = nil
    connect()
    schedule.arrive()
  }

  /// Says that a pack cannot come, unless its download was left before.
  mutating func fail(_ error: OnDemandError) {
    if Task.isCancelled { return }
    job = nil
    schedule.fail(error)
  }

  /// Does what the schedule says; whether it has to be saved.
  mutating func handleEvents() -> Bool {
    let events = schedule.events
    schedule.events = (false, [], 0)
    for number in events.removed {
      let pack = schedule.packs[number]
      // What is wanted again at once goes on from what has come.
      let files = number == schedule.serving ? [] : pack.info.files
      for file in files { folder.remove(download: file.digest.hex) }
      sources.insert(pack.info.key)
      // Old files take up space that nobody counts: they go before anything is purged.
      if pack.isCurrent { dropSources() }
    }
    for _ in 0..<events.warnings { for continuation in lowSpace { continuation.yield() } }
    let isPatching = schedule.packs.contains { $0.info.patch != nil && $0.isCurrent && !$0.isStored }
    if !isPatching { dropSources() }
    return events.isChanged
  }

  private mutating func dropSources() {
    for key in sources { folder.remove(pack: key) }
    sources = []
  }

  /// Writes what changed; what is lost where it cannot be written is when packs were last used.
  mutating func save() {
    if !isSaving { return }
    isSaving = false
    var saved = Saved(
      isInstalled: schedule.isInstalled, prefetching: schedule.prefetch.isEmpty ? nil : catalog?.indexDigest,
      preservation: schedule.preservation)
    for pack in schedule.packs where pack.isCurrent && (pack.lastUse != nil || pack.wasPurged) {
      saved.uses[pack.info.key] = Saved.Use(time: pack.lastUse ?? 0, wasPurged: pack.wasPurged)
    }
    try? folder.write(saved, to: "state")
  }

  /// Puts a release in place, and says what it changes.
  mutating func adopt(_ next: Catalog, isSigned: Bool) throws -> PackStore.Update {
    if isClosed { throw OnDemandError.ended }
    let (old, stored, seen, number) = (catalog, storedIDs, catalog?.seen, next.release ?? 0)
    if isSigned, let expires = next.expires {
      let date = (try? Date(expires, strategy: .iso8601)) ?? .distantPast
      let isPast = date.timeIntervalSince1970 * 1_000_000 <= Double(schedule.now)
      if isPast { throw OnDemandError.untrusted("it expired at \(expires)") }
    }
    if isSigned, let app = old?.bundleIdentifier, app != next.bundleIdentifier {
      throw OnDemandError.untrusted("it is of the app \"\(next.bundleIdentifier ?? "")\", not of \"\(app)\"")
    }
    if isSigned, let seen, number < seen {
      throw OnDemandError.untrusted("release \(seen) was seen before \(number)")
    }
    let packs = Dictionary(uniqueKeysWithValues: (old?.packs ?? []).map { ($0.id, $0.digest) })
    let changed = next.packs.filter { packs[$0.id] != nil && packs[$0.id] != $0.digest }
    let update = PackStore.Update(
      isNew: old?.indexDigest != next.indexDigest, added: next.packs.map(\.id).filter { packs[$0] == nil },
      changed: changed.map(\.id), removed: Set(packs.keys).subtracting(next.packs.map(\.id)).sorted(),
      downloadSize: changed.filter { stored.contains($0.id) }.reduce(0) { $0 + $1.transfer })
    var taken = update.isNew ? next : old ?? next
    taken.seen = isSigned ? number : seen
    if !update.isNew && taken.seen == seen { return update }
    // From here on the new release is in place, whenever the process ends.
    try folder.write(taken, to: "catalog")
    try folder.syncFiles()
    catalog = taken
    if update.isNew {
      dropSources()
      schedule.update(to: taken)
    }
    return update
  }

  var storedIDs: Set<String> { Set(schedule.packs.filter { $0.isCurrent && $0.isStored }.map(\.info.id)) }
}
