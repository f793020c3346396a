public import Foundation

/// The packs of one app on this device: what `packtool` built, brought from a web server when the app asks
/// for it.
///
/// All members can be used from any thread. Members that are not `async` wait for neither the network nor the
/// disk. One store at a time has a folder open.
public final class PackStore: Sendable {
  let options: Options
  let folder: StoreFolder
  let files: FileTable
  let keys: TrustedKeys
  private let lock: FileHandle
  private let storeState: Locked<StoreState>
  private let wasClosed = Locked(false)
  /// Changes of names in the folder, one after another, in the order of the changes of `storeState`.
  private let names = DispatchQueue(label: "packtool.OnDemand.names")
  /// Writes of `state`, one after another.
  private let saves = DispatchQueue(label: "packtool.OnDemand.saves")

  private init(
    _ folder: StoreFolder, storeState: StoreState, lock: FileHandle, keys: TrustedKeys, options: Options
  ) {
    (self.folder, self.lock, self.keys, self.options) = (folder, lock, keys, options)
    files = FileTable(folder)
    files.setCurrent(storeState.currentNumbers)
    self.storeState = Locked(storeState)
  }

  /// Opens a store, and makes its folder if there is none; the network is not needed.
  ///
  /// - Parameters:
  ///   - folder: A folder of the store's own, which the system never empties.
  ///   - server: The URL of the folder that `packtool build` made, in which `index.json` is.
  ///   - options: How the store behaves.
  /// - Returns: The store, which has the folder until `close()`.
  /// - Throws: `folderInUse`, `storage`, `outOfSpace` if the disk is full, `untrusted` for a public key that
  ///   is not one.
  public static func open(
    at folder: URL, server: URL, _ options: Options = Options()
  ) async throws -> PackStore {
    let keys = try TrustedKeys(options.publicKeys)
    do {
      let url = folder.absoluteURL.standardizedFileURL
      let lock = try await StoreFolder.lock(url, waits: options.waitsForFolder)
      let opened = try StoreFolder(url, keepsArchives: options.keepsArchives)
      var storeState = try StoreState(opening: opened, servers: [server] + options.servers, options: options)
      if let volume = options.volume(url) { storeState.setVolume(volume) }
      let store = PackStore(opened, storeState: storeState, lock: lock, keys: keys, options: options)
      store.perform { _ in }
      return store
    } catch let error as CancellationError {
      throw error
    } catch {
      throw OnDemandError(error)
    }
  }

  /// The tags of the current release, sorted; none before a release was taken.
  public var tags: [String] { view { $0.schedule.numbersByTag.keys.sorted() } }

  /// The current release; nil before a release was taken.
  public var release: Release? { view { $0.catalog?.release } }

  var hasRelease: Bool { view { $0.catalog != nil || $0.isClosed } }

  /// Bytes that packs take up, whole or in part.
  public var storedSize: Int64 { view { $0.schedule.reserved } }

  /// Returns what the store has of a tag's packs; an unknown tag is `missing`.
  public func state(of tag: String) async -> TagState { view { $0.state(of: tag) } }

  /// Returns the bytes over the network that the packs of some tags still need: of patches where there are
  /// any, and less what has come.
  ///
  /// Unknown tags count nothing.
  public func downloadSize(of tags: some Sequence<String>) async -> Int64 {
    let tags = Array(tags)
    return view { storeState in
      storeState.downloadSize(of: Set(tags.flatMap { storeState.schedule.numbersByTag[$0] ?? [] }))
    }
  }

  /// Makes a request for all packs of some tags, which does nothing until it begins.
  public func request(for tags: some Sequence<String>) -> ResourceRequest {
    ResourceRequest(self, tags: Array(tags))
  }

  /// A file of a pack that an open request holds, by its path within the pack.
  ///
  /// It is of the current release, if requests of several releases are open. Use `ResourceRequest.url(for:)`
  /// to read files of one release only.
  ///
  /// - Throws: `notHeld`.
  public func url(for path: String) throws(OnDemandError) -> URL {
    if let url = files.url(for: path) { return url }
    throw .notHeld(path: path)
  }

  /// Downloads what is missing of the initial install, and then the prefetch in the background.
  ///
  /// If the store has no release yet, the release of the server is taken first. Call it again after an error,
  /// or after an update. `wait()` throws as `ResourceRequest.beginAccessing()` does.
  public func install() -> Download {
    let state = RequestState()
    let download = makeDownload(state)
    @Sendable func begin() throws(OnDemandError) {
      try perform { storeState throws(OnDemandError) in try storeState.install(state) }
    }
    @Sendable func fail(_ error: any Error) { perform { _ in state.settle(.failure(OnDemandError(error))) } }
    if hasRelease {
      do { try begin() } catch { fail(error) }
    } else {
      Task {
        do {
          try await takeFirstRelease()
          try begin()
        } catch {
          fail(error)
        }
      }
    }
    return download
  }

