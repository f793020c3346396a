import System

/// Requests: begun, available, closed.
extension Simulation {
  /// The newest request of a name.
  func number(of name: String) throws(ScenarioMistake) -> Int {
    guard let number = newest[name] else { throw mistake(.unknownName(name)) }
    return number
  }

  mutating func begin(
    _ tags: [String], _ name: String, _ priority: LoadingPriority
  ) throws(ScenarioMistake) {
    let number = try addRequest(tags, name)
    guard let packs = packs(of: tags, number) else { return }
    try spend(packs.count)
    guard isBelowLimit(packs, number) else { return }
    let missing = packs.count { !self.packs[Int($0)].isStored }
    if missing > 0 && link == nil { return refuse(number, .offline) }
    try open(number, OpenRequest(packs: packs, priority: priority, missing: missing, place: open.count))
    if missing > 0 { waiting.insert(WaitingEntry(priority: priority, request: number, version: 0)) }
  }

  mutating func beginConditionally(_ tags: [String], _ name: String) throws(ScenarioMistake) {
    let number = try addRequest(tags, name)
    guard let packs = packs(of: tags, number) else { return }
    try spend(packs.count)
    guard isBelowLimit(packs, number) else { return }
    if !packs.allSatisfy({ self.packs[Int($0)].isStored }) { return }
    try open(number, OpenRequest(packs: packs, priority: .standard, missing: 0, place: open.count))
  }

  private mutating func addRequest(_ tags: [String], _ name: String) throws(ScenarioMistake) -> Int {
    if let earlier = newest[name], requests[earlier] != nil { throw mistake(.nameInUse(name)) }
    let number = result.requests.count
    result.requests.append(
      SimulationResult.Request(name: name, tags: tags, step: result.steps.count - 1, began: now))
    newest[name] = number
    return number
  }

  /// The packs of a request's tags; nil, and the request failed, where the release lacks one.
  private mutating func packs(of tags: [String], _ number: Int) -> [Int32]? {
    let packs = resolved[source] ?? resolve(tags)
    keep(packs)
    if packs == nil { refuse(number, .invalidTag) }
    return packs
  }

  private mutating func keep(_ packs: [Int32]?) {
    if resolved[source] != nil { return }
    resolvedPacks += packs?.count ?? 0
    if resolvedPacks < bounds.pins { resolved[source] = .some(packs) }
  }

  private func resolve(_ names: [String]) -> [Int32]? {
    let tags = names.compactMap(table.tag).filter { !release.packsOfTag[$0].isEmpty }
    return tags.count == names.count ? release.packs(of: tags) : nil
  }

  /// Whether a request's packs may be in use with those that are; the request failed where not.
  private mutating func isBelowLimit(_ packs: [Int32], _ number: Int) -> Bool {
    let size = packs.reduce(pinned) { self.packs[Int($1)].pins == 0 ? $0 + release.size(Int($1)) : $0 }
    if size > scenario.device.inUse { refuse(number, .inUseLimit) }
    return size <= scenario.device.inUse
  }

  private mutating func refuse(_ number: Int, _ error: SimulatedError) {
    result.requests[number].error = error
    result.summary.errors += 1
  }

  private mutating func open(_ number: Int, _ request: OpenRequest) throws(ScenarioMistake) {
    pins += request.packs.count
    if pins > bounds.pins { throw mistake(.tooManyPins) }
    for pack in request.packs { pin(Int(pack), for: number) }
    result.summary.peakInUse = max(result.summary.peakInUse, pinned)
    requests[number] = request
    open.append(number)
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

  /// Closes a request where it is open.
  mutating func close(_ number: Int, _ error: SimulatedError? = nil) {
    guard let request = requests.removeValue(forKey: number) else { return }
    result.requests[number].ended = now
    if let error { refuse(number, error) }
    for pack in request.packs { unpin(Int(pack)) }
    pins -= request.packs.count
    removeFromOpen(at: request.place)
  }

  private mutating func unpin(_ pack: Int) {
    packs[pack].pins -= 1
    packs[pack].lastUse = now
    if !packs[pack].isStored { loseWaiter(of: pack) }
    if packs[pack].pins > 0 { return }
    pinned -= release.size(pack)
    purgeable += packs[pack].reserved ?? 0
    markStale(pack)
  }

  private mutating func loseWaiter(of pack: Int) {
    packs[pack].openWaiters -= 1
    // Swept only when most are closed, so that each is visited a few times at most.
    if packs[pack].waiters.count > 2 * packs[pack].openWaiters + 8 {
      packs[pack].waiters.removeAll { requests[Int($0)] == nil }
    }
  }

  private mutating func removeFromOpen(at place: Int) {
    let last = open.removeLast()
    if place == open.count { return }
    open[place] = last
    requests[last]?.place = place
  }

  mutating func setPriority(of number: Int, to priority: LoadingPriority) {
    guard var request = requests[number] else { return }
    request.priority = priority
    request.version &+= 1
    if request.missing > 0 {
      waiting.insert(WaitingEntry(priority: priority, request: number, version: request.version))
    }
    requests[number] = request
  }
}
