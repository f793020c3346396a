import Foundation

/// How far the packs of a request have come.
public struct ResourceProgress: Sendable, Hashable {
  /// Bytes over the network that are there, those of packs that were there before included.
  public let bytes: Int64
  /// Bytes over the network of all packs of the request, as archives or patches.
  public let total: Int64
  /// From 0 to 1.
  public var fraction: Double { total > 0 ? min(1, Double(bytes) / Double(total)) : 1 }
}

/// An app's use of the packs of some tags, from `beginAccessing()` to `endAccessing()`; it is used once.
///
/// All members may be used from any thread. A request that nobody holds any more ends by itself.
public final class ResourceRequest: Sendable {
  /// The tags, all of whose packs are wanted.
  public var tags: [String] { state.tags }
  private let store: PackStore
  private let state: RequestState

  init(_ store: PackStore, tags: [String]) { (self.store, state) = (store, RequestState(tags)) }

  deinit { endAccessing() }

  /// How soon its packs are loaded among those of other requests: 0.5, until it is set; also while they are loaded.
  public var loadingPriority: LoadingPriority {
    get { store.perform { _ in state.priority } }
    set { store.perform { _ in state.priority = newValue } }
  }

  /// Bytes as they come, from `beginAccessing()` until all packs are there or the request ends.
  ///
  /// Each use is a sequence of its own. Who is slow misses steps, never the last.
  public var progress: AsyncStream<ResourceProgress> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { watcher in
      store.perform { $0.schedule.watch(state, watcher: watcher) }
    }
  }

  /// Downloads what is missing, and returns when all packs are there, which then stay until `endAccessing()`.
  ///
  /// What the network does not let through is tried again, after 1, 2, 4 and up to 60 seconds, until the request ends;
  /// so does a task that is cancelled.
  ///
  /// - Throws: `invalidTag`, `inUseLimit`, `outOfSpace`, `offline`, `refused`, `damaged`, `unsupportedContainer`,
  ///   `storage`, or `ended` where it was ended meanwhile or is begun twice. The request then holds nothing.
  public func beginAccessing() async throws(OnDemandError) {
    _ = try store.perform { core throws(OnDemandError) in try core.begin(state, ifStored: false) }
    do {
      try await state.wait()
    } catch {
      endAccessing()
      throw error
    }
  }

  /// Whether all packs were there, which then stay until `endAccessing()`; downloads nothing.
  ///
  /// After false, the request holds nothing and may be begun.
  ///
  /// - Throws: `invalidTag`, `inUseLimit`, `ended`.
  public func conditionallyBeginAccessing() async throws(OnDemandError) -> Bool {
    try store.perform { core throws(OnDemandError) in try core.begin(state, ifStored: true) }
  }

  /// Gives the packs back at once; nothing is deleted before the space is needed.
  public func endAccessing() { store.perform { $0.schedule.close(state) } }
}

/// What a store knows of a request, or of an install; touched only under the store's lock.
final class RequestState: @unchecked Sendable {
  let tags: [String]
  var priority: LoadingPriority = 0.5
  /// Its packs by number, once it was begun.
  var packs: [Int] = []
  /// How waiting for it ended.
  private(set) var outcome: Result<Void, OnDemandError>?
  /// The same, for who waits.
  private let (outcomes, end) = AsyncStream<Result<Void, OnDemandError>>.makeStream()
  var watchers: [AsyncStream<ResourceProgress>.Continuation] = []

  init(_ tags: [String] = []) { self.tags = tags }

  /// Ends waiting for it, once.
  func settle(_ outcome: Result<Void, OnDemandError> = .success(())) {
    if self.outcome != nil { return }
    self.outcome = outcome
    end.yield(outcome)
    for watcher in watchers { watcher.finish() }
    watchers = []
  }

  func wait() async throws(OnDemandError) {
    for await outcome in outcomes { return try outcome.get() }
    // The task was cancelled.
    throw .ended
  }
}

/// A value that one thread uses at a time.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: consuming sending Value) { self.value = value }

  func withLock<Result, E: Error>(_ body: (inout Value) throws(E) -> Result) throws(E) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
