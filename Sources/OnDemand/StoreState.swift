import Foundation

/// The state of a store: the schedule, the releases, the waiting requests and the failures.
///
/// Code uses the state while it holds the store's lock, so the state makes no system calls. `effects` lists
/// the changes that must then be made on the disk, in order.
struct StoreState: Sendable {
  /// A change that must be made on the disk.
  enum Effect: Sendable {
    case removePack(key: String)
    case removeDownload(digest: String)
  }

  /// A running download.
  struct Job: Sendable {
    let id: Int
    let task: Task<Void, Never>
  }

  /// The pack that a job must download, with its source.
  struct Plan: Sendable {
    let number: Int
    let job: Int
    let pack: Catalog.Pack
    /// The patch that the job downloads; nil if it downloads the archive.
    let patch: Catalog.PackPatch?
    let server: URL
    /// The number of bytes of the download that are already on the disk.
    let arrived: Int64

    var file: ServerFile { patch?.file ?? pack.archive }
  }

  /// The next action of a job after a failure.
  enum Next: Sendable {
    case tryAgain
    case stop
    /// The job must check whether the server has another release.
    ///
    /// If not, the job must report this error.
    case askForRelease(OnDemandError)
  }

  /// A download that fails or receives no bytes.
  struct RetryState: Sendable {
    /// The time of the last byte.
    ///
    /// If no byte has arrived, it is the time when the wait for bytes began.
    var since: Int64
    /// The time since which the pack waits for other packs or for its paused requests; nil if it does not wait.
    ///
    /// This time does not count as a time without bytes.
    var idleSince: Int64?
    var pauses = 0
    /// The number of servers that were tried one after another without a pause.
    var servers = 0
    /// Whether a damaged download of the pack has already arrived once.
    var wasDamaged = false
    var retryTask: Task<Void, Never>?
  }

  /// A pack whose download is suspended for some seconds.
  struct Pause: Sendable {
    let number: Int
    let seconds: Double
  }

  var schedule: DownloadSchedule
  let options: PackStore.Options
  let folder: StoreFolder
  let servers: [URL]
  private(set) var catalog: Catalog?
  /// A newer release that was checked and has not been applied yet.
  private(set) var staged: Catalog?
  private var stagedNumbers: [String: Int] = [:]
  private(set) var history = ReleaseHistory()
  var trust = TrustRecord()
  var indexTag: SavedState.IndexTag?

  /// The keys of all packs on the disk.
  private(set) var present: Set<String> = []
  /// The identifiers of the packs that the store keeps only because patches may start from them, by the
  /// packs' keys.
  private var sources: [String: String] = [:]
  /// The digests of patches that failed.
  var brokenPatches: Set<String> = []
  private var uses: [String: SavedState.Use] = [:]

  /// The maximum size of all packs in bytes, as the app set it.
  private var appSpace: Int64
  private var volumeSpace: Int64 = .max

  var jobs: [Int: Job] = [:]
  /// For each pack, the task that started last.
  ///
  /// The task may still be running after its job was cancelled.
  private(set) var tasks: [Int: Task<Void, Never>] = [:]
  private var jobCount = 0
  /// For each pack, the id of the job that started last.
  private var lastJobs: [Int: Int] = [:]
  var retryStates: [Int: RetryState] = [:]
  var serverOffset = 0
  /// The number of bytes that were downloaded for each pack.
  private var received: [Int: Int64] = [:]
  /// Whether any server has answered.
  ///
  /// If a server has answered before, requests wait while the servers cannot be reached. Otherwise the
  /// requests fail.
  private(set) var isServerKnown = false
  /// Whether the app reported that there is no network connection.
  private var isCutOff = false
  private(set) var isClosed = false