  /// A download whose steps are kept from now on.
  func makeDownload(_ state: RequestState) -> Download {
    let (steps, watcher) = AsyncStream<ResourceProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
    perform { $0.schedule.watch(state, watcher: watcher) }
    return Download(state: state, steps: steps)
  }

  /// Deletes the packs of some tags, and returns the bytes that they took up.
  ///
  /// Packs that an open request holds stay, and so do packs of another tag that is whole.
  @discardableResult public func remove(_ tags: some Sequence<String>) async -> Int64 {
    let tags = Set(tags)
    let bytes = perform { $0.remove(tags) }
    await drain()
    return bytes
  }

  /// Says how much the packs of some tags are worth keeping, from 0, the default, to 1.
  ///
  /// If space is needed, packs with the lowest value are purged first; a pack has the highest value of its
  /// tags. It is stored when the call returns, also for tags of a later release.
  public func setPreservationPriority(_ priority: Double, for tags: some Sequence<String>) async {
    let worth = priority.isNaN ? 0 : min(max(priority, 0), 1)
    let tags = Array(tags)
    perform { storeState in for tag in tags { storeState.schedule.preservation[tag] = worth } }
    await save()
  }

  /// Returns how much the packs of a tag are worth keeping.
  public func preservationPriority(for tag: String) async -> Double {
    view { $0.schedule.preservation[tag] ?? 0 }
  }

  /// Changes the bytes that packs can take up; what exceeds them is purged, except for what open requests
  /// hold.
  public func setSpace(_ bytes: Int64) { perform { $0.setSpace(bytes) } }

  /// Says that the network is there or not, for apps that know: without it, requests that lack packs fail
  /// with `offline` immediately.
  ///
  /// When it is back, downloads that wait to be tried again start.
  public func setNetworkAvailable(_ isAvailable: Bool) { perform { $0.setNetwork(isAvailable: isAvailable) } }

  /// An element each time that a pack did not fit, or that open requests hold more than the space there is.
  public var lowSpaceWarnings: AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      perform { storeState in
        if storeState.isClosed { continuation.finish() } else { storeState.lowSpace.append(continuation) }
      }
    }
  }

  /// What happens from now on, for logs and analytics; a reader that is 1,000 events behind loses the oldest.
  public var events: AsyncStream<StoreEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      perform { storeState in
        if storeState.isClosed { continuation.finish() } else { storeState.watchers.append(continuation) }
      }
    }
  }

  /// Reads all stored packs, compares them with their digests, and downloads again what is damaged.
  ///
  /// - Throws: as `ResourceRequest.beginAccessing()` if the repair fails; damaged packs are not stored then.
  public func verify() async throws -> Verification {
    let stored = view { storeState in
      storeState.schedule.packs.indices.filter { storeState.schedule.packs[$0].isStored }.map {
        FoundPack(number: $0, pack: storeState.schedule.packs[$0].info)
      }
    }
    let damaged = await onDisk { [folder] in stored.filter { !folder.isIntact($0.pack) } }
    if damaged.isEmpty { return Verification(checked: stored.count, damaged: [], repaired: []) }
    let repair = RequestState()
    try perform { storeState throws(OnDemandError) in
      if storeState.isClosed { throw .closed }
      storeState.repair(repair, packs: damaged.map(\.number))
    }
    defer { perform { $0.schedule.close(repair) } }
    try await repair.wait()
    perform { storeState in for found in damaged { storeState.report(.repaired(pack: found.pack.id)) } }
    let ids = damaged.map(\.pack.id)
    return Verification(checked: stored.count, damaged: ids, repaired: ids)
  }

  /// Ends all requests, waits for what is under way, and gives the folder back.
  public func close() async {
    let tasks = perform { $0.close() }
    for task in tasks { await task.value }
    let isFirst = wasClosed.withLock { wasClosed in
      defer { wasClosed = true }
      return !wasClosed
    }
    if !isFirst { return }
    await save()
    await finishNames()
    // A child that was forked just now holds the descriptor, too, until it starts its program.
    #if !os(Windows)
      flock(lock.fileDescriptor, LOCK_UN)
    #endif
    try? lock.close()
  }

}

/// A pack with its number in the schedule.
struct FoundPack: Sendable {
  let number: Int
  let pack: Catalog.Pack
}

/// Changes, and what follows from them.
extension PackStore {
  /// Looks at the store without changing it.
  func view<Value>(_ look: (StoreState) -> Value) -> Value { storeState.withLock { look($0) } }

  /// Changes the store without any consequence but a report.
  func note(_ change: (inout StoreState) -> Void) {
    storeState.withLock { storeState in
      storeState.schedule.now = options.now()
      change(&storeState)
    }
  }

