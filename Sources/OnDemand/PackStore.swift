public import Foundation

/// The packs of one app on this device: what `packtool` built, brought here from a web server when it is asked for.
///
/// All members may be used from any thread, and none waits for the network or the disk but those that are `async`. One
/// store at a time has a folder open.
public final class PackStore: Sendable {
  /// How a store behaves.
  public struct Options: Sendable {
    /// Bytes that packs may take up, unpacked; nil for no end to them.
    ///
    /// While a pack is made, its archive and the old files that patches are made from come on top.
    public var space: Int64?
    /// Bytes that the packs of all open requests may have together.
    public var inUse: Int64 = 2_000_000_000
    /// Public keys of minisign, as text: with one or more, only an index that is signed by one of them is taken.
    public var publicKeys: [String] = []
    /// Whether a folder that another store has open is waited for; if not, opening fails with `folderInUse`.
    public var waitsForFolder = false
    /// Headers of every request, such as `Authorization`.
    public var headers: [String: String] = [:]
    // Tests put others in place of these.
    var transport: Transport = fetchByHTTP
    /// Seconds within which an index has to come, however it drips.
    var patience = 120.0
    /// Microseconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000_000) }
    /// Waits some seconds, and throws if the task is cancelled.
    var wait: @Sendable (Double) async throws -> Void = {
      try await Task.sleep(nanoseconds: UInt64($0 * Double.random(in: 0.8...1.2) * 1_000_000_000))
    }

    /// The defaults.
    public init() {}
  }

  /// What `update()` found.
  public struct Update: Sendable, Hashable {
    /// Whether the release is another one than before.
    public let isNew: Bool
    /// Identifiers of packs that only the new release has, that differ in it, and that it lacks.
    public let added: [String], changed: [String], removed: [String]
    /// Bytes over the network to bring the packs up to date that were there, by patches where it can.
    public let downloadSize: Int64
  }

  let server: URL
  let options: Options
  let folder: StoreFolder
  private let keys: TrustedKeys
  private let lock: FileHandle
  private let core: Locked<Core>

  /// Opens a store, and makes its folder where there is none; the network is not needed.
  ///
  /// - Parameters:
  ///   - folder: A folder of the store's own, on a disk that can rename.
  ///   - server: The URL of the folder that `packtool build` made, in which `index.json` is.
  ///   - options: How it behaves.
  /// - Throws: `folderInUse`, `storage`, `outOfSpace` where the disk is full, or `untrusted` for a key that is none.
  public init(at folder: URL, server: URL, options: Options = Options()) async throws(OnDemandError) {
    (self.server, self.options) = (server, options)
    keys = try TrustedKeys(options.publicKeys)
    do {
      lock = try await StoreFolder.lock(folder, waits: options.waitsForFolder)
      self.folder = try StoreFolder(folder)
      let schedule = Schedule(space: max(0, options.space ?? .max), inUse: options.inUse)
      core = Locked(try Core(opening: self.folder, schedule: schedule))
    } catch {
      throw OnDemandError(error)
    }
    perform { _ in }
  }

  /// A request for all packs of some tags, which does nothing until it is begun.
  public func request(for tags: some Sequence<String>) -> ResourceRequest {
    ResourceRequest(self, tags: Array(tags))
  }

  /// A file of a pack that an open request holds, by its path within the pack; it stays there until the last such
  /// request ends, and is not to be changed.
  ///
  /// - Throws: `notHeld`.
  public func url(for path: String) throws(OnDemandError) -> URL {
    let packs = perform { core in core.schedule.pinned.sorted().map { core.schedule.packs[$0] } }
    let files = packs.filter { $0.isStored && PackPath.isInPack(path) }.map {
      folder.file(path, of: $0.info.key)
    }
    for file in files where FileManager.default.fileExists(atPath: file.path) { return file }
    throw .notHeld(path: path)
  }

  /// Downloads the initial install, returns when it is there, and goes on with the prefetch.
  ///
  /// Where it was done before, it returns at once. It may be called again after an error.
  ///
  /// - Throws: `offline`, also where no release was ever fetched; else as `beginAccessing()`.
  public func install() async throws(OnDemandError) {
    let state = RequestState()
    try perform { core throws(OnDemandError) in try core.install(state) }
    try await state.wait()
  }

  /// Says how much the packs of some tags are worth keeping, from 0, which is the default, to 1.
  ///
  /// When space is needed, the lowest are purged first; a pack has the highest of its tags'.
  public func setPreservationPriority(_ priority: Double, for tags: some Sequence<String>) async {
    let worth = priority.isNaN ? 0 : min(max(priority, 0), 1)
    perform { core in for tag in tags { core.schedule.preservation[tag] = worth } }
  }

