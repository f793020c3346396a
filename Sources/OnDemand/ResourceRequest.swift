public import Foundation

/// A use of the packs of some tags, from `beginAccessing()` to `endAccessing()`.
///
/// Each request can be used only once.
///
/// All members can be used from any thread. A request ends automatically when your code no longer refers to
/// it. A request uses only the files of one release: the release that was current when the request began.
public final class ResourceRequest: Sendable {
  /// The requested tags.
  public var tags: [String] { state.tags }
  private let store: PackStore
  private let state: RequestState

  init(_ store: PackStore, tags: [String]) { (self.store, state) = (store, RequestState(tags)) }

  deinit { endAccessing() }

  /// How soon the request's packs are loaded, compared with other requests; the default is 0.5.
  ///
  /// You can change this priority at any time.
  public var loadingPriority: LoadingPriority {
    get { store.perform { _ in state.priority } }
    set { store.perform { _ in state.priority = newValue } }
  }

  /// Pauses the download until `resume()` is called.
  ///
  /// The store keeps the bytes that have arrived, and the request stays open.
  public func pause() { store.perform { _ in state.isPaused = true } }

  /// Continues a download that was paused.
  public func resume() { store.perform { _ in state.isPaused = false } }

  /// Whether the request is paused.
  public var isPaused: Bool { store.perform { _ in state.isPaused } }

  /// The progress of the download, from `beginAccessing()` until all packs are stored or the request ends.
  ///
  /// Each access to this property makes a new sequence. A slow reader can miss values, but it always gets the
  /// last value. If all packs are already stored, the sequence has one element.
  public var progress: AsyncStream<ResourceProgress> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { watcher in
      store.perform { storeState in
        if storeState.isClosed { return watcher.finish() }
        storeState.schedule.watch(state, watcher: watcher)
      }
    }
  }

  /// Downloads missing packs, and returns when all packs are stored.
  ///
  /// The store keeps the packs until `endAccessing()` is called.
  ///
  /// If the store has no release yet, it first gets the server's release. A failed download is retried after
  /// 1, 2 and 4 seconds, and so on up to 60 seconds. The request fails if no byte arrives for
  /// `Options.patience` seconds. The store keeps the bytes that have arrived.
  ///
  /// - Throws: `invalidTag`, `inUseLimit`, `outOfSpace`, `offline`, `unreachable`, `refused`, `releaseGone`,
  ///   `damaged`, `untrusted`, `unsupportedContainer`, `storage`; `ended` if your code ended the request in
  ///   the meantime or began it twice; `closed`; `CancellationError` if the task is cancelled. After an
  ///   error, the request uses no packs.
  public func beginAccessing() async throws {
    do {
      if !store.hasRelease { try await store.applyFirstRelease() }
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

  /// Returns whether all packs are stored.
  ///
  /// If all packs are stored, the store keeps them until `endAccessing()` is called. This method never
  /// downloads anything.
  ///
  /// If it returns false, the request uses no packs and you can begin it again.
  ///
  /// - Throws: `invalidTag`, `inUseLimit`, `ended`, `closed`; `offline` if the store has no release.
  public func conditionallyBeginAccessing() async throws -> Bool {
    let isOpen = try store.perform { storeState throws(OnDemandError) in
      try storeState.begin(state, missing: .refused)
    }
    if !isOpen { return false }
    return await store.openFiles(of: state)
  }

  /// Returns the URL of a file in this request's packs, given the file's path within its pack.
  ///
  /// The file stays at this URL until the request ends.
  ///
  /// You can call this method often, because it makes no system call. Do not change the file. The method does
  /// not find folders.
  ///
  /// - Throws: `notHeld` if no pack of this request has the file, or the packs are not all stored.
  public func url(for path: String) throws(OnDemandError) -> URL {
    if let url = store.files.url(for: path, in: state) { return url }
    throw .notHeld(path: path)
  }

  /// The zip files of this request's packs, sorted by the packs' identifiers, if `Options.keepsArchives` is
  /// set.
  ///
  /// The files stay until the request ends. The list is empty if the option is not set, or while packs are
  /// missing.
  public var archives: [URL] { store.archives(of: state) }

  /// Ends the use of the packs.
  ///
  /// The store does not delete the packs until it needs their space.
  public func endAccessing() {
    store.perform { $0.schedule.close(state) }
    store.files.close(state)
  }
}

/// The state of a request, an install or a staged update.
///
/// Code must hold the store's lock to use the state. The only exception is waiting for the result.
final class RequestState: @unchecked Sendable {
  let tags: [String]
  var priority: LoadingPriority = 0.5
  var isPaused = false
  /// The numbers of the request's packs; empty before the request has begun.
  private(set) var packs: [Int] = []
  private var packSet: Set<Int> = []
  /// The result of waiting for the packs; nil while the request waits.
  private(set) var outcome: Result<Void, OnDemandError>?
  private var watchers: [AsyncStream<ResourceProgress>.Continuation] = []
  private var last: ResourceProgress?
  /// The tasks that wait for the result.
  ///
  /// These tasks can run on other threads than the code that sets the result.
  private let waiters = Locked(Waiters())

  private struct Waiters {
    var outcome: Result<Void, OnDemandError>?
    var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    var count = 0
  }

  init(_ tags: [String] = []) { self.tags = tags }

  func setPacks(_ numbers: [Int]) {
    packs = numbers
    packSet = Set(numbers)
  }

  func uses(_ pack: Int) -> Bool { packSet.contains(pack) }

  var isWatched: Bool { !watchers.isEmpty }
  /// Whether the request failed or was ended.
  var hasFailed: Bool { if case .failure? = outcome { true } else { false } }

  func watch(_ watcher: AsyncStream<ResourceProgress>.Continuation) {
    if let outcome {
      if case .success = outcome, let last { watcher.yield(last) }
      return watcher.finish()
    }
    if let last { watcher.yield(last) }
    watchers.append(watcher)
  }

  /// Reports progress, unless it is equal to the last reported progress.
  func report(_ progress: ResourceProgress) {
    let next = ResourceProgress(bytes: progress.bytes, total: progress.total, after: last)
    if next == last { return }
    last = next
    watchers.yield(next)
  }

  /// Makes the request wait again.
  ///
  /// The store calls this after it found that stored packs are missing.
  func reopen() {
    outcome = nil
    waiters.withLock { $0.outcome = nil }
  }

  /// Ends the wait with a result.
  ///
  /// Only the first call has an effect.
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

  /// Waits until the request is settled.
  ///
  /// - Throws: the error of the request, or `CancellationError` if the task is cancelled.
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
