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
/// Does nothing by itself: each change says what follows from it in `events` and `serving`. Whoever moves bytes says how
/// many came before each change.
struct Schedule: Sendable {
  /// What followed from a change, in order; packs and requests by number.
  enum Event: Sendable, Equatable {
    case purged(Int)
    /// An update replaced a pack, and nobody holds it any more.
    case dropped(Int)
    /// A request has all its packs, or was closed by an error.
    case settled(Int, OnDemandError?)
    case installed(OnDemandError?)
    case lowSpace
  }

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
    var pins = 0
    /// Whether the release in place has it; else an open request still holds what was replaced.
    var isCurrent = true
    /// Its place by identifier.
    var rank = 0

    init(_ info: Catalog.Pack) { self.info = info }
    var size: Int64 { info.size }
  }

  private struct Request {
    let tags: [String]
    var packs: [Int]
    var priority: LoadingPriority
    var isAvailable = false
  }

  /// Microseconds since any start, which never run back: the time of the next change.
  var now: Int64 = 0
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
  private(set) var preservation: [String: Double] = [:]

  private(set) var isOnline: Bool
  /// The pack that the link is at.
  private(set) var serving: Int?
  private var events: [Event] = []

  init(space: Int64 = .max, inUse: Int64, isOnline: Bool = true) {
    (self.space, self.inUse, self.isOnline) = (space, inUse, isOnline)
  }

  mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }
}

/// Requests.
extension Schedule {
  /// The number of a request that is open now; nil only where it is to be open if all is stored, and is not.
  mutating func begin(
    _ tags: [String], priority: LoadingPriority = 0.5, ifStored: Bool = false
  ) throws(OnDemandError) -> Int? {
    let packs = try resolved(tags)
    let held = self.packs.reduce(0) { $1.pins > 0 ? $0 + $1.size : $0 }
    let needed = packs.reduce(held) { self.packs[$1].pins == 0 ? $0 + self.packs[$1].size : $0 }
    if needed > inUse { throw .inUseLimit(needed: needed, limit: inUse) }
    let isAvailable = packs.allSatisfy { self.packs[$0].isStored }
    if !isAvailable && ifStored { return nil }
    if !isAvailable && !isOnline { throw .offline }
    nextRequest += 1
    for pack in packs { self.packs[pack].pins += 1 }
    requests[nextRequest] = Request(tags: tags, packs: packs, priority: priority, isAvailable: isAvailable)
    if isAvailable { events.append(.settled(nextRequest, nil)) }
    reschedule()
    return nextRequest
  }

  mutating func end(_ number: Int) {
    close(number)
    reschedule()
  }

  mutating func endAll() {
    for number in requests.keys.sorted() { close(number) }
    reschedule()
  }

  mutating func setPriority(of number: Int, to priority: LoadingPriority) {
    requests[number]?.priority = priority
    reschedule()
  }

  func packs(of request: Int) -> [Int] { requests[request]?.packs ?? [] }

  func waiting(for pack: Int? = nil) -> [Int] {
    let waiting = requests.filter { _, request in
      !request.isAvailable && pack.map(request.packs.contains) != false
    }
    return waiting.keys.sorted()
  }

  private func resolved(_ tags: [String]) throws(OnDemandError) -> [Int] {
    var packs: Set<Int> = []
    for tag in tags {
      guard let tagged = packsOfTag[tag] else { throw .invalidTag(tag) }
      packs.formUnion(tagged)
    }
    return packs.sorted { self.packs[$0].rank < self.packs[$1].rank }
  }

  private mutating func close(_ number: Int, _ error: OnDemandError? = nil) {
    guard let request = requests.removeValue(forKey: number) else { return }
    unpin(request.packs)
    if let error { events.append(.settled(number, error)) }
  }

  private mutating func unpin(_ numbers: [Int]) {
    for pack in numbers {
      packs[pack].pins -= 1
      if packs[pack].lastUse != nil { packs[pack].lastUse = now }
      if packs[pack].pins == 0 && !packs[pack].isCurrent { drop(pack) }
    }
  }
}

/// What the link is at.
extension Schedule {
  mutating func install() throws(OnDemandError) {
    let needed = initialInstall.reduce(0) { $0 + packs[$1].size }
    if !isOnline { throw .offline }
    if needed > space { throw .outOfSpace(needed: needed) }
    isInstalling = true
    reschedule()
  }

  mutating func resumePrefetch() {
    prefetch = prefetchOrder[...]
    reschedule()
  }

  var isPrefetching: Bool { !prefetch.isEmpty }

  mutating func setOnline(_ isOnline: Bool) {
    self.isOnline = isOnline
    if !isOnline { for number in waiting() { close(number, .offline) } }
    reschedule()
  }

  /// Bytes of the pack that is served that are there now.
  mutating func receive(_ bytes: Int64, _ pack: Int) { packs[pack].arrived = bytes }

  mutating func arrive() {
    guard let pack = serving else { return }
    serving = nil
    (packs[pack].isStored, packs[pack].lastUse) = (true, now)
    for number in waiting(for: pack) { noteWhole(number) }
    reschedule()
  }

  mutating func fail(_ error: OnDemandError) {
    guard let pack = serving else { return }
    serving = nil
    prefetch.removeAll { $0 == pack }
    refuse(pack, error)
    reschedule()
  }

