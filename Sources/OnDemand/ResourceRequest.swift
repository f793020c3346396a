public import Foundation

/// An app's use of the packs of some tags, from `beginAccessing()` to `endAccessing()`; it is used once.
///
/// All members can be used from any thread. A request that nobody holds any more ends by itself. It sees
/// files of one release only: of the one that was current when it began.
public final class ResourceRequest: Sendable {
  /// The tags, all of whose packs are wanted.
  public var tags: [String] { state.tags }
  private let store: PackStore
  private let state: RequestState

  init(_ store: PackStore, tags: [String]) { (self.store, state) = (store, RequestState(tags)) }

  deinit { endAccessing() }

  /// How soon its packs are loaded among those of other requests: 0.5 until it is set.
  ///
  /// It can change at any time.
  public var loadingPriority: LoadingPriority {
    get { store.perform { _ in state.priority } }
    set { store.perform { _ in state.priority = newValue } }
  }

  /// Stops the download until `resume()`; bytes that came stay, and the request stays open.
  public func pause() { store.perform { _ in state.isPaused = true } }

  /// Goes on with a download that was paused.
  public func resume() { store.perform { _ in state.isPaused = false } }

  /// Whether the request was paused and not resumed.
  public var isPaused: Bool { store.perform { _ in state.isPaused } }

  /// Bytes as they come, from `beginAccessing()` until all packs are there or the request ends.
  ///
  /// Each use is a sequence of its own. A slow reader misses steps, but never the last. If everything is
  /// there when the sequence is made, it has one element.
  public var progress: AsyncStream<ResourceProgress> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { watcher in
      store.perform { $0.schedule.watch(state, watcher: watcher) }
    }
  }

  /// Downloads what is missing, and returns when all packs are there, which then stay until `endAccessing()`.
  ///
  /// If the store has no release yet, the release of the server is taken first. A download that breaks is
  /// tried again after 1, 2, 4 and up to 60 seconds; it fails if no byte comes for `Options.patience`. What
  /// has come stays.
  ///
  /// - Throws: `invalidTag`, `inUseLimit`, `outOfSpace`, `offline`, `unreachable`, `refused`, `releaseGone`,
  ///   `damaged`, `untrusted`, `unsupportedContainer`, `storage`; `ended` if it was ended in the meantime or
  ///   is begun twice; `closed`; `CancellationError` if the task is cancelled. The request then holds
  ///   nothing.
  public func beginAccessing() async throws {
    do {
      if !store.hasRelease { try await store.takeFirstRelease() }
      while true {
        _ = try store.perform { storeState throws(OnDemandError) in
          try storeState.begin(state, missing: .downloaded)
        }
        try await state.wait()
        if await store.openFiles(of: state) { return }
      }
    } catch {
      endAccessing()
      throw error
    }
  }

  /// Returns whether all packs were there, which then stay until `endAccessing()`; downloads nothing.
  ///
  /// After false, the request holds nothing and can be begun.
  ///
  /// - Throws: `invalidTag`, `inUseLimit`, `ended`, `closed`; `offline` if the store has no release.
  public func conditionallyBeginAccessing() async throws -> Bool {
    let isOpen = try store.perform { storeState throws(OnDemandError) in
      try storeState.begin(state, missing: .refused)
    }
    if !isOpen { return false }
    return await store.openFiles(of: state)
  }

  /// A file of this request's packs, by its path within its pack; it stays there until the request ends.
  ///
  /// Call it as often as you like: it makes no system call. Do not change the file. Folders are not found.
  ///
  /// - Throws: `notHeld` if no pack of this request has the file, or the request is not available.
  public func url(for path: String) throws(OnDemandError) -> URL {
    if let url = store.files.url(for: path, in: state) { return url }
    throw .notHeld(path: path)
  }

  /// With `Options.keepsArchives`, the zip files of this request's packs, in the order of the packs'
  /// identifiers; they stay until the request ends.
  ///
  /// Empty without the option, or while the request is not available.
  public var archives: [URL] { store.archives(of: state) }

  /// Gives the packs back; nothing is deleted before the space is needed.
  public func endAccessing() {
    store.perform { $0.schedule.close(state) }
    store.files.close(state)
  }
}

/// What a store knows of a request, an install or a staged update; used only under the store's lock, except
/// for waiting.
final class RequestState: @unchecked Sendable {
  let tags: [String]
  var priority: LoadingPriority = 0.5
  var isPaused = false
  /// Its packs by number, once it was begun.
  private(set) var packs: [Int] = []
  private var packSet: Set<Int> = []
  /// How waiting for it ended.
  private(set) var outcome: Result<Void, OnDemandError>?
  private var watchers: [AsyncStream<ResourceProgress>.Continuation] = []
  private var last: ResourceProgress?
  /// For those who wait, which may be on other threads.
  private let waiters = Locked(Waiters())

  private struct Waiters {
    var outcome: Result<Void, OnDemandError>?
    var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    var count = 0
  }

  init(_ tags: [String] = []) { self.tags = tags }

  func take(_ numbers: [Int]) {
    packs = numbers
    packSet = Set(numbers)
  }

  func holds(_ pack: Int) -> Bool { packSet.contains(pack) }

  var isWatched: Bool { !watchers.isEmpty }
  /// Whether it failed or was ended.
  var hasFailed: Bool { if case .failure? = outcome { true } else { false } }

  func watch(_ watcher: AsyncStream<ResourceProgress>.Continuation) {
    if let outcome {
      if case .success = outcome, let last { watcher.yield(last) }
      return watcher.finish()
    }
    if let last { watcher.yield(last) }
    watchers.append(watcher)
  }

  /// Reports progress, unless it is that of the last time.
  func report(_ progress: ResourceProgress) {
    let next = ResourceProgress(bytes: progress.bytes, total: progress.total, after: last)
    if next == last { return }
    last = next
    for watcher in watchers { watcher.yield(next) }
  }

  /// Waits again after its packs were there and are not any more.
  func reopen() {
    outcome = nil
    waiters.withLock { $0.outcome = nil }
  }

  /// Ends waiting for it, once.
  func settle(_ outcome: Result<Void, OnDemandError> = .success(())) {
    if self.outcome != nil { return }
    self.outcome = outcome
    for watcher in watchers { watcher.finish() }
    watchers = []
    let continuations = waiters.withLock { waiters in
      waiters.outcome = outcome
      defer { waiters.continuations = [:] }
      return Array(waiters.continuations.values)
    }
    for continuation in continuations { continuation.resume(with: outcome.mapError { $0 as any Error }) }
  }

  /// Waits until it is settled.
  ///
  /// - Throws: its error, or `CancellationError` if the task is cancelled.
  func wait() async throws {
    let number = waiters.withLock { waiters in
      waiters.count += 1
      return waiters.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = waiters.withLock { waiters in
          if Task.isCancelled { return .failure(CancellationError()) }
          if let outcome = waiters.outcome { return outcome.mapError { $0 as any Error } }
          waiters.continuations[number] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      waiters.withLock { $0.continuations.removeValue(forKey: number) }?.resume(throwing: CancellationError())
    }
  }
}