  var effects: [Effect] = []
  /// The suspended packs whose timers must be started.
  var pauses: [Pause] = []
  var lowSpace: [AsyncStream<Void>.Continuation] = []
  var watchers: [AsyncStream<StoreEvent>.Continuation] = []
  /// Whether a write of the state is scheduled.
  ///
  /// The write will include all changes that are made before it.
  var isSaving = false
  var lastSave: Int64 = 0

  init(opening folder: StoreFolder, servers: [URL], options: PackStore.Options) throws {
    (self.folder, self.servers, self.options) = (folder, servers, options)
    appSpace = max(0, options.space ?? .max)
    schedule = DownloadSchedule(
      space: appSpace, inUse: options.inUse, connections: options.connections,
      keepsArchives: options.keepsArchives)
    schedule.now = options.now()
    // A file that cannot be read counts as missing. In this case, the store keeps all packs until a release
    // shows that they are not needed.
    let saved = try folder.read("state").flatMap { try? SavedState(stored: $0) } ?? SavedState()
    trust =
      try folder.read("trust").flatMap { try? JSONDecoder().decode(TrustRecord.self, from: $0) } ?? trust
    history = try folder.read("history").flatMap { try? ReleaseHistory(stored: $0) } ?? history
    schedule.preservation = saved.preservation
    uses = saved.uses
    for key in saved.held {
      uses[key, default: SavedState.Use(time: 0, wasPurged: false)].time = schedule.now
    }
    indexTag = saved.indexTag
    present = try folder.storedKeys()
    catalog = try accepted(Self.readCatalog(folder))
    staged = try accepted(folder.read("staged").flatMap { try? Catalog(stored: $0) })
    if staged?.indexDigest == catalog?.indexDigest { staged = nil }
    if let catalog { schedule.update(to: catalog) }
    if let staged { stagedNumbers = schedule.stage(staged) }
    try restorePacks()
    schedule.isInstalled = saved.isInstalled
    if let digest = saved.prefetching, digest == catalog?.indexDigest { schedule.resumePrefetch() }
    if options.space != nil { schedule.setSpace(appSpace) }
    schedule.events.isChanged = !saved.held.isEmpty
  }

  /// Reads the current release from this library's own file.
  ///
  /// If that fails, reads it from the server's index.
  private static func readCatalog(_ folder: StoreFolder) throws -> Catalog? {
    if let data = try folder.read("catalog"), let catalog = try? Catalog(stored: data) { return catalog }
    return try folder.read("index").flatMap { try? Catalog(index: $0) }
  }

  /// Returns the release if the app's options allow it, otherwise nil.
  private func accepted(_ catalog: Catalog?) -> Catalog? {
    guard let catalog else { return nil }
    let isSigned = options.publicKeys.isEmpty || trust.signed.contains(catalog.indexDigest)
    return isSigned && (try? checkOptions(catalog)) != nil ? catalog : nil
  }

  /// Checks a release against the app's options.
  private func checkOptions(_ catalog: Catalog) throws(OnDemandError) {
    let app = catalog.bundleIdentifier ?? ""
    if let own = options.bundleIdentifier, own != app {
      throw .untrusted("it belongs to the app \"\(app)\", not to \"\(own)\"")
    }
    if let least = options.minimumRelease, (catalog.number ?? 0) < least {
      throw .untrusted("it is release \(catalog.number ?? 0), but this app needs at least release \(least)")
    }
  }

  private mutating func restorePacks() throws {
    var downloads = try folder.downloads()
    var left = present
    for (number, pack) in schedule.packs.enumerated() {
      let isStored = left.remove(pack.info.key) != nil
      let arrived = pack.info.files.compactMap { downloads.removeValue(forKey: $0.digest.hex) }.max() ?? 0
      let use = uses[pack.info.key]
      schedule.restore(
        number,
        as: DownloadSchedule.Restored(
          isStored: isStored, arrived: arrived, lastUse: use?.time, wasPurged: use?.wasPurged == true))
    }
    choosePatches()
    if catalog == nil { return }
    for digest in downloads.keys { effects.append(.removeDownload(digest: digest)) }
    for key in left { keepAsSource(key) }
    dropNeedlessSources()
  }
}