  /// Changes the bytes that packs may take up; what is above is purged, but for what open requests hold.
  public func setSpace(_ bytes: Int64) { perform { $0.schedule.setSpace(max(0, bytes)) } }

  /// Says that the network is there or not, for apps that know: without it requests that lack packs fail with `offline`
  /// at once, and do not wait for it.
  public func setNetworkAvailable(_ isAvailable: Bool) { perform { $0.setNetwork(isAvailable: isAvailable) } }

  /// An element each time that a pack did not fit, or that open requests hold more than the space there is.
  public var lowSpaceWarnings: AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      perform { $0.lowSpace.append(continuation) }
    }
  }

  /// Bytes that packs take up, whole or in part.
  public var storedSize: Int64 { perform { $0.schedule.reserved } }

  /// Ends all requests, waits for what is under way, and gives the folder back.
  public func close() async {
    await perform { $0.close() }?.value
    core.withLock { $0.save() }
    // A child that was forked just now holds the descriptor, too, until it starts its program.
    #if !os(Windows)
      flock(lock.fileDescriptor, LOCK_UN)
    #endif
    try? lock.close()
  }

  /// Fetches the index, and takes it if it is another one.
  ///
  /// Packs of equal contents stay; others go, and come again when they are next asked for, by patches where the release
  /// has them. Open requests keep their files until they end; those that still wait get the new packs of their tags.
  ///
  /// - Throws: `offline`, `refused`, `damaged`, `untrusted`, `storage`; the release in place then stays.
  public func update() async throws(OnDemandError) -> Update {
    do {
      var catalog = try Catalog(index: await index())
      #if Patches
        await addPatches(to: &catalog)
      #endif
      return try perform { [catalog] core in try core.adopt(catalog, isSigned: !keys.isEmpty) }
    } catch {
      throw OnDemandError(error)
    }
  }

  /// The bytes of an index whose signature is right, where there are keys.
  private func index(isFirst: Bool = true) async throws -> Data {
    let index = try await data("index.json", atMost: Catalog.longest)
    perform { $0.connect() }
    if keys.isEmpty { return index }
    let signature = try await data("index.json.minisig", atMost: 4096)
    do { try keys.check(index, signature: signature) } catch {
      // A new release may have come between the two.
      if isFirst { return try await self.index(isFirst: false) }
      throw error
    }
    return index
  }
}

/// The link: one pack at a time.
extension PackStore {
  /// Changes the store, and does what follows from it, unless the store was closed: its folder may be another's.
  @discardableResult
  func perform<Value, E: Error>(_ change: (inout Core) throws(E) -> Value) throws(E) -> Value {
    try core.withLock { core throws(E) in
      core.schedule.now = options.now()
      let wasClosed = core.isClosed
      defer { if !wasClosed { follow(&core) } }
      return try change(&core)
    }
  }

  /// Does what follows from a change, and leaves what is under way for what is served now.
  private func follow(_ core: inout Core) {
    core.schedule.reschedule()
    if core.handleEvents() && !core.isSaving {
      core.isSaving = true
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { [self] in self.core.withLock { $0.save() } }
    }
    if core.schedule.serving == core.job { return }
    core.task?.cancel()
    core.job = core.schedule.serving
    guard let number = core.job else { return }
    core.task = Task(executorPreference: disk) { [previous = core.task] in
      // Of one download, the file is in one hand at a time.
      await previous?.value
      await self.bring(number)
    }
  }

  private func bring(_ number: Int) async {
    var (pause, mistakes, best) = (1.0, 0, Int64(0))
    while !Task.isCancelled {
      let pack = perform { $0.schedule.packs[number].info }
      do {
        let staged = folder.newPlace
        defer { try? FileManager.default.removeItem(at: staged) }
        try await fetch(pack, number: number, into: staged)
        // Not under the store's lock, since a disk takes its time.
        try folder.sync(staged)
        try perform { try $0.finish(pack, made: staged) }
        return folder.syncPacks()
      } catch let error as URLError {
        if unreachableCodes.contains(error.code) && perform({ $0.loseServer() }) { return }
        let bytes = perform { $0.schedule.packs[number].arrived }
        if bytes > best { (pause, best) = (1, bytes) }
        if (try? await options.wait(pause)) == nil { return }
        pause = min(60, pause * 2)
      } catch  where pack.patch != nil && !Task.isCancelled {
        // What it made is wrong: the pack comes whole.
        perform { $0.schedule.packs[number].info.patch = nil }
        folder.remove(download: pack.files[0].digest.hex)
      } catch OnDemandError.damaged where mistakes == 0 {
        mistakes = 1
      } catch {
        return perform { $0.fail(OnDemandError(error, pack: pack.id)) }
      }
    }
  }
}

/// Runs what waits for the disk, on threads that no other task needs.
private final class DiskExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

private let disk = DiskExecutor()
