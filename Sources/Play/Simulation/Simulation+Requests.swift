import Formats
import System

extension Simulation {
  /// Returns the newest request with a name.
  func number(of name: String) throws(ScenarioMistake) -> Int {
    if let number = newest[name] { return number }
    throw mistake("no step before this one begins a request \(quoted(name))")
  }

  /// Opens a request; with a nil priority, opens it only if all its packs are stored.
  mutating func begin(
    _ tags: [String], name: String, priority: LoadingPriority?
  ) throws(ScenarioMistake) {
    let number = try addRequest(tags, name: name)
    guard let packs = packs(of: tags, number: number) else { return }
    try spend(packs.count)
    guard isBelowLimit(packs, number: number) else { return }
    let missing = packs.count { !self.packs[Int($0)].isStored }
    if missing > 0 {
      guard let priority else { return }
      if network == nil { return refuseRequest(number, error: .offline) }
      waiting.insert(WaitingEntry(priority: priority, request: number, version: 0))
    }
    try openRequest(number, as: OpenRequest(packs: packs, priority: priority ?? .standard, missing: missing))
  }

  private mutating func addRequest(_ tags: [String], name: String) throws(ScenarioMistake) -> Int {
    if let earlier = newest[name], requests[earlier] != nil {
      throw mistake("the request \(quoted(name)) is still open here; end it first, or choose another name")
    }
    let number = result.requests.count
    result.requests.append(
      SimulationResult.Request(name: name, tags: tags, step: result.steps.count - 1, began: now))
    newest[name] = number
    return number
  }

  /// Returns the packs of a request's tags; if the release lacks a tag, marks the request as failed and
  /// returns nil.
  private mutating func packs(of tags: [String], number: Int) -> [Int32]? {
    let packs = resolved[source] ?? resolve(tags)
    if resolved[source] == nil {
      resolvedPacks += packs?.count ?? 0
      if resolvedPacks < bounds.pins { resolved[source] = .some(packs) }
    }
    if packs == nil { refuseRequest(number, error: .invalidTag) }
    return packs
  }

  private func resolve(_ names: [String]) -> [Int32]? {
    let tags = names.compactMap { table.tagNumbers[$0] }.filter { !release.packsOfTag[$0].isEmpty }
    return tags.count == names.count ? release.packs(of: tags) : nil
  }

  /// Checks that the packs in use stay below the limit with this request; if not, marks the request as
  /// failed.
  private mutating func isBelowLimit(_ packs: [Int32], number: Int) -> Bool {
    let size = packs.reduce(pinned) { self.packs[Int($1)].pins == 0 ? $0 + release.size(Int($1)) : $0 }
    let fits = size <= inUseLimit || !scenario.rules.limitsUse
    if !fits { refuseRequest(number, error: .inUseLimit) }
    return fits
  }

  private mutating func refuseRequest(_ number: Int, error: SimulatedError) {
    result.requests[number].error = error
    result.summary.errors += 1
  }

  private mutating func openRequest(_ number: Int, as request: OpenRequest) throws(ScenarioMistake) {
    pins += request.packs.count
    if pins > bounds.pins {
      throw mistake("the open requests hold more than \(grouped(bounds.pins)) packs")
    }
    result.requests[number].priority = request.priority
    for pack in request.packs { pin(Int(pack), for: number) }
    result.summary.peakInUse = max(result.summary.peakInUse, pinned)
    requests[number] = request
    if request.missing == 0 { result.requests[number].available = now }
  }

  private mutating func pin(_ pack: Int, for number: Int) {
    packs[pack].pins += 1
    if packs[pack].pins == 1 {
      pinned += release.size(pack)
      purgeable -= packs[pack].reserved ?? 0
    }
    if packs[pack].isStored {
      packs[pack].isUsed = true
    } else {
      packs[pack].waiters.append(Int32(number))
      packs[pack].openWaiters += 1
    }
  }

  mutating func closeRequest(_ number: Int, error: SimulatedError? = nil) {
    guard let request = requests.removeValue(forKey: number) else { return }
    result.requests[number].ended = now
    result.requests[number].last = result.steps.count - 1
    if let error { refuseRequest(number, error: error) }
    for pack in request.packs { unpin(Int(pack)) }
    pins -= request.packs.count
  }

  private mutating func unpin(_ pack: Int) {
    packs[pack].pins -= 1
    packs[pack].lastUse = now
    if !packs[pack].isStored { loseWaiter(of: pack) }
    if packs[pack].pins > 0 { return }
    pinned -= release.size(pack)
    purgeable += packs[pack].reserved ?? 0
    rankForPurge(pack)
  }

  private mutating func loseWaiter(of pack: Int) {
    packs[pack].openWaiters -= 1
    // Remove closed requests only when they are the majority, so that each is visited only a few times.
    if packs[pack].waiters.count > 2 * packs[pack].openWaiters + 8 {
      packs[pack].waiters.removeAll { requests[Int($0)] == nil }
    }
  }

  mutating func setPriority(of number: Int, to priority: LoadingPriority) {
    guard var request = requests[number] else { return }
    request.priority = priority
    result.requests[number].priority = priority
    request.version &+= 1
    if request.missing > 0 {
      waiting.insert(WaitingEntry(priority: priority, request: number, version: request.version))
    }
    requests[number] = request
  }
}