/// Begins and ends requests.
extension StoreState {
  /// Begins a request; returns whether the request is open now.
  ///
  /// If `missing` is `.refused` and packs are missing, the request does not change.
  mutating func begin(
    _ request: RequestState, missing: DownloadSchedule.MissingPacks
  ) throws(OnDemandError) -> Bool {
    if isClosed { throw .closed }
    if request.outcome != nil || schedule.requests.contains(where: { $0 === request }) { throw .ended }
    do throws(OnDemandError) {
      if catalog == nil { throw .offline }
      let isOpen = try schedule.begin(request, missing: missing)
      if isOpen && request.outcome == nil { resumeAll(giving: request.packs) }
      return isOpen
    } catch {
      if missing == .downloaded { request.settle(.failure(error)) }
      throw error
    }
  }

  mutating func install(_ request: RequestState) throws(OnDemandError) {
    if isClosed { throw .closed }
    if catalog == nil { throw .offline }
    try schedule.install(request)
    resumeAll(giving: request.packs)
  }

  /// Ends all requests and cancels all downloads.
  ///
  /// Returns the tasks that may still be running.
  mutating func close() -> [Task<Void, Never>] {
    if !isClosed {
      isClosed = true
      for request in schedule.requests + schedule.installs + schedule.stagings {
        schedule.close(request, error: .closed)
      }
      for job in jobs.values { job.task.cancel() }
      for retryState in retryStates.values { retryState.retryTask?.cancel() }
      (jobs, retryStates) = ([:], [:])
      for watcher in watchers { watcher.finish() }
      for watcher in lowSpace { watcher.finish() }
      (watchers, lowSpace) = ([], [])
    }
    return Array(tasks.values)
  }

  mutating func setNetwork(isAvailable: Bool) {
    isCutOff = !isAvailable
    isServerKnown = false
    schedule.setOnline(isAvailable)
    if isAvailable { resumeAll() }
  }

  /// Records that a server answered.
  mutating func markServerKnown() { if !isCutOff { isServerKnown = true } }

  mutating func setSpace(_ bytes: Int64) {
    appSpace = max(0, bytes)
    schedule.setSpace(min(appSpace, volumeSpace))
  }

  /// Downloads the packs of a request again if they are damaged on the disk.
  mutating func repair(_ request: RequestState, packs numbers: [Int]) {
    markMissing(numbers)
    schedule.open(request, packs: numbers)
    resumeAll(giving: numbers)
  }

  /// Marks packs as damaged and removes their files.
  mutating func markMissing(_ numbers: [Int]) {
    for number in numbers {
      schedule.markMissing(number)
      removeFiles(schedule.packs[number].info.key)
    }
  }

  /// Returns the state of a tag.
  func state(of tag: String) -> TagState {
    guard let numbers = schedule.numbersByTag[tag] else { return .missing }
    if numbers.allSatisfy({ schedule.packs[$0].isStored }) {
      let isInUse = schedule.requests.contains { request in
        request.outcome != nil && request.tags.contains(tag) && numbers.allSatisfy(request.uses)
      }
      return isInUse ? .inUse : .downloaded
    }
    let progress = schedule.progress(of: numbers)
    return progress.bytes > 0 ? .partial(progress) : .missing
  }

  /// Returns the number of bytes that must still be downloaded for some packs.
  func downloadSize(of numbers: some Sequence<Int>) -> Int64 {
    schedule.downloadSize(of: numbers)
  }

