/// How many bytes of a request, an install or an update have come.
public struct ResourceProgress: Sendable, Hashable {
  /// Bytes over the network that are there, including those of packs that were there before.
  public let bytes: Int64
  /// Bytes over the network of all packs, as archives or patches.
  ///
  /// It grows if an archive replaces a patch.
  public let total: Int64
  /// From 0 to 1; it never falls during one request.
  public let fraction: Double

  init(bytes: Int64, total: Int64, after last: ResourceProgress? = nil) {
    self.bytes = max(bytes, last?.bytes ?? 0)
    self.total = max(total, self.bytes)
    let part = total > 0 ? min(1, Double(self.bytes) / Double(self.total)) : 1
    fraction = max(part, last?.fraction ?? 0)
  }
}

/// What a store has of a tag's packs.
public enum TagState: Sendable, Hashable {
  /// Nothing is stored, or the current release does not have the tag.
  case missing
  /// Some bytes are stored.
  case partial(ResourceProgress)
  /// All packs are stored, and no open request of this tag holds them.
  case downloaded
  /// All packs are stored, and an open request of this tag holds them.
  case inUse
}

extension PackStore {
  /// A release as its index describes it.
  public struct Release: Sendable, Hashable {
    /// The number of the release, which only signed releases have.
    public let number: Int64?
    /// The SHA-256 of its `index.json`, in hex.
    public let digest: String
    /// The identifier of the app that it belongs to.
    public let bundleIdentifier: String?
  }

  /// What `verify()` found.
  public struct Verification: Sendable, Hashable {
    /// Packs that were read and compared with their digests.
    public let checked: Int
    /// Identifiers of packs that were damaged on the disk.
    public let damaged: [String]
    /// Identifiers of those that were downloaded again.
    public let repaired: [String]
  }
}

/// What happened in a store, for logs and analytics.
public enum StoreEvent: Sendable, Hashable {
  /// A pack is stored. `bytes` came over the network since the store was opened; `isPatch` if a patch made
  /// it.
  case stored(pack: String, bytes: Int64, isPatch: Bool)
  /// A download failed and starts again after some seconds.
  case retry(pack: String, error: OnDemandError, seconds: Double)
  /// A download failed, and the requests that waited for it failed with this error.
  case failed(pack: String, error: OnDemandError)
  /// A patch could not be used, so the whole archive is downloaded.
  case patchFailed(pack: String, error: OnDemandError)
  /// A pack was deleted to make space.
  case purged(pack: String, bytes: Int64)
  /// There is no space for some bytes, or packs in use take more space than there is.
  case lowSpace(needed: Int64)
  /// An index or its signature was refused, or could not be had.
  case indexFailed(error: OnDemandError)
  /// A release is now the current one.
  case applied(PackStore.Release)
  /// A stored pack is not what it was, and is downloaded again.
  case repaired(pack: String)
}

/// A download of several packs that runs by itself: the initial install, or an update.
///
/// It is a sequence of its progress, which ends when the download ends; `wait()` says how it ended. The
/// download goes on if nobody iterates.
public struct Download: AsyncSequence, Sendable {
  /// One step of progress.
  public typealias Element = ResourceProgress
  /// Iterating never throws.
  public typealias Failure = Never
  /// The iterator of the steps.
  public typealias AsyncIterator = AsyncStream<ResourceProgress>.Iterator

  let state: RequestState
  let steps: AsyncStream<ResourceProgress>

  /// Iterates over steps from now on.
  ///
  /// A slow reader misses steps, but never the last.
  public func makeAsyncIterator() -> AsyncIterator { steps.makeAsyncIterator() }

  /// Waits until everything is stored.
  ///
  /// - Throws: the same as `ResourceRequest.beginAccessing()`. Cancelling the task ends the wait, not the
  ///   download.
  public func wait() async throws { try await state.wait() }
}
