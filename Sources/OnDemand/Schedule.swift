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
/// Does nothing by itself: each change says what follows from it in `events` and `serving`. Times are microseconds
/// since any start, and never run back. Whoever moves bytes says how many came before each change.
struct Schedule: Sendable {
  /// What followed from a change, in order; packs and requests by number.
  enum Event: Sendable, Equatable {
    case stored(Int)
    case purged(Int)
    /// An update replaced a pack, and nobody holds it any more.
    case dropped(Int)
    case available(Int)
    case failed(Int, OnDemandError)
    case installed
    case installFailed(OnDemandError)
    case lowSpace
  }

  /// A pack of a release, with what is there of it.
  struct Pack: Sendable {
    var info: Catalog.Pack
    var transfer: Int64
    /// Whether it takes up space, whole or in part.
    var isReserved = false
    var arrived: Int64 = 0
    var isStored = false
    var wasStored = false
    /// Whether it was purged, after which it is not prefetched.
    var wasPurged = false
    var lastTime: Int64 = 0
    var pins = 0
    /// Whether the release in place has it; else an open request still holds what was replaced.
    var isCurrent = true
    /// Its place by identifier.
    var rank = 0

    init(_ info: Catalog.Pack) { (self.info, transfer) = (info, info.transfer) }
    var size: Int64 { info.size }
    /// When it was last stored, or closed by the last request that held it; 0 if it was never stored.
    var lastUse: Int64 { wasStored ? lastTime : 0 }
  }

  private struct Request {
    let tags: [String]
    var packs: [Int]
    var priority: LoadingPriority
    var isAvailable = false
  }

  /// All packs by number; a number means the same pack for ever.
  private(set) var packs: [Pack] = []
  private var packsOfTag: [String: [Int]] = [:]
  private var initialInstall: [Int] = []
  private var prefetchOrder: [Int] = []
  private var isInstalling = false
  private var prefetch: ArraySlice<Int> = []
  private var requests: [Int: Request] = [:]
  private var nextRequest = 0

  private let inUse: Int64
  private(set) var space: Int64
  private(set) var reserved: Int64 = 0
  /// The part of these that no request holds.
  private var purgeable: Int64 = 0
  /// Bytes of packs that requests hold.
  private var pinned: Int64 = 0
  private(set) var preservation: [String: Double] = [:]

  private(set) var isOnline: Bool
  /// The pack that the link is at.
  private(set) var serving: Int?
  private var events: [Event] = []

  init(space: Int64 = .max, inUse: Int64, isOnline: Bool) {
    (self.space, self.inUse, self.isOnline) = (space, inUse, isOnline)
  }

  mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }
}

/// Requests.
extension Schedule {
  mutating func begin(
    _ tags: [String], priority: LoadingPriority, at time: Int64
  ) throws(OnDemandError) -> Int {
    let packs = try resolved(tags)
    try checkLimit(packs)
    let isAvailable = packs.allSatisfy { self.packs[$0].isStored }
    if !isAvailable && !isOnline { throw .offline }
    let number = open(Request(tags: tags, packs: packs, priority: priority, isAvailable: isAvailable))
    reschedule(at: time)
    return number
  }

  mutating func beginConditionally(_ tags: [String], at time: Int64) throws(OnDemandError) -> Int? {
    let packs = try resolved(tags)
    try checkLimit(packs)
    if !packs.allSatisfy({ self.packs[$0].isStored }) { return nil }
    return open(Request(tags: tags, packs: packs, priority: 0.5, isAvailable: true))
  }

  mutating func end(_ number: Int, at time: Int64) {
    close(number, at: time)
    reschedule(at: time)
  }

  mutating func endAll(at time: Int64) {
    for number in requests.keys.sorted() { close(number, at: time) }
    reschedule(at: time)
  }

  mutating func setPriority(of number: Int, to priority: LoadingPriority, at time: Int64) {
    requests[number]?.priority = priority
    reschedule(at: time)
  }

  func packs(of request: Int) -> [Int] { requests[request]?.packs ?? [] }

  func waiting(for pack: Int) -> [Int] {
    requests.filter { !$0.value.isAvailable && $0.value.packs.contains(pack) }.keys.sorted()
  }

  private func resolved(_ tags: [String]) throws(OnDemandError) -> [Int] {
    for tag in tags where packsOfTag[tag] == nil { throw .invalidTag(tag) }
    let packs =
      tags.count == 1 ? packsOfTag[tags[0]] ?? [] : Array(Set(tags.flatMap { packsOfTag[$0] ?? [] }))
    return packs.sorted { self.packs[$0].rank < self.packs[$1].rank }
  }

