/// The progress of a request, an install or an update, in bytes.
public struct ResourceProgress: Sendable, Hashable {
  /// The number of bytes that were downloaded, including the bytes of packs that were already stored.
  public let bytes: Int64
  /// The total size in bytes of the archives or patches that are downloaded for all packs.
  ///
  /// The total grows if the store must download an archive instead of a patch.
  public let total: Int64
  /// The progress from 0 to 1; it never decreases during one request.
  public let fraction: Double

  init(bytes: Int64, total: Int64, after last: ResourceProgress? = nil) {
    self.bytes = max(bytes, last?.bytes ?? 0)
    self.total = max(total, self.bytes)
    let part = total > 0 ? min(1, Double(self.bytes) / Double(self.total)) : 1
    fraction = max(part, last?.fraction ?? 0)
  }
}

/// How many of a tag's packs a store contains.
public enum TagState: Sendable, Hashable {
  /// No pack of the tag is stored, or the tag is not in the current release.
  case missing
  /// Some of the tag's packs are stored.
  case partial(ResourceProgress)
  /// All packs of the tag are stored, and no open request of this tag uses them.
  case downloaded
  /// All packs of the tag are stored, and an open request of this tag uses them.
  case inUse
}

extension PackStore {
  /// A release as its index describes it.
  public struct Release: Sendable, Hashable {
    /// The number of the release.
    ///
    /// Only signed releases have a number.
    public let number: Int64?
    /// The SHA-256 of the release's `index.json`, in hex.
    public let digest: String
    /// The bundle identifier of the app that the release belongs to.
    public let bundleIdentifier: String?
  }

  /// The result of `verify()`.
  public struct Verification: Sendable, Hashable {
    /// The number of packs that were read and compared with their digests.
    public let checked: Int
    /// Identifiers of packs that were damaged on the disk.
    public let damaged: [String]
    /// Identifiers of the damaged packs that were downloaded again.
    public let repaired: [String]
  }
}

/// An event in a store, for logs and analytics.
public enum StoreEvent: Sendable, Hashable {
  /// A pack is stored.
  ///
  /// `bytes` is the number of bytes that the store has downloaded for this pack since the store was opened.
  /// `isPatch` is true if the pack was made with a patch.
  case stored(pack: String, bytes: Int64, isPatch: Bool)
  /// A download failed and will be retried after some seconds.
  case retry(pack: String, error: OnDemandError, seconds: Double)
  /// A download failed. The requests that waited for it failed with the same error.
  case failed(pack: String, error: OnDemandError)
  /// A patch could not be used, so the whole archive is downloaded.
  case patchFailed(pack: String, error: OnDemandError)
  /// A pack was deleted to make space.
  case purged(pack: String, bytes: Int64)
  /// There is not enough space for `needed` bytes, or the packs that are in use need more than the available
  /// space.
  case lowSpace(needed: Int64)
  /// The index or its signature could not be downloaded, or was rejected.
  case indexFailed(error: OnDemandError)
  /// A release became the current release.
  case applied(PackStore.Release)
  /// A stored pack was damaged and has been downloaded again.
  case repaired(pack: String)
}

extension Array {
  /// Passes an element to all readers, and forgets readers that no longer read.
  ///
  /// Otherwise, a program that asks for a new sequence in every frame would fill its memory.
  mutating func yield<Value: Sendable>(_ value: Value) where Element == AsyncStream<Value>.Continuation {
    removeAll { watcher in
      if case .terminated = watcher.yield(value) { true } else { false }
    }
  }
}

/// A download of several packs without a request: the initial install, or an update.
///
/// A download is an asynchronous sequence of progress values. The sequence ends when the download ends. Call
/// `wait()` to find out whether the download succeeded. The download continues even if your code does not
/// iterate over the sequence.
public struct Download: AsyncSequence, Sendable {
  /// The progress of the download at one time.
  public typealias Element = ResourceProgress
  /// Iterating never throws.
  public typealias Failure = Never
  /// The iterator over the progress values.
  public typealias AsyncIterator = AsyncStream<ResourceProgress>.Iterator

  let state: RequestState
  let steps: AsyncStream<ResourceProgress>

  /// Iterates over the progress values from now on.
  ///
  /// A slow reader can miss values, but it always gets the last value.
  public func makeAsyncIterator() -> AsyncIterator { steps.makeAsyncIterator() }

  /// Waits until all packs are stored.
  ///
  /// - Throws: the same errors as `ResourceRequest.beginAccessing()`. Cancelling the task ends the waiting,
  ///   but not the download.
  public func wait() async throws { try await state.wait() }
}
