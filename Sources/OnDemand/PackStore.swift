public import Foundation

/// The packs of one app on this device.
///
/// `packtool` built them, and the store downloads them from a web server when the app requests them.
///
/// All members can be used from any thread. Members that are not `async` do not wait for the network or the
/// disk. Only one store at a time can have a folder open.
public final class PackStore: Sendable {
  let options: Options
  let folder: StoreFolder
  let files: FileTable
  let keys: TrustedKeys
  private let lock: FileHandle
  private let storeState: Locked<StoreState>
  private let wasClosed = Locked(false)
  /// Renames and deletes files in the folder.
  ///
  /// The changes are made one after another, in the order of the changes of `storeState`.
  let names = NameChanges()
  /// The queue that writes the store's own files, such as `state` and `catalog`.
  ///
  /// It makes one write after another.
  private let saves = DispatchQueue(label: "packtool.OnDemand.saves")

  private init(
    _ folder: StoreFolder, storeState: StoreState, lock: FileHandle, keys: TrustedKeys, options: Options
  ) {
    (self.folder, self.lock, self.keys, self.options) = (folder, lock, keys, options)
    files = FileTable(folder)
    files.setCurrent(storeState.currentNumbers)
    self.storeState = Locked(storeState)
  }

  /// Opens a store, and makes its folder if necessary.
  ///
  /// Opening does not need a network.
  ///
  /// - Parameters:
  ///   - folder: A folder that only this store uses. The system must never delete files in it, so do not use
  ///     a cache folder.
  ///   - server: The URL at which the server publishes the folder that `packtool build` made. It is the
  ///     folder that contains `index.json`.
  ///   - options: The settings of the store.
  /// - Returns: The store. It keeps the folder open until you call `close()`.
  /// - Throws: `folderInUse`, `storage`, `outOfSpace` if the disk is full, or `untrusted` if a public key is
  ///   not valid.
  public static func open(
    at folder: URL, server: URL, _ options: Options = Options()
  ) async throws -> PackStore {
    let options = options.limited
    let keys = try TrustedKeys(options.publicKeys)
    do {
      let url = folder.absoluteURL.standardizedFileURL
      let lock = try await StoreFolder.lock(url, waits: options.waitsForFolder)
      let opened = try StoreFolder(url, keepsArchives: options.keepsArchives, disk: options.disk)
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

  /// The tags of the current release, sorted; empty before the store has a release.
  public var tags: [String] { view { $0.schedule.numbersByTag.keys.sorted() } }

  /// The current release; nil before the store has a release.
  public var release: Release? { view { $0.catalog?.release } }

  var hasRelease: Bool { view { $0.catalog != nil || $0.isClosed } }

  /// The bytes that packs take up, including partial downloads.
  public var storedSize: Int64 { view { $0.schedule.reserved } }

  /// Returns whether the store has all, some or none of a tag's packs.
  ///
  /// The state of an unknown tag is `missing`.
  public func state(of tag: String) async -> TagState { view { $0.state(of: tag) } }

  /// Returns the number of bytes that must still be downloaded for the packs of some tags.
  ///
  /// If a patch exists for a pack, the size of the patch counts. Bytes that have already arrived do not
  /// count, and unknown tags are ignored.
  public func downloadSize(of tags: some Sequence<String>) async -> Int64 {
    let tags = Array(tags)
    return view { storeState in
      storeState.downloadSize(of: Set(tags.flatMap { storeState.schedule.numbersByTag[$0] ?? [] }))
    }
  }

  /// Makes a request for all packs of some tags.
  ///
  /// The request does nothing until you call `beginAccessing()`.
  public func request(for tags: some Sequence<String>) -> ResourceRequest {
    ResourceRequest(self, tags: Array(tags))
  }

  /// Returns the URL of a file that is in a pack of an open request.
  ///
  /// `path` is the file's path within the pack. If requests of several releases are open, the file of the
  /// current release is preferred. Use `ResourceRequest.url(for:)` to read files of one release only.
  ///
  /// - Throws: `notHeld` if no open request uses such a file.
  public func url(for path: String) throws(OnDemandError) -> URL {
    if let url = files.url(for: path) { return url }
    throw .notHeld(path: path)
  }

  /// Downloads the missing packs of the initial install, and then the prefetch in the background.
  ///
  /// If the store has no release yet, it first gets the server's release. Call this method again after an
  /// error or after an update. `wait()` throws the same errors as `ResourceRequest.beginAccessing()`.
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
          try await applyFirstRelease()
          try begin()
        } catch {
          fail(error)
        }
      }
    }
    return download
  }

  /// Makes a download that records its progress from now on.
  func makeDownload(_ state: RequestState) -> Download {
    let (steps, watcher) = AsyncStream<ResourceProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
    perform { $0.schedule.watch(state, watcher: watcher) }
    return Download(state: state, steps: steps)
  }

  /// Deletes the packs of some tags, and returns the number of bytes that they took up.
  ///
  /// The store keeps packs that an open request uses. It also keeps packs that another tag needs, if all
  /// packs of that tag are stored.
  @discardableResult public func remove(_ tags: some Sequence<String>) async -> Int64 {
    let tags = Set(tags)
    let bytes = perform { $0.remove(tags) }
    await drain()
    return bytes
  }

  /// Sets how important it is to keep the packs of some tags, from 0 (the default) to 1.
  ///
  /// If space is needed, the packs with the lowest value are purged first. A pack has the highest value of
  /// its tags. When the call returns, the values are on the disk. The values also apply to tags of later
  /// releases.
  public func setPreservationPriority(_ priority: Double, for tags: some Sequence<String>) async {
    let worth = priority.isNaN ? 0 : min(max(priority, 0), 1)
    let tags = Array(tags)
    perform { storeState in for tag in tags { storeState.schedule.preservation[tag] = worth } }
    await saveUnlessClosed()
  }

  /// Returns how important it is to keep the packs of a tag, from 0 to 1.
  public func preservationPriority(for tag: String) async -> Double {
    view { $0.schedule.preservation[tag] ?? 0 }
  }

  /// Changes the maximum size of all packs.
  ///
  /// If the packs exceed the new size, the store purges packs that no open request uses.
  public func setSpace(_ bytes: Int64) { perform { $0.setSpace(bytes) } }

  /// Tells the store whether the device has a network connection.
  ///
  /// Call this method if your app has this information.
  ///
  /// Without a connection, requests with missing packs immediately fail with `offline`. When the connection
  /// is back, downloads that wait for a retry start immediately.
  public func setNetworkAvailable(_ isAvailable: Bool) { perform { $0.setNetwork(isAvailable: isAvailable) } }

  /// Yields an element each time that a pack did not fit, or that open requests use more than the available
  /// space.
  public var lowSpaceWarnings: AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      perform { storeState in
        if storeState.isClosed { continuation.finish() } else { storeState.lowSpace.append(continuation) }
      }
    }
  }

  /// Yields the events of the store from now on.
  ///
  /// The store keeps at most 1,000 unread events for a reader. If there are more, the reader loses the oldest
  /// events.
  public var events: AsyncStream<StoreEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      perform { storeState in
        if storeState.isClosed { continuation.finish() } else { storeState.watchers.append(continuation) }
      }
    }
  }

  /// Reads all stored packs, compares them with their digests, and downloads damaged packs again.
  ///
  /// - Throws: the same errors as `ResourceRequest.beginAccessing()` if the repair fails. In this case, the
  ///   store no longer has the damaged packs.
  public func verify() async throws -> Verification {
    if view(\.isClosed) { throw OnDemandError.closed }
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

  /// Ends all requests, waits until running downloads have stopped, and unlocks the folder.
  public func close() async {
    let tasks = perform { $0.close() }
    for task in tasks { await task.value }
    let isFirst = wasClosed.withLock { wasClosed in
      defer { wasClosed = true }
      return !wasClosed
    }
    if !isFirst { return }
    await saveAtClose()
    await names.finish()
    // The folder is unlocked explicitly, because a child process that was just forked shares the descriptor
    // until it starts its program.
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

/// Changes the state and carries out the effects of changes.
extension PackStore {
  /// Reads the state without changing it.
  func view<Value>(_ look: (StoreState) -> Value) -> Value { storeState.withLock { look($0) } }

  /// Changes the state without starting or stopping any downloads.
  func note(_ change: (inout StoreState) -> Void) {
    storeState.withLock { storeState in
      storeState.schedule.now = options.now()
      change(&storeState)
    }
  }

  /// Changes the state and carries out the effects.
  ///
  /// If the store was closed, the method does nothing, because another store may use the folder.
  @discardableResult
  func perform<Value, E: Error>(_ change: (inout StoreState) throws(E) -> Value) throws(E) -> Value {
    try storeState.withLock { storeState throws(E) in
      storeState.schedule.now = options.now()
      let wasClosed = storeState.isClosed
      defer { if !wasClosed { follow(&storeState) } }
      return try change(&storeState)
    }
  }

  /// Starts to carry out the effects of a change, and returns without waiting for them.
  private func follow(_ storeState: inout StoreState) {
    storeState.schedule.reschedule()
    let isChanged = storeState.handleEvents()
    // The jobs are updated after `handleEvents`, because it may have purged a pack for which the schedule has
    // already reserved space again.
    storeState.updateJobs { number, job, previous in
      Task(executorPreference: disk) {
        // Wait for the previous task, because only one task at a time can write a download's file.
        await previous?.value
        await self.downloadAndStore(number, job: job)
      }
    }
    for pause in storeState.pauses {
      let task = Task { [options] in
        guard (try? await options.wait(pause.seconds)) != nil, !Task.isCancelled else { return }
        self.perform { $0.resume(pause.number) }
      }
      storeState.setRetryTask(task, pack: pause.number)
    }
    storeState.pauses = []
    let effects = storeState.effects
    storeState.effects = []
    if !effects.isEmpty { names.add { [folder] in for effect in effects { folder.perform(effect) } } }
    if isChanged { scheduleSave(&storeState) }
  }

  /// Schedules a write of the state, at most ten times a second.
  private func scheduleSave(_ storeState: inout StoreState) {
    if storeState.isSaving || storeState.isClosed { return }
    storeState.isSaving = true
    let age = Double(storeState.schedule.now - storeState.lastSave) / 1_000_000
    saves.asyncAfter(deadline: .now() + (0...0.1 ~= age ? 0.1 - age : 0)) {
      // Another store may use the folder after this store is closed, so nothing is written then.
      self.write(self.storeState.withLock { $0.isClosed ? nil : self.stateToSave(of: &$0) })
    }
  }

  /// Runs work that changes the store's own files, one change after another.
  ///
  /// If the disk is full, gives up old packs that only patches need, and then runs the work again. `bytes` is
  /// the number of bytes that the work writes.
  ///
  /// - Throws: `closed` if the store was closed, because another store may use the folder then; `outOfSpace`.
  func changeFiles<Value: Sendable>(
    writing bytes: Int = 0, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    while true {
      do {
        return try await withCheckedThrowingContinuation { continuation in
          saves.async {
            continuation.resume(
              with: Result {
                if self.view(\.isClosed) { throw OnDemandError.closed }
                return try work()
              })
          }
        }
      } catch let error where Disk.isFull(error) {
        let needed = Int64(bytes)
        if !perform({ $0.giveUpSources(needed: needed) }) { throw OnDemandError.outOfSpace(needed: needed) }
        await drain()
      }
    }
  }

  private func stateToSave(of storeState: inout StoreState) -> SavedState {
    storeState.isSaving = false
    storeState.lastSave = options.now()
    return storeState.saved
  }

  /// Writes the state.
  ///
  /// If the write fails, the store loses only the times of use and the priorities that were set since the
  /// previous write.
  private func write(_ state: SavedState?) {
    if let state { try? folder.write(state.stored, to: "state") }
  }

  /// Writes the state and waits until it is written, unless the store was closed.
  func saveUnlessClosed() async {
    try? await changeFiles { self.write(self.storeState.withLock { self.stateToSave(of: &$0) }) }
  }

  /// Writes the state for the last time, after all other changes to the store's own files.
  private func saveAtClose() async {
    await withCheckedContinuation { continuation in
      saves.async {
        self.write(self.storeState.withLock { self.stateToSave(of: &$0) })
        continuation.resume()
      }
    }
  }

  /// Moves a pack into place, after all renames and deletions that were added earlier.
  func publish(_ made: URL, as key: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      names.add { [folder] in continuation.resume(with: Result { try folder.publish(made, as: key) }) }
    }
  }

  /// Waits until the files of all removed packs have been deleted.
  func drain() async {
    await withCheckedContinuation { continuation in
      names.add { [folder] in folder.afterDeletions { continuation.resume() } }
    }
  }

  /// Adds the paths of a request's packs to the table of files.
  ///
  /// All these packs must be stored. If a pack is damaged, closes the request and returns false.
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
        storeState.markMissing(lost)
      }
      return false
    }
    await onDisk { [files] in files.open(state, packs: numbers, listings: listings.compactMap(\.self)) }
    // The request may have ended while its packs were read.
    if !view({ storeState in storeState.schedule.requests.contains { $0 === state } }) { files.close(state) }
    return true
  }

  /// Returns the archives of a request's packs, if all packs are stored.
  func archives(of state: RequestState) -> [URL] {
    if !options.keepsArchives { return [] }
    let keys = view { storeState -> [String] in
      let isAvailable = state.outcome != nil && storeState.schedule.requests.contains { $0 === state }
      return isAvailable ? state.packs.map { storeState.schedule.packs[$0].info.key } : []
    }
    return keys.map(folder.archive)
  }
}

/// Runs work that waits for the disk.
///
/// The work runs on a thread that no other task needs.
func onDisk<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    waitingQueue.async { continuation.resume(returning: work()) }
  }
}

/// A queue for work that waits.
///
/// On Linux, tasks with the default priority run on the threads of the default global queue. So this queue is
/// another one there.
#if canImport(Darwin)
  let waitingQueue = DispatchQueue.global()
#else
  let waitingQueue = DispatchQueue.global(qos: .userInitiated)
#endif

/// Runs tasks that wait for the disk.
///
/// The tasks run on threads that no other task needs.
private final class DiskExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    waitingQueue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

private let disk = DiskExecutor()