  /// Deletes the packs of some tags, except packs that an open request uses or that another stored tag needs.
  mutating func remove(_ tags: Set<String>) -> Int64 {
    if isClosed { return 0 }
    let before = schedule.reserved
    let needed = schedule.numbersByTag.filter { tag, numbers in
      !tags.contains(tag) && numbers.allSatisfy { schedule.packs[$0].isStored }
    }
    let kept = Set(needed.values.joined())
    let numbers = Set(tags.flatMap { schedule.numbersByTag[$0] ?? [] }).subtracting(kept)
    schedule.discard(numbers)
    return before - schedule.reserved
  }
}

/// Runs the download jobs.
extension StoreState {
  /// Starts jobs for the packs that the schedule wants to download now, and cancels all other jobs.
  mutating func updateJobs(start: (Int, _ job: Int, _ previous: Task<Void, Never>?) -> Task<Void, Never>) {
    if isClosed { return }
    let serving = Set(schedule.serving)
    for (number, job) in jobs where !serving.contains(number) {
      job.task.cancel()
      jobs[number] = nil
      if !schedule.packs[number].isSuspended { retryStates[number]?.idleSince = schedule.now }
    }
    for number in schedule.serving where jobs[number] == nil {
      if let idleSince = retryStates[number]?.idleSince {
        retryStates[number]?.since += schedule.now - idleSince
        retryStates[number]?.idleSince = nil
      }
      jobCount += 1
      let task = start(number, jobCount, tasks[number])
      jobs[number] = Job(id: jobCount, task: task)
      lastJobs[number] = jobCount
      tasks[number] = task
    }
  }

  /// Returns the plan for a job; nil if the job was cancelled.
  mutating func plan(for number: Int, job: Int) -> Plan? {
    if jobs[number]?.id != job { return nil }
    choosePatch(number)
    if retryStates[number] == nil { retryStates[number] = RetryState(since: schedule.now) }
    return Plan(
      number: number, job: job, pack: schedule.packs[number].info, patch: patch(for: number),
      server: servers[serverOffset % servers.count], arrived: schedule.packs[number].arrived)
  }

  /// Records how many bytes of a download are on the disk, and when the last of these bytes arrived.
  mutating func receive(_ bytes: Int64, plan: Plan, at time: Int64) {
    // Bytes that arrived just before a job was cancelled are also counted.
    if lastJobs[plan.number] != plan.job || !schedule.packs[plan.number].isReserved || isClosed { return }
    let before = schedule.packs[plan.number].arrived
    schedule.receive(bytes, pack: plan.number)
    if bytes <= before { return }
    received[plan.number, default: 0] += bytes - before
    markServerKnown()
    if schedule.packs[plan.number].isSuspended { return }
    // If a transfer falls silent, the silence ends the transfer. Its last bytes are recorded only then.
    retryStates[plan.number] = RetryState(
      since: max(time, retryStates[plan.number]?.since ?? time),
      idleSince: retryStates[plan.number]?.idleSince,
      wasDamaged: retryStates[plan.number]?.wasDamaged == true)
  }

  /// Records that a pack is in place on the disk.
  mutating func finish(_ plan: Plan) {
    if isClosed { return }
    present.insert(plan.pack.key)
    retryStates[plan.number] = nil
    for file in plan.pack.files { effects.append(.removeDownload(digest: file.digest.hex)) }
    // A job that was cancelled at the last moment may already have stored its pack. That pack is kept unless
    // it was purged.
    if jobs[plan.number]?.id != plan.job && !schedule.packs[plan.number].isReserved {
      removeFiles(plan.pack.key)
      return
    }
    jobs[plan.number] = nil
    schedule.store(plan.number)
    report(
      .stored(
        pack: plan.pack.id, bytes: received.removeValue(forKey: plan.number) ?? 0, isPatch: plan.patch != nil)
    )
  }

  /// Records that the task of a job has nothing left to do, not even on the disk.
  ///
  /// Until then, `close` waits for the task.
  mutating func endTask(of plan: Plan) {
    if lastJobs[plan.number] == plan.job && !isClosed { tasks[plan.number] = nil }
  }

