import System
/// The copy of one pack on a device.
struct PackState {
  /// Bytes that it takes up from the link's first start on it on; nil while it takes none.
  var reserved: Int64?
  /// Bytes that have arrived of the copy that is there.
  var arrived: Int64 = 0
  var isStored = false
  /// The release whose contents of the pack are there, as far as patches go; nil for none.
  var patchSource: Digest?
  /// Whether it was stored before, be it in a copy that is gone.
  var wasStored = false
  /// When the last request that held it was closed, or it was stored.
  var lastUse: Int64 = 0
  /// Open requests that hold it.
  var pins = 0
  /// Whether an open request held the copy while it was stored.
  var isUsed = false
  /// Whether it was purged, which a prefetch takes as final.
  var wasPurged = false
  /// The highest preservation priority of its tags.
  var preservation = 0.0
  /// Counts its entries in the queue of packs to purge; all but the newest are void.
  var version: Int32 = 0
  /// Whether its newest entry in that queue no longer says the truth.
  var isStale = false
  /// Requests that wait for it, closed ones among them.
  var waiters: [Int32] = []
  /// Those of them that are open.
  var openWaiters = 0

  /// Whether purging may take it.
  var isPurgeable: Bool { pins == 0 && reserved != nil }
}

/// A request while it is open.
struct OpenRequest {
  /// Its packs by number, sorted.
  let packs: [Int32]
  var priority: LoadingPriority
  /// Packs that are not stored.
  var missing: Int
  /// Packs at the front of `packs` that are known to be stored.
  var stored = 0
  /// Counts its entries in the queue of waiting requests; all but the newest are void.
  var version: Int32 = 0
  /// Its place in the list of open requests.
  var place: Int
}

/// A waiting request as the link's queue sees it: the least is served first.
struct WaitingEntry: Comparable {
  let priority: LoadingPriority
  let request: Int
  let version: Int32

  static func < (first: WaitingEntry, second: WaitingEntry) -> Bool {
    let ranks = (first.rank, second.rank)
    return ranks.0 == ranks.1 ? first.request < second.request : ranks.0 > ranks.1
  }

  private var rank: Double {
    switch priority {
    case .urgent: .infinity
    case .level(let level): level
    }
  }
}

/// A pack's entry in the purge queue; the least is purged first.
struct PurgeEntry: Comparable {
  let preservation: Double
  /// 0 where it was never stored.
  let lastUse: Int64
  let pack: Int
  let version: Int32

  init(_ state: PackState, _ pack: Int) {
    preservation = state.preservation
    lastUse = state.wasStored ? state.lastUse : 0
    self.pack = pack
    version = state.version
  }

  static func < (first: PurgeEntry, second: PurgeEntry) -> Bool {
    (first.preservation, first.lastUse, first.pack) < (second.preservation, second.lastUse, second.pack)
  }
}