  /// Changes the store, and does what follows from it, unless the store was closed: its folder may be
  /// another's.
  @discardableResult
  func perform<Value, E: Error>(_ change: (inout StoreState) throws(E) -> Value) throws(E) -> Value {
    try storeState.withLock { storeState throws(E) in
      storeState.schedule.now = options.now()
      let wasClosed = storeState.isClosed
      defer { if !wasClosed { follow(&storeState) } }
      return try change(&storeState)
    }
  }

  /// Starts what follows from a change; nothing here waits.
  private func follow(_ storeState: inout StoreState) {
    storeState.schedule.reschedule()
    let isChanged = storeState.handleEvents()
    // A pack that was purged just now can have been given room again.
    storeState.updateJobs { number, job, previous in
      Task(executorPreference: disk) {
        // The file of a download is in one hand at a time.
        await previous?.value
        await self.bring(number, job: job)
      }
    }
    for pause in storeState.pauses {
      let task = Task { [options] in
        guard (try? await options.wait(pause.seconds)) != nil, !Task.isCancelled else { return }
        self.perform { $0.wake(pause.number) }
      }
      storeState.setWakeUp(task, pack: pause.number)
    }
    storeState.pauses = []
    let effects = storeState.effects
    storeState.effects = []
    if !effects.isEmpty { names.async { [folder] in for effect in effects { folder.perform(effect) } } }
    if isChanged { scheduleSave(&storeState) }
  }

  /// Writes the state soon, at most ten times a second.
  private func scheduleSave(_ storeState: inout StoreState) {
    if storeState.isSaving || storeState.isClosed { return }
    storeState.isSaving = true
    let age = Double(storeState.schedule.now - storeState.lastSave) / 1_000_000
    saves.asyncAfter(deadline: .now() + (0...0.1 ~= age ? 0.1 - age : 0)) {
      // Once it is closed, the folder may be another store's.
      self.write(self.storeState.withLock { $0.isClosed ? nil : self.stateToSave(of: &$0) })
    }
  }

  private func stateToSave(of storeState: inout StoreState) -> SavedState {
    storeState.isSaving = false
    storeState.lastSave = options.now()
    return storeState.saved
  }

  /// Writes the state; if it cannot be written, only times of use and priorities since the last time are
  /// lost.
  private func write(_ state: SavedState?) {
    if let state { try? folder.write(state.stored, to: "state") }
  }

  /// Writes the state, and waits for it.
  func save() async {
    await withCheckedContinuation { continuation in
      saves.async {
        self.write(self.storeState.withLock { self.stateToSave(of: &$0) })
        continuation.resume()
      }
    }
  }

  /// Waits for all changes of names so far.
  func finishNames() async {
    await withCheckedContinuation { continuation in names.async { continuation.resume() } }
  }

  /// Puts a pack in its place, after all changes of names so far.
  func publish(_ made: URL, as key: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      names.async { [folder] in continuation.resume(with: Result { try folder.publish(made, as: key) }) }
    }
  }

  /// Waits until all packs that were removed are gone.
  func drain() async {
    await withCheckedContinuation { continuation in
      names.async { [folder] in folder.afterDeletions { continuation.resume() } }
    }
  }

  /// Makes the paths of an available request's packs known; false, and the request is not open, if a pack is
  /// damaged.
  func openFiles(of state: RequestState) async -> Bool {
    let numbers = view { _ in state.packs }
    if options.keepsArchives { return true }
    let unknown = files.reserve(numbers)
    let packs = view { storeState in
      unknown.map { FoundPack(number: $0, pack: storeState.schedule.packs[$0].info) }
    }
    let listings = await onDisk { [folder] in
      packs.map { found in
        PackList(folder, pack: found.pack).map { list in
          FileTable.Listing(number: found.number, key: found.pack.key, paths: list.files.map(\.path))
        }
      }
    }
    let lost = zip(packs, listings).filter { $0.1 == nil }.map(\.0.number)
    if !lost.isEmpty {
      files.release(numbers.filter { !unknown.contains($0) })
      perform { storeState in
        storeState.schedule.reopen(state)
        storeState.lose(lost)
      }
      return false
    }
    await onDisk { [files] in files.open(state, packs: numbers, listings: listings.compactMap(\.self)) }
    // It may have been ended in the meantime.
    if !view({ storeState in storeState.schedule.requests.contains { $0 === state } }) { files.close(state) }
    return true
  }

  /// The archives of an available request's packs.
  func archives(of state: RequestState) -> [URL] {
    if !options.keepsArchives { return [] }
    let keys = view { storeState -> [String] in
      let isAvailable = state.outcome != nil && storeState.schedule.requests.contains { $0 === state }
      return isAvailable ? state.packs.map { storeState.schedule.packs[$0].info.key } : []
    }
    return keys.map(folder.archive)
  }
}

/// Does something that waits for the disk, on a thread that no other task needs.
func onDisk<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: work()) }
  }
}

/// Runs work that waits for the disk, on threads that no other task needs.
private final class DiskExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

private let disk = DiskExecutor()