  /// Resumes all suspended downloads.
  ///
  /// For the packs in `numbers`, the time for retries starts again.
  mutating func resumeAll(giving numbers: [Int] = []) {
    for number in retryStates.keys where schedule.packs[number].isSuspended {
      retryStates[number]?.retryTask?.cancel()
      retryStates[number]?.pauses = 0
      resume(number)
    }
    for number in numbers {
      retryStates[number]?.since = schedule.now
      if retryStates[number]?.idleSince != nil { retryStates[number]?.idleSince = schedule.now }
    }
  }

  mutating func resume(_ number: Int) {
    retryStates[number]?.retryTask = nil
    retryStates[number]?.idleSince = schedule.now
    schedule.resume(number)
  }

  mutating func setRetryTask(_ task: Task<Void, Never>, pack: Int) { retryStates[pack]?.retryTask = task }

}

/// Manages the space for packs.
extension StoreState {
  /// Sets the free bytes and the size of the volume.
  mutating func setVolume(_ volume: Volume) {
    let stored = schedule.packs.reduce(Int64(0)) { $1.isStored ? $0 + $1.size : $0 }
    volumeSpace = options.space == nil ? max(0, stored + volume.free - volume.keptFree) : .max
    schedule.limit(to: min(appSpace, volumeSpace))
  }

  /// Purges packs because the disk is full.
  ///
  /// If no pack can be purged, gives up the pack of the plan.
  mutating func makeRoom(for plan: Plan) -> Next {
    let needed = max(0, plan.file.size - schedule.packs[plan.number].arrived) + plan.pack.size
    warn(needed: needed)
    if !sources.isEmpty {
      dropSources()
      return .tryAgain
    }
    if schedule.isAwaited(plan.number) && schedule.free(needed) { return .tryAgain }
    let next = fail(.outOfSpace(needed: needed), plan: plan)
    // Discard the pack. Otherwise its partial download would stay on the full disk.
    schedule.discard([plan.number])
    return next
  }

  /// Removes old packs that only patches need, because the disk is full.
  ///
  /// Returns false if there are no such packs. An update takes away no other packs.
  mutating func giveUpSources(needed: Int64) -> Bool {
    warn(needed: needed)
    if sources.isEmpty { return false }
    dropSources()
    return true
  }

  /// Purges packs before a download, if the volume does not have enough free space for the download.
  mutating func prepareRoom(for plan: Plan, free: Int64) {
    let needed = max(0, plan.file.size - plan.arrived) + (options.keepsArchives ? 0 : plan.pack.size)
    if free >= needed { return }
    if !sources.isEmpty { return dropSources() }
    warn(needed: needed)
    if schedule.isAwaited(plan.number) { _ = schedule.free(needed - free) }
  }

  private mutating func warn(needed: Int64) {
    report(.lowSpace(needed: needed))
    lowSpace.yield(())
  }

  mutating func report(_ event: StoreEvent) { watchers.yield(event) }
}

/// Carries out the effects of changes.
extension StoreState {
  /// Applies the events of the schedule; returns whether the state must be saved.
  mutating func handleEvents() -> Bool {
    let events = schedule.events
    schedule.events = DownloadSchedule.Events()
    for number in events.purged {
      report(.purged(pack: schedule.packs[number].info.id, bytes: schedule.packs[number].size))
      // Old packs are removed before any pack is purged, because they take up space that the schedule does
      // not count.
      dropSources()
    }
    for number in events.removed {
      let pack = schedule.packs[number]
      // If a pack is already being downloaded again, its partial download is resumed, so its files are kept.
      let files = schedule.serving.contains(number) ? [] : pack.info.files
      for file in files { effects.append(.removeDownload(digest: file.digest.hex)) }
      if !present.contains(pack.info.key) { continue }
      if pack.isCurrent || pack.isStaged || events.purged.contains(number) {
        removeFiles(pack.info.key)
      } else {
        sources[pack.info.key] = pack.info.id
      }
    }
    for bytes in events.shortages { warn(needed: bytes) }
    if !sources.isEmpty { dropNeedlessSources() }
    return events.isChanged
  }