  private func checkLimit(_ packs: [Int]) throws(OnDemandError) {
    let needed = packs.reduce(pinned) { self.packs[$1].pins == 0 ? $0 + self.packs[$1].size : $0 }
    if needed > inUse { throw .inUseLimit(needed: needed, limit: inUse) }
  }

  private mutating func open(_ request: Request) -> Int {
    nextRequest += 1
    for pack in request.packs { pin(pack) }
    requests[nextRequest] = request
    if request.isAvailable { events.append(.available(nextRequest)) }
    return nextRequest
  }

  private mutating func pin(_ pack: Int) {
    packs[pack].pins += 1
    if packs[pack].pins > 1 { return }
    pinned += packs[pack].size
    if packs[pack].isReserved { purgeable -= packs[pack].size }
  }

  private mutating func close(_ number: Int, _ error: OnDemandError? = nil, at time: Int64) {
    guard let request = requests.removeValue(forKey: number) else { return }
    for pack in request.packs { unpin(pack, at: time) }
    if let error { events.append(.failed(number, error)) }
  }

  private mutating func unpin(_ pack: Int, at time: Int64) {
    packs[pack].pins -= 1
    packs[pack].lastTime = time
    if packs[pack].pins > 0 { return }
    pinned -= packs[pack].size
    if packs[pack].isReserved { purgeable += packs[pack].size }
    if !packs[pack].isCurrent { drop(pack) }
  }
}

/// What the link is at.
extension Schedule {
  mutating func install(at time: Int64) throws(OnDemandError) {
    let needed = initialInstall.reduce(0) { $0 + packs[$1].size }
    if !isOnline { throw .offline }
    if needed > space { throw .outOfSpace(needed: needed) }
    isInstalling = true
    reschedule(at: time)
  }

  mutating func resumePrefetch(at time: Int64) {
    prefetch = prefetchOrder[...]
    reschedule(at: time)
  }

  var isPrefetching: Bool { !prefetch.isEmpty }

  mutating func setOnline(_ isOnline: Bool, at time: Int64) {
    self.isOnline = isOnline
    if !isOnline {
      for number in requests.keys.sorted() where requests[number]?.isAvailable == false {
        close(number, .offline, at: time)
      }
    }
    reschedule(at: time)
  }

  /// Bytes of the pack that is served that are there now, and in all, if it comes by another way than before.
  mutating func receive(_ bytes: Int64, of total: Int64? = nil, _ pack: Int) {
    packs[pack].arrived = bytes
    packs[pack].transfer = total ?? packs[pack].transfer
  }

  mutating func arrive(at time: Int64) {
    guard let pack = serving else { return }
    serving = nil
    (packs[pack].isStored, packs[pack].wasStored, packs[pack].lastTime) = (true, true, time)
    events.append(.stored(pack))
    for number in waiting(for: pack) { noteWhole(number) }
    reschedule(at: time)
  }

  mutating func fail(_ error: OnDemandError, at time: Int64) {
    guard let pack = serving else { return }
    serving = nil
    prefetch.removeAll { $0 == pack }
    refuse(pack, error, at: time)
    reschedule(at: time)
  }

  private mutating func noteWhole(_ request: Int) {
    if !packs(of: request).allSatisfy({ packs[$0].isStored }) { return }
    requests[request]?.isAvailable = true
    events.append(.available(request))
  }

  private mutating func refuse(_ pack: Int, _ error: OnDemandError, at time: Int64) {
    if isInstalling && initialInstall.contains(pack) {
      isInstalling = false
      events.append(.installFailed(error))
    }
    for number in waiting(for: pack) { close(number, error, at: time) }
  }

  private mutating func reschedule(at time: Int64) {
    while isOnline, let (pack, isPrefetch) = firstWanted() {
      if pack == serving { return }
      if !packs[pack].isReserved {
        let size = packs[pack].size
        if isPrefetch && space - reserved < size {
          prefetch.removeFirst()
          continue
        }
        if !isPrefetch && space - (reserved - purgeable) < size {
          events.append(.lowSpace)
          refuse(pack, .outOfSpace(needed: size), at: time)
          continue
        }
        purge(until: size)
        reserve(pack)
      }
      serving = pack
      return
    }
    serving = nil
  }

  /// The first of what is wanted and not stored, and whether only the prefetch wants it.
  private mutating func firstWanted() -> (pack: Int, isPrefetch: Bool)? {
    if isInstalling {
      if let pack = initialInstall.first(where: { !packs[$0].isStored }) { return (pack, false) }
      isInstalling = false
      prefetch = prefetchOrder[...]
      events.append(.installed)
    }
    let waiting = requests.filter { !$0.value.isAvailable }
    let first = waiting.min { first, second in
      (second.value.priority, first.key) < (first.value.priority, second.key)
    }
    if let pack = first?.value.packs.first(where: { !packs[$0].isStored }) { return (pack, false) }
    while let pack = prefetch.first {
      if !packs[pack].isStored && !packs[pack].wasPurged { return (pack, true) }
      prefetch.removeFirst()
    }
    return nil
  }
}

