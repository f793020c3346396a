/// How soon the packs of a request are loaded: 0 to 1, higher first, or before all others.
public struct LoadingPriority: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral {
  fileprivate let rank: Double

  /// A priority from 0 to 1; what lies outside counts as the nearest, and no number as 0.5.
  public init(_ level: Double) { rank = level.isNaN ? 0.5 : min(max(level, 0), 1) }

  /// A priority from 0 to 1.
  public init(floatLiteral level: Double) { self.init(level) }
  private init(rank: Double) { self.rank = rank }

  /// Before all others: while it waits, nothing else is loaded.
  public static let urgent = LoadingPriority(rank: .infinity)

  /// Whether one is loaded after another.
  public static func < (first: LoadingPriority, second: LoadingPriority) -> Bool { first.rank < second.rank }
}

/// What is served next, which packs are pinned, and what is purged: the rules of on-demand resources as a value.
///
/// Moves and removes nothing by itself: `reschedule` says in `events` and `serving` what follows from changes. Whoever
/// moves bytes says how many came before each change.
struct Schedule: Sendable {
  /// A pack of a release, with what is there of it.
  struct Pack: Sendable {
    var info: Catalog.Pack
    /// Whether it takes up space, whole or in part.
    var isReserved = false
    var arrived: Int64 = 0
    var isStored = false
    /// Whether it was purged, after which it is not prefetched.
    var wasPurged = false
    /// When it was last stored, or closed by the last request that held it; nil if it was never stored.
    var lastUse: Int64?
    /// Whether the release in place has it; else an open request still holds what was replaced.
    var isCurrent = true
  }

  /// Microseconds since any start, which never run back: the time of the next change.
  var now: Int64 = 0
  /// All packs by number; a number means the same pack for ever.
  var packs: [Pack] = []
  private var packsOfTag: [String: [Int]] = [:]
  private var initialInstall: [Int] = []
  private var prefetchOrder: [Int] = []
  /// Those who wait for the initial install.
  private(set) var installs: [RequestState] = []
  var isInstalled = false
  /// Those of it that are still to come.
  private(set) var prefetch: ArraySlice<Int> = []
  /// Those that are open, in the order in which they began.
  private(set) var requests: [RequestState] = []

  private let inUse: Int64
  private(set) var space: Int64
  /// What the packs of tags are worth.
  var preservation: [String: Double] = [:]

  private(set) var isOnline: Bool
  /// The pack that the link is at.
  private(set) var serving: Int?
  /// What followed from changes: whether to save, which packs were purged or replaced, how often there was no space.
  var events = (isChanged: false, removed: [Int](), warnings: 0)

  init(space: Int64 = .max, inUse: Int64, isOnline: Bool = true) {
    (self.space, self.inUse, self.isOnline) = (space, inUse, isOnline)
  }
}

/// Requests.
extension Schedule {
  /// Whether the request is open now; it is not only where it is to find all stored, and does not.
  mutating func begin(_ request: RequestState, ifStored: Bool) throws(OnDemandError) -> Bool {
    let packs = try resolved(request.tags)
    let needed = pinned.union(packs).reduce(0) { $0 + self.packs[$1].info.size }
    if needed > inUse { throw .inUseLimit(needed: needed, limit: inUse) }
    let isAvailable = packs.allSatisfy { self.packs[$0].isStored }
    if !isAvailable && ifStored { return false }
    if !isAvailable && !isOnline { throw .offline }
    request.packs = packs
    requests.append(request)
    noteWhole(request)
    return true
  }

  /// The packs that open requests hold.
  var pinned: Set<Int> { Set(requests.lazy.flatMap(\.packs)) }

  /// The requests that still wait, or wait for one pack.
  func waiting(for pack: Int? = nil) -> [RequestState] {
    requests.filter { $0.outcome == nil && pack.map($0.packs.contains) != false }
  }

  private func resolved(_ tags: [String]) throws(OnDemandError) -> [Int] {
    if let unknown = tags.first(where: { packsOfTag[$0] == nil }) { throw .invalidTag(unknown) }
    let numbers = Set(tags.flatMap { packsOfTag[$0] ?? [] })
    return numbers.sorted { packs[$0].info.id < packs[$1].info.id }
  }

  mutating func close(_ request: RequestState, error: OnDemandError = .ended) {
    request.settle(.failure(error))
    installs.removeAll { $0 === request }
    guard let place = requests.firstIndex(where: { $0 === request }) else { return }
    requests.remove(at: place)
    leave(request.packs)
    events.isChanged = true
  }

  /// Tells of the progress of a request, from now until it is settled.
  func watch(_ request: RequestState, watcher: AsyncStream<ResourceProgress>.Continuation) {
    if request.outcome != nil { return watcher.finish() }
    request.watchers.append(watcher)
    if !request.packs.isEmpty { report(request) }
  }

  private func report(_ request: RequestState) {
    if request.watchers.isEmpty { return }
    let packs = request.packs.map { self.packs[$0] }
    let total = packs.reduce(0) { $0 + $1.info.transfer }
    let bytes = packs.reduce(0) { $0 + ($1.isStored ? $1.info.transfer : min($1.arrived, $1.info.transfer)) }
    for watcher in request.watchers { watcher.yield(ResourceProgress(bytes: bytes, total: total)) }
  }

  /// Notes that a request has left packs, and frees those that an update replaced and nobody holds any more.
  private mutating func leave(_ left: [Int]) {
    for pack in left where packs[pack].lastUse != nil { packs[pack].lastUse = now }
    for pack in purgeable where !packs[pack].isCurrent { remove(pack) }
  }
}