  private mutating func removeFiles(_ key: String) {
    present.remove(key)
    sources[key] = nil
    effects.append(.removePack(key: key))
  }

  private mutating func keepAsSource(_ key: String) {
    if let id = history.id(ofKey: key) { sources[key] = id } else { removeFiles(key) }
  }

  private mutating func dropSources() { for key in sources.keys { removeFiles(key) } }

  /// Removes old packs whose newer versions are stored, unless patches of other packs may still start from
  /// old packs.
  private mutating func dropNeedlessSources() {
    var missing: Set<String> = []
    for (number, pack) in schedule.packs.enumerated()
    where (pack.isCurrent || pack.isStaged) && !pack.isStored {
      if patch(for: number) != nil { return }
      missing.insert(pack.info.id)
    }
    for (key, id) in sources where !missing.contains(id) { removeFiles(key) }
  }

  /// Returns the smallest patch for a pack that the store can probably apply.
  private func patch(for number: Int) -> Catalog.PackPatch? {
    if options.keepsArchives { return nil }
    let usable = schedule.packs[number].info.patches.filter {
      present.contains($0.base) && !brokenPatches.contains($0.file.digest.hex)
    }
    return usable.min { $0.file.size < $1.file.size }
  }

  mutating func choosePatch(_ number: Int) {
    let pack = schedule.packs[number]
    if pack.isStored { return }
    schedule.setTransfer((patch(for: number)?.file ?? pack.info.archive).size, pack: number)
  }

  private mutating func choosePatches() { for number in schedule.packs.indices { choosePatch(number) } }

  /// The state that is written to the file `state`.
  var saved: SavedState {
    var saved = SavedState()
    saved.isInstalled = schedule.isInstalled
    saved.prefetching = schedule.prefetch.isEmpty ? nil : catalog?.indexDigest
    saved.preservation = schedule.preservation
    saved.indexTag = indexTag
    for pack in schedule.packs where pack.isCurrent || pack.isStaged || pack.isStored {
      if pack.lastUse != nil || pack.wasPurged {
        saved.uses[pack.info.key] = SavedState.Use(time: pack.lastUse ?? 0, wasPurged: pack.wasPurged)
      }
      if pack.pins > 0 && pack.isStored { saved.held.append(pack.info.key) }
    }
    return saved
  }
}

/// Whether the signature of an index was checked.
enum IndexSignature {
  /// The store has no keys, so it does not require a signature.
  case none
  case verified
}

/// Stages and applies releases.
extension StoreState {
  /// Checks whether a release can follow the current release.
  func check(_ next: Catalog, signature: IndexSignature) throws(OnDemandError) {
    try checkOptions(next)
    // A store always belongs to the app of its first release, with and without keys. A list of packs without
    // an index does not name its app. Only a signature could prove that the list belongs to the same app.
    if let app = trust.bundleIdentifier, app != next.bundleIdentifier,
      signature != .none || next.bundleIdentifier != nil
    {
      throw .untrusted("it belongs to the app \"\(next.bundleIdentifier ?? "")\", not to \"\(app)\"")
    }
    if signature == .none { return }
    if let expires = next.expires {
      let date = (try? Date(expires, strategy: .iso8601)) ?? .distantPast
      let isPast = date.timeIntervalSince1970 * 1_000_000 <= Double(schedule.now)
      if isPast { throw .untrusted("it expired at \(expires)") }
    }
    if let seen = trust.highestRelease, next.number ?? 0 < seen {
      throw .untrusted("release \(seen) has already been seen, but the index is release \(next.number ?? 0)")
    }
  }