extension Simulation {
  /// Performs one step; returns false if the run ends with it.
  mutating func perform(_ action: ScenarioStep.Action) throws(ScenarioMistake) -> Bool {
    switch action {
    case .install: return try installApp()
    case .begin(let tags, let name, let priority): try begin(tags, name: name, priority: priority)
    case .conditional(let tags, let name): try begin(tags, name: name, priority: nil)
    case .end(let name): closeRequest(try number(of: name))
    case .await(let name): try wait(for: try number(of: name))
    case .priority(let name, let priority): setPriority(of: try number(of: name), to: priority)
    case .preserve(let tags, let priority): try preserve(tags, priority: priority)
    case .play(let time):
      let (end, overflows) = now.addingReportingOverflow(time)
      if overflows { throw endless }
      advance(to: end)
    case .network(let network): try change(to: network)
    case .space(let space):
      self.space = space
      if scenario.rules.purges { freeSpace(bytes: 0, forPack: nil) }
    case .quit: for request in requests.keys { closeRequest(request) }
    case .kill:
      for request in requests.keys { closeRequest(request) }
      // The connections end with the process. Downloads that continue later need new requests to the server.
      stopAllTransfers()
    case .update(let name): try update(to: name)
    }
    reschedule()
    return true
  }

  private mutating func installApp() throws(ScenarioMistake) -> Bool {
    if result.steps.count > 1 { throw mistake("\"install\" is at most once, and the first step") }
    let size = release.initialInstall.reduce(release.source.appSize ?? 0) { $0 + release.size($1) }
    if network == nil || size > space {
      result.summary.errors += 1
      return false
    }
    install = (release.source.appSize, release.initialInstall[...])
    reschedule()
    while install != nil {
      if network?.losesAll == true {
        try losePatience()
        result.summary.errors += 1
        return false
      }
      try advanceToEvent()
    }
    return true
  }

  private mutating func wait(for number: Int) throws(ScenarioMistake) {
    let start = now
    while let request = requests[number], request.missing > 0 {
      if network?.losesAll == true {
        try losePatience()
        closeRequest(number, error: .timedOut)
      } else {
        try advanceToEvent()
      }
    }
    if now == start { return }
    result.requests[number].waited += now - start
    result.summary.stalls += 1
    result.summary.stalled += now - start
  }

  /// Lets the time pass after which the player gives up waiting for a network that loses everything.
  private mutating func losePatience() throws(ScenarioMistake) {
    let (end, overflows) = now.addingReportingOverflow(scenario.patience)
    if overflows { throw endless }
    advance(to: end)
  }

  private mutating func change(to network: NetworkProfile?) throws(ScenarioMistake) {
    stopAllTransfers()
    connections = 0
    self.network = network
    if network != nil { return }
    try spend(requests.count)
    for (number, request) in requests where request.missing > 0 { closeRequest(number, error: .offline) }
  }

  private mutating func preserve(_ names: [String], priority: Double) throws(ScenarioMistake) {
    let tags = names.compactMap { table.tagNumbers[$0] }
    for tag in tags { tagPreservation[tag] = priority }
    for tag in tags {
      for pack in release.packsOfTag[tag] {
        try spend(release.tags[Int(pack)].count)
        renewPreservation(of: Int(pack))
      }
    }
  }

  private mutating func renewPreservation(of pack: Int) {
    packs[pack].preservation = release.tags[pack].reduce(0) { max($0, tagPreservation[$1]) }
    rankForPurge(pack)
  }

  private mutating func update(to name: String) throws(ScenarioMistake) {
    if !requests.isEmpty {
      let names = requests.keys.sorted().map { result.requests[$0].name }
      throw mistake(
        "\(listed(names, atMost: 3)) \(names.count == 1 ? "is" : "are") open here; an app is updated while it does not "
          + "run, so end all requests, or {\"quit\": true}")
    }
    guard let next = table.updates[name] else { throw mistake("the update \(quoted(name)) was not read") }
    try spend(packs.count)
    stopAllTransfers()
    let list = release.source.digest.flatMap { next.source.listSizes[$0] } ?? 0
    result.summary.indexes += next.source.indexSize + list
    let renewed = packs.indices.filter { packs[$0].isStored && !isKept($0, in: next) } + prefetch
    for pack in packs.indices where !isKept(pack, in: next) { replace(pack) }
    release = next
    prefetch = scenario.rules.renews ? inBackground(renewed.filter { next.packs[$0] != nil })[...] : []
    resolved = [:]
    resolvedPacks = 0
    for pack in packs.indices { renewPreservation(of: pack) }
  }

  private func isKept(_ pack: Int, in next: PackTable.Catalog) -> Bool {
    guard let old = release.packs[pack], let new = next.packs[pack] else { return false }
    return old.content == new.content && old.size == new.size
  }

  private mutating func replace(_ pack: Int) {
    note(.notDownloaded, pack: pack)
    if let size = packs[pack].reserved {
      endCopy(of: pack)
      reserved -= size
      purgeable -= size
    }
    let old = packs[pack]
    packs[pack] = PackState()
    packs[pack].patchSource = old.isStored ? release.source.digest : old.patchSource
    packs[pack].preservation = old.preservation
  }
}