/// The space of the device.
extension Schedule {
  mutating func setSpace(_ space: Int64, at time: Int64) {
    self.space = space
    if reserved > space { purge(until: 0) }
    if reserved > space { events.append(.lowSpace) }
    reschedule(at: time)
  }

  mutating func preserve(_ tags: [String], _ priority: Double) {
    for tag in tags { preservation[tag] = priority }
  }

  private mutating func reserve(_ pack: Int) {
    packs[pack].isReserved = true
    reserved += packs[pack].size
    if packs[pack].pins == 0 { purgeable += packs[pack].size }
  }

  private mutating func free(_ pack: Int) {
    if packs[pack].isReserved {
      reserved -= packs[pack].size
      if packs[pack].pins == 0 { purgeable -= packs[pack].size }
    }
    (packs[pack].isReserved, packs[pack].isStored, packs[pack].arrived) = (false, false, 0)
    if serving == pack { serving = nil }
  }

  private mutating func purge(until needed: Int64) {
    if space - reserved >= needed { return }
    let victims = packs.indices.filter { packs[$0].pins == 0 && packs[$0].isReserved }
    let keys = victims.map { (worth(of: $0), packs[$0].lastUse, packs[$0].rank, $0) }
    for (_, _, _, pack) in keys.sorted(by: <) where space - reserved < needed {
      free(pack)
      packs[pack].wasPurged = true
      events.append(.purged(pack))
    }
  }

  private func worth(of pack: Int) -> Double {
    packs[pack].info.tags.reduce(0) { max($0, preservation[$1] ?? 0) }
  }
}

/// Releases.
extension Schedule {
  /// Puts a release in place.
  ///
  /// Packs with the same identifier, contents and size stay. Requests that are available keep what they hold; others
  /// now wait for the new packs of their tags.
  mutating func update(to next: Catalog, at time: Int64) {
    var current: [String: Int] = [:]
    for number in packs.indices where packs[number].isCurrent { current[packs[number].info.id] = number }
    let numbers = next.packs.map { place($0, over: current[$0.id]) }
    let kept = Set(numbers)
    let gone = current.values.filter { !kept.contains($0) }.sorted()
    for number in gone { packs[number].isCurrent = false }
    for (rank, number) in packs.indices.sorted(by: precedes).enumerated() { packs[number].rank = rank }
    packsOfTag = [:]
    for number in numbers {
      for tag in Set(packs[number].info.tags) { packsOfTag[tag, default: []].append(number) }
    }
    initialInstall = next.initialInstall.map { numbers[$0] }
    prefetchOrder = next.prefetch.map { numbers[$0] }
    prefetch = []
    renewWaiting(at: time)
    for number in gone where packs[number].pins == 0 { drop(number) }
    reschedule(at: time)
  }

  /// Says what a folder has of a pack, when a store is opened.
  mutating func restore(_ pack: Int, isStored: Bool, arrived: Int64, lastUse: Int64, wasPurged: Bool) {
    (packs[pack].wasPurged, packs[pack].lastTime) = (wasPurged, lastUse)
    (packs[pack].isStored, packs[pack].wasStored) = (isStored, isStored || lastUse > 0)
    packs[pack].arrived = arrived
    if (isStored || arrived > 0) && !packs[pack].isReserved { reserve(pack) }
  }

  private mutating func place(_ info: Catalog.Pack, over old: Int?) -> Int {
    if let old, packs[old].info.digest == info.digest, packs[old].size == info.size {
      (packs[old].info, packs[old].transfer) = (info, info.transfer)
      return old
    }
    packs.append(Pack(info))
    return packs.count - 1
  }

  private func precedes(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (packs[first].info.id, packs[second].info.id)
    return one == other ? first < second : one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  private mutating func renewWaiting(at time: Int64) {
    for number in requests.keys.sorted() where requests[number]?.isAvailable == false {
      guard let request = requests[number] else { continue }
      do throws(OnDemandError) {
        let packs = try resolved(request.tags)
        for pack in packs { pin(pack) }
        for pack in request.packs { unpin(pack, at: time) }
        requests[number]?.packs = packs
        noteWhole(number)
      } catch {
        close(number, error, at: time)
      }
    }
  }

  private mutating func drop(_ pack: Int) {
    if !packs[pack].isReserved { return }
    free(pack)
    events.append(.dropped(pack))
  }
}