  private mutating func noteWhole(_ request: Int) {
    if !packs(of: request).allSatisfy({ packs[$0].isStored }) { return }
    requests[request]?.isAvailable = true
    events.append(.settled(request, nil))
  }

  private mutating func refuse(_ pack: Int, _ error: OnDemandError) {
    if isInstalling && initialInstall.contains(pack) {
      isInstalling = false
      events.append(.installed(error))
    }
    for number in waiting(for: pack) { close(number, error) }
  }

  private mutating func reschedule() {
    while isOnline, let (pack, isPrefetch) = firstWanted() {
      if pack == serving { return }
      if !packs[pack].isReserved {
        let size = packs[pack].size
        if isPrefetch && space - reserved < size {
          prefetch.removeFirst()
          continue
        }
        if !isPrefetch && space - reserved + purgeable < size {
          events.append(.lowSpace)
          refuse(pack, .outOfSpace(needed: size))
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
      events.append(.installed(nil))
    }
    let waiting = requests.filter { !$0.value.isAvailable }
    let first = waiting.min { first, second in
      (second.value.priority, first.key) < (first.value.priority, second.key)
    }
    if let pack = first?.value.packs.first(where: { !packs[$0].isStored }) { return (pack, false) }
    prefetch = prefetch.drop { packs[$0].isStored || packs[$0].wasPurged }
    return prefetch.first.map { ($0, true) }
  }
}

/// The space of the device.
extension Schedule {
  mutating func setSpace(_ space: Int64) {
    self.space = space
    if reserved > space { purge(until: 0) }
    if reserved > space { events.append(.lowSpace) }
    reschedule()
  }

  mutating func preserve(_ tags: [String], _ priority: Double) {
    for tag in tags { preservation[tag] = priority }
  }

  /// The bytes that no request holds.
  private var purgeable: Int64 {
    packs.reduce(0) { $1.isReserved && $1.pins == 0 ? $0 + $1.size : $0 }
  }

  private mutating func reserve(_ pack: Int) {
    packs[pack].isReserved = true
    reserved += packs[pack].size
  }

  private mutating func free(_ pack: Int) {
    if packs[pack].isReserved { reserved -= packs[pack].size }
    (packs[pack].isReserved, packs[pack].isStored, packs[pack].arrived) = (false, false, 0)
    if serving == pack { serving = nil }
  }

  private mutating func purge(until needed: Int64) {
    if space - reserved >= needed { return }
    let victims = packs.indices.filter { packs[$0].pins == 0 && packs[$0].isReserved }
    let keys = victims.map { (worth(of: $0), packs[$0].lastUse ?? 0, packs[$0].rank, $0) }
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
  mutating func update(to next: Catalog) {
    var gone: [String: Int] = [:]
    for number in packs.indices where packs[number].isCurrent { gone[packs[number].info.id] = number }
    var numbers: [String: Int] = [:]
    packsOfTag = [:]
    for pack in next.packs {
      let number = place(pack, over: &gone)
      numbers[pack.id] = number
      for tag in Set(pack.tags) { packsOfTag[tag, default: []].append(number) }
    }
    for number in gone.values { packs[number].isCurrent = false }
    for (rank, number) in packs.indices.sorted(by: precedes).enumerated() { packs[number].rank = rank }
    let orders = [next.initialInstall, next.prefetch].map { order in
      var seen: Set<Int> = []
      return (order?.packs ?? []).compactMap { numbers[$0] }.filter { seen.insert($0).inserted }
    }
    (initialInstall, prefetchOrder, prefetch) = (orders[0], orders[1], [])
    renewWaiting()
    for number in gone.values.sorted() where packs[number].pins == 0 { drop(number) }
    reschedule()
  }

  /// Says what a folder has of a pack, when a store is opened.
  mutating func restore(_ pack: Int, isStored: Bool, arrived: Int64, lastUse: Int64?, wasPurged: Bool) {
    (packs[pack].wasPurged, packs[pack].isStored, packs[pack].arrived) = (wasPurged, isStored, arrived)
    packs[pack].lastUse = isStored ? lastUse ?? 0 : lastUse
    if isStored || arrived > 0 { reserve(pack) }
  }

  /// Gives up a patch that came out wrong: the pack comes whole.
  mutating func dropPatch(of pack: Int) {
    packs[pack].info.patch = nil
    packs[pack].arrived = 0
  }

  private mutating func place(_ info: Catalog.Pack, over gone: inout [String: Int]) -> Int {
    if let old = gone[info.id], packs[old].info.digest == info.digest, packs[old].size == info.size {
      gone[info.id] = nil
      packs[old].info = info
      return old
    }
    packs.append(Pack(info))
    return packs.count - 1
  }

  private func precedes(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (packs[first].info.id, packs[second].info.id)
    return one == other ? first < second : one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  private mutating func renewWaiting() {
    for number in waiting() {
      guard let request = requests[number] else { continue }
      do throws(OnDemandError) {
        let packs = try resolved(request.tags)
        for pack in packs { self.packs[pack].pins += 1 }
        requests[number]?.packs = packs
        unpin(request.packs)
        noteWhole(number)
      } catch {
        close(number, error)
      }
    }
  }

  private mutating func drop(_ pack: Int) {
    if !packs[pack].isReserved { return }
    free(pack)
    events.append(.dropped(pack))
  }
}