  /// For each release that patches can start from, the keys of the release's packs.
  ///
  /// The outer key is the index digest, and the inner key is the pack identifier.
  var patchBases: [String: [String: String]] {
    var bases = Dictionary(history.entries.map { ($0.indexDigest, $0.keys) }) { first, _ in first }
    if let catalog { bases[catalog.indexDigest] = ReleaseHistory.Entry(catalog).keys }
    return bases
  }

  /// Stages a release that was checked.
  mutating func stage(_ next: Catalog) {
    staged = next
    stagedNumbers = schedule.stage(next)
    restorePresentPacks()
    choosePatches()
  }

  /// Removes the staged release.
  mutating func unstage() {
    if staged == nil { return }
    staged = nil
    stagedNumbers = [:]
    schedule.unstage(error: .updateReplaced)
  }

  /// Adds packs that are on the disk to the schedule, if they belong to a release that was just staged or
  /// applied.
  private mutating func restorePresentPacks() {
    for (number, pack) in schedule.packs.enumerated()
    where !pack.isStored && (pack.isCurrent || pack.isStaged) && present.contains(pack.info.key) {
      sources[pack.info.key] = nil
      schedule.restore(
        number, as: DownloadSchedule.Restored(isStored: true, lastUse: uses[pack.info.key]?.time))
    }
  }

  /// The packs of the staged release for all tags that are stored now.
  ///
  /// This device needs these packs.
  var stagedPacks: [Int] {
    staged.map { schedule.stagedPacks(of: $0, numbers: stagedNumbers) } ?? []
  }

  /// Starts to download the staged release.
  mutating func download(_ request: RequestState, digest: String) throws(OnDemandError) {
    if isClosed { throw .closed }
    if digest == catalog?.indexDigest { return request.settle() }
    if digest != staged?.indexDigest { throw .updateReplaced }
    try schedule.download(request, packs: stagedPacks)
    resumeAll(giving: request.packs)
  }

  /// The contents of the files that are written before the staged release becomes the current release.
  struct Applied: Sendable {
    let catalog: Catalog
    let history: ReleaseHistory
    let trust: TrustRecord
  }

  /// Returns the contents of the files that must be on the disk before the staged release becomes the current
  /// release.
  func applied(digest: String) throws(OnDemandError) -> Applied? {
    if isClosed { throw .closed }
    if digest == catalog?.indexDigest { return nil }
    guard let next = staged, next.indexDigest == digest else { throw .updateReplaced }
    var (history, trust) = (history, trust)
    if let catalog { history.add(catalog, present: present) }
    trust.bundleIdentifier = trust.bundleIdentifier ?? next.bundleIdentifier
    return Applied(catalog: next, history: history, trust: trust)
  }

  /// Makes the staged release the current release.
  ///
  /// The caller must already have written the files in `applied`.
  mutating func apply(_ applied: Applied) throws(OnDemandError) {
    if isClosed { throw .closed }
    if staged?.indexDigest != applied.catalog.indexDigest { throw .updateReplaced }
    if let catalog { history.add(catalog, present: present) }
    (catalog, staged, stagedNumbers) = (staged, nil, [:])
    trust.bundleIdentifier = applied.trust.bundleIdentifier
    schedule.update(to: applied.catalog)
    restorePresentPacks()
    // Packs that the schedule does not know belong to an earlier release whose file could not be read.
    let known = Set(schedule.packs.lazy.filter { $0.isReserved }.map(\.info.key))
    for key in present.subtracting(known) where sources[key] == nil { keepAsSource(key) }
    choosePatches()
    report(.applied(applied.catalog.release))
  }

  /// The numbers of the packs of the current release.
  var currentNumbers: Set<Int> { Set(schedule.packs.indices.filter { schedule.packs[$0].isCurrent }) }
}

/// Error codes that mean that the server cannot be reached at all.
let unreachableCodes: Set<URLError.Code> = [
  .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .dataNotAllowed,
  .internationalRoamingOff,
]
