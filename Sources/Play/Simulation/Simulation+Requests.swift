import Formats
import System

extension Simulation {
  /// Returns the number of the newest request that has a name.
  func number(of name: String) throws(ScenarioMistake) -> Int {
    if let number = newest[name] { return number }
    throw mistake("no earlier step begins the request \(quoted(name))")
  }

  /// Opens a request.
  ///
  /// If the priority is nil, opens the request only if all its packs are stored.
  mutating func begin(
    _ tags: [String], name: String, priority: LoadingPriority?
  ) throws(ScenarioMistake) {
    let number = try addRequest(tags, name: name)
    guard let packs = packs(of: tags, number: number) else { return }
    try spend(packs.count)
    result.requests[number].downloadSize = downloadSize(of: packs.lazy.map(Int.init))
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
      throw mistake(
        "an earlier request \(quoted(name)) is still open at this step; end that request first, or choose "
          + "another name"
      )
    }
    let number = result.requests.count
    result.requests.append(
      SimulationResult.Request(name: name, tags: tags, step: result.steps.count - 1, began: now))
    newest[name] = number
    return number
  }

  /// Returns the packs of a request's tags.
  ///
  /// If the release does not have one of the tags, marks the request as failed and returns nil.
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

  /// Checks that the packs in use do not exceed the limit if this request is opened.
  ///
  /// If they would exceed it, marks the request as failed.
  private mutating func isBelowLimit(_ packs: [Int32], number: Int) -> Bool {
    let size = packs.reduce(pinned) { self.packs[Int($1)].pins == 0 ? $0 + table.sizes[Int($1)] : $0 }
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
      throw mistake("the open requests together need more than \(grouped(bounds.pins)) packs")
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
      pinned += table.sizes[pack]
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
    if !packs[pack].isStored { removeWaiter(of: pack) }
    if packs[pack].pins > 0 { return }
    pinned -= table.sizes[pack]
    purgeable += packs[pack].reserved ?? 0
    if isReplaced(pack) { drop(pack) } else { rankForPurge(pack) }
  }

  private mutating func removeWaiter(of pack: Int) {
    packs[pack].openWaiters -= 1
    // Closed requests are removed only when most entries are closed. Each entry is then visited only a few
    // times.
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
  /// Performs one step.
  ///
  /// Returns false if the run ends with this step.
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
      // The connections end with the process. If downloads continue later, they must send new requests to the
      // server.
      stopAllTransfers()
    case .update(let name, .immediate): try update(to: name)
    case .update(let name, .staged): try stage(name)
    case .apply: try applyStaged()
    }
    reschedule()
    return true
  }

  private mutating func installApp() throws(ScenarioMistake) -> Bool {
    if result.steps.count > 1 { throw mistake("\"install\" can only be the first step") }
    let size = release.initialInstall.reduce(release.source.appSize ?? 0) { $0 + table.sizes[$1] }
    if network == nil || size > space {
      result.summary.errors += 1
      return false
    }
    install = (release.source.appSize, release.initialInstall[...])
    reschedule()
    while install != nil {
      if network?.losesAll == true {
        try failRequestsAfterPatience()
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
        try failRequestsAfterPatience()
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

  /// On a network that loses every packet, advances the time until the player gives up waiting.
  private mutating func failRequestsAfterPatience() throws(ScenarioMistake) {
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
      for pack in release.packsOfTag[tag] + (staged?.catalog.packsOfTag[tag] ?? []) {
        try spend(newestTags(of: Int(pack)).count)
        renewPreservation(of: Int(pack))
      }
    }
  }

  /// Returns the tags that a pack has in the newest release with this pack.
  private func newestTags(of pack: Int) -> [Int] {
    if let staged, staged.catalog.packs[pack] != nil { return staged.catalog.tags[pack] }
    return release.tags[pack]
  }

  private mutating func renewPreservation(of pack: Int) {
    packs[pack].preservation = newestTags(of: pack).reduce(0) { max($0, tagPreservation[$1]) }
    rankForPurge(pack)
  }

  private mutating func update(to name: String) throws(ScenarioMistake) {
    if !requests.isEmpty {
      let names = requests.keys.sorted().map { result.requests[$0].name }
      throw mistake(
        "\(names.count == 1 ? "the request" : "the requests") \(listed(names, atMost: 3)) "
          + "\(names.count == 1 ? "is" : "are") open at this step, but an app cannot be updated while it runs; "
          + "end all requests, or add {\"quit\": true} before this step")
    }
    let next = try catalog(of: name)
    stopAllTransfers()
    put(next)
  }

  /// Returns the release that an update installs.
  ///
  /// The call counts as one look-up of each of the release's packs.
  private mutating func catalog(of name: String) throws(ScenarioMistake) -> PackTable.Catalog {
    if let staged {
      throw mistake(
        "the staged update \(quoted(staged.name)) is not applied yet; add {\"apply\": true} before this step")
    }
    guard let next = table.updates[name] else { throw mistake("the update \(quoted(name)) was not read") }
    try spend(packs.count)
    let list = release.source.digest.flatMap { next.source.listSizes[$0] } ?? 0
    result.summary.indexes += next.source.indexSize + list
    return next
  }

  /// Makes a release the current release, and deletes packs that the new release does not have, except packs
  /// that open requests use.
  private mutating func put(_ next: PackTable.Catalog) {
    let old = release
    let changed = packs.indices.filter { old.packs[$0] != nil && next.packs[$0] == nil }
    let renewed = changed.filter { packs[$0].isStored } + prefetch
    for pack in changed {
      // An open request continues the download that it began.
      packs[pack].transfer = transferSize(of: pack)
      if packs[pack].isStored, let digest = old.source.digest {
        patchSources[table.rows[pack]] = PatchSource(pack: pack, release: digest)
      }
    }
    (release, staged) = (next, nil)
    for pack in changed {
      if packs[pack].pins == 0 { drop(pack) }
      note(.notDownloaded, row: table.rows[pack])
    }
    let wanted = renewed.compactMap { next.numbersByRow[table.rows[$0]] }
    prefetch = scenario.rules.renews ? inBackground(wanted)[...] : []
    resolved = [:]
    resolvedPacks = 0
    for pack in packs.indices {
      renewPreservation(of: pack)
      if old.packs[pack] == nil && next.packs[pack] != nil && packs[pack].reserved != nil {
        note(packs[pack].isStored ? .downloaded : .downloading, pack: pack)
      }
    }
  }

  private mutating func stage(_ name: String) throws(ScenarioMistake) {
    let next = try catalog(of: name)
    let tags = release.packsOfTag.indices.filter { tag in
      !release.packsOfTag[tag].isEmpty && release.packsOfTag[tag].allSatisfy { packs[Int($0)].isStored }
    }
    let wanted = next.packs(of: tags).map(Int.init)
    staged = StagedRelease(name: name, catalog: next)
    staged?.download(wanted, missing: wanted.count { !packs[$0].isStored })
    for pack in packs.indices where next.packs[pack] != nil { renewPreservation(of: pack) }
    result.steps[result.steps.count - 1].downloadSize = downloadSize(of: wanted)
  }

  /// Returns the number of bytes that still have to be downloaded for some packs.
  private func downloadSize(of packs: some Sequence<Int>) -> Int64 {
    packs.saturatingSum { pack in
      let state = self.packs[pack]
      return state.isStored ? 0 : max(0, transferSize(of: pack) - state.arrived - arriving(pack))
    }
  }

  private mutating func applyStaged() throws(ScenarioMistake) {
    guard let next = staged?.catalog else {
      throw mistake(
        "no update is staged at this step; add {\"update\": \"PATH\", \"staged\": true} before this step")
    }
    try spend(packs.count)
    put(next)
  }

  /// Whether neither the current nor the staged release has a pack.
  func isReplaced(_ pack: Int) -> Bool {
    release.packs[pack] == nil && staged?.catalog.packs[pack] == nil
  }

  /// Deletes the stored or partly downloaded bytes of a pack, and resets the pack's state.
  private mutating func drop(_ pack: Int) {
    stopTransfer(of: pack)
    if let size = packs[pack].reserved {
      endCopy(of: pack)
      reserved -= size
      purgeable -= size
    }
    packs[pack] = PackState()
    hasUnpinnedPatchSources = true
  }
}