/// What the link is at, and the space for it.
extension Schedule {
  mutating func install(_ request: RequestState) throws(OnDemandError) {
    let needed = initialInstall.reduce(0) { $0 + packs[$1].info.size }
    if !isOnline { throw .offline }
    if needed > space { throw .outOfSpace(needed: needed) }
    installs.append(request)
  }

  mutating func resumePrefetch() { prefetch = prefetchOrder[...] }

  mutating func setOnline(_ isOnline: Bool) {
    self.isOnline = isOnline
    if !isOnline { for request in waiting() { close(request, error: .offline) } }
  }

  /// Bytes of the pack that is served that are there now.
  mutating func receive(_ bytes: Int64, pack: Int) {
    packs[pack].arrived = bytes
    for request in waiting(for: pack) { report(request) }
  }

  mutating func arrive() {
    guard let pack = serving else { return }
    serving = nil
    (packs[pack].isStored, packs[pack].lastUse) = (true, now)
    events.isChanged = true
    for request in waiting(for: pack) { noteWhole(request) }
  }

  mutating func fail(_ error: OnDemandError) {
    guard let pack = serving else { return }
    serving = nil
    prefetch.removeAll { $0 == pack }
    refuse(pack, error: error)
  }

  private mutating func noteWhole(_ request: RequestState) {
    report(request)
    if request.packs.allSatisfy({ packs[$0].isStored }) { request.settle() }
  }

  private mutating func refuse(_ pack: Int, error: OnDemandError) {
    for request in waiting(for: pack) + (initialInstall.contains(pack) ? installs : []) {
      close(request, error: error)
    }
  }

  /// Finds what is to be served now, and makes space for it.
  mutating func reschedule() {
    while isOnline, let (pack, isPrefetch) = firstWanted() {
      if pack == serving { return }
      // What has its space needs none, however little there is.
      let size = packs[pack].isReserved ? .min : packs[pack].info.size
      let victims = isPrefetch ? [] : purgeable
      if victims.reduce(space - reserved, { $0 + packs[$1].info.size }) >= size {
        purge(until: size)
        packs[pack].isReserved = true
        serving = pack
        return
      }
      if isPrefetch {
        prefetch.removeFirst()
      } else {
        events.warnings += 1
        refuse(pack, error: .outOfSpace(needed: size))
      }
    }
    serving = nil
  }

  /// The first of what is wanted and not stored, and whether only the prefetch wants it.
  private mutating func firstWanted() -> (pack: Int, isPrefetch: Bool)? {
    if !installs.isEmpty {
      if let pack = initialInstall.first(where: { !packs[$0].isStored }) { return (pack, false) }
      for request in installs { request.settle() }
      (installs, isInstalled, prefetch) = ([], true, prefetchOrder[...])
      events.isChanged = true
    }
    // Of those with one priority, the first that began.
    let first = waiting().min { $0.priority > $1.priority }
    if let pack = first?.packs.first(where: { !packs[$0].isStored }) { return (pack, false) }
    prefetch = prefetch.drop { packs[$0].isStored || packs[$0].wasPurged }
    return prefetch.first.map { ($0, true) }
  }

  mutating func setSpace(_ space: Int64) {
    self.space = space
    purge(until: 0)
    if reserved > space { events.warnings += 1 }
  }

  /// The bytes that packs take up, whole or in part.
  var reserved: Int64 { packs.reduce(0) { $1.isReserved ? $0 + $1.info.size : $0 } }

  /// Packs that take up space and that no open request holds.
  private var purgeable: [Int] {
    let pinned = pinned
    return packs.indices.filter { packs[$0].isReserved && !pinned.contains($0) }
  }

  private mutating func remove(_ pack: Int) {
    (packs[pack].isReserved, packs[pack].isStored, packs[pack].arrived) = (false, false, 0)
    if serving == pack { serving = nil }
    events.isChanged = true
    events.removed.append(pack)
  }

  private mutating func purge(until needed: Int64) {
    var room = space - reserved
    if room >= needed { return }
    let keys = purgeable.map { pack in
      let worth = packs[pack].info.tags.compactMap { preservation[$0] }.max() ?? 0
      return (worth, packs[pack].lastUse ?? 0, packs[pack].info.id, pack)
    }
    for (_, _, _, pack) in keys.sorted(by: <) where room < needed {
      remove(pack)
      packs[pack].wasPurged = true
      room += packs[pack].info.size
    }
  }
}

/// Releases.
extension Schedule {
  /// Puts a release in place.
  ///
  /// Packs with the same identifier, contents and size stay. Requests that are available keep what they hold; others
  /// now wait for the new packs of their tags.
  mutating func update(to next: Catalog) {
    var known: [String: Int] = [:]
    for number in packs.indices where packs[number].isCurrent || packs[number].isReserved {
      known[packs[number].info.key] = number
      packs[number].isCurrent = false
    }
    var numbers: [String: Int] = [:]
    packsOfTag = [:]
    for pack in next.packs {
      let number = known[pack.key] ?? packs.count
      if number == packs.count { packs.append(Pack(info: pack)) }
      (packs[number].info, packs[number].isCurrent) = (pack, true)
      numbers[pack.id] = number
      for tag in Set(pack.tags) { packsOfTag[tag, default: []].append(number) }
    }
    initialInstall = next.initialInstall?.packs.compactMap { numbers[$0] } ?? []
    prefetchOrder = next.prefetch?.packs.compactMap { numbers[$0] } ?? []
    prefetch = []
    let left = waiting().flatMap(\.packs)
    for request in waiting() {
      do throws(OnDemandError) {
        request.packs = try resolved(request.tags)
        noteWhole(request)
      } catch {
        close(request, error: error)
      }
    }
    leave(left)
  }
}
